//! Rebuilds the database of a store from the contents of its directory: every intact file comes
//! back, with its name and its access if a row of the present or an older database still has them.
//! Destroys nothing.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

use jiff::Timestamp;

use super::error::MaintenanceError;
use super::place;
use super::sources;
use crate::service::content::blobs::{BlobDirectory, BlobFile, BlobId, BlobStage, SumBuilder};
use crate::service::content::data_dir;
use crate::service::content::disk::{remove_files, sync};
use crate::service::content::listing::BlobListing;
use crate::service::domain::names::FileName;
use crate::service::ingest::{Charset, ContentMeasure, describe};
use crate::service::store::{
    EmbeddedDatabase, Finding, Restoration, Salvage, SavedFile, ScrubDelay, ServiceFlag, Store,
    StoreError, StoredContent, free_name, with_suffix,
};

#[derive(Debug, Default)]
pub struct Recovered {
    /// The number of all files, including deleted ones that keep their bytes.
    pub files: u64,
    /// The number of files whose row was found.
    pub named: u64,
    /// Files that no row names; their names and ids are lost.
    pub nameless: Vec<RecoveredFile>,
    /// Paths of files that have a row but no bytes; they are not brought back.
    pub without_bytes: Vec<String>,
    /// Files whose bytes are unreadable or not those that were stored. They keep the checksums of
    /// the stored bytes.
    pub damaged: Vec<RecoveredFile>,
    /// Files whose bytes were accepted as they are, as the caller requested.
    pub accepted: Vec<RecoveredFile>,
    /// Ids of uploads without a row, which may never have been confirmed. They were moved aside.
    pub unanswered: Vec<String>,
    /// Messages about data that could not be read or taken over unchanged.
    pub faults: Vec<String>,
    /// The new path of the previous database.
    pub former: Option<PathBuf>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecoveredFile {
    pub id: i64,
    pub path: String,
}

impl Recovered {
    /// Returns `true` if every row has its stored bytes, every file has its row, and nothing was
    /// left out.
    pub fn is_complete(&self) -> bool {
        let lost = [
            self.nameless.len(),
            self.damaged.len(),
            self.without_bytes.len(),
            self.unanswered.len(),
        ];
        lost.iter().sum::<usize>() == 0 && self.faults.is_empty()
    }
}

/// Recovers the store in `dir`, which no service may be using. If both its database and `from` have
/// a row, the one of the more advanced database is used. Damaged bytes of the files whose ids are
/// in `accept` are accepted as they are.
///
/// # Errors
///
/// Fails if the store is in use, or something in it cannot be read or written. Nothing is lost
/// then.
pub async fn recover(
    dir: &Path,
    from: Option<&Path>,
    accept: &[i64],
) -> Result<Recovered, MaintenanceError> {
    let database = data_dir::database(dir);
    if !database.exists() && !data_dir::blobs(dir).is_dir() {
        return Err(MaintenanceError::NoStore(dir.to_owned()));
    }
    let unusable = |source| MaintenanceError::Path {
        path: dir.to_owned(),
        source,
    };
    data_dir::check_database(dir).map_err(unusable)?;
    place::refuse_bucket(dir).await?;
    data_dir::create(dir).map_err(unusable)?;
    let _lock = data_dir::Lock::take_soon(dir)
        .await
        .map_err(unusable)?
        .ok_or_else(|| MaintenanceError::InUse(dir.to_owned()))?;
    let mut recovered = Recovered::default();
    let mut sources = Vec::new();
    if database.exists() {
        match sources::read(&database).await {
            Ok(present) => sources.push(present),
            Err(error @ StoreError::Form(_)) => {
                return Err(MaintenanceError::store(dir)(error));
            }
            Err(error) => recovered.faults.push(error.to_string()),
        }
    }
    if let Some(from) = from {
        sources.push(
            sources::read(from)
                .await
                .map_err(MaintenanceError::store(from))?,
        );
    }
    let blobs = BlobDirectory::open(dir).map_err(MaintenanceError::store(dir))?;
    let listing = blobs.list().await.map_err(MaintenanceError::store(dir))?;
    let was_aside = listing.aside.iter().map(|found| found.id.clone()).collect();
    let left = gather(&blobs, listing).map_err(MaintenanceError::store(dir))?;
    let part = with_suffix(&database, ".part");
    let mut work = Recovery {
        blobs: &blobs,
        left,
        was_aside,
        accept: accept.iter().copied().collect(),
        recovered,
        aside: Vec::new(),
    };
    work.rebuild(&part, sources::settle(sources))
        .await
        .map_err(MaintenanceError::store(dir))?;
    let Recovery {
        mut recovered,
        aside,
        ..
    } = work;
    recovered.former = switch(&database, &part).map_err(MaintenanceError::store(dir))?;
    blobs
        .put_aside(&aside, Timestamp::now())
        .map_err(MaintenanceError::store(dir))?;
    Ok(recovered)
}

/// Moves every complete blob to its proper path. Returns all files that are named like complete
/// blobs.
fn gather(blobs: &BlobDirectory, listing: BlobListing) -> io::Result<BTreeMap<BlobId, BlobFile>> {
    let mut whole = listing.whole(&blobs.names);
    for found in whole.values_mut() {
        blobs.names.put_in_place(found, found.stage)?;
        found.path = blobs.names.path(&found.id, found.stage);
    }
    for found in listing
        .irregular
        .into_iter()
        .filter(|found| found.stage != BlobStage::Part)
    {
        whole.entry(found.id.clone()).or_insert(found);
    }
    Ok(whole)
}

struct Recovery<'a> {
    blobs: &'a BlobDirectory,
    /// Blobs that no row has named so far.
    left: BTreeMap<BlobId, BlobFile>,
    /// Blobs that an earlier start moved aside.
    was_aside: HashSet<BlobId>,
    accept: HashSet<i64>,
    recovered: Recovered,
    /// Files to move aside once the new database is in place.
    aside: Vec<PathBuf>,
}

