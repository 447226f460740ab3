//! Opens the database: one connection writes, several read. SQLite in WAL mode, every commit synced to the disk.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions as _, Connection as _, SqlSafeStr as _, SqliteConnection};
use tokio::sync::Mutex;

use super::error::StoreError;
use super::group::GroupCommit;
use super::lookup::FileLookup;
use super::name_indexer::NameIndexer;
use super::presence::Presence;
use crate::service::content::blobs::BlobNames;
use crate::service::content::private;

const READERS: u32 = 4;
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Append only: version, what it brings, its SQL.
const MIGRATIONS: &[(i64, &str, &str)] = &[
    (1, "files and folders", include_str!("../../../assets/migrations/service/0001_files.sql")),
    (2, "tasks and marks", include_str!("../../../assets/migrations/service/0002_tasks.sql")),
    (3, "CRM usage", include_str!("../../../assets/migrations/service/0003_crm.sql")),
    (4, "erasure", include_str!("../../../assets/migrations/service/0004_erasure.sql")),
    (5, "indexes", include_str!("../../../assets/migrations/service/0005_indexes.sql")),
    (6, "pages of large folders", include_str!("../../../assets/migrations/service/0006_pages.sql")),
    (7, "searches over the account", include_str!("../../../assets/migrations/service/0007_searches.sql")),
    (8, "sums by block", include_str!("../../../assets/migrations/service/0008_block_sums.sql")),
    (9, "growth", include_str!("../../../assets/migrations/service/0009_growth.sql")),
    (10, "digests", include_str!("../../../assets/migrations/service/0010_digests.sql")),
    (11, "an index of names", include_str!("../../../assets/migrations/service/0011_names.sql")),
    (12, "names of blobs", include_str!("../../../assets/migrations/service/0012_blob_names.sql")),
];

/// Cheap to clone; clones share the connections.
#[derive(Debug, Clone)]
pub(crate) struct Store {
    pub(super) writer: SqlitePool,
    pub(super) readers: SqlitePool,
    /// For changes that many ask for at the same time.
    pub(super) group: GroupCommit,
    pub(super) lookup: FileLookup,
    pub(super) names: NameIndexer,
    pub(super) presence: Presence,
    /// Sees the database for as long as the store is open, wherever its file may be by then.
    pub(super) rescue_connection: Arc<Mutex<Option<SqliteConnection>>>,
}

impl Store {
    /// Opens the database file, makes it if it is not there, and brings it to the newest form. Blobs get their final names
    /// with the commit of the rows that name them.
    pub(crate) async fn open(file: &Path, blobs: &BlobNames) -> Result<Self, StoreError> {
        // Made by us, it is for its owner only, and so is the log that SQLite puts beside it.
        private::file_options().create(true).append(true).open(file).map_err(sqlx::Error::Io)?;
        let presence = Presence::of(file).map_err(sqlx::Error::Io)?;
        let options = SqliteConnectOptions::new()
            .filename(file)
            // A missing file is an error from here on: a connection opened later must not begin an empty store.
            .create_if_missing(false)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(BUSY_TIMEOUT)
            // What is deleted permanently must not stay readable in free pages
            // (`guarantees.md#a-permanent-deletion-leaves-nothing`).
            .pragma("secure_delete", "ON")
            // A change that touches more than some sixteen pages, as a new file may, would write how to take it back
            // to a file in a folder for all, and with it what is to be erased.
            .pragma("temp_store", "MEMORY");
        let guarded = presence.clone();
        let writer = without_leftovers(pool(1)).after_connect(move |connection, _| {
            let presence = guarded.clone();
            Box::pin(async move { presence.guard(connection).await })
        });
        let writer = writer.connect_with(options.clone()).await?;
        announce_renewal(&writer).await?;
        let migrated = migrator(MIGRATIONS).run(&writer).await;
        migrated.map_err(|error| match error {
            MigrateError::VersionMissing(found) => StoreError::Newer { found, known: newest_form() },
            error => sqlx::Error::from(error).into(),
        })?;
        let readers = pool(READERS).connect_with(options.clone()).await?;
        let names = NameIndexer::start(writer.clone(), presence.clone());
        let group = GroupCommit::start(writer.clone(), names.clone(), blobs.clone());
        let lookup = FileLookup::start(readers.clone());
        let rescue_connection = Arc::new(Mutex::new(Some(options.connect().await?)));
        presence.note_log();
        Ok(Self { writer, readers, group, lookup, names, presence, rescue_connection })
    }

    /// Has the names indexed that a run before has left, behind all else.
    pub(crate) fn fill_name_index(&self) {
        self.names.fill();
    }

    /// Whether the database file is still the one that was opened.
    pub(crate) fn is_there(&self) -> bool {
        self.presence.holds()
    }

    /// Stores and answers nothing anymore, as when the file is lost; it stays as it is.
    pub(crate) fn refuse(&self) {
        self.presence.refuse();
    }

    pub(crate) fn is_refused(&self) -> bool {
        self.presence.is_refused()
    }

    /// Waits for what is under way and closes the file.
    pub(crate) async fn close(&self) {
        let rescue_connection = self.rescue_connection.lock().await.take();
        if let Some(Err(error)) =
            futures::future::OptionFuture::from(rescue_connection.map(SqliteConnection::close)).await
        {
            tracing::warn!(%error, "a connection to the database ended badly");
        }
        self.readers.close().await;
        self.writer.close().await;
    }
}

fn pool(connections: u32) -> SqlitePoolOptions {
    let options = SqlitePoolOptions::new().max_connections(connections).test_before_acquire(false);
    // A connection to a file does not age.
    options.idle_timeout(None).max_lifetime(None)
}

