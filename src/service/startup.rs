//! Opens the contents of a store's directory, and checks in the background that no rows were lost.
//! A start does not list all files before it serves.

use std::error::Error;
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use futures::FutureExt as _;
use tokio::sync::Notify;

#[cfg(feature = "s3")]
use super::content::blobs::BlobBucket;
#[cfg(feature = "postgres")]
use super::content::blobs::BlobNames;
use super::content::blobs::{BlobDirectory, Blobs};
#[cfg(feature = "s3")]
use super::content::bucket::{BucketFault, BucketOwner};
use super::content::data_dir::{self, Lock};
use super::content::disk::is_disk_full;
use super::content::reserve::DiskReserve;
use super::options::ServiceOptions;
use super::policy;
use super::reconcile::Comparison;
use super::start_error::{LostRows, StartError};
use super::state::AppState;
use super::store::{Audit, Store, StoreError};
#[cfg(feature = "postgres")]
use super::store::{DatabaseAddress, PostgresDatabase};
#[cfg(feature = "s3")]
use super::store_identity;

/// Opens the target of a copy. Requires the lock.
pub(super) async fn open_to_copy(options: &ServiceOptions) -> Result<(Store, Blobs), StartError> {
    let checked = check(options).await?;
    let room = DiskReserve::of(&options.data_dir).await;
    open(options, &Arc::default(), &room, &checked).await
}

pub(super) async fn lock(dir: &Path) -> Result<Lock, StartError> {
    let unusable = |source| StartError::DataDir {
        path: dir.to_owned(),
        source,
    };
    data_dir::create(dir).map_err(unusable)?;
    Lock::take_soon(dir)
        .await
        .map_err(unusable)?
        .ok_or_else(|| StartError::InUse(dir.to_owned()))
}

#[derive(Debug, Default)]
pub(super) struct Checked {
    /// The bucket to record as the place of the store's bytes.
    new_bucket: Option<String>,
    /// Set if the last process that served the store left a log.
    pub(super) had_log: bool,
}

/// Refuses a directory that is not writable, a database of an unknown form, blobs without a
/// database, and bytes that are in another bucket than that of the options, or not in the directory
/// if there is none. Changes nothing. Requires the lock.
pub(super) async fn check(options: &ServiceOptions) -> Result<Checked, StartError> {
    let dir = &*options.data_dir;
    let path = dir.to_owned();
    data_dir::check_writable(dir).map_err(|source| StartError::NotWritable {
        path: path.clone(),
        source,
    })?;
    #[cfg(feature = "postgres")]
    if options.database.is_some() {
        let is_free = !data_dir::database(dir).exists();
        return if is_free {
            Ok(Checked::default())
        } else {
            Err(StartError::OwnDatabase(path))
        };
    }
    data_dir::check_database(dir).map_err(StartError::store(dir))?;
    let had_log = data_dir::has_log(dir);
    let has_blobs = data_dir::blobs(dir).is_dir();
    let blobs = has_blobs
        .then(|| BlobDirectory::at(dir))
        .transpose()
        .map_err(StartError::store(dir))?;
    let audit = Audit::open_locked(&data_dir::database(dir))
        .await
        .map_err(StartError::store(dir))?;
    let bucket = options.bucket_address();
    let new_bucket = match &audit {
        Some(audit) => check_bucket(dir, audit, bucket).await?,
        None => bucket,
    };
    match (audit, &blobs) {
        (Some(audit), _) => audit.close().await,
        (None, Some(blobs)) => {
            let listing = blobs.list().await.map_err(StartError::store(dir))?;
            let blobs = listing.whole(&blobs.names).len();
            if blobs > 0 {
                return Err(StartError::NoDatabase { path, blobs });
            }
        }
        (None, None) => {}
    }
    Ok(Checked {
        new_bucket,
        had_log,
    })
}

/// Returns the given bucket if the database has not recorded one yet.
async fn check_bucket(
    dir: &Path,
    audit: &Audit,
    given: Option<String>,
) -> Result<Option<String>, StartError> {
    let noted = audit.bucket().await.map_err(StartError::store(dir))?;
    match (noted, given) {
        (None, None) => Ok(None),
        (Some(noted), Some(given)) if noted == given => Ok(None),
        (Some(noted), _) => Err(StartError::OtherBucket {
            path: dir.to_owned(),
            bucket: noted,
        }),
        (None, Some(given))
            if audit
                .known_blobs()
                .await
                .map_err(StartError::store(dir))?
                .is_empty() =>
        {
            Ok(Some(given))
        }
        (None, Some(_)) => Err(StartError::BytesInDirectory {
            path: dir.to_owned(),
        }),
    }
}

