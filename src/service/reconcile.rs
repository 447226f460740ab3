//! Compares the names of all blobs with the rows: remains of a killed process, blobs that rows
//! name, and blobs whose rows were lost (docs/guarantees.md, "What the name of a blob says"). For
//! the running service, and for maintenance.

use std::error::Error;
use std::io;
use std::path::PathBuf;

use super::content::blobs::{BlobDirectory, BlobFile, BlobId, BlobNames, BlobStage};
use super::content::boot;
use super::content::disk::{remove_files, sync};
use super::store::Audit;

#[derive(Debug, Default)]
pub(crate) struct Comparison {
    /// Final blobs that neither a row nor a deletion knows: their rows were lost.
    pub(crate) without_rows: Vec<PathBuf>,
    /// Pending blobs of another process that no row names: their uploads were never confirmed.
    pub(crate) unanswered: Vec<PathBuf>,
    /// Like `unanswered`, but a power loss may have undone their final names, and the log with
    /// their rows is gone.
    pub(crate) doubtful: Vec<PathBuf>,
    /// Incomplete blobs of another process.
    pub(crate) parts: Vec<PathBuf>,
    /// Anything that is named like a blob but is not a regular file, and that no row names.
    pub(crate) irregular: Vec<PathBuf>,
    /// Pending blobs that rows name.
    committed: Vec<BlobId>,
    /// Blobs that rows name, but that are not at their proper paths.
    displaced: Vec<BlobFile>,
    /// Blobs that were moved aside and are to be removed permanently.
    erased: Vec<PathBuf>,
}

impl Comparison {
    /// Makes the comparison. Its order keeps it right beside a service that stores and removes
    /// blobs: names first, then the uploads of this process, then rows and deletions as of one
    /// moment. A blob that is stored after the names were listed is not among them. A listed blob
    /// that has lost its row by then is removed by the time it is checked again, unless nothing
    /// knows it. `had_log` is `true` if the database had a log when the store was opened.
    ///
    /// # Errors
    ///
    /// Fails if the folders or the database cannot be read.
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
                compared
                    .without_rows
                    .push(names.path(&BlobId::from_number(number), BlobStage::Final));
            }
        }
        for id in listing.pending {
            if known.names(&id) {
                compared.committed.push(id);
            } else if !own.contains(&id) && !known.is_unused(&id) {
                compared
                    .unanswered
                    .push(names.path(&id, BlobStage::Pending));
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
        let unowned = listing
            .parts
            .into_iter()
            .filter(|found| !own.contains(&found.id));
        compared.parts = unowned.map(|found| found.path).collect();
        let unknown = listing
            .irregular
            .into_iter()
            .filter(|found| !known.names(&found.id));
        compared.irregular = unknown.map(|found| found.path).collect();
        compared.without_rows.retain(|path| path.exists());
        compared.unanswered.retain(|path| path.exists());
        if !had_log {
            (compared.doubtful, compared.unanswered) = compared
                .unanswered
                .into_iter()
                .partition(|path| boot::is_from_before(path));
        }
        Ok(compared)
    }

    /// Gives blobs that rows name their final names and paths, and removes incomplete blobs and
    /// those that are to be removed permanently. All others stay as they are.
    pub(crate) fn settle(&self, names: &BlobNames) -> io::Result<()> {
        names.make_final(&self.committed);
        self.displaced
            .iter()
            .try_for_each(|found| names.put_in_place(found, BlobStage::Final))?;
        remove_files(&self.parts)?;
        // Durably, since the rows that know of them are removed next.
        remove_files(&self.erased)?;
        self.erased
            .iter()
            .filter_map(|path| path.parent())
            .try_for_each(sync)
    }
}
