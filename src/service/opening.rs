//! Opens what a store's directory holds, and checks beside the answers that no rows were lost. A start reads no list of
//! all files before it answers, but for the first one on a store of an earlier version.

use std::error::Error;
use std::panic::AssertUnwindSafe;
use std::path::Path;

use futures::FutureExt as _;
use jiff::Timestamp;

use super::content::blobs::Blobs;
use super::content::data_dir::{self, Lock};
use super::content::disk::is_disk_full;
use super::content::reserve::Room;
use super::policy;
use super::reconcile::Comparison;
use super::start_error::{LostRows, StartError};
use super::state::AppState;
use super::store::{Audit, Mark, Store, StoreError};

/// A store that is open for one service.
pub(super) struct Opened {
    pub(super) store: Store,
    pub(super) blobs: Blobs,
    pub(super) room: Room,
}

/// Makes the directory, and takes its lock.
pub(super) fn lock(dir: &Path) -> Result<Lock, StartError> {
    let unusable = |source| StartError::DataDir { path: dir.to_owned(), source };
    data_dir::create(dir).map_err(unusable)?;
    Lock::take_soon(dir).map_err(unusable)?.ok_or_else(|| StartError::InUse(dir.to_owned()))
}

/// What is known of a directory before anything in it changes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Checked {
    /// Whether the names of the blobs say which of them have rows.
    names_tell: bool,
    /// Whether the last process that served the store left a log.
    pub(super) had_log: bool,
}

/// Refuses a directory in which nothing can be written, a database that is newer, blobs without a database, and a
/// database of an earlier version that does not know the blobs. Changes nothing. Needs the lock.
pub(super) async fn check(dir: &Path) -> Result<Checked, StartError> {
    data_dir::check_writable(dir).map_err(|source| StartError::NotWritable { path: dir.to_owned(), source })?;
    data_dir::check_database(dir).map_err(StartError::store(dir))?;
    let had_log = data_dir::has_log(dir);
    let path = dir.to_owned();
    match compare_before(dir).await? {
        Before::NamesTell => Ok(Checked { names_tell: true, had_log }),
        Before::NoRows(blobs) if blobs > 0 => Err(StartError::NoDatabase { path, blobs }),
        Before::Unsorted(unknown) if unknown > policy::UNKNOWN_BLOBS_OF_A_CRASH => {
            Err(StartError::OtherDatabase { path, unknown, most: policy::UNKNOWN_BLOBS_OF_A_CRASH })
        }
        Before::NoRows(_) | Before::Unsorted(_) => Ok(Checked { names_tell: false, had_log }),
    }
}

/// What lies in a directory before it is opened.
enum Before {
    /// A database that says that the names of the blobs can be relied on.
    NamesTell,
    /// No database, or nothing in it, and so many blobs.
    NoRows(usize),
    /// A database of an earlier version, or of a first start that was cut short, which does not know so many blobs.
    Unsorted(usize),
}

async fn compare_before(dir: &Path) -> Result<Before, StartError> {
    let database = data_dir::database(dir);
    let compared = async {
        let blobs = if data_dir::blobs(dir).is_dir() { Some(Blobs::at(dir)?) } else { None };
        let mut audit = if database.exists() { Some(Audit::open_locked(&database).await?) } else { None };
        let form = match &mut audit {
            Some(audit) => audit.form().await?,
            None => None,
        };
        let before = match audit {
            Some(mut audit) if form.is_some() => {
                let before = if audit.do_names_tell().await? {
                    Before::NamesTell
                } else if let Some(blobs) = &blobs {
                    Before::Unsorted(Comparison::of(blobs, &mut audit, true).await?.without_rows.len())
                } else {
                    Before::Unsorted(0)
                };
                audit.close().await?;
                before
            }
            _ => match &blobs {
                Some(blobs) => Before::NoRows(blobs.list().await?.whole(&blobs.names).len()),
                None => Before::NoRows(0),
            },
        };
        Ok::<_, Box<dyn Error + Send + Sync>>(before)
    };
    compared.await.map_err(StartError::store(dir))
}

/// Opens database and blobs. Needs the lock.
pub(super) async fn open(dir: &Path, checked: Checked, now: Timestamp) -> Result<Opened, StartError> {
    let room = Room::of(dir).await;
    let opened = open_with(dir, &room, checked, now).await;
    match opened {
        Err(StartError::Store { source, .. }) if is_full(&*source) => {
            let _until_it_is_open = room.give_up().await;
            open_with(dir, &room, checked, now).await
        }
        opened => opened,
    }
}