impl Recovery<'_> {
    /// Fills a new database. The sources come in order of precedence.
    async fn rebuild(
        &mut self,
        part: &Path,
        sources: Vec<Salvage>,
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        remove_files(&["", "-wal", "-shm"].map(|suffix| with_suffix(part, suffix)))?;
        let database = EmbeddedDatabase::open(part, Some(self.blobs.names.clone())).await?;
        let store = Store::from(database.clone());
        let now = Timestamp::now();
        let usage = sources.iter().find_map(|source| source.usage.clone());
        let restoration = database.restoration(now).await?;
        for blob in sources.iter().flat_map(|source| &source.unused) {
            if self.left.remove(blob).is_some() {
                restoration.unused(blob).await?;
            }
        }
        restoration
            .ids_from(
                sources
                    .iter()
                    .map(sources::next_id)
                    .fold(new_range(now), i64::max),
            )
            .await?;
        let (mut found, mut lost) = (HashSet::new(), BTreeMap::new());
        for source in sources {
            self.recovered.faults.extend(source.faults);
            if source.is_half_copied {
                // The mark of the interrupted copy is not taken over, so that the files that
                // arrived can be served.
                let fault =
                    "a copy into this store was cut short: what had not arrived is not there";
                self.recovered.faults.push(fault.to_owned());
            }
            self.recovered
                .faults
                .extend(restoration.folders(source.folders).await?);
            for file in source.files {
                let key = file.record.key;
                if let Some(blob) = self.left.remove(&file.record.content.blob) {
                    found.insert(key);
                    let is_back = self.bring_back(&restoration, &file).await?;
                    if is_back {
                        if blob.stage == BlobStage::Pending {
                            self.blobs.names.make_final(&[blob.id]);
                        }
                    } else if file.record.deleted_at.is_none() {
                        self.left.insert(blob.id.clone(), blob);
                    }
                } else if file.erase_from.is_none() {
                    lost.insert(key, file.record.path());
                }
            }
        }
        lost.retain(|key, _| !found.contains(key));
        self.recovered.without_bytes = lost.into_values().collect();
        for found in std::mem::take(&mut self.left).into_values() {
            self.bring_back_nameless(&restoration, found).await?;
        }
        for id in &self.accept {
            let fault =
                format!("no file with damaged bytes has the id {id}; nothing was accepted for it");
            self.recovered.faults.push(fault);
        }
        restoration.finish().await?;
        if let Some(usage) = usage {
            store.replace_crm_usage(&usage).await?;
        }
        store.set_mark(ServiceFlag::SampleLibrary, now).await?;
        database.truncate_log(ScrubDelay::LONG).await?;
        store.close().await;
        Ok(())
    }

    /// Takes a file over as far as possible: a row whose bytes are damaged or unreadable keeps its
    /// checksums, and one whose name is damaged is named after its blob. Returns `false` if the row
    /// cannot be kept.
    async fn bring_back(
        &mut self,
        restoration: &Restoration,
        file: &SavedFile,
    ) -> Result<bool, StoreError> {
        let record = &file.record;
        let (path, known) = (record.path(), &record.content);
        let (content, finding) = match content(
            self.blobs,
            known.blob.clone(),
            &record.extension,
            Some(known),
        )
        .await
        {
            Ok((content, true)) => (
                content,
                file.finding.filter(|finding| *finding == Finding::Accepted),
            ),
            Ok((content, false)) if self.accept.remove(&record.key.0) => {
                (content, Some(Finding::Accepted))
            }
            Ok((_, false)) => (known.clone(), Some(Finding::Damaged)),
            Err(error) => {
                self.recovered
                    .faults
                    .push(format!("{path}: its bytes cannot be read: {error}"));
                (known.clone(), Some(Finding::Damaged))
            }
        };
        let name = match FileName::from_parts(&record.stem, &record.extension) {
            Ok(name) => name,
            Err(error) => {
                self.recovered
                    .faults
                    .push(format!("{path}: {error}; it is named by its bytes"));
                FileName::parse(known.blob.as_str())?
            }
        };
        let named = [&record.folder_path, "/", &name.full()].concat();
        let taken = match restoration.file(file, name, &content, finding).await {
            Err(error) if error.is_refusal() => {
                self.recovered
                    .faults
                    .push(format!("{path}: its row cannot be taken over: {error}"));
                return Ok(false);
            }
            taken => taken?,
        };
        let id = taken.key.0;
        if record.deleted_at.is_none() && (taken.key, taken.path()) != (record.key, named) {
            let fault = format!(
                "{path} (id {}): it is {} (id {id}) now",
                record.key.0,
                taken.path()
            );
            self.recovered.faults.push(fault);
        }
        match finding {
            Some(Finding::Damaged) => self.recovered.damaged.push(RecoveredFile { id, path }),
            Some(Finding::Accepted) => self.recovered.accepted.push(RecoveredFile { id, path }),
            None => {}
        }
        self.recovered.files += 1;
        self.recovered.named += 1;
        Ok(true)
    }

    /// Creates a file for a blob that no row names. A pending one, perhaps never confirmed, is
    /// moved aside instead.
    async fn bring_back_nameless(
        &mut self,
        restoration: &Restoration,
        found: BlobFile,
    ) -> Result<(), StoreError> {
        if found.stage == BlobStage::Pending {
            if !self.was_aside.contains(&found.id) {
                self.recovered.unanswered.push(found.id.as_str().to_owned());
            }
            self.aside.push(found.path);
            return Ok(());
        }
        match content(self.blobs, found.id, "", None).await {
            Ok((content, _)) => {
                let file = restoration.nameless(&content).await?;
                self.recovered.nameless.push(RecoveredFile {
                    id: file.key.0,
                    path: file.path(),
                });
                self.recovered.files += 1;
            }
            Err(error) => {
                self.recovered.faults.push(format!(
                    "{}: no row names it, and it cannot be read: {error}; it was put aside and is removed in a day",
                    found.path.display()
                ));
                self.aside.push(found.path);
            }
        }
        Ok(())
    }
}

