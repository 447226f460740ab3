//! Makes a database out of what lies in a store's directory: every file that is whole comes back, with its name and its
//! rights where a row of the present database or of an older one still has them. Destroys nothing.

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::error::CareError;
use super::sources;
use crate::service::content::blobs::{BlobId, Blobs, BlockSums, Summing};
use crate::service::content::data_dir;
use crate::service::domain::names::FileName;
use crate::service::intake::{Charset, Measure, describe};
use crate::service::store::{
    Content, Mark, NewContent, Patience, Restoration, Salvage, SavedFile, Store, StoreError, free_name, with_suffix,
};

/// What a recovery brought back.
#[derive(Debug, Default)]
pub struct Recovered {
    /// All files; deleted ones that keep their bytes included.
    pub files: u64,
    /// Those of them whose row was found.
    pub named: u64,
    /// Paths of files of which there is a row, but no bytes: they are not brought back.
    pub without_bytes: Vec<String>,
    /// Paths of files whose bytes are not those that were stored, or cannot be read.
    pub changed: Vec<String>,
    /// What could not be read, or not taken over as it was.
    pub faults: Vec<String>,
    /// Where the database lies that was there before.
    pub former: Option<PathBuf>,
}

/// Recovers the store in `dir`, which no service may be using. Of its database and `from`, the one that came farther
/// counts where both have a row.
pub async fn recover(dir: &Path, from: Option<&Path>) -> Result<Recovered, CareError> {
    let database = data_dir::database(dir);
    if !database.exists() && !data_dir::blobs(dir).is_dir() {
        return Err(CareError::NoStore(dir.to_owned()));
    }
    let unusable = |source| CareError::Path { path: dir.to_owned(), source };
    data_dir::create(dir).map_err(unusable)?;
    let _lock = data_dir::Lock::take_soon(dir).map_err(unusable)?.ok_or_else(|| CareError::InUse(dir.to_owned()))?;
    let mut recovered = Recovered::default();
    let mut sources = Vec::new();
    if database.exists() {
        match sources::read(&database).await {
            Ok(present) => sources.push(present),
            Err(error @ StoreError::Newer { .. }) => return Err(CareError::store(dir)(error)),
            Err(error) => recovered.faults.push(error.to_string()),
        }
    }
    if let Some(from) = from {
        sources.push(sources::read(from).await.map_err(CareError::store(from))?);
    }
    let blobs = Blobs::open(dir).map_err(CareError::store(dir))?;
    let survey = blobs.survey().await.map_err(CareError::store(dir))?;
    let whole = survey.whole();
    survey.gather().await.map_err(CareError::store(dir))?;
    let part = with_suffix(&database, ".part");
    let rebuilt = rebuild(&part, &blobs, whole, sources::settle(sources), &mut recovered).await;
    rebuilt.map_err(|source| CareError::Store { path: dir.to_owned(), source })?;
    recovered.former = switch(&database, &part).map_err(CareError::store(dir))?;
    Ok(recovered)
}

/// Fills a new database. The sources come in the order in which they count.
async fn rebuild(
    part: &Path,
    blobs: &Blobs,
    whole: HashSet<BlobId>,
    sources: Vec<Salvage>,
    recovered: &mut Recovered,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    for suffix in ["", "-wal", "-shm"] {
        remove_if_there(&with_suffix(part, suffix))?;
    }
    let store = Store::open(part).await?;
    let now = Timestamp::now();
    let unused: HashSet<BlobId> = sources.iter().flat_map(|source| source.unused.clone()).collect();
    let usage = sources.iter().find_map(|source| source.usage.clone());
    let mut restoration = store.restoration(now).await?;
    for blob in unused.intersection(&whole) {
        restoration.unused(blob).await?;
    }
    restoration.ids_from(sources.iter().map(sources::next_id).max().unwrap_or_default()).await?;
    let mut left: HashSet<BlobId> = whole.difference(&unused).cloned().collect();
    let (mut found, mut lost) = (HashSet::new(), BTreeMap::new());
    for source in sources {
        recovered.faults.extend(source.faults);
        recovered.faults.extend(restoration.folders(source.folders).await?);
        for file in source.files {
            if left.remove(&file.record.content.blob) {
                found.insert(file.record.key);
                let is_back = bring_back(&mut restoration, blobs, &file, recovered).await?;
                if !is_back && file.record.deleted_at.is_none() {
                    left.insert(file.record.content.blob);
                }
            } else if file.erase_from.is_none() {
                lost.insert(file.record.key, file.record.path());
            }
        }
    }
    lost.retain(|key, _| !found.contains(key));
    recovered.without_bytes = lost.into_values().collect();
    let mut nameless: Vec<_> = left.into_iter().collect();
    nameless.sort_by(|one, other| one.as_str().cmp(other.as_str()));
    for blob in nameless {
        match content(blobs, blob.clone(), "", None).await {
            Ok((content, _)) => {
                restoration.nameless(&content).await?;
                recovered.files += 1;
            }
            Err(error) => {
                let place = blobs.place(&blob);
                recovered.faults.push(format!(
                    "{}: no row names it, and it cannot be read: {error}; keep a copy, it goes a day after the next start",
                    place.display()
                ));
            }
        }
    }
    restoration.finish().await?;
    if let Some(usage) = usage {
        store.replace_crm_usage(&usage).await?;
    }
    store.set_mark(Mark::SampleLibrary, now).await?;
    store.truncate_log(Patience::LONG).await?;
    store.close().await;
    Ok(())
}

