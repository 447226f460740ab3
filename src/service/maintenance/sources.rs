//! The databases that a recovery reads: their precedence, and the facts that one of them
//! establishes for all.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::path::Path;

use jiff::Timestamp;

use crate::service::content::blobs::BlobId;
use crate::service::store::{Audit, Salvage, SavedFile, StoreError};

pub(super) async fn read(file: &Path) -> Result<Salvage, StoreError> {
    let audit = Audit::open(file).await?;
    let found = match audit.form().await? {
        Some(_) => audit.salvage().await?,
        None => Salvage::default(),
    };
    audit.close().await;
    Ok(found)
}

/// Puts the most advanced database first, whichever is the store's at present: an older one may
/// have been put in its place. A file that one of them knows to be deleted or due for erasure is so
/// in all of them. A file that an earlier recovery could only name after its blob gets the name and
/// id that another database has.
pub(super) fn settle(mut sources: Vec<Salvage>) -> Vec<Salvage> {
    sources.sort_by_key(|source| Reverse((next_id(source), last_change(source))));
    let mut ends: HashMap<BlobId, (Option<Timestamp>, Option<Timestamp>)> = HashMap::new();
    for file in sources.iter().flat_map(|source| &source.files) {
        let (deleted_at, erase_from) = ends.entry(file.record.content.blob.clone()).or_default();
        *deleted_at = earlier(*deleted_at, file.record.deleted_at);
        *erase_from = earlier(*erase_from, file.erase_from);
    }
    let named = sources
        .iter()
        .flat_map(|source| &source.files)
        .filter(|file| !is_named_by_its_bytes(file));
    let named: HashSet<BlobId> = named.map(|file| file.record.content.blob.clone()).collect();
    for source in &mut sources {
        source.files.retain(|file| {
            !is_named_by_its_bytes(file) || !named.contains(&file.record.content.blob)
        });
    }
    for file in sources.iter_mut().flat_map(|source| &mut source.files) {
        if let Some(end) = ends.get(&file.record.content.blob) {
            (file.record.deleted_at, file.erase_from) = *end;
        }
    }
    sources
}

/// Returns an id above all that were ever assigned, as far as the database knows.
pub(super) fn next_id(source: &Salvage) -> i64 {
    let files = source.files.iter().map(|file| file.record.key.0);
    let given = files
        .chain(source.folders.iter().map(|folder| folder.key.0))
        .map(|id| id.saturating_add(1));
    given.fold(source.next_id, i64::max)
}

fn is_named_by_its_bytes(file: &SavedFile) -> bool {
    file.record.folder.is_none() && file.record.full_name == file.record.content.blob.as_str()
}

fn last_change(source: &Salvage) -> Option<Timestamp> {
    let files = source.files.iter().map(|file| file.record.updated_at);
    files
        .chain(source.folders.iter().map(|folder| folder.updated_at))
        .max()
}

fn earlier(one: Option<Timestamp>, other: Option<Timestamp>) -> Option<Timestamp> {
    one.into_iter().chain(other).min()
}
