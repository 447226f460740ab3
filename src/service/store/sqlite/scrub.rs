//! Rewrites the database so that nothing of erased rows is left in its bytes.

use std::time::Duration;

use super::connections::BUSY_TIMEOUT;
use super::database::EmbeddedDatabase;
use super::name_index;
use crate::service::store::error::StoreError;
use crate::service::store::records::ServiceFlag;
use crate::service::store::sql::Tables;

/// The maximum wait for a reader that is in the way. Nothing is stored meanwhile.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ScrubDelay(Duration);

impl ScrubDelay {
    /// For callers that try again, for as long as a program that makes a copy may read.
    pub(crate) const SHORT: Self = Self(Duration::from_millis(100));
    /// For callers that do not try again.
    pub(crate) const LONG: Self = Self(BUSY_TIMEOUT);
}

impl EmbeddedDatabase {
    /// Rebuilds every page of the database if rows were erased since the last time. `secure_delete`
    /// alone is not enough: when SQLite balances a tree, copies of rows stay behind in the pages
    /// they moved out of, and no later deletion finds them. The log has the old pages until it is
    /// emptied.
    pub(crate) async fn rewrite(&self) -> Result<(), StoreError> {
        if !self.is_unscrubbed().await? {
            return Ok(());
        }
        let rewritten = self.alone(|connection| {
            // The index has parts of erased names. Filling it again takes less time than the
            // rewrite.
            name_index::empty(connection)?;
            // The new copy of the database may be too large for memory.
            let rewritten = connection.execute_batch("PRAGMA temp_store = FILE; VACUUM");
            connection.execute_batch("PRAGMA temp_store = MEMORY")?;
            Ok(rewritten?)
        });
        let rewritten = rewritten.await;
        self.names.fill();
        rewritten
    }

    /// Empties the log after a rewrite since which nothing may have been erased; then nothing is
    /// left of erased rows. Returns `false` while a reader is in the way: try again.
    pub(crate) async fn empty_log(&self, patience: ScrubDelay) -> Result<bool, StoreError> {
        if !self.truncate_log(patience).await? {
            return Ok(false);
        }
        if !self.is_unscrubbed().await? {
            return Ok(true);
        }
        self.write(|tables| <dyn Tables>::clear_mark(tables, ServiceFlag::Unscrubbed))
            .await?;
        self.truncate_log(patience).await
    }