/// Opens the place of the bytes: the bucket of the options, which is tested, or the directory.
/// `is_new` is for a store that has no bytes anywhere yet, and `server` one whose database is on a
/// server.
#[cfg_attr(
    not(feature = "s3"),
    expect(clippy::unused_async, reason = "as with a bucket")
)]
async fn open_place(
    options: &ServiceOptions,
    room: &DiskReserve,
    #[cfg_attr(
        not(feature = "s3"),
        expect(unused_variables, reason = "a directory is made if it is not there")
    )]
    is_new: bool,
    #[cfg_attr(
        not(feature = "s3"),
        expect(unused_variables, reason = "only a bucket has to know its store")
    )]
    server: Option<&Store>,
) -> Result<Blobs, StartError> {
    let dir = &*options.data_dir;
    #[cfg(feature = "s3")]
    if let Some(bucket) = &options.bucket {
        let identity = store_identity::identity(dir, server).await;
        let identity = identity.map_err(|error| unreadable_identity(options, error))?;
        let opened = BlobBucket::open(bucket, BucketOwner { identity, is_new }).await;
        let opened = opened.map(|bucket| Blobs::from(bucket.gathering_on(room.clone())));
        return opened.map_err(|fault| unusable_bucket(options, bucket.address.to_string(), fault));
    }
    Ok(BlobDirectory::open(dir)
        .map_err(StartError::store(dir))?
        .keeping(room.clone())
        .into())
}

#[cfg(feature = "s3")]
fn unreadable_identity(
    options: &ServiceOptions,
    source: Box<dyn Error + Send + Sync>,
) -> StartError {
    #[cfg(feature = "postgres")]
    if let Some(address) = &options.database {
        return StartError::Database {
            address: address.to_string(),
            source,
        };
    }
    StartError::store(&options.data_dir)(source)
}

#[cfg(feature = "s3")]
fn unusable_bucket(options: &ServiceOptions, address: String, fault: BucketFault) -> StartError {
    if !matches!(fault, BucketFault::OtherStore) {
        return StartError::Bucket {
            address,
            source: fault.into(),
        };
    }
    #[cfg(feature = "postgres")]
    if options.database.is_some() {
        return StartError::OtherStore {
            bucket: address,
            place: "--database ADDRESS".to_owned(),
        };
    }
    StartError::OtherStore {
        bucket: address,
        place: format!("--data-dir '{}'", options.data_dir.display()),
    }
}

/// Like `open`, but waits for a database and a bucket that do not answer, for as long as the
/// options say.
pub(super) async fn open_when_there(
    options: &ServiceOptions,
    work: &Arc<Notify>,
    room: &DiskReserve,
    checked: &Checked,
) -> Result<(Store, Blobs), StartError> {
    let began = Instant::now();
    loop {
        match open(options, work, room, checked).await {
            Err(error) if error.may_pass() && began.elapsed() < options.start_patience => {
                warn_of_wait(&error);
            }
            opened => return opened,
        }
        tokio::time::sleep(policy::START_RETRY).await;
    }
}

fn warn_of_wait(error: &StartError) {
    tracing::warn!(%error, cause = ?error.source(), "it does not answer; it is asked again");
}

/// Opens the database and the blobs. `work` is notified when another process has added tasks.
/// Requires the lock.
pub(super) async fn open(
    options: &ServiceOptions,
    #[cfg_attr(
        not(feature = "postgres"),
        expect(unused_variables, reason = "no other process has this database")
    )]
    work: &Arc<Notify>,
    room: &DiskReserve,
    checked: &Checked,
) -> Result<(Store, Blobs), StartError> {
    #[cfg(feature = "postgres")]
    if let Some(address) = &options.database {
        return open_server(address, options, work, room).await;
    }
    let opened = open_embedded(options, room, checked).await;
    match opened {
        Err(StartError::Store { source, .. }) if is_full(&*source) => {
            let _until_it_is_open = room.give_up().await;
            open_embedded(options, room, checked).await
        }
        opened => opened,
    }
}

async fn open_embedded(
    options: &ServiceOptions,
    room: &DiskReserve,
    checked: &Checked,
) -> Result<(Store, Blobs), StartError> {
    let dir = &*options.data_dir;
    let blobs = open_place(options, room, checked.new_bucket.is_some(), None).await?;
    let store = Store::open(&data_dir::database(dir), blobs.names())
        .await
        .map_err(StartError::store(dir))?;
    if let Some(address) = &checked.new_bucket {
        store
            .set_bucket(address.clone())
            .await
            .map_err(StartError::store(dir))?;
    }
    let damaged = store
        .count_damaged()
        .await
        .map_err(StartError::store(dir))?;
    if damaged > 0 {
        tracing::warn!(
            damaged,
            "files have damaged bytes and are answered with 500; 'filedeck store verify' names them, and 'filedeck store \
             recover --accept ID' takes their bytes as they are"
        );
    }
    Ok((store, blobs))
}

