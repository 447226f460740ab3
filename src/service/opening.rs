//! Opens what a store's directory holds. First, with nothing touched: whether database and bytes belong together. Then
//! what an earlier process left is put in order; nobody reads it yet. One that ended in order has sealed the store, and
//! its bytes need not be looked at. Where it was killed, and a witness knows its database, that is served at once: the
//! bytes are looked at beside, and none are taken before.

use std::collections::HashSet;
use std::error::Error;
use std::io;
use std::panic::AssertUnwindSafe;
use std::path::Path;

use futures::FutureExt as _;
use jiff::Timestamp;

use super::content::blobs::{BlobId, Blobs};
use super::content::data_dir::{self, Lock};
use super::content::disk::is_disk_full;
use super::content::reserve::Room;
use super::content::survey::Survey;
use super::content::{seal, witness};
use super::start_error::StartError;
use super::state::AppState;
use super::store::{Audit, Store, StoreError};
use super::{jobs, policy};

/// A store that is open for one service.
pub(super) struct Opened {
    pub(super) store: Store,
    pub(super) blobs: Blobs,
    pub(super) room: Room,
    /// What no row names; of a store that is still to be looked through.
    pub(super) unused: Option<HashSet<BlobId>>,
}

/// Makes the directory, and takes its lock.
pub(super) fn lock(dir: &Path) -> Result<Lock, StartError> {
    let unusable = |source| StartError::DataDir { path: dir.to_owned(), source };
    data_dir::create(dir).map_err(unusable)?;
    Lock::take_soon(dir).map_err(unusable)?.ok_or_else(|| StartError::InUse(dir.to_owned()))
}

/// What lies in a directory whose database and bytes belong together.
#[derive(Debug)]
pub(super) enum Checked {
    /// What its last process left, which ended in order; nothing has come or gone since.
    Sealed,
    /// What its last process left, which was killed: the database is the right one, the bytes are to be looked at.
    Witnessed,
    /// Nothing, or what was found and what the database knows of it.
    Surveyed(Option<(Survey, Known)>),
}

/// Refuses a directory in which nothing can be written, and a database that is newer, or that does not know what lies
/// beside it. Needs the lock.
pub(super) async fn check(dir: &Path) -> Result<Checked, StartError> {
    data_dir::check_writable(dir).map_err(|source| StartError::NotWritable { path: dir.to_owned(), source })?;
    let is_sealed = seal::holds(dir);
    if is_sealed || witness::holds(dir) {
        check_form(dir).await.map_err(StartError::store(dir))?;
        return Ok(if is_sealed { Checked::Sealed } else { Checked::Witnessed });
    }
    look_through(dir).await.map(Checked::Surveyed)
}

/// Looks at all bytes, and refuses a database that does not know them.
async fn look_through(dir: &Path) -> Result<Option<(Survey, Known)>, StartError> {
    let database = data_dir::database(dir);
    let known = async { known_blobs(&database).await.map_err(StartError::store(dir)) };
    let found = async {
        if !data_dir::blobs(dir).is_dir() {
            return Ok(None);
        }
        let blobs = Blobs::at(dir).map_err(StartError::store(dir))?;
        blobs.survey().await.map(Some).map_err(StartError::store(dir))
    };
    let (known, found) = tokio::try_join!(known, found)?;
    let Some(survey) = found else { return Ok(None) };
    let (path, most) = (dir.to_owned(), policy::MAX_UNCLAIMED_BLOBS);
    match known {
        None => match survey.unknown(|_| false) {
            0 => Ok(Some((survey, Known::default()))),
            blobs => Err(StartError::NoDatabase { path, blobs }),
        },
        Some(known) => match survey.unknown(|blob| known.has(blob)) {
            unknown if unknown > most => Err(StartError::OtherDatabase { path, unknown, most }),
            _ => Ok(Some((survey, known))),
        },
    }
}

/// Looks at all bytes of a store that is served already, and puts them in order. A database that does not know them is
/// refused from then on. `unused` was so before anybody could read it. For a task of its own, while no bytes are added.
pub(super) async fn look_beside(dir: &Path, state: &AppState, unused: HashSet<BlobId>) {
    let looked = async {
        match put_in_order(dir, state, &unused).await {
            Err(StartError::Store { source, .. }) if is_full(&*source) => {
                let _until_it_is_done = state.make_way().await;
                put_in_order(dir, state, &unused).await
            }
            looked => looked,
        }
    };
    // Whoever waits for its end would wait for ever.
    let looked = AssertUnwindSafe(looked).catch_unwind().await;
    match looked.unwrap_or_else(|_| Err(StartError::store(dir)("the look at its bytes panicked"))) {
        Ok(()) => state.store.call_witness(),
        // Whoever sees that it is lost says so, and saves what can be.
        Err(_) if !state.store.is_there() => {}
        Err(error) => {
            let cause = error.source();
            tracing::error!(?cause, "{error}. Nothing is stored or answered any more; end the service first");
            state.store.refuse();
        }
    }
    state.blobs.put_in_order();
}

async fn put_in_order(dir: &Path, state: &AppState, unused: &HashSet<BlobId>) -> Result<(), StartError> {
    let Some((survey, mut known)) = look_through(dir).await? else { return Ok(()) };
    // What has become unused since goes in its turn: somebody may be about to read it.
    known.named.extend(known.unused);
    settle(&state.store, survey, known.named, unused, state.clock.now()).await.map_err(StartError::store(dir))
}

