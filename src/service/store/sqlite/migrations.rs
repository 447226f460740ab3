//! The schema versions of the database and the migration to the newest one.

use rusqlite::Connection;

use super::tables::SqliteTables;
use crate::database_form::{self, Migrations, form};
use crate::service::store::error::StoreError;

const MIGRATIONS: &Migrations = &[
    (
        1,
        "files_and_folders",
        include_str!("../../../../assets/migrations/service/0001_files.sql"),
    ),
    (
        2,
        "tasks_and_marks",
        include_str!("../../../../assets/migrations/service/0002_tasks.sql"),
    ),
    (
        3,
        "CRM_usage",
        include_str!("../../../../assets/migrations/service/0003_crm.sql"),
    ),
    (
        4,
        "erasure",
        include_str!("../../../../assets/migrations/service/0004_erasure.sql"),
    ),
    (
        5,
        "indexes",
        include_str!("../../../../assets/migrations/service/0005_indexes.sql"),
    ),
    (
        6,
        "pages_of_large_folders",
        include_str!("../../../../assets/migrations/service/0006_pages.sql"),
    ),
    (
        7,
        "searches_over_the_account",
        include_str!("../../../../assets/migrations/service/0007_searches.sql"),
    ),
    (
        8,
        "sums_by_block",
        include_str!("../../../../assets/migrations/service/0008_block_sums.sql"),
    ),
    (
        9,
        "growth",
        include_str!("../../../../assets/migrations/service/0009_growth.sql"),
    ),
    (
        10,
        "digests",
        include_str!("../../../../assets/migrations/service/0010_digests.sql"),
    ),
    (
        11,
        "an_index_of_names",
        include_str!("../../../../assets/migrations/service/0011_names.sql"),
    ),
    (
        12,
        "names_of_blobs",
        include_str!("../../../../assets/migrations/service/0012_blob_names.sql"),
    ),
    (
        13,
        "pending_blobs",
        include_str!("../../../../assets/migrations/service/0013_pending_blobs.sql"),
    ),
    (
        14,
        "name_merges",
        include_str!("../../../../assets/migrations/service/0014_name_merges.sql"),
    ),
    (
        15,
        "access",
        include_str!("../../../../assets/migrations/service/0015_access.sql"),
    ),
    (
        16,
        "searches_by_facts",
        include_str!("../../../../assets/migrations/service/0016_facts.sql"),
    ),
];

/// Like `form`, but refuses a version that is newer than this filedeck.
pub(super) fn known_form(connection: &Connection) -> Result<Option<i32>, StoreError> {
    match form(connection)? {
        Some(found) if found > newest_form() => Err(StoreError::Newer {
            found,
            known: newest_form(),
        }),
        found => Ok(found),
    }
}

pub(super) fn newest_form() -> i32 {
    database_form::newest_form(MIGRATIONS)
}

