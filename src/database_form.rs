//! The form of a database: noted in the database itself, and renewed by the migrations that it lacks.

use refinery_core::{Migration, Runner, Target};
use rusqlite::Connection;

/// Append only: version, what it brings (words joined by `_`), its SQL.
pub(crate) type Migrations = [(i32, &'static str, &'static str)];

/// What earlier versions of filedeck noted the form in.
const FORMER_TABLE: &str = "_sqlx_migrations";
const TABLE: &str = "refinery_schema_history";

/// The form of the database; none where nothing was ever put into it.
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

/// The newest form that these migrations know.
pub(crate) fn newest_form(migrations: &Migrations) -> i32 {
    migrations.iter().map(|(version, ..)| *version).max().unwrap_or_default()
}

/// Whether the form is noted as earlier versions of filedeck did.
pub(crate) fn is_noted_as_before(connection: &Connection) -> Result<bool, rusqlite::Error> {
    has_table(connection, FORMER_TABLE)
}

fn has_table(connection: &Connection, name: &str) -> Result<bool, rusqlite::Error> {
    let is_there = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1)";
    connection.query_row(is_there, [name], |row| row.get(0))
}

/// Brings a database of a known form to the newest, in one transaction. What earlier versions noted is carried over before.
pub(crate) fn renew<E>(connection: &mut Connection, migrations: &Migrations) -> Result<(), E>
where
    E: From<rusqlite::Error> + From<refinery_core::Error>,
{
    if is_noted_as_before(connection)? {
        // If it is cut short in between, the next start does it again.
        let noted = Target::FakeVersion(form(connection)?.unwrap_or_default());
        runner(migrations)?.set_target(noted).run(connection)?;
        connection.execute_batch(&format!("DROP TABLE {FORMER_TABLE}"))?;
    }
    runner(migrations)?.run(connection)?;
    Ok(())
}

pub(crate) fn runner(migrations: &Migrations) -> Result<Runner, refinery_core::Error> {
    let migrations =
        migrations.iter().map(|(version, name, sql)| Migration::unapplied(&format!("V{version}__{name}"), sql));
    // Grouped, a migration and the note of it are one transaction; otherwise they would be two.
    Ok(Runner::new(&migrations.collect::<Result<Vec<_>, _>>()?).set_grouped(true))
}

/// Where the form of a database is noted. What a carry-over that was cut short leaves is `Both`.
#[cfg(test)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum NotedForm {
    Before,
    Both,
    Now,
}

/// Notes the form of a database also, or only, as filedeck did before.
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
        connection.execute_batch("DROP TABLE refinery_schema_history").unwrap();
    }
}