/// Opens database and blobs. Needs the lock.
pub(super) async fn open(dir: &Path, checked: Checked, now: Timestamp) -> Result<Opened, StartError> {
    let room = Room::of(dir).await;
    let opened = open_with(dir, &room, checked, now).await;
    match opened {
        Err(StartError::Store { source, .. }) if is_full(&*source) => {
            let _until_it_is_open = room.give_up().await;
            open_with(dir, &room, check(dir).await?, now).await
        }
        opened => opened,
    }
}

/// Closes a store that nobody else uses any more, and seals it unless something was left that only a start puts in
/// order. For who has the lock.
pub(super) async fn close(dir: &Path, store: &Store, blobs: &Blobs) -> io::Result<()> {
    let is_in_order = blobs.loose_ends.are_tied() && store.is_there();
    store.close().await;
    if !is_in_order {
        return Ok(());
    }
    let dir = dir.to_owned();
    tokio::task::spawn_blocking(move || seal::put(&dir)).await.map_err(io::Error::other)?
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

async fn open_with(dir: &Path, room: &Room, checked: Checked, now: Timestamp) -> Result<Opened, StartError> {
    let mut blobs = Blobs::open(dir).map_err(StartError::store(dir))?.keeping(room.clone());
    // From here on the directory changes, and who is killed leaves no word.
    seal::take_away(dir).and_then(|()| witness::take_away(dir)).map_err(StartError::store(dir))?;
    let store = Store::open(&data_dir::database(dir)).await.map_err(StartError::store(dir))?;
    jobs::erase_rows(&store, now).await.map_err(StartError::store(dir))?;
    let unused = match checked {
        Checked::Sealed | Checked::Surveyed(None) => None,
        Checked::Witnessed => {
            blobs = blobs.in_disorder();
            Some(all_unused(&store).await.map_err(StartError::store(dir))?)
        }
        Checked::Surveyed(Some((survey, known))) => {
            let unused = all_unused(&store).await.map_err(StartError::store(dir))?;
            settle(&store, survey, known.named, &unused, now).await.map_err(StartError::store(dir))?;
            None
        }
    };
    Ok(Opened { store, blobs, room: room.clone(), unused })
}

/// What no row names by now.
async fn all_unused(store: &Store) -> Result<HashSet<BlobId>, StoreError> {
    Ok(store.unused_blobs(Timestamp::MAX, u32::MAX).await?.into_iter().collect())
}

/// Refuses a database that is newer.
async fn check_form(dir: &Path) -> Result<(), StoreError> {
    let mut audit = Audit::open(&data_dir::database(dir)).await?;
    audit.form().await?;
    audit.close().await
}

/// Blobs that a database knows.
#[derive(Debug, Default)]
pub(super) struct Known {
    named: HashSet<BlobId>,
    unused: HashSet<BlobId>,
}

impl Known {
    fn has(&self, blob: &BlobId) -> bool {
        self.named.contains(blob) || self.unused.contains(blob)
    }
}

/// None if there is no database, or nothing in it.
async fn known_blobs(file: &Path) -> Result<Option<Known>, StoreError> {
    if !file.exists() {
        return Ok(None);
    }
    let mut audit = Audit::open_locked(file).await?;
    let known = match audit.form().await? {
        None => None,
        Some(_) => Some(Known { named: audit.named_blobs().await?, unused: audit.unused_blobs().await? }),
    };
    audit.close().await?;
    Ok(known)
}

/// Removes unused bytes, and puts aside those that the database did not know.
async fn settle(
    store: &Store,
    survey: Survey,
    named: HashSet<BlobId>,
    unused: &HashSet<BlobId>,
    now: Timestamp,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let aside = survey.settle(named, unused.clone(), now).await?;
    store.forget_blobs(unused.iter()).await?;
    if aside > 0 {
        tracing::warn!(
            aside,
            "put bytes aside that no file names; they are removed in a day, unless 'filedeck store recover' takes them up"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn opened(dir: &Path) -> Opened {
        open(dir, check(dir).await.unwrap(), Timestamp::UNIX_EPOCH).await.unwrap()
    }

    async fn closed(dir: &Path, Opened { store, blobs, .. }: Opened) {
        close(dir, &store, &blobs).await.unwrap();
    }

    async fn is_looked_through(dir: &Path) -> bool {
        matches!(check(dir).await.unwrap(), Checked::Surveyed(_))
    }

    // Seen to fail when the seal stays.
    #[tokio::test]
    async fn what_was_sealed_is_not_looked_through_once() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path();
        closed(dir, opened(dir).await).await;
        assert!(!is_looked_through(dir).await);
        let again = opened(dir).await;
        assert!(is_looked_through(dir).await, "who is killed now leaves no seal");
        closed(dir, again).await;
        assert!(!is_looked_through(dir).await);
    }

    #[tokio::test]
    async fn nothing_is_sealed_while_somebody_may_write_or_after_something_was_left() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path();
        let first = opened(dir).await;
        let writer = first.blobs.create().await.unwrap();
        closed(dir, first).await;
        assert!(is_looked_through(dir).await);
        drop(writer);
        let second = opened(dir).await;
        second.blobs.loose_ends.leave();
        closed(dir, second).await;
        assert!(is_looked_through(dir).await);
    }

    // Seen to fail when the database alone is asked.
    #[test]
    fn a_disk_that_is_full_for_the_blobs_is_full() {
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        assert!(is_full(&full()) && is_full(&StoreError::from(sqlx::Error::Io(full()))));
        assert!(!is_full(&io::Error::from(io::ErrorKind::NotFound)));
    }
}
