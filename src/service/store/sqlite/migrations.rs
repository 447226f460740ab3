//! The schema versions of the database and the migration to the newest one.

use rusqlite::Connection;

use crate::database_form::{self, Migrations, form};
use crate::service::store::error::StoreError;

const MIGRATIONS: &Migrations = &[(
    16,
    "store",
    include_str!("../../../../assets/schema/store.sql"),
)];

/// Like `form`, but refuses a version that this filedeck does not know.
pub(super) fn known_form(connection: &Connection) -> Result<Option<i32>, StoreError> {
    let form = form(connection)?;
    database_form::check(form, MIGRATIONS)?;
    Ok(form)
}

/// Migrates the database to the newest schema version in one transaction.
pub(super) fn renew(connection: &mut Connection) -> Result<(), StoreError> {
    database_form::renew(connection, MIGRATIONS)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::database_form::{UnknownForm, record_parts};
    use crate::service::store::Audit;
    use crate::service::store::query_plans;

    fn history(connection: &Connection) -> Vec<(i32, String)> {
        let mut rows = connection
            .prepare("SELECT version, name FROM refinery_schema_history")
            .unwrap();
        let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
        rows.unwrap().map(Result::unwrap).collect()
    }

    // Seen to fail when the parts of the schema stay recorded: they are missing from the list then.
    #[test]
    fn a_database_of_todays_form_is_taken_over_once() {
        let mut connection = Connection::open_in_memory().unwrap();
        renew(&mut connection).unwrap();
        let as_new = history(&connection);
        record_parts(&connection, MIGRATIONS);
        assert_eq!(history(&connection).len(), 16);
        for _ in 0..2 {
            renew(&mut connection).unwrap();
            assert_eq!(history(&connection), as_new);
        }
    }

    #[test]
    fn a_database_that_others_have_changed_is_refused() {
        let mut connection = Connection::open_in_memory().unwrap();
        renew(&mut connection).unwrap();
        let change = "UPDATE refinery_schema_history SET checksum = '7'";
        connection.execute_batch(change).unwrap();
        let error = renew(&mut connection).unwrap_err();
        assert!(matches!(error, StoreError::Renewal(..)), "{error:?}");
    }

    #[rstest]
    #[tokio::test]
    async fn a_database_of_an_older_form_is_refused_and_left_as_it_is(
        #[values(1, 8, 15)] form: i32,
    ) {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("test.db");
        query_plans::open(&file).await;
        let mut connection = Connection::open(&file).unwrap();
        let change = format!("UPDATE refinery_schema_history SET version = {form}");
        connection.execute_batch(&change).unwrap();
        let before = std::fs::read(&file).unwrap();
        let found = StoreError::Form(UnknownForm::Older {
            found: form,
            known: 16,
        });
        let refused = renew(&mut connection).unwrap_err();
        assert_eq!(refused.to_string(), found.to_string());
        assert!(
            refused
                .to_string()
                .contains("open it once with the version of 2026-11-27")
        );
        let refused = Audit::open_locked(&file).await.unwrap_err();
        assert_eq!(refused.to_string(), found.to_string());
        assert_eq!(std::fs::read(&file).unwrap(), before);
    }
}
