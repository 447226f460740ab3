//! Lists the blobs of a store by their names, including those moved aside. Opens no blob, follows
//! no link and changes nothing; callers interpret the names.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use super::blob::BlobId;
use super::directory::{BlobDirectory, BlobFile, BlobNames, BlobStage};

/// The files that are named like blobs. Others are not listed.
#[derive(Debug, Default)]
pub(crate) struct BlobListing {
    /// Final blobs in their proper folder, by number to save memory: there may be millions.
    pub(crate) finals: Vec<u128>,
    /// Pending blobs in their proper folder.
    pub(crate) pending: Vec<BlobId>,
    pub(crate) parts: Vec<BlobFile>,
    /// Complete blobs in another folder.
    pub(crate) misplaced: Vec<BlobFile>,
    /// Complete blobs that were moved aside.
    pub(crate) aside: Vec<BlobFile>,
    /// Anything that is not a regular file: a link, a pipe, a folder.
    pub(crate) irregular: Vec<BlobFile>,
}

impl BlobDirectory {
    pub(crate) async fn list(&self) -> io::Result<BlobListing> {
        let (names, aside) = (self.names.clone(), self.aside.clone());
        tokio::task::spawn_blocking(move || {
            let mut listing = BlobListing::default();
            list_folder(names.root(), "", &mut listing)?;
            if aside.is_dir() {
                let mut others = BlobListing::default();
                list_folder(&aside, "", &mut others)?;
                listing.aside = others.misplaced;
                listing.parts.append(&mut others.parts);
                listing.irregular.append(&mut others.irregular);
            }
            Ok(listing)
        })
        .await
        .map_err(io::Error::other)?
    }
}

impl BlobListing {
    /// Returns each complete blob with its file; if there are two, the final one. Irregular files
    /// are left out.
    pub(crate) fn whole(&self, names: &BlobNames) -> BTreeMap<BlobId, BlobFile> {
        let final_ones = self
            .finals
            .iter()
            .map(|number| (BlobId::from_number(*number), BlobStage::Final));
        let in_place = self
            .pending
            .iter()
            .map(|id| (id.clone(), BlobStage::Pending))
            .chain(final_ones);
        let in_place = in_place.map(|(id, stage)| BlobFile {
            path: names.path(&id, stage),
            id,
            stage,
        });
        let elsewhere = self.aside.iter().chain(&self.misplaced).cloned();
        elsewhere
            .chain(in_place)
            .map(|found| (found.id.clone(), found))
            .collect()
    }
}

/// `digit` is the first digit of the ids that belong in the folder; empty if none do.
fn list_folder(folder: &Path, digit: &str, listing: &mut BlobListing) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let (entry, kind) =
            match entry.and_then(|entry| entry.file_type().map(|kind| (entry, kind))) {
                // Removed while the folder was being listed.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                found => found?,
            };
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        match BlobNames::read(name) {
            None if kind.is_dir() => list_folder(&entry.path(), name, listing)?,
            None => {}
            Some((id, stage)) => {
                let is_in_place = digit.len() == 1 && id.as_str().starts_with(digit);
                match stage {
                    _ if !kind.is_file() => listing.irregular.push(BlobFile {
                        path: entry.path(),
                        id,
                        stage,
                    }),
                    BlobStage::Part => listing.parts.push(BlobFile {
                        path: entry.path(),
                        id,
                        stage,
                    }),
                    BlobStage::Pending if is_in_place => listing.pending.push(id),
                    BlobStage::Final if is_in_place => listing.finals.extend(id.number()),
                    _ => listing.misplaced.push(BlobFile {
                        path: entry.path(),
                        id,
                        stage,
                    }),
                }
            }
        }
    }
    Ok(())
}