    /// Moves the contents of the write-ahead log into the database and empties the log, so that no
    /// erased row stays readable in it. Returns `false` while a reader is in the way
    /// (`guarantees.md#a-permanent-deletion-leaves-nothing`).
    pub(crate) async fn truncate_log(&self, patience: ScrubDelay) -> Result<bool, StoreError> {
        let busy = self.alone(move |connection| {
            connection.busy_timeout(patience.0)?;
            let busy = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| {
                row.get::<_, i64>(0)
            });
            connection.busy_timeout(BUSY_TIMEOUT)?;
            Ok(busy?)
        });
        let busy = busy.await?;
        // The file has changed since the last commit, and no other check may come for long.
        self.presence.holds();
        Ok(busy == 0)
    }

    async fn is_unscrubbed(&self) -> Result<bool, StoreError> {
        Ok(self
            .read(|tables| <dyn Tables>::mark(tables, ServiceFlag::Unscrubbed))
            .await?
            .is_some())
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use rusqlite::Connection;

    use super::super::tables::SqliteTables;
    use super::*;
    use crate::service::store::Store;
    use crate::service::store::query_plans;

    /// Names of rows, unordered and of many lengths, so that pages are balanced often.
    fn names(seed: u64) -> impl Iterator<Item = String> {
        let mut state = seed;
        std::iter::repeat_with(move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let random = state >> 33;
            let kind = if random.is_multiple_of(2) {
                "canary"
            } else {
                "keeper"
            };
            format!("{random:010}-{kind}-{}", "x".repeat((random % 60) as usize))
        })
    }

    /// Adds and removes rows until the pages have been balanced often; at the end every canary is
    /// deleted.
    async fn churn(store: &Store, seed: u64) {
        let churned = store.embedded().unwrap().write(move |tables| {
            let mut live = Vec::new();
            for (count, name) in names(seed).take(6_000).enumerate() {
                tables.execute(
                    "INSERT OR IGNORE INTO marks (name, value) VALUES (?1, 0)",
                    [&name],
                )?;
                live.push(name);
                if count % 3 == 0 {
                    let gone = live.swap_remove(count / 3 % live.len());
                    tables.execute("DELETE FROM marks WHERE name = ?1", [gone])?;
                }
            }
            tables.execute("DELETE FROM marks WHERE name LIKE '%canary%'", [])?;
            <dyn Tables>::mark_from(tables, ServiceFlag::Unscrubbed, Timestamp::UNIX_EPOCH)
        });
        churned.await.unwrap();
    }

    async fn setting(store: &Store, pragma: &'static str) -> i64 {
        store
            .embedded()
            .unwrap()
            .alone(move |connection| SqliteTables(connection).value(pragma, []))
            .await
            .unwrap()
    }

    // Fails if an error of the rewrite returns at once.
    #[tokio::test]
    async fn a_rewrite_that_fails_leaves_what_is_to_be_erased_out_of_the_folder_for_all() {
        let dir = tempfile::tempdir().unwrap();
        let store = query_plans::open(&dir.path().join("test.db")).await;
        store
            .set_mark(ServiceFlag::Unscrubbed, Timestamp::UNIX_EPOCH)
            .await
            .unwrap();
        let in_memory = setting(&store, "PRAGMA temp_store").await;
        // The new copy of the database would be one attached database too many.
        let attach: Vec<String> = (0..10)
            .map(|number| format!("ATTACH ':memory:' AS attached_{number}"))
            .collect();
        query_plans::carry_out(&store, &attach.join("; ")).await;
        store.rewrite().await.unwrap_err();
        assert_eq!(setting(&store, "PRAGMA temp_store").await, in_memory);
    }

    // Fails if the short timeout stays.
    #[tokio::test]
    async fn while_somebody_reads_the_log_stays_and_others_have_their_patience_with_each_other() {
        let dir = tempfile::tempdir().unwrap();
        let store = query_plans::open(&dir.path().join("test.db")).await;
        store
            .set_mark(ServiceFlag::Unscrubbed, Timestamp::UNIX_EPOCH)
            .await
            .unwrap();
        let reader = Connection::open(dir.path().join("test.db")).unwrap();
        reader
            .execute_batch("BEGIN; SELECT COUNT(*) FROM marks")
            .unwrap();
        store
            .write(|tables| <dyn Tables>::clear_mark(tables, ServiceFlag::Unscrubbed))
            .await
            .unwrap();
        assert!(!store.truncate_log(ScrubDelay::SHORT).await.unwrap());
        let patience = setting(&store, "PRAGMA busy_timeout").await;
        assert_eq!(u128::try_from(patience).unwrap(), BUSY_TIMEOUT.as_millis());
        drop(reader);
        assert!(store.truncate_log(ScrubDelay::LONG).await.unwrap());
    }

    fn remains(dir: &std::path::Path) -> usize {
        let files = std::fs::read_dir(dir)
            .unwrap()
            .map(|entry| std::fs::read(entry.unwrap().path()).unwrap());
        files
            .map(|bytes| {
                bytes
                    .windows(8)
                    .filter(|window| window == b"-canary-")
                    .count()
            })
            .sum()
    }

    // Fails without VACUUM (`secure_delete` alone leaves 9 names), and if the log is not emptied.
    #[tokio::test]
    async fn nothing_of_deleted_rows_is_left_in_pages_or_log() {
        let dir = tempfile::tempdir().unwrap();
        let store = query_plans::open(&dir.path().join("test.db")).await;
        churn(&store, 1).await;
        store.rewrite().await.unwrap();
        assert!(
            store.oldest_remains().await.unwrap().is_some(),
            "the log has them still"
        );
        assert!(store.empty_log(ScrubDelay::LONG).await.unwrap());
        assert_eq!(remains(dir.path()), 0);
        assert_eq!(store.oldest_remains().await.unwrap(), None);
    }
}
