//! Group commit: changes that are asked for at the same time share one transaction and one sync of the disk. Nobody
//! waits for company: a batch is what came in while the one before it was being committed. The blobs of a batch get their
//! final names between its commit and its answers.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use sqlx::sqlite::SqlitePool;
use sqlx::{Connection as _, SqliteConnection};
use tokio::sync::{mpsc, oneshot};

use super::error::StoreError;
use super::name_index::LEAST;
use super::name_indexer::NameIndexer;
use crate::service::content::blobs::{BlobId, BlobNames};

/// How many changes share a commit at most, so that the first of them does not wait for ever.
const BATCH: usize = 64;
/// How many changes wait before those who ask have to wait too.
const QUEUE: usize = 256;

/// Takes changes to the one task that commits them. Cheap to clone; the task ends with the last clone.
#[derive(Debug, Clone)]
pub(super) struct GroupCommit {
    queue: mpsc::Sender<GroupedChange>,
}

/// Makes a change, and gives what is to be done once it is known whether that is durable. Without a transaction to make
/// it in, it fails for that reason.
type GroupedChange =
    Box<dyn for<'c> FnOnce(Result<&'c mut SqliteConnection, sqlx::Error>) -> BoxFuture<'c, Made> + Send>;

/// How a batch failed, and what that is for each of its changes.
type CommitFailure = (fn(Arc<sqlx::Error>) -> StoreError, Arc<sqlx::Error>);

struct Made {
    /// Blobs that rows name with this change.
    blobs: Vec<BlobId>,
    /// How the database itself failed, which may have made SQLite take back the whole transaction.
    broken: Option<sqlx::Error>,
    answer: Box<dyn FnOnce(Result<(), CommitFailure>) + Send>,
}

impl GroupCommit {
    /// Starts the task that commits.
    pub(super) fn start(writer: SqlitePool, names: NameIndexer, blobs: BlobNames) -> Self {
        let (queue, changes) = mpsc::channel(QUEUE);
        tokio::spawn(run(writer, changes, names, blobs));
        Self { queue }
    }