/// Gives a connection up when a transaction could not be ended. SQLite takes a transaction back by itself when the disk
/// fails; sqlx then continues counting it as open, makes the next ones savepoints within it, and calls those committed
/// that never were.
fn without_leftovers(pool: SqlitePoolOptions) -> SqlitePoolOptions {
    pool.after_release(|connection, _| {
        Box::pin(async move {
            // The rollback that a dropped transaction asked for comes before the answer.
            connection.ping().await?;
            Ok(!connection.is_in_transaction())
        })
    })
}

/// Says what is about to be done to a database of an older form, which takes time where it holds much.
async fn announce_renewal(writer: &SqlitePool) -> Result<(), sqlx::Error> {
    let mut connection = writer.acquire().await?;
    if let Some(from) = form(&mut connection).await?
        && from < newest_form()
    {
        let files: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM files").fetch_one(&mut *connection).await?;
        tracing::info!(files, from, to = newest_form(), "bringing the database to its newest form before it is served");
    }
    Ok(())
}

/// The form of the database; none where nothing was ever put into it.
pub(super) async fn form(connection: &mut SqliteConnection) -> Result<Option<i64>, sqlx::Error> {
    let forms = "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = '_sqlx_migrations'";
    if sqlx::query_scalar::<_, i64>(forms).fetch_one(&mut *connection).await? == 0 {
        return Ok(None);
    }
    sqlx::query_scalar("SELECT MAX(version) FROM _sqlx_migrations WHERE success").fetch_one(connection).await
}

/// The newest form of the database that is known here.
pub(super) fn newest_form() -> i64 {
    MIGRATIONS.iter().map(|(version, ..)| *version).max().unwrap_or_default()
}

fn migrator(migrations: &[(i64, &'static str, &'static str)]) -> Migrator {
    let migrations = migrations.iter().map(|(version, description, sql)| {
        Migration::new(*version, (*description).into(), MigrationType::Simple, (*sql).into_sql_str(), false)
    });
    Migrator::with_migrations(migrations.collect())
}

/// Takes the next id. Files and folders share one sequence, so no id names two things.
pub(super) async fn next_id(connection: &mut SqliteConnection) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("UPDATE id_sequence SET next = next + 1 RETURNING next - 1").fetch_one(connection).await
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use rstest::rstest;
    use sqlx::AssertSqlSafe;

    use super::*;
    use crate::service::content::blobs::BlobId;
    use crate::service::store::{Audit, FileKey, query_plans};

    /// The database of a filedeck that knew only the first of the forms, with one file in it.
    async fn of_form(form: usize, file: &Path) {
        let options = SqliteConnectOptions::new().filename(file).create_if_missing(true);
        let mut connection = options.connect().await.unwrap();
        migrator(&MIGRATIONS[..form]).run(&mut connection).await.unwrap();
        let digest = if form < 10 { "sha256" } else { "digest" };
        sqlx::raw_sql(AssertSqlSafe(format!(
            "INSERT INTO folders (id, name, name_folded, path, created_at, updated_at)
             VALUES (1, 'old', 'old', '/old', 0, 0);
             INSERT INTO files (id, folder_id, stem, stem_folded, extension, full_name, blob, size, md5, {digest}, kind,
               media_type, access, usable, source_group, created_at, updated_at)
             VALUES (2, 1, 'a', 'a', 'txt', 'a.txt', 'b10b', 300000, '', '', 'DOCUMENT', 'text/plain', 'PRIVATE', 1,
               'CONTENT', 0, 0)",
        )))
        .execute(&mut connection)
        .await
        .unwrap();
        connection.close().await.unwrap();
    }

    #[rstest]
    #[tokio::test]
    async fn a_database_of_any_older_form_is_read_and_renewed_with_its_files(
        #[values(2, 3, 4, 5, 6, 7, 8, 9, 10, 11)] form: usize,
    ) {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("test.db");
        of_form(form, &file).await;
        let mut audit = Audit::open(&file).await.unwrap();
        assert!(audit.is_older().await.unwrap());
        assert_eq!(
            audit.expected().await.unwrap().first().map(|file| file.path.clone()),
            Some("/old/a.txt".to_owned())
        );
        assert_eq!(audit.block_sums(&BlobId::from_stored("b10b".to_owned())).await.unwrap(), None);
        audit.close().await.unwrap();

        let store = query_plans::open(&file).await;
        let found = store.file(FileKey(2), Timestamp::UNIX_EPOCH).await.unwrap();
        assert_eq!((found.full_name.as_str(), found.content.size), ("a.txt", 300_000));
        assert!(!Audit::open(&file).await.unwrap().is_older().await.unwrap());
    }

    #[tokio::test]
    async fn every_connection_syncs_its_commits_and_wipes_what_it_deletes() {
        let dir = tempfile::tempdir().unwrap();
        let store = query_plans::open(&dir.path().join("test.db")).await;
        for pool in [&store.writer, &store.readers] {
            let mut connection = pool.acquire().await.unwrap();
            let journal: String = sqlx::query_scalar("PRAGMA journal_mode").fetch_one(&mut *connection).await.unwrap();
            assert_eq!(journal, "wal");
            for (pragma, value) in [
                ("PRAGMA synchronous", 2),
                ("PRAGMA secure_delete", 1),
                ("PRAGMA foreign_keys", 1_i64),
                ("PRAGMA temp_store", 2),
            ] {
                let set: i64 = sqlx::query_scalar(pragma).fetch_one(&mut *connection).await.unwrap();
                assert_eq!(set, value, "{pragma}");
            }
        }
    }
}
