//! Compares the names of all blobs with the rows: what a kill left, what a row names, and where rows were lost
//! (docs/guarantees.md, "What the name of a blob says"). For the service beside its answers, and for maintenance.

use std::error::Error;
use std::io;
use std::path::PathBuf;

use super::content::blobs::{BlobDirectory, BlobFile, BlobId, BlobNames, BlobStage};
use super::content::boot;
use super::content::disk::{remove_files, sync};
use super::store::Audit;

/// What the names and the rows say of each other.
#[derive(Debug, Default)]
pub(crate) struct Comparison {
    /// Final blobs that neither a row nor a deletion knows: their rows were lost.
    pub(crate) without_rows: Vec<PathBuf>,
    /// Pending blobs that no row names, left by another process: their uploads were never answered.
    pub(crate) unanswered: Vec<PathBuf>,
    /// As `unanswered`, but a loss of power may have taken a final name from them, and the log that had their rows is gone.
    pub(crate) doubtful: Vec<PathBuf>,
    /// What another process had not written to its end.
    pub(crate) parts: Vec<PathBuf>,
    /// Named like blobs that no row names, and no regular files.
    pub(crate) irregular: Vec<PathBuf>,
    /// Pending blobs that rows name.
    committed: Vec<BlobId>,
    /// Blobs that rows name, and that lie elsewhere than in their places.
    displaced: Vec<BlobFile>,
    /// Blobs that were put aside and are to be removed permanently.
    erased: Vec<PathBuf>,
}

impl Comparison {
    /// Compares. The order makes it right beside a service that takes uploads and removes blobs: names first, then this
    /// process's own uploads, then rows and deletions at one moment. A blob that came after the names is not among them;
    /// one that was listed and has no row by then is gone by the time it is looked at again, unless nothing knows it.
    /// `had_log` is whether the database had a log when the store was opened.
    ///
    /// # Errors
    ///
    /// Where the folders or the database cannot be read.
    pub(crate) async fn of(
        blobs: &BlobDirectory,
        audit: &Audit,
        had_log: bool,
    ) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let listing = blobs.list().await?;
        let own = blobs.uploads.now();
        let known = audit.known_blobs().await?;
        let names = &blobs.names;
        let mut compared = Self::default();
        for number in listing.finals {
            if !known.has_number(number) {
                compared.without_rows.push(names.path(&BlobId::from_number(number), BlobStage::Final));
            }
        }
        for id in listing.pending {
            if known.names(&id) {
                compared.committed.push(id);
            } else if !own.contains(&id) && !known.is_unused(&id) {
                compared.unanswered.push(names.path(&id, BlobStage::Pending));
            }
        }
        for found in listing.misplaced {
            match found.stage {
                _ if known.names(&found.id) => compared.displaced.push(found),
                _ if known.is_unused(&found.id) => compared.erased.push(found.path),
                BlobStage::Final => compared.without_rows.push(found.path),
                BlobStage::Pending | BlobStage::Part => compared.unanswered.push(found.path),
            }
        }
        for found in listing.aside {
            if known.names(&found.id) {
                compared.displaced.push(found);
            } else if known.is_unused(&found.id) {
                compared.erased.push(found.path);
            }
        }
        let unowned = listing.parts.into_iter().filter(|found| !own.contains(&found.id));
        compared.parts = unowned.map(|found| found.path).collect();
        let unknown = listing.irregular.into_iter().filter(|found| !known.names(&found.id));
        compared.irregular = unknown.map(|found| found.path).collect();
        compared.without_rows.retain(|path| path.exists());
        compared.unanswered.retain(|path| path.exists());
        if !had_log {
            (compared.doubtful, compared.unanswered) =
                compared.unanswered.into_iter().partition(|path| boot::is_from_before(path));
        }
        Ok(compared)
    }

    /// Gives blobs that rows name their final names and places, and removes what was never finished or is to go
    /// permanently. The rest stays as it is.
    pub(crate) fn settle(&self, names: &BlobNames) -> io::Result<()> {
        names.make_final(&self.committed);
        self.displaced.iter().try_for_each(|found| names.put_in_place(found, BlobStage::Final))?;
        remove_files(&self.parts)?;
        // Durably: the rows that know of them go next.
        remove_files(&self.erased)?;
        self.erased.iter().filter_map(|path| path.parent()).try_for_each(sync)
    }
}