    /// Makes a change in a transaction that others may share. `Ok` means durable; an error of `change` takes back what
    /// it did and nothing else. The change is made even if the caller stops waiting.
    pub(super) async fn commit<T, F>(&self, change: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, Result<T, StoreError>> + Send + 'static,
    {
        self.commit_blobs(|_| Vec::new(), change).await
    }

    /// As `commit`, for a change after which rows name the blobs that `named` gives.
    pub(super) async fn commit_blobs<T, F>(
        &self,
        named: impl FnOnce(&T) -> Vec<BlobId> + Send + 'static,
        change: F,
    ) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, Result<T, StoreError>> + Send + 'static,
    {
        let (sender, receiver) = oneshot::channel();
        let change: GroupedChange = Box::new(move |connection| {
            Box::pin(async move {
                let result = match connection {
                    Ok(connection) => attempt(connection, change).await,
                    Err(error) => Err(error.into()),
                };
                let broken = result.as_ref().err().and_then(StoreError::for_others);
                let blobs = result.as_ref().map(named).unwrap_or_default();
                let answer = Box::new(move |committed: Result<(), CommitFailure>| {
                    let result = match committed {
                        Err((failed, cause)) if result.is_ok() => Err(failed(cause)),
                        _ => result,
                    };
                    // Nobody may be waiting anymore.
                    let _ = sender.send(result);
                });
                Made { blobs, broken, answer }
            })
        });
        self.queue.send(change).await.map_err(|_| StoreError::Database(sqlx::Error::PoolClosed))?;
        receiver.await.map_err(|_| StoreError::Database(sqlx::Error::WorkerCrashed))?
    }
}

/// Runs a change so that an error takes it back, and it alone.
async fn attempt<T, F>(connection: &mut SqliteConnection, change: F) -> Result<T, StoreError>
where
    F: for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, Result<T, StoreError>>,
{
    let mut savepoint = connection.begin().await?;
    let result = change(&mut savepoint).await?;
    savepoint.commit().await?;
    Ok(result)
}

async fn run(writer: SqlitePool, mut changes: mpsc::Receiver<GroupedChange>, names: NameIndexer, blobs: BlobNames) {
    let mut since_filled = 0;
    while let Some(first) = changes.recv().await {
        let mut made = Vec::new();
        let committed = batch(&writer, first, &mut changes, &mut made).await;
        since_filled += made.len();
        answer(made, committed, &blobs);
        if since_filled >= LEAST as usize {
            since_filled = 0;
            names.fill();
        }
    }
}

/// Answers a batch. Of one that is committed, the blobs get their final names before that, in one call on a thread that
/// may wait for the disk; the next batch does not wait for it.
fn answer(made: Vec<Made>, committed: Result<(), CommitFailure>, names: &BlobNames) {
    let blobs: Vec<BlobId> = match committed {
        Ok(()) => made.iter().flat_map(|made| made.blobs.clone()).collect(),
        Err(_) => Vec::new(),
    };
    let answer = move || made.into_iter().for_each(|made| (made.answer)(committed.clone()));
    if blobs.is_empty() {
        return answer();
    }
    let names = names.clone();
    drop(tokio::task::spawn_blocking(move || {
        names.make_final(&blobs);
        answer();
    }));
}

async fn batch(
    writer: &SqlitePool,
    first: GroupedChange,
    changes: &mut mpsc::Receiver<GroupedChange>,
    made: &mut Vec<Made>,
) -> Result<(), CommitFailure> {
    let mut transaction = match writer.begin().await {
        Ok(transaction) => transaction,
        Err(error) => {
            made.push(first(Err(error)).await);
            return Ok(());
        }
    };
    let mut next = Some(first);
    while let Some(change) = next {
        // A change that panics is left out, and its caller gets an error.
        made.extend(AssertUnwindSafe(change(Ok(&mut transaction))).catch_unwind().await.ok());
        if let Some(error) = made.last_mut().and_then(|made| made.broken.take()) {
            return Err((StoreError::TakenBack, Arc::new(error)));
        }
        next = if made.len() < BATCH { changes.try_recv().ok() } else { None };
    }
    transaction.commit().await.map_err(|error| (StoreError::Commit as _, Arc::new(error)))
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use sqlx::ConnectOptions as _;
    use sqlx::sqlite::SqliteConnectOptions;

    use super::super::database::Store;
    use super::super::query_plans;
    use super::super::service_flags::{ServiceFlag, mark_from};
    use super::*;

    async fn store() -> (tempfile::TempDir, Store) {
        let dir = tempfile::tempdir().unwrap();
        let store = query_plans::open(&dir.path().join("test.db")).await;
        (dir, store)
    }

    async fn add(store: &Store, name: String, refuse: bool) -> Result<(), StoreError> {
        let change = store.group.commit(move |connection| {
            Box::pin(async move {
                let insert = sqlx::query("INSERT INTO marks (name, value) VALUES ($1, zeroblob(5000))").bind(&name);
                insert.execute(connection).await?;
                if refuse { Err(StoreError::NotEmpty) } else { Ok(()) }
            })
        });
        change.await
    }

    async fn count(store: &Store) -> i64 {
        sqlx::query_scalar("SELECT COUNT(*) FROM marks").fetch_one(&store.readers).await.unwrap()
    }

    // Seen to fail without the savepoint around each change.
    #[tokio::test]
    async fn a_refused_change_is_taken_back_and_its_neighbors_stay() {
        let (_dir, store) = store().await;
        let changes = (0..200).map(|number| add(&store, format!("{number}"), number % 3 == 0));
        let results = futures::future::join_all(changes).await;
        assert_eq!(results.iter().filter(|result| result.is_err()).count(), 67);
        assert_eq!(count(&store).await, 133);
    }

    // Seen to fail when a constraint counts as a failure of the database: the neighbors are answered an error too.
    #[tokio::test]
    async fn a_change_that_breaks_a_rule_of_the_schema_fails_alone() {
        let (_dir, store) = store().await;
        let changes = (0..100).map(|number| add(&store, format!("{}", number / 2), false));
        let results = futures::future::join_all(changes).await;
        let (stored, refused): (Vec<_>, Vec<_>) = results.iter().partition(|result| result.is_ok());
        assert_eq!((stored.len(), refused.len()), (50, 50));
        assert!(refused.into_iter().all(|result| !result.as_ref().unwrap_err().is_unclear()));
        assert_eq!(count(&store).await, 50);
    }

    #[tokio::test]
    async fn a_change_that_panics_fails_alone() {
        let (_dir, store) = store().await;
        let panics = store.group.commit(|connection| {
            Box::pin(async move {
                mark_from(connection, ServiceFlag::Unscrubbed, Timestamp::UNIX_EPOCH).await?;
                std::panic::resume_unwind(Box::new("on purpose"))
            })
        });
        let (panicked, added) = futures::join!(panics, add(&store, "kept".to_owned(), false));
        let panicked: Result<(), _> = panicked;
        assert!(panicked.is_err() && added.is_ok());
        assert_eq!(count(&store).await, 1);
    }

    // Seen to fail when the connection is kept: the next change is answered `Ok` and is not there.
    #[tokio::test]
    async fn after_a_transaction_that_sqlite_took_back_the_next_one_is_real() {
        let (_dir, store) = store().await;
        for statement in ["ROLLBACK", "SELECT 1"] {
            let failed = store.group.commit(move |connection| {
                Box::pin(async move {
                    sqlx::query(statement).execute(connection).await?;
                    Err::<(), _>(StoreError::Database(sqlx::Error::Io(std::io::Error::other("the disk failed"))))
                })
            });
            assert!(failed.await.is_err());
        }
        for number in 0..3 {
            add(&store, format!("{number}"), false).await.unwrap();
        }
        assert_eq!(count(&store).await, 3);
    }

    // Seen to fail when the answer comes before the commit.
    #[tokio::test]
    async fn a_full_database_refuses_as_a_full_disk_and_goes_on_when_there_is_room() {
        let (_dir, store) = store().await;
        let limit = async |pages: u32| {
            sqlx::query(sqlx::AssertSqlSafe(format!("PRAGMA max_page_count = {pages}")))
                .execute(&store.writer)
                .await
                .unwrap();
        };
        limit(60).await;
        let changes = (0..100).map(|number| add(&store, format!("{number}"), false));
        let results = futures::future::join_all(changes).await;
        for error in results.iter().filter_map(|result| result.as_ref().err()) {
            assert!(!error.is_unclear(), "{error:?}");
        }
        let stored = results.iter().filter(|result| result.is_ok()).count();
        assert!(stored < 100);
        assert_eq!(count(&store).await, i64::try_from(stored).unwrap());
        limit(u32::MAX - 1).await;
        add(&store, "later".to_owned(), false).await.unwrap();
    }

    // Seen to fail when it is the commit that is said to have failed, or when a change without a transaction is dropped.
    #[tokio::test]
    async fn what_fails_before_the_commit_is_in_no_doubt() {
        let (dir, store) = store().await;
        sqlx::query("PRAGMA busy_timeout = 0").execute(&store.writer).await.unwrap();
        let mut other = SqliteConnectOptions::new().filename(dir.path().join("test.db")).connect().await.unwrap();
        sqlx::query("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
        let locked_out = futures::future::join_all((0..8).map(|number| add(&store, format!("{number}"), false))).await;
        sqlx::query("ROLLBACK").execute(&mut other).await.unwrap();
        add(&store, "kept".to_owned(), false).await.unwrap();
        let neighbors = [add(&store, "neighbor".to_owned(), false).boxed(), fail(&store).boxed()];
        let neighbors = futures::future::join_all(neighbors).await;
        assert_eq!(count(&store).await, 1);
        store.writer.close().await;
        let never_begun = add(&store, "never".to_owned(), false).await;
        for result in locked_out.into_iter().chain(neighbors).chain([never_begun]) {
            let error = result.unwrap_err();
            assert!(!error.is_unclear(), "{error:?}");
        }
    }

    /// Fails as where the disk does.
    async fn fail(store: &Store) -> Result<(), StoreError> {
        let failed = sqlx::Error::Io(std::io::Error::other("the disk failed"));
        store.group.commit(|_| Box::pin(async { Err(StoreError::Database(failed)) })).await
    }
}