/// Returns the first id of a new database, above all that were assigned before, which the remaining
/// rows cannot tell. A service assigns fewer than a million ids per second, so ids that start at
/// the microseconds of one recovery end before those of the next.
fn new_range(now: Timestamp) -> i64 {
    now.as_microsecond()
}

/// Reads bytes as an upload does. Also returns `true` if they are the known ones.
async fn content(
    blobs: &BlobDirectory,
    blob: BlobId,
    extension: &str,
    known: Option<&StoredContent>,
) -> io::Result<(StoredContent, bool)> {
    let (mut bytes, mut measure) = (blobs.read(&blob), ContentMeasure::default());
    let mut sums = known.map_or_else(SumBuilder::default, |known| SumBuilder::like(&known.digest));
    while let Some(chunk) = bytes.next().await? {
        measure.add(&chunk);
        sums.add(&chunk);
    }
    // The encoding may have come from the sender, and then the bytes do not show it.
    let encoding = known.and_then(|known| known.encoding.as_deref());
    let charset = encoding.and_then(|label| Charset::of_hint(label).ok()?);
    let sums = sums.finish();
    let is_known = known.is_some_and(|known| sums.are_of(&known.digest));
    Ok((
        describe(&blob, &measure.finish(sums), extension, charset),
        is_known,
    ))
}

/// Renames the former database with its log, and gives its name to the new one. If interrupted in
/// between, it leaves a store without a database, with which no service starts.
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
    database.parent().map_or(Ok(()), sync)?;
    Ok(kept)
}
