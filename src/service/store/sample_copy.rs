//! A copy of the whole database, made once the sample library is complete, and the way back to it: tests begin with the
//! same rows and ids each time.

use std::collections::HashSet;
use std::io;
use std::path::Path;

use jiff::Timestamp;
use sqlx::{AssertSqlSafe, Connection as _, SqliteConnection};

use super::database::Store;
use super::error::StoreError;
use super::name_index;
use super::values::millis;
use crate::service::content::blobs::BlobId;
use crate::service::content::private;

/// The tables whose rows are put back, each with a condition for a row `m` of theirs that is a row `s` of the copy's. The
/// index of names is emptied instead, and what is unused is counted anew.
const TABLES: &str = "SELECT name,
       (SELECT group_concat('m.' || field.name || ' IS s.' || field.name, ' AND ') FROM pragma_table_info(kept.name) field)
     FROM main.sqlite_schema kept WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'name_index%'
       AND name NOT IN ('_sqlx_migrations', 'names_indexed', 'names_changed', 'unused_blobs')";

/// Blobs that no row names once the rows of the copy are back, and those that are named again.
const UNUSED: &str = "INSERT OR IGNORE INTO unused_blobs (blob, since)
       SELECT blob, $1 FROM main.files WHERE blob NOT IN (SELECT blob FROM sample.files);
     DELETE FROM unused_blobs WHERE blob IN (SELECT blob FROM sample.files)";

impl Store {
    /// Writes the whole database to a file, and gives the blobs that its rows name: these must stay.
    pub(crate) async fn copy_sample(&self, file: &Path) -> Result<HashSet<BlobId>, StoreError> {
        // One that an earlier run left cannot be written over.
        match std::fs::remove_file(file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(sqlx::Error::Io(error).into()),
            _ => {}
        }
        private::file_options().create_new(true).write(true).open(file).map_err(sqlx::Error::Io)?;
        sqlx::query("VACUUM INTO $1").bind(utf8(file)?).execute(&self.writer).await?;
        let blobs: Vec<String> = sqlx::query_scalar("SELECT blob FROM files").fetch_all(&self.readers).await?;
        Ok(blobs.into_iter().map(BlobId::from_stored).collect())
    }

    /// Puts the rows of that file in the place of all that are there, in one transaction.
    pub(crate) async fn return_to_sample(&self, file: &Path, now: Timestamp) -> Result<(), StoreError> {
        let mut connection = self.writer.acquire().await?;
        let returned = put_back(&mut connection, utf8(file)?, now).await;
        if returned.is_err() {
            // The next one must not find the file attached.
            connection.close_on_drop();
        }
        returned
    }
}

async fn put_back(connection: &mut SqliteConnection, file: &str, now: Timestamp) -> Result<(), StoreError> {
    sqlx::query("ATTACH DATABASE $1 AS sample").bind(file).execute(&mut *connection).await?;
    let mut transaction = connection.begin().await?;
    let tables: Vec<(String, String)> = sqlx::query_as(TABLES).fetch_all(&mut *transaction).await?;
    // Only rows that differ: each costs its entries in some twenty indexes.
    let put_back = tables.iter().map(|(table, same)| {
        format!(
            "DELETE FROM main.{table} AS m WHERE NOT EXISTS (SELECT 1 FROM sample.{table} s WHERE {same});
             INSERT INTO main.{table} SELECT * FROM sample.{table} s
               WHERE NOT EXISTS (SELECT 1 FROM main.{table} m WHERE {same});"
        )
    });
    // Rows refer to each other in both directions until all are there.
    let put_back: String = std::iter::once("PRAGMA defer_foreign_keys = ON;".to_owned()).chain(put_back).collect();
    sqlx::query(UNUSED).bind(millis(now)).execute(&mut *transaction).await?;
    sqlx::raw_sql(AssertSqlSafe(put_back)).execute(&mut *transaction).await?;
    sqlx::raw_sql(name_index::EMPTY).execute(&mut *transaction).await?;
    transaction.commit().await?;
    sqlx::raw_sql("DETACH DATABASE sample").execute(connection).await?;
    Ok(())
}

fn utf8(file: &Path) -> Result<&str, sqlx::Error> {
    file.to_str().ok_or_else(|| sqlx::Error::Configuration("the path is not UTF-8".into()))
}
