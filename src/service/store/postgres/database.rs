//! The open database: a pool of connections. Changes run in serializable transactions, except for
//! counts, and start again if they conflict with another process.

use std::sync::Arc;
use std::time::{Duration, Instant};

use backon::{ExponentialBuilder, Retryable as _};
use deadpool_postgres::{
    ClientWrapper, Hook, HookError, Manager, ManagerConfig, Object, Pool, RecyclingMethod, Runtime,
    Timeouts,
};
use jiff::Timestamp;
use jiff::civil::Date;
use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use tokio_postgres::IsolationLevel;
use tokio_util::task::AbortOnDropHandle;

use super::address::DatabaseAddress;
use super::failure::{in_commit, stalled};
use super::name_trigrams::NameTrigrams;
use super::tables::{ANSWER_TIMEOUT, PostgresTables, wait};
use super::{migrations, notices, use_lock};
use crate::connection_threads::Unanswered;
use crate::service::content::blobs::{BlobId, BlobNames};
use crate::service::store::error::StoreError;
use crate::service::store::records::{FileRecord, FolderRecord};
use crate::service::store::request_counts::RequestCounts;
use crate::service::store::search::{CommonFilter, FileFilter, SearchOrder, SearchPage, Window};

const CONNECTIONS: usize = 16;
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(5);
/// The time after the first attempt until which others may start.
const PATIENCE: Duration = Duration::from_secs(8);

/// The last statement takes as long as the rows require, and waits for a vacuum that another
/// process has begun. It cannot be sent together with others.
const VACUUM: [&str; 3] = [
    "SET statement_timeout = 0",
    "SET lock_timeout = 0",
    "VACUUM (ANALYZE) files, folders, block_sums, tasks, unused_blobs, pending_blobs, recovered_files",
];

#[cfg(feature = "s3")]
const IDENTITY: &str =
    "SELECT format('postgresql %s database %s schema %s', system_identifier, d.oid, n.oid)
    FROM pg_control_system(), pg_database d, pg_namespace n
    WHERE d.datname = current_database() AND n.nspname = current_schema()";

#[derive(Debug, Clone)]
pub(crate) struct PostgresDatabase {
    pool: Pool,
    /// `None` if blobs keep one name from the start.
    names: Option<BlobNames>,
    trigrams: NameTrigrams,
    /// Wakes the jobs when another process has added tasks.
    _notices: Arc<AbortOnDropHandle<()>>,
}

impl PostgresDatabase {
    pub(crate) async fn open(
        address: &DatabaseAddress,
        names: Option<BlobNames>,
        work: Arc<Notify>,
    ) -> Result<Self, StoreError> {
        let tls = address.connector()?;
        let recycling = ManagerConfig {
            recycling_method: RecyclingMethod::Fast,
        };
        let manager = Manager::from_config(address.config(), tls.clone(), recycling);
        let limit = Some(CONNECTION_TIMEOUT);
        let pool = Pool::builder(manager)
            .max_size(CONNECTIONS)
            .runtime(Runtime::Tokio1)
            .timeouts(Timeouts {
                wait: limit,
                create: limit,
                recycle: limit,
            })
            .post_create(Hook::async_fn(|client, _| Box::pin(share_use(client))))
            .build()
            .map_err(|error| StoreError::File(std::io::Error::other(error)))?;
        let mut connection = get(&pool).await?;
        migrations::renew(&mut connection).await?;
        drop(connection);
        let notices = tokio::spawn(notices::heed(address.clone(), tls, move || {
            work.notify_one();
        }));
        Ok(Self {
            pool,
            names,
            trigrams: NameTrigrams::default(),
            _notices: Arc::new(AbortOnDropHandle::new(notices)),
        })
    }

    pub(in crate::service::store) async fn read<T: Send + 'static>(
        &self,
        read: impl Fn(&PostgresTables<'_>) -> Result<T, StoreError> + Send + Sync + 'static,
    ) -> Result<T, StoreError> {
        let read = Arc::new(read);
        let attempt = async || {
            let (connection, read) = (get(&self.pool).await?, read.clone());
            on_connection(connection, move |connection, runtime| {
                read(&PostgresTables {
                    client: connection,
                    statements: &connection.statement_cache,
                    runtime,
                })
            })
            .await
        };
        attempt.retry(delays()).when(while_worth_it()).await
    }

    pub(in crate::service::store) async fn write_blobs<T: Send + 'static>(
        &self,
        named: impl FnOnce(&T) -> Vec<BlobId>,
        change: impl Fn(&PostgresTables<'_>) -> Result<T, StoreError> + Send + Sync + 'static,
    ) -> Result<T, StoreError> {
        let made = self.transact(IsolationLevel::Serializable, change).await?;
        let blobs = named(&made);
        if let Some(names) = self.names.clone().filter(|_| !blobs.is_empty()) {
            spawn_blocking(move || names.make_final(&blobs))
                .await
                .map_err(|_| Unanswered)?;
        }
        Ok(made)
    }

