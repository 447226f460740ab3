//! Group commit: changes requested at the same time share one transaction and one sync of the disk.
//! No change waits for others to join: a batch holds what arrived while the previous one was being
//! committed. The blobs of a batch get their final names after its commit and before its responses.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender};
use rusqlite::{Connection, Error, Transaction, TransactionBehavior};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::failure::{failure, for_others};
use super::tables::SqliteTables;
use crate::connection_threads::{ConnectionThreads, Unanswered};
use crate::service::content::blobs::{BlobId, BlobNames};
use crate::service::store::error::{Cause, DatabaseFailure, StoreError};

/// The maximum number of changes per commit, so that the first of them does not wait forever.
const BATCH: usize = 64;

/// Sends changes to the only connection that writes. Cheap to clone; the connection ends with the
/// last clone.
#[derive(Debug, Clone)]
pub(super) struct GroupCommit {
    changes: Sender<GroupedChange>,
    writer: ConnectionThreads<Writer>,
}

/// Makes a change, and returns what to do once its outcome is known. Given an error, it fails with
/// that.
type GroupedChange = Box<dyn FnOnce(Result<&mut Transaction<'_>, Error>) -> Made + Send>;

/// The failure of a batch, with the error it becomes for each of its changes.
type CommitFailure = (fn(DatabaseFailure, Cause) -> StoreError, Arc<Error>);

struct Made {
    /// Blobs that rows name because of this change.
    blobs: Vec<BlobId>,
    /// A failure of the database itself, which may have made SQLite roll back the whole
    /// transaction.
    broken: Option<Error>,
    answer: Box<dyn FnOnce(Result<(), CommitFailure>) + Send>,
}

#[derive(Debug)]
struct Writer {
    connection: Connection,
    changes: Receiver<GroupedChange>,
    /// `None` if blobs keep one name from the start.
    names: Option<BlobNames>,
    runtime: Handle,
}

impl GroupCommit {
    pub(super) fn start(connection: Connection, names: Option<BlobNames>) -> io::Result<Self> {
        let (sender, changes) = crossbeam_channel::unbounded();
        let writer = Writer {
            connection,
            changes,
            names,
            runtime: Handle::current(),
        };
        Ok(Self {
            changes: sender,
            writer: ConnectionThreads::start("writer", [writer])?,
        })
    }

    /// Makes a change in a shared transaction, after which rows name the blobs that `named`
    /// returns. `Ok` means durable; an error rolls back only this change. The change is made even
    /// if the caller stops waiting.
    pub(super) async fn commit<T: Send + 'static>(
        &self,
        named: impl FnOnce(&T) -> Vec<BlobId> + Send + 'static,
        change: impl FnOnce(&SqliteTables<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (sender, receiver) = oneshot::channel();
        let change: GroupedChange = Box::new(move |transaction| {
            let result = match transaction {
                Ok(transaction) => attempt(transaction, change),
                Err(error) => Err(error.into()),
            };
            let broken = result.as_ref().err().and_then(for_others);
            let blobs = result.as_ref().map(named).unwrap_or_default();
            let answer = Box::new(move |committed: Result<(), CommitFailure>| {
                let result = match committed {
                    Err((failed, cause)) if result.is_ok() => Err(failed(failure(&cause), cause)),
                    _ => result,
                };
                // The caller may have stopped waiting.
                let _ = sender.send(result);
            });
            Made {
                blobs,
                broken,
                answer,
            }
        });
        self.changes.send(change).map_err(|_| StoreError::Closed)?;
        // Each change orders a round for all that wait: the first round makes a batch, the others
        // find the queue empty.
        self.writer.order(Writer::make_waiting)?;
        receiver.await.map_err(|_| Unanswered)?
    }

    pub(super) async fn alone<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.writer
            .run(|writer| work(&mut writer.connection))
            .await?
    }

    pub(super) async fn close(&self) {
        self.writer.close().await;
    }
}