async fn open_with(dir: &Path, room: &Room, checked: Checked, now: Timestamp) -> Result<Opened, StartError> {
    let blobs = Blobs::open(dir).map_err(StartError::store(dir))?.keeping(room.clone());
    let store = Store::open(&data_dir::database(dir), &blobs.names).await.map_err(StartError::store(dir))?;
    if !checked.names_tell {
        sort_by_rows(dir, &store, &blobs, now).await.map_err(StartError::store(dir))?;
    }
    let damaged = store.count_damaged().await.map_err(StartError::store(dir))?;
    if damaged > 0 {
        tracing::warn!(
            damaged,
            "files have damaged bytes and are answered with 500; 'filedeck store verify' names them, and 'filedeck store \
             recover --accept ID' takes their bytes as they are"
        );
    }
    Ok(Opened { store, blobs, room: room.clone() })
}

/// Earlier versions gave a blob its final name before its row was committed. Once, the few blobs that a crash of one may
/// have left without a row are put aside; from then on the names tell.
async fn sort_by_rows(
    dir: &Path,
    store: &Store,
    blobs: &Blobs,
    now: Timestamp,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let mut audit = Audit::open(&data_dir::database(dir)).await?;
    let compared = Comparison::of(blobs, &mut audit, true).await?;
    audit.close().await?;
    compared.settle(&blobs.names)?;
    blobs.put_aside(&compared.without_rows, now)?;
    warn_of_aside(compared.without_rows.len());
    data_dir::remove_former_markers(dir)?;
    Ok(store.set_mark(Mark::NamesTell, now).await?)
}

/// Compares the names of all blobs with the rows while the store is served. Where rows were lost, nothing is answered from
/// then on. Expiry and removal wait for this. For a task of its own.
pub(super) async fn check_names(dir: &Path, state: &AppState, had_log: bool) {
    let checked = async {
        match settle(dir, state, had_log).await {
            Err(error) if is_full(&*error) => {
                let _until_it_is_done = state.make_way().await;
                settle(dir, state, had_log).await
            }
            settled => settled,
        }
    };
    // Whoever waits for its end would wait forever.
    let checked = AssertUnwindSafe(checked).catch_unwind().await;
    match checked.unwrap_or_else(|_| Err("the check panicked".into())) {
        Ok(None) => {}
        Ok(Some(lost)) => {
            tracing::error!("{lost}");
            state.store.refuse();
        }
        // Whoever sees that the database is lost says so, and saves what can be.
        Err(_) if !state.store.is_there() => {}
        Err(error) => {
            tracing::error!(%error, "the names of the blobs cannot be checked; nothing is stored or answered anymore");
            state.store.refuse();
        }
    }
    // Set once: there is one check.
    let _ = state.names_checked.set(());
}

async fn settle(dir: &Path, state: &AppState, had_log: bool) -> Result<Option<LostRows>, Box<dyn Error + Send + Sync>> {
    let mut audit = Audit::open(&data_dir::database(dir)).await?;
    let compared = Comparison::of(&state.blobs, &mut audit, had_log).await?;
    audit.close().await?;
    for path in &compared.irregular {
        tracing::warn!(path = %path.display(), "not a regular file, and no row names it; it is not used");
    }
    if !compared.without_rows.is_empty() {
        return Ok(Some(LostRows { dir: dir.to_owned(), blobs: compared.without_rows, had_log }));
    }
    compared.settle(&state.blobs.names)?;
    state.blobs.put_aside(&compared.unanswered, state.clock.now())?;
    warn_of_aside(compared.unanswered.len());
    for path in &compared.doubtful {
        tracing::warn!(
            path = %path.display(),
            "no row names this upload; it may have been answered before the system was restarted, and the log of the \
             database is gone. It is kept; 'filedeck store recover' lists it and puts it aside"
        );
    }
    Ok(None)
}

fn warn_of_aside(count: usize) {
    if count > 0 {
        tracing::warn!(count, "put unfinished uploads aside that no row names; they are removed in a day");
    }
}

fn is_full(error: &(dyn Error + Send + Sync + 'static)) -> bool {
    error.downcast_ref::<StoreError>().is_some_and(StoreError::is_full) || is_disk_full(error)
}

/// Whether the store's database is of an older form: who serves it brings it to the newest one first, which takes time
/// in a large store. A database that cannot be read is not.
pub async fn awaits_renewal(dir: &Path) -> bool {
    let is_older = async {
        let mut audit = Audit::open(&data_dir::database(dir)).await?;
        let is_older = audit.is_older().await?;
        audit.close().await?;
        Ok::<_, StoreError>(is_older)
    };
    is_older.await.unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    // Seen to fail when the database alone is asked.
    #[test]
    fn a_disk_that_is_full_for_the_blobs_is_full() {
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        assert!(is_full(&full()) && is_full(&StoreError::from(sqlx::Error::Io(full()))));
        assert!(!is_full(&io::Error::from(io::ErrorKind::NotFound)));
    }
}
