//! What a folder holds before uploads into it: which local files are there already, and which files an upload did not
//! make. The folder is listed once, by size, and a local file is read only where name and size match.

use std::collections::HashSet;
use std::path::Path;

use md5::{Digest, Md5};
use tokio::io::AsyncReadExt;

use super::list::{self, ListMemory};
use crate::api::ids::FileId;
use crate::api::model::File;
use crate::api::paths::join;
use crate::api::search::Range;
use crate::api::{Client, Error, Kind, sendable};
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

    /// The file that an upload of `local` as `name` has made before: the same bytes under that name, or, where the name
    /// was taken by other content, under one that the service made of it. Names in `claimed` are those of other uploads.
    pub async fn same(
        &self,
        client: &Client,
        into: &Place,
        local: &Path,
        name: &str,
        claimed: &HashSet<String>,
    ) -> Result<Option<&File>, Error> {
        let length = sendable(local).await?.len();
        let is_meant = |file: &&File| {
            let found = file.full_name();
            found == name || (is_numbered(&found, name) && !claimed.contains(&found))
        };
        let alike: Vec<&File> = self.files.iter().filter(|file| file.size == Some(length)).filter(is_meant).collect();
        if alike.is_empty() {
            return Ok(None);
        }
        let md5 = md5_of(local).await?;
        let has_it = |file: &&&File| file.file_md5.as_ref().is_some_and(|found| found.eq_ignore_ascii_case(&md5));
        let same = alike.iter().filter(has_it);
        if let Some(exact) = same.clone().find(|file| file.full_name() == name) {
            return Ok(Some(exact));
        }
        let Some(numbered) = same.into_iter().next() else { return Ok(None) };
        match client.stat(&join(&into.path, name)).await {
            Ok(_) => Ok(Some(numbered)),
            Err(error) if error.kind == Kind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Whether a file of this name may have come of an upload under `name`.
pub(super) fn is_called(found: &str, name: &str) -> bool {
    found == name || is_numbered(found, name)
}

/// `logo-1.png` is what becomes of `logo.png` where that is taken (`wire.md` §2.1).
fn is_numbered(found: &str, name: &str) -> bool {
    let (stem, extension) = name.rfind('.').and_then(|dot| name.split_at_checked(dot)).unwrap_or((name, ""));
    let number = found.strip_prefix(stem).and_then(|rest| rest.strip_suffix(extension)?.strip_prefix('-'));
    number.is_some_and(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()))
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
    #[case::no_dot("logopng", "logo.png", false)]
    #[case::numbered_without_a_dot("logo-1png", "logo.png", false)]
    fn an_upload_is_known_by_its_name(#[case] found: &str, #[case] name: &str, #[case] expected: bool) {
        assert_eq!(is_called(found, name), expected);
    }
}