/// Runs a change in a savepoint, so that an error rolls back that change alone.
fn attempt<T>(
    transaction: &mut Transaction<'_>,
    change: impl FnOnce(&SqliteTables<'_>) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let savepoint = transaction.savepoint()?;
    let result = change(&SqliteTables(&savepoint))?;
    savepoint.commit()?;
    Ok(result)
}

impl Writer {
    /// Commits the waiting changes as a batch and sends the responses.
    fn make_waiting(&mut self) {
        let Ok(first) = self.changes.try_recv() else {
            return;
        };
        let mut made = Vec::new();
        let committed = self.batch(first, &mut made);
        self.answer(made, committed);
    }

    fn batch(&mut self, first: GroupedChange, made: &mut Vec<Made>) -> Result<(), CommitFailure> {
        let mut transaction = match self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
        {
            Ok(transaction) => transaction,
            Err(error) => {
                made.push(first(Err(error)));
                return Ok(());
            }
        };
        for change in std::iter::once(first)
            .chain(self.changes.try_iter())
            .take(BATCH)
        {
            // A change that panics is left out, and its caller gets an error.
            made.extend(catch_unwind(AssertUnwindSafe(|| {
                change(Ok(&mut transaction))
            })));
            if let Some(error) = made.last_mut().and_then(|made| made.broken.take()) {
                return Err((StoreError::TakenBack, Arc::new(error)));
            }
        }
        transaction
            .commit()
            .map_err(|error| (StoreError::Commit as _, Arc::new(error)))
    }

    /// After a commit, gives the blobs their final names before the responses, in one call on a
    /// blocking thread, so that the next batch does not wait for the disk.
    fn answer(&self, made: Vec<Made>, committed: Result<(), CommitFailure>) {
        let blobs: Vec<BlobId> = match committed {
            Ok(()) => made.iter().flat_map(|made| made.blobs.clone()).collect(),
            Err(_) => Vec::new(),
        };
        let answer = move || {
            for made in made {
                (made.answer)(committed.clone());
            }
        };
        let Some(names) = self.names.clone().filter(|_| !blobs.is_empty()) else {
            return answer();
        };
        drop(self.runtime.spawn_blocking(move || {
            names.make_final(&blobs);
            answer();
        }));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use jiff::Timestamp;
    use rusqlite::ffi;

    use super::*;
    use crate::service::store::Store;
    use crate::service::store::query_plans::{self, carry_out, number};
    use crate::service::store::records::ServiceFlag;
    use crate::service::store::sql::Tables;

    async fn add(store: &Store, name: String, refuse: bool) -> Result<(), StoreError> {
        let change = store.embedded().unwrap().write(move |tables| {
            tables.execute(
                "INSERT INTO marks (name, value) VALUES (?1, zeroblob(5000))",
                [&name],
            )?;
            if refuse {
                Err(StoreError::IntoItself)
            } else {
                Ok(())
            }
        });
        change.await
    }

    async fn add_all(
        store: &Store,
        changes: usize,
        name: fn(usize) -> usize,
    ) -> Vec<Result<(), StoreError>> {
        futures::future::join_all(
            (0..changes).map(|change| add(store, name(change).to_string(), false)),
        )
        .await
    }

    async fn count(store: &Store) -> i64 {
        number(store, "SELECT COUNT(*) FROM marks").await
    }

    // Fails without the savepoint around each change.
    #[tokio::test]
    async fn a_refused_change_is_taken_back_and_its_neighbors_stay() {
        let (_dir, store) = query_plans::store().await;
        let changes = (0..200).map(|number| add(&store, format!("{number}"), number % 3 == 0));
        let results = futures::future::join_all(changes).await;
        assert_eq!(results.iter().filter(|result| result.is_err()).count(), 67);
        assert_eq!(count(&store).await, 133);
    }

    // Fails if a constraint counts as a failure of the database: the neighbors then fail, too.
    #[tokio::test]
    async fn a_change_that_breaks_a_rule_of_the_schema_fails_alone() {
        let (_dir, store) = query_plans::store().await;
        let results = add_all(&store, 100, |change| change / 2).await;
        let (stored, refused): (Vec<_>, Vec<_>) = results.iter().partition(|result| result.is_ok());
        assert_eq!((stored.len(), refused.len()), (50, 50));
        assert!(
            refused
                .into_iter()
                .all(|result| !result.as_ref().unwrap_err().is_unclear())
        );
        assert_eq!(count(&store).await, 50);
    }

    #[tokio::test]
    async fn a_change_that_panics_fails_alone() {
        let (_dir, store) = query_plans::store().await;
        let panics = store.embedded().unwrap().write(|tables| {
            <dyn Tables>::mark_from(tables, ServiceFlag::Unscrubbed, Timestamp::UNIX_EPOCH)?;
            std::panic::resume_unwind(Box::new("on purpose"))
        });
        let (panicked, added) = futures::join!(panics, add(&store, "kept".to_owned(), false));
        let panicked: Result<(), _> = panicked;
        assert!(panicked.is_err() && added.is_ok());
        assert_eq!(count(&store).await, 1);
    }

    fn disk_failure() -> StoreError {
        Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_IOERR), None).into()
    }

    #[tokio::test]
    async fn after_a_transaction_that_sqlite_took_back_the_next_one_is_real() {
        let (_dir, store) = query_plans::store().await;
        for statement in ["ROLLBACK", "SELECT 1"] {
            let failed = store.embedded().unwrap().write(move |tables| {
                tables.0.execute_batch(statement)?;
                Err::<(), _>(disk_failure())
            });
            assert!(failed.await.is_err());
        }
        for number in 0..3 {
            add(&store, format!("{number}"), false).await.unwrap();
        }
        assert_eq!(count(&store).await, 3);
    }

    // Fails if the response is sent before the commit.
    #[tokio::test]
    async fn a_full_database_refuses_as_a_full_disk_and_goes_on_when_there_is_room() {
        let (_dir, store) = query_plans::store().await;
        let limit =
            async |pages: u32| carry_out(&store, &format!("PRAGMA max_page_count = {pages}")).await;
        limit(60).await;
        let results = add_all(&store, 100, |change| change).await;
        for error in results.iter().filter_map(|result| result.as_ref().err()) {
            assert!(error.is_full() && !error.is_unclear(), "{error:?}");
        }
        let stored = results.iter().filter(|result| result.is_ok()).count();
        assert!(stored < 100);
        assert_eq!(count(&store).await, i64::try_from(stored).unwrap());
        limit(u32::MAX - 1).await;
        add(&store, "later".to_owned(), false).await.unwrap();
    }

    // Fails if the error is reported as one of the commit, or if a change without a transaction is
    // dropped.
    #[tokio::test]
    async fn what_fails_before_the_commit_is_in_no_doubt() {
        let (dir, store) = query_plans::store().await;
        carry_out(&store, "PRAGMA busy_timeout = 0").await;
        let other = Connection::open(dir.path().join("test.db")).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let locked_out = add_all(&store, 8, |change| change).await;
        other.execute_batch("ROLLBACK").unwrap();
        add(&store, "kept".to_owned(), false).await.unwrap();
        // Queues both before the next transaction begins.
        let (release, held) = channel::<()>();
        let holds = store
            .embedded()
            .unwrap()
            .write(move |_| Ok(held.recv().is_ok()));
        let fails = store.embedded().unwrap().write(|_| Err(disk_failure()));
        let neighbor = add(&store, "neighbor".to_owned(), false);
        let (_, neighbor, failed, ()) =
            futures::join!(holds, neighbor, fails, async { drop(release) });
        assert_eq!(count(&store).await, 1);
        store.close().await;
        let never_begun = add(&store, "never".to_owned(), false).await;
        for result in locked_out
            .into_iter()
            .chain([neighbor, failed, never_begun])
        {
            let error = result.unwrap_err();
            assert!(!error.is_unclear(), "{error:?}");
        }
    }
}