/// Opens a database on a server and records the place of its bytes. Refuses a different place.
#[cfg(feature = "postgres")]
async fn open_server(
    address: &DatabaseAddress,
    options: &ServiceOptions,
    work: &Arc<Notify>,
    room: &DiskReserve,
) -> Result<(Store, Blobs), StartError> {
    let unusable = |error: StoreError| StartError::Database {
        address: address.to_string(),
        source: error.into(),
    };
    let dir = &*options.data_dir;
    let bucket = options.bucket_address();
    let names = bucket
        .is_none()
        .then(|| BlobNames::below(data_dir::blobs(dir)));
    let place = bucket.map_or_else(
        || data_dir::identity(dir).map_err(StartError::store(dir)),
        Ok,
    )?;
    let store = Store::from(
        PostgresDatabase::open(address, names, work.clone())
            .await
            .map_err(unusable)?,
    );
    let noted = store.bucket().await.map_err(unusable)?;
    if let Some(noted) = noted.clone().filter(|noted| *noted != place) {
        return Err(StartError::OtherPlace {
            address: address.to_string(),
            noted,
            given: place,
        });
    }
    let blobs = open_place(options, room, noted.is_none(), Some(&store)).await?;
    if noted.is_none() {
        store.set_bucket(place).await.map_err(unusable)?;
    }
    Ok((store, blobs))
}

/// Compares the names of all blobs with the rows while the store is served. If rows were lost, all
/// requests are refused from then on. Expiry and removal wait for this. Must run in a task of its
/// own.
pub(super) async fn check_names(dir: &Path, state: &AppState, had_log: bool) {
    if state.store.embedded().is_none() {
        // Set only once, since there is only one check.
        let _ = state.names_checked.set(());
        return;
    }
    let checked = async {
        match compare(dir, state, had_log).await {
            Err(error) if is_full(&*error) => {
                let _until_it_is_done = state.make_way().await;
                compare(dir, state, had_log).await
            }
            compared => compared,
        }
    };
    // A panic must not leave others waiting forever for the end of the check.
    let checked = AssertUnwindSafe(checked).catch_unwind().await;
    match checked.unwrap_or_else(|_| Err("the check panicked".into())) {
        Ok(None) => {}
        Ok(Some(lost)) => {
            tracing::error!("{lost}");
            refuse(&state.store);
        }
        // Reported and handled wherever the loss is noticed.
        Err(_) if !state.store.is_there() => {}
        Err(error) => {
            tracing::error!(%error, "the names of the blobs cannot be checked; nothing is stored or answered anymore");
            refuse(&state.store);
        }
    }
    let _ = state.names_checked.set(());
}

fn refuse(store: &Store) {
    if let Some(database) = store.embedded() {
        database.refuse();
    }
}

async fn compare(
    dir: &Path,
    state: &AppState,
    had_log: bool,
) -> Result<Option<LostRows>, Box<dyn Error + Send + Sync>> {
    // The names of objects in a bucket contain no information.
    let Some(blobs) = state.blobs.directory() else {
        return Ok(None);
    };
    let audit = Audit::open(&data_dir::database(dir)).await?;
    let compared = Comparison::of(blobs, &audit, had_log).await?;
    audit.close().await;
    for path in &compared.irregular {
        tracing::warn!(path = %path.display(), "not a regular file, and no row names it; it is not used");
    }
    if let Some(first) = compared
        .without_rows
        .first()
        .and_then(|blob| blob.file_name())
    {
        let (path, count) = (dir.to_owned(), compared.without_rows.len());
        return Ok(Some(LostRows {
            path,
            count,
            first: first.display().to_string(),
        }));
    }
    compared.settle(&blobs.names)?;
    let aside = &compared.unanswered;
    blobs.put_aside(aside, state.clock.now())?;
    if !aside.is_empty() {
        tracing::warn!(
            count = aside.len(),
            "put unfinished uploads aside that no row names; they are removed in a day"
        );
    }
    for path in &compared.doubtful {
        tracing::warn!(
            path = %path.display(),
            "no row names this upload; it may have been answered before the system was restarted, and the log of the \
             database is gone. It is kept; 'filedeck store recover' lists it and puts it aside"
        );
    }
    Ok(None)
}

fn is_full(error: &(dyn Error + Send + Sync + 'static)) -> bool {
    error
        .downcast_ref::<StoreError>()
        .is_some_and(StoreError::is_full)
        || is_disk_full(error)
}
