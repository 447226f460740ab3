//! A copy of the whole database, made once the sample library is complete, and the return to it, so
//! that tests begin with the same rows and ids each time.

use std::collections::HashSet;
use std::io;
use std::path::Path;

use jiff::Timestamp;
use rusqlite::Connection;

use super::connections::utf8;
use super::database::EmbeddedDatabase;
use super::name_index;
use super::tables::SqliteTables;
use super::values::millis;
use crate::service::content::blobs::BlobId;
use crate::service::content::private;
use crate::service::store::error::StoreError;

/// The tables whose rows are restored, each with a condition that its row `m` equals row `s` of the
/// copy. The name index is emptied instead, unused blobs are computed again, and pending blobs
/// stay.
const TABLES: &str = "SELECT name,
       (SELECT group_concat('m.' || field.name || ' IS s.' || field.name, ' AND ') FROM pragma_table_info(kept.name) field)
     FROM main.sqlite_schema kept WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'name_index%'
       AND name NOT IN ('refinery_schema_history', 'names_indexed', 'names_changed', 'unused_blobs', 'pending_blobs')";

/// Blobs that no row names once the rows of the copy are restored, and those that are named again.
const UNUSED: &str = "INSERT OR IGNORE INTO unused_blobs (blob, since)
       SELECT blob, ?1 FROM main.files WHERE blob NOT IN (SELECT blob FROM sample.files)";
const USED_AGAIN: &str = "DELETE FROM unused_blobs WHERE blob IN (SELECT blob FROM sample.files)";

impl EmbeddedDatabase {
    /// Writes the whole database to a file and returns the blobs that its rows name, which must
    /// stay.
    pub(crate) async fn copy_sample(&self, file: &Path) -> Result<HashSet<BlobId>, StoreError> {
        // A file that an earlier run left cannot be overwritten.
        match std::fs::remove_file(file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
        private::file_options()
            .create_new(true)
            .write(true)
            .open(file)?;
        let file = file.to_owned();
        self.alone(move |connection| {
            let tables = SqliteTables(connection);
            tables.execute("VACUUM INTO ?1", [utf8(&file)?])?;
            let blobs = tables.all("SELECT blob FROM files", [], |row| {
                row.get(0).map(BlobId::from_stored)
            })?;
            Ok(blobs.into_iter().collect())
        })
        .await
    }

    /// Replaces all rows with those of the file, in one transaction.
    pub(crate) async fn return_to_sample(
        &self,
        file: &Path,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let file = file.to_owned();
        self.alone(move |connection| {
            connection.execute("ATTACH DATABASE ?1 AS sample", [utf8(&file)?])?;
            let returned = put_back(connection, now);
            // The next return must not find the file attached.
            let detached = connection.execute_batch("DETACH DATABASE sample");
            returned?;
            Ok(detached?)
        })
        .await
    }
}

fn put_back(connection: &mut Connection, now: Timestamp) -> Result<(), StoreError> {
    let transaction = connection.transaction()?;
    let tables: Vec<(String, String)> = transaction
        .prepare(TABLES)?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    // Only rows that differ: each costs its entries in about twenty indexes.
    let put_back = tables.iter().map(|(table, same)| {
        format!(
            "DELETE FROM main.{table} AS m WHERE NOT EXISTS (SELECT 1 FROM sample.{table} s WHERE {same});
             INSERT INTO main.{table} SELECT * FROM sample.{table} s
               WHERE NOT EXISTS (SELECT 1 FROM main.{table} m WHERE {same});"
        )
    });
    // Rows refer to each other in both directions until all are restored.
    let put_back: String = std::iter::once("PRAGMA defer_foreign_keys = ON;".to_owned())
        .chain(put_back)
        .collect();
    transaction.execute(UNUSED, [millis(now)])?;
    transaction.execute(USED_AGAIN, [])?;
    transaction.execute_batch(&put_back)?;
    transaction.execute_batch(name_index::EMPTY)?;
    Ok(transaction.commit()?)
}