    pub(in crate::service::store) async fn count_requests<T: Send + 'static>(
        &self,
        token: &str,
        day: Option<Date>,
        count: impl Fn(&mut RequestCounts) -> T + Send + Sync + 'static,
    ) -> Result<T, StoreError> {
        let token = token.to_owned();
        self.transact(IsolationLevel::ReadCommitted, move |tables| {
            tables.count_requests(&token, day, &count)
        })
        .await
    }

    async fn transact<T: Send + 'static>(
        &self,
        isolation: IsolationLevel,
        change: impl Fn(&PostgresTables<'_>) -> Result<T, StoreError> + Send + Sync + 'static,
    ) -> Result<T, StoreError> {
        let change = Arc::new(change);
        let attempt = async || {
            let (connection, change) = (get(&self.pool).await?, change.clone());
            on_connection(connection, move |connection, runtime| {
                transact(connection, runtime, isolation, &*change)
            })
            .await
        };
        attempt.retry(delays()).when(while_worth_it()).await
    }

    pub(in crate::service::store) async fn search_files(
        &self,
        filter: &FileFilter,
        sort: &[SearchOrder],
        window: Window,
        now: Timestamp,
    ) -> Result<SearchPage<FileRecord>, StoreError> {
        let (filter, sort, trigrams) = (filter.clone(), sort.to_vec(), self.trigrams.clone());
        self.read(move |tables| tables.search_files(&filter, &trigrams, &sort, window, now))
            .await
    }

    pub(in crate::service::store) async fn search_folders(
        &self,
        filter: &CommonFilter,
        sort: &[SearchOrder],
        window: Window,
    ) -> Result<SearchPage<FolderRecord>, StoreError> {
        let (filter, sort) = (filter.clone(), sort.to_vec());
        self.read(move |tables| tables.search_folders(&filter, &sort, window))
            .await
    }

    /// Has PostgreSQL remove erased rows from its tables, if any were erased since the last time.
    /// Its write-ahead log and backups are up to the operator
    /// (`guarantees.md#a-permanent-deletion-leaves-nothing`).
    pub(in crate::service::store) async fn vacuum(&self) -> Result<(), StoreError> {
        let Some(noted) = self
            .read(|tables: &PostgresTables<'_>| tables.unscrubbed())
            .await?
        else {
            return Ok(());
        };
        let connection = get(&self.pool).await?;
        let vacuumed = async {
            for statement in VACUUM {
                connection.batch_execute(statement).await?;
            }
            Ok(())
        };
        let vacuumed: Result<(), StoreError> = vacuumed.await;
        // Its settings were changed, so it must not go back to the pool.
        drop(Object::take(connection));
        vacuumed?;
        self.write_blobs(
            |()| Vec::new(),
            move |tables| tables.clear_unscrubbed(&noted),
        )
        .await
    }

    /// Returns the identity of the cluster, the database and the schema. A restored dump, a clone
    /// or a database on another server has another one; a replica that is promoted has the same.
    #[cfg(feature = "s3")]
    pub(in crate::service::store) async fn identity(&self) -> Result<String, StoreError> {
        self.read(|tables| tables.value::<String>(IDENTITY, &[]))
            .await
    }

    pub(in crate::service::store) fn close(&self) {
        self.pool.close();
    }
}

/// Returns a connection that holds a share of the use lock.
async fn get(pool: &Pool) -> Result<Object, StoreError> {
    Ok(timeout(ANSWER_TIMEOUT, pool.get())
        .await
        .map_err(|_| stalled())??)
}

async fn share_use(client: &ClientWrapper) -> Result<(), HookError> {
    match use_lock::share(client).await {
        Ok(true) => Ok(()),
        Ok(false) => Err(HookError::message("the store is being copied")),
        Err(error) => Err(HookError::Backend(error)),
    }
}

fn delays() -> ExponentialBuilder {
    ExponentialBuilder::default()
        .with_min_delay(Duration::from_millis(5))
        .with_max_delay(Duration::from_millis(500))
        .with_max_times(12)
        .with_jitter()
}

/// Decides if another attempt is made: after a conflict with other changes, and while a server
/// restarts. A server that did not respond is not asked again.
fn while_worth_it() -> impl FnMut(&StoreError) -> bool {
    let start = Instant::now();
    move |error| error.is_worth_another_attempt() && start.elapsed() < PATIENCE
}

/// Runs database work on a thread that may block. A connection that did not respond is not used
/// again.
async fn on_connection<T: Send + 'static>(
    mut connection: Object,
    work: impl FnOnce(&mut Object, &Handle) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    let runtime = Handle::current();
    let done = spawn_blocking(move || {
        let done = work(&mut connection, &runtime);
        if done.as_ref().is_err_and(StoreError::is_unreachable) {
            drop(Object::take(connection));
        }
        done
    });
    done.await.map_err(|_| Unanswered)?
}

fn transact<T>(
    connection: &mut Object,
    runtime: &Handle,
    isolation: IsolationLevel,
    change: &dyn Fn(&PostgresTables<'_>) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let begin = connection
        .build_transaction()
        .isolation_level(isolation)
        .start();
    let transaction = wait(runtime, begin)?;
    let tables = PostgresTables {
        client: transaction.client(),
        statements: &transaction.statement_cache,
        runtime,
    };
    // Rolled back if the transaction is dropped.
    let made = change(&tables)?;
    wait(runtime, transaction.commit()).map_err(in_commit)?;
    Ok(made)
}
