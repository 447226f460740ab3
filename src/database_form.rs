//! The schema version ("form") of a database: recorded in the database itself, and upgraded by
//! migrations.

use refinery_core::{Migration, Runner, Target};
use rusqlite::Connection;

/// Append only. Each entry: the version, a description (words joined by `_`) and the SQL.
pub(crate) type Migrations = [(i32, &'static str, &'static str)];

/// The table in which earlier releases of filedeck recorded the version.
const FORMER_TABLE: &str = "_sqlx_migrations";
const TABLE: &str = "refinery_schema_history";

/// The version of the database; `None` if no migration was ever applied.
pub(crate) fn form(connection: &Connection) -> Result<Option<i32>, rusqlite::Error> {
    let noted = |table: &str, condition: &str| {
        if !has_table(connection, table)? {
            return Ok(None);
        }
        let newest = format!("SELECT MAX(version) FROM {table} WHERE {condition}");
        connection.query_row(&newest, [], |row| row.get::<_, Option<i32>>(0))
    };
    Ok(noted(FORMER_TABLE, "success")?.max(noted(TABLE, "true")?))
}

pub(crate) fn newest_form(migrations: &Migrations) -> i32 {
    migrations
        .iter()
        .map(|(version, ..)| *version)
        .max()
        .unwrap_or_default()
}

/// Returns `true` if the version is still recorded the way earlier releases of filedeck did.
pub(crate) fn is_noted_as_before(connection: &Connection) -> Result<bool, rusqlite::Error> {
    has_table(connection, FORMER_TABLE)
}

fn has_table(connection: &Connection, name: &str) -> Result<bool, rusqlite::Error> {
    let is_there = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1)";
    connection.query_row(is_there, [name], |row| row.get(0))
}

/// Migrates a database of a known version to the newest, in one transaction. Converts an old record
/// first.
pub(crate) fn renew<E>(connection: &mut Connection, migrations: &Migrations) -> Result<(), E>
where
    E: From<rusqlite::Error> + From<refinery_core::Error>,
{
    if is_noted_as_before(connection)? {
        // If this is interrupted, the next start repeats it.
        let noted = Target::FakeVersion(form(connection)?.unwrap_or_default());
        runner(migrations)?.set_target(noted).run(connection)?;
        connection.execute_batch(&format!("DROP TABLE {FORMER_TABLE}"))?;
    }
    runner(migrations)?.run(connection)?;
    Ok(())
}

pub(crate) fn runner(migrations: &Migrations) -> Result<Runner, refinery_core::Error> {
    let migrations = migrations
        .iter()
        .map(|(version, name, sql)| Migration::unapplied(&format!("V{version}__{name}"), sql));
    // When grouped, a migration and its record share one transaction; otherwise they would take
    // two.
    Ok(Runner::new(&migrations.collect::<Result<Vec<_>, _>>()?).set_grouped(true))
}

/// The place where the version of a database is recorded. An interrupted conversion leaves `Both`.
#[cfg(test)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum NotedForm {
    Before,
    Both,
    Now,
}

/// Records the version the way earlier releases did, either additionally or only there.
#[cfg(test)]
pub(crate) fn note(connection: &Connection, noted: NotedForm) {
    let former = "CREATE TABLE _sqlx_migrations (version BIGINT PRIMARY KEY, description TEXT NOT NULL,
           installed_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, success BOOLEAN NOT NULL, checksum BLOB NOT NULL,
           execution_time BIGINT NOT NULL);
         INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
           SELECT version, name, TRUE, x'00', 1 FROM refinery_schema_history";
    if noted != NotedForm::Now {
        connection.execute_batch(former).unwrap();
    }
    if noted == NotedForm::Before {
        connection
            .execute_batch("DROP TABLE refinery_schema_history")
            .unwrap();
    }
}