/// Takes a file over, as far as it can be: a row whose bytes cannot be read stays as it is, one whose name is damaged gets
/// that of its bytes. False where the row cannot stay.
async fn bring_back(
    restoration: &mut Restoration,
    blobs: &Blobs,
    file: &SavedFile,
    recovered: &mut Recovered,
) -> Result<bool, StoreError> {
    let record = &file.record;
    let (path, known) = (record.path(), &record.content);
    let found = content(blobs, known.blob.clone(), &record.extension, Some(known)).await;
    let (content, is_as_stored) = found.unwrap_or_else(|error| {
        recovered.faults.push(format!("{path}: its bytes cannot be read: {error}"));
        (NewContent { content: known.clone(), blocks: BlockSums::default() }, false)
    });
    if !is_as_stored {
        recovered.changed.push(path.clone());
    }
    let name = match FileName::from_parts(&record.stem, &record.extension) {
        Ok(name) => name,
        Err(error) => {
            recovered.faults.push(format!("{path}: {error}; it is named by its bytes"));
            FileName::parse(known.blob.as_str())?
        }
    };
    match restoration.file(file, name, &content).await {
        Err(error) if error.is_refusal() => {
            recovered.faults.push(format!("{path}: its row cannot be taken over: {error}"));
            return Ok(false);
        }
        taken => taken?,
    }
    recovered.files += 1;
    recovered.named += 1;
    Ok(true)
}

/// Reads bytes as an upload does. Gives whether they are those that are known, too.
async fn content(
    blobs: &Blobs,
    blob: BlobId,
    extension: &str,
    known: Option<&Content>,
) -> io::Result<(NewContent, bool)> {
    let (mut bytes, mut measure) = (blobs.read(&blob), Measure::default());
    let mut sums = known.map_or_else(Summing::default, |known| Summing::like(&known.digest));
    while let Some(chunk) = bytes.next().await? {
        measure.add(&chunk);
        sums.add(&chunk);
    }
    // A text's encoding may be its sender's word, which the bytes do not say.
    let encoding = known.and_then(|known| known.encoding.as_deref());
    let charset = encoding.and_then(|label| Charset::of_hint(label).ok()?);
    let sums = sums.finish();
    let is_known = known.is_some_and(|known| sums.are_of(&known.digest));
    Ok((describe(&blob, &measure.finish(sums), extension, charset), is_known))
}

/// Gives the former database another name, with its log, and its own to the new one. Cut short in between, it leaves a
/// store without a database, which no service starts on.
fn switch(database: &Path, part: &Path) -> io::Result<Option<PathBuf>> {
    let former = free_name(database, "before-recovery");
    let mut kept = None;
    for suffix in ["", "-wal", "-shm"] {
        match fs::rename(with_suffix(database, suffix), with_suffix(&former, suffix)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Err(_) => {}
            Ok(()) => kept = Some(former.clone()),
        }
    }
    fs::rename(part, database)?;
    database.parent().map_or(Ok(()), |dir| File::open(dir)?.sync_all())?;
    Ok(kept)
}

fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
