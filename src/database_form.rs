//! The schema version ("form") of a database: recorded in the database itself, and upgraded by
//! migrations.

use refinery_core::{Migration, Runner};
use rusqlite::Connection;

/// The first entry creates the whole schema, in the oldest version that can be read; those after
/// it are appended. Each entry: the version, a description (words joined by `_`) and the SQL.
pub(crate) type Migrations = [(i32, &'static str, &'static str)];

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum UnknownForm {
    #[error(
        "the database was made by a newer filedeck (its form is {found}, this one knows {known} at most); use the newer \
         one, or a copy from before"
    )]
    Newer { found: i32, known: i32 },
    #[error(
        "the database was made by a development version of filedeck (its form is {found}, this one knows {known} and \
         later); open it once with the version of 2026-11-27, which brings it to form {known}"
    )]
    Older { found: i32, known: i32 },
}

/// Refuses a version that none of the migrations has.
pub(crate) fn check(found: Option<i32>, migrations: &Migrations) -> Result<(), UnknownForm> {
    let versions = || migrations.iter().map(|(version, ..)| *version);
    match (found, versions().min(), versions().max()) {
        (Some(found), Some(known), _) if found < known => Err(UnknownForm::Older { found, known }),
        (Some(found), _, Some(known)) if found > known => Err(UnknownForm::Newer { found, known }),
        _ => Ok(()),
    }
}

/// The version of the database; `None` if no migration was ever applied.
pub(crate) fn form(connection: &Connection) -> Result<Option<i32>, rusqlite::Error> {
    if !connection.table_exists(None, "refinery_schema_history")? {
        return Ok(None);
    }
    let newest = "SELECT MAX(version) FROM refinery_schema_history";
    connection.query_row(newest, [], |row| row.get(0))
}

/// Migrates a database to the newest version, in one transaction.
pub(crate) fn renew<E>(connection: &mut Connection, migrations: &Migrations) -> Result<(), E>
where
    E: From<rusqlite::Error> + From<refinery_core::Error> + From<UnknownForm>,
{
    let form = form(connection)?;
    check(form, migrations)?;
    // Asked first, since a write would wait for other processes.
    if form.is_some() && has_parts(connection, migrations)? {
        let transaction = connection.transaction()?;
        transaction.execute_batch(&joined_history(migrations)?)?;
        transaction.commit()?;
    }
    runner(migrations)?.run(connection)?;
    Ok(())
}

fn has_parts(connection: &Connection, migrations: &Migrations) -> Result<bool, rusqlite::Error> {
    let has_parts = "SELECT EXISTS (SELECT 1 FROM refinery_schema_history WHERE version < ?1)";
    let first = migrations.first().map(|(version, ..)| *version);
    connection.query_row(has_parts, [first], |row| row.get(0))
}

/// The SQL that records the schema as one migration where its parts were recorded one by one. It
/// changes nothing after the first time.
pub(crate) fn joined_history(migrations: &Migrations) -> Result<String, refinery_core::Error> {
    let Some(first) = migrations.first() else {
        return Ok(String::new());
    };
    let schema = migration(first)?;
    let (version, name, checksum) = (schema.version(), schema.name(), schema.checksum());
    Ok(format!(
        "UPDATE refinery_schema_history SET name = '{name}', checksum = '{checksum}'
           WHERE version = {version} AND EXISTS (SELECT 1 FROM refinery_schema_history WHERE version < {version});
         DELETE FROM refinery_schema_history WHERE version < {version}"
    ))
}

fn migration(
    (version, name, sql): &(i32, &'static str, &'static str),
) -> Result<Migration, refinery_core::Error> {
    Migration::unapplied(&format!("V{version}__{name}"), sql)
}

pub(crate) fn runner(migrations: &Migrations) -> Result<Runner, refinery_core::Error> {
    let migrations = migrations.iter().map(migration);
    // When grouped, a migration and its record share one transaction; otherwise they would take
    // two.
    Ok(Runner::new(&migrations.collect::<Result<Vec<_>, _>>()?).set_grouped(true))
}

/// Records the schema the way development versions did: its parts one by one.
#[cfg(test)]
pub(crate) fn record_parts(connection: &Connection, migrations: &Migrations) {
    let version = migrations[0].0;
    let parts = format!(
        "UPDATE refinery_schema_history SET name = 'last_part', checksum = '7' WHERE version = {version};
         WITH RECURSIVE parts (version) AS (SELECT 1 UNION ALL SELECT version + 1 FROM parts WHERE version < {version} - 1)
         INSERT INTO refinery_schema_history SELECT version, 'part', '2026-11-01T00:00:00Z', '7' FROM parts"
    );
    connection.execute_batch(&parts).unwrap();
}
