//! What a folder holds before uploads into it: which local files are there already, and which files an upload did not
//! make. The folder is listed once, by size, and a local file is read only where name and size match.

use std::collections::HashSet;
use std::path::Path;

use md5::{Digest, Md5};
use tokio::io::AsyncReadExt;

use super::list::{self, ListMemory};
use crate::api::ids::FileId;
use crate::api::model::File;
use crate::api::search::Range;
use crate::api::{Client, Error, sendable};
use crate::engine::message::Place;

/// Files that were in a folder before, of the sizes that matter.
#[derive(Debug, Clone, Default)]
pub struct Held {
    files: Vec<File>,
    ids: HashSet<FileId>,
}

impl Held {
    /// Looks for files of sizes like those in `bytes`; nothing is asked where there are none.
    pub async fn look(
        client: &Client,
        memory: &ListMemory,
        place: &Place,
        bytes: impl IntoIterator<Item = u64> + Clone,
    ) -> Result<Self, Error> {
        let size = Range { from: bytes.clone().into_iter().min(), to: bytes.into_iter().max() };
        if size.from.is_none() {
            return Ok(Self::default());
        }
        let files = list::files_of_size(client, memory, place, size).await?;
        Ok(Self { ids: files.iter().map(|file| file.id.clone()).collect(), files })
    }

    /// A file that came in since counts as held from now on.
    pub fn add(&mut self, file: &File) {
        if self.ids.insert(file.id.clone()) {
            self.files.push(file.clone());
        }
    }

    pub fn has(&self, id: &FileId) -> bool {
        self.ids.contains(id)
    }

    /// The file that an upload of `local` as `name` has made before: the same bytes under that name, or under one that
    /// the service made of it.
    pub async fn same(&self, local: &Path, name: &str) -> Result<Option<&File>, Error> {
        let length = sendable(local).await?.len();
        let is_alike = |file: &&File| file.size == Some(length) && is_called(&file.full_name(), name);
        let mut alike = self.files.iter().filter(is_alike);
        let Some(first) = alike.next() else { return Ok(None) };
        let md5 = md5_of(local).await?;
        let has_it = |file: &&File| file.file_md5.as_ref().is_some_and(|found| found.eq_ignore_ascii_case(&md5));
        Ok(std::iter::once(first).chain(alike).find(has_it))
    }
}

/// `logo-1.png` is what becomes of `logo.png` where that is taken (`wire.md` §2.1).
pub(super) fn is_called(found: &str, name: &str) -> bool {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let rest = found.strip_prefix(stem).and_then(|rest| rest.strip_suffix(extension));
    let rest = rest.map(|rest| rest.trim_end_matches('.'));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    found == name || rest.is_some_and(|rest| rest.is_empty() || rest.strip_prefix('-').is_some_and(is_number))
}

/// Lower-case hex.
pub(super) async fn md5_of(local: &Path) -> Result<String, Error> {
    let unreadable = |error| Error::local(&format!("Cannot read {}", local.display()), &error);
    let mut file = tokio::fs::File::open(local).await.map_err(unreadable)?;
    let mut hash = Md5::new();
    let mut buffer = vec![0; 64 << 10];
    loop {
        let read = file.read(&mut buffer).await.map_err(unreadable)?;
        match buffer.get(..read) {
            Some(bytes) if read > 0 => hash.update(bytes),
            _ => return Ok(hex::encode(hash.finalize())),
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::same("logo.png", "logo.png", true)]
    #[case::numbered("logo-12.png", "logo.png", true)]
    #[case::numbered_without_extension("README-1", "README", true)]
    #[case::longer("logo-new.png", "logo.png", false)]
    #[case::other_extension("logo.jpg", "logo.png", false)]
    #[case::longer_stem("logos.png", "logo.png", false)]
    fn an_upload_is_known_by_its_name(#[case] found: &str, #[case] name: &str, #[case] expected: bool) {
        assert_eq!(is_called(found, name), expected);
    }
}
