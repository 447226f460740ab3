//! Opens what a store's directory holds. First, with nothing touched: whether database and bytes belong together. Then
//! what an earlier process left is put in order; nobody reads it yet.

use std::collections::HashSet;
use std::error::Error;
use std::path::Path;

use jiff::Timestamp;

use super::content::blobs::{BlobId, Blobs};
use super::content::data_dir;
use super::content::disk::is_disk_full;
use super::content::reserve::Room;
use super::content::survey::Survey;
use super::start_error::StartError;
use super::store::{Audit, Store, StoreError};
use super::{jobs, policy};

/// A store that is open for one service.
pub(super) struct Opened {
    pub(super) store: Store,
    pub(super) blobs: Blobs,
    pub(super) room: Room,
}

/// Makes the directory, and takes its lock.
pub(super) fn lock(dir: &Path) -> Result<data_dir::Lock, StartError> {
    let unusable = |source| StartError::DataDir { path: dir.to_owned(), source };
    data_dir::create(dir).map_err(unusable)?;
    data_dir::check_writable(dir).map_err(|source| StartError::NotWritable { path: dir.to_owned(), source })?;
    data_dir::lock(dir).map_err(unusable)?.ok_or_else(|| StartError::InUse(dir.to_owned()))
}

/// What lies in a directory whose database and bytes belong together; nothing where there are no bytes yet.
pub(super) struct Checked(Option<Survey>);

/// Refuses a database that is newer, or that does not know what lies beside it. Needs the lock.
pub(super) async fn check(dir: &Path) -> Result<Checked, StartError> {
    let survey = if data_dir::blobs(dir).is_dir() {
        let blobs = Blobs::at(dir).map_err(StartError::store(dir))?;
        Some(blobs.survey().await.map_err(StartError::store(dir))?)
    } else {
        None
    };
    let unknown = |known| survey.as_ref().map_or(0, |survey| survey.unknown(known));
    match known_blobs(&data_dir::database(dir)).await.map_err(StartError::store(dir))? {
        None => match unknown(&HashSet::new()) {
            0 => Ok(Checked(survey)),
            blobs => Err(StartError::NoDatabase { path: dir.to_owned(), blobs }),
        },
        Some(known) => match unknown(&known) {
            unknown if unknown > policy::MAX_UNCLAIMED_BLOBS => {
                let most = policy::MAX_UNCLAIMED_BLOBS;
                Err(StartError::OtherDatabase { path: dir.to_owned(), unknown, most })
            }
            _ => Ok(Checked(survey)),
        },
    }
}

/// Opens database and blobs. Needs the lock.
pub(super) async fn open(dir: &Path, Checked(survey): Checked, now: Timestamp) -> Result<Opened, StartError> {
    let room = Room::of(dir).await;
    let opened = open_with(dir, &room, survey, now).await;
    let (store, blobs) = match opened {
        Err(StartError::Store { source, .. }) if is_full(&*source) => {
            let _until_it_is_open = room.give_up().await;
            open_with(dir, &room, None, now).await?
        }
        opened => opened?,
    };
    Ok(Opened { store, blobs, room })
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

async fn open_with(
    dir: &Path,
    room: &Room,
    survey: Option<Survey>,
    now: Timestamp,
) -> Result<(Store, Blobs), StartError> {
    let blobs = Blobs::open(dir).map_err(StartError::store(dir))?.keeping(room.clone());
    let survey = match survey {
        Some(survey) => survey,
        None => blobs.survey().await.map_err(StartError::store(dir))?,
    };
    let store = Store::open(&data_dir::database(dir)).await.map_err(StartError::store(dir))?;
    jobs::erase_rows(&store, now).await.map_err(StartError::store(dir))?;
    settle(&store, survey, now).await.map_err(StartError::store(dir))?;
    Ok((store, blobs))
}

/// Blobs that the database names or knows to be unused; none if there is no database, or nothing in it.
async fn known_blobs(file: &Path) -> Result<Option<HashSet<BlobId>>, StoreError> {
    if !file.exists() {
        return Ok(None);
    }
    let mut audit = Audit::open_locked(file).await?;
    let known = match audit.form().await? {
        None => None,
        Some(_) => Some(audit.named_blobs().await?.into_iter().chain(audit.unused_blobs().await?).collect()),
    };
    audit.close().await?;
    Ok(known)
}

/// Removes the bytes that the database knows to be unused, and puts aside those that it does not know.
async fn settle(store: &Store, survey: Survey, now: Timestamp) -> Result<(), Box<dyn Error + Send + Sync>> {
    let named = store.named_blobs().await?.into_iter().collect();
    let unused: HashSet<_> = store.unused_blobs(Timestamp::MAX, u32::MAX).await?.into_iter().collect();
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