/// Migrates the database to the newest schema version in one transaction.
pub(super) fn renew(connection: &mut Connection) -> Result<(), StoreError> {
    let form = known_form(connection)?;
    if let Some(from) = form.filter(|form| *form < newest_form()) {
        // This takes a while if there are many files.
        let files: i64 = SqliteTables(connection).value("SELECT COUNT(*) FROM files", [])?;
        tracing::info!(
            files,
            from,
            to = newest_form(),
            "bringing the database to its newest form before it is served"
        );
    }
    database_form::renew(connection, MIGRATIONS)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use jiff::Timestamp;
    use rstest::rstest;

    use super::*;
    use crate::database_form::{NotedForm, is_noted_as_before, note};
    use crate::service::content::blobs::BlobId;
    use crate::service::store::query_plans;
    use crate::service::store::{Audit, FileKey};

    fn of_form(form: usize, file: &Path) -> Connection {
        let mut connection = Connection::open(file).unwrap();
        database_form::renew::<StoreError>(&mut connection, &MIGRATIONS[..form]).unwrap();
        let digest = if form < 10 { "sha256" } else { "digest" };
        let rows = format!(
            "INSERT INTO folders (id, name, name_folded, path, created_at, updated_at)
             VALUES (1, 'old', 'old', '/old', 0, 0);
             INSERT INTO files (id, folder_id, stem, stem_folded, extension, full_name, blob, size, md5, {digest}, kind,
               media_type, access, usable, source_group, created_at, updated_at)
             VALUES (2, 1, 'a', 'a', 'txt', 'a.txt', 'b10b', 300000, '', '', 'DOCUMENT', 'text/plain', 'PRIVATE', 1,
               'CONTENT', 0, 0)",
        );
        connection.execute_batch(&rows).unwrap();
        connection
    }

    #[rstest]
    #[tokio::test]
    async fn a_database_of_any_older_form_is_read_and_renewed_with_its_files(
        #[values(2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14)] form: usize,
        #[values(NotedForm::Before, NotedForm::Both, NotedForm::Now)] noted: NotedForm,
    ) {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("test.db");
        let connection = of_form(form, &file);
        note(&connection, noted);
        drop(connection);
        let audit = Audit::open(&file).await.unwrap();
        assert!(audit.is_older().await.unwrap());
        assert_eq!(
            audit
                .expected()
                .await
                .unwrap()
                .first()
                .map(|file| file.path.clone()),
            Some("/old/a.txt".to_owned())
        );
        assert_eq!(
            audit
                .block_sums(&BlobId::from_stored("b10b".to_owned()))
                .await
                .unwrap(),
            None
        );
        audit.close().await;

        let store = query_plans::open(&file).await;
        let found = store.file(FileKey(2), Timestamp::UNIX_EPOCH).await.unwrap();
        assert_eq!(
            (found.full_name.as_str(), found.content.size),
            ("a.txt", 300_000)
        );
        assert!(!Audit::open(&file).await.unwrap().is_older().await.unwrap());
        assert!(
            !store
                .embedded()
                .unwrap()
                .read(|tables| Ok(is_noted_as_before(tables.0)?))
                .await
                .unwrap()
        );
    }

    // Fails if the migration only changes a setting of the index, which reads the damaged part.
    #[rstest]
    #[case::all_of_it("UPDATE name_index_data SET block = x'ff'")]
    #[case::its_configuration("DELETE FROM name_index_config")]
    #[tokio::test]
    async fn a_database_whose_index_of_names_is_damaged_is_renewed(#[case] damage: &str) {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("test.db");
        of_form(13, &file).execute_batch(damage).unwrap();
        let store = query_plans::open(&file).await;
        assert_eq!(
            store
                .file(FileKey(2), Timestamp::UNIX_EPOCH)
                .await
                .unwrap()
                .full_name,
            "a.txt"
        );
        assert!(
            Audit::open(&file)
                .await
                .unwrap()
                .faults()
                .await
                .unwrap()
                .is_empty()
        );
    }

    #[test]
    fn a_database_of_the_newest_form_of_before_is_taken_over_as_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let mut connection = of_form(MIGRATIONS.len(), &dir.path().join("test.db"));
        note(&connection, NotedForm::Before);
        for _ in 0..2 {
            renew(&mut connection).unwrap();
            assert_eq!(form(&connection).unwrap(), Some(newest_form()));
            assert!(!is_noted_as_before(&connection).unwrap());
        }
    }

    #[rstest]
    #[case::another_content("UPDATE refinery_schema_history SET checksum = '7' WHERE version = 3")]
    #[case::one_left_out("DELETE FROM refinery_schema_history WHERE version = 3")]
    fn a_database_that_others_have_changed_is_refused(#[case] change: &str) {
        let dir = tempfile::tempdir().unwrap();
        let mut connection = of_form(MIGRATIONS.len(), &dir.path().join("test.db"));
        connection.execute_batch(change).unwrap();
        let error = renew(&mut connection).unwrap_err();
        assert!(matches!(error, StoreError::Renewal(..)), "{error:?}");
    }

    // Fails if the migrations do not share one transaction.
    #[test]
    fn a_renewal_that_fails_leaves_the_form_as_it_was() {
        let dir = tempfile::tempdir().unwrap();
        let in_between = of_form(8, &dir.path().join("other.db"));
        let room: i64 = in_between
            .query_row("PRAGMA page_count", [], |row| row.get(0))
            .unwrap();
        let mut connection = of_form(5, &dir.path().join("test.db"));
        connection
            .pragma_update(None, "max_page_count", room)
            .unwrap();
        assert!(renew(&mut connection).unwrap_err().is_full());
        assert_eq!(form(&connection).unwrap(), Some(5));
    }
}
