//! The files of a folder before uploads into it: tells which local files already exist, and which
//! files an upload did not create. The folder is listed once, by size, and a local file is read
//! only if name and size match.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;

use super::list::{self, ListMemory};
use super::md5_sum::Md5Sum;
use crate::api::ids::FileId;
use crate::api::model::File;
use crate::api::paths::join;
use crate::api::search::Bounds;
use crate::api::{Client, Error, Kind, UploadContent};
use crate::engine::message::FolderRef;

#[derive(Debug, Default)]
pub struct Sources {
    /// Their sizes in bytes.
    pub sizes: BTreeSet<u64>,
    pub names: HashSet<String>,
    /// The time at which a plan found all of these names free, if that was just now.
    pub free_since: Option<Timestamp>,
}

/// The files, of the sizes that matter, that were in a folder before; shared by concurrent uploads.
#[derive(Debug, Default)]
pub struct RemoteIndex {
    sources: Arc<Sources>,
    rows: Mutex<FilesBySize>,
}

type FilesBySize = HashMap<u64, Vec<IndexedFile>>;

/// The facts that are needed of a file: a folder may hold very many.
#[derive(Debug, Clone)]
struct IndexedFile {
    id: FileId,
    /// With its extension.
    name: String,
    md5: Option<Md5Sum>,
}

impl RemoteIndex {
    /// Looks for files of the sizes that are sent; makes no request if there are none, or if a plan
    /// has listed the folder.
    pub async fn look(
        client: &Client,
        memory: &ListMemory,
        place: &FolderRef,
        sources: Arc<Sources>,
    ) -> Result<Self, Error> {
        let sizes = &sources.sizes;
        let held = Self::nothing(sources.clone());
        let size = Bounds {
            from: sizes.first().copied(),
            to: sizes.last().copied(),
        };
        if !sizes.is_empty() && sources.free_since.is_none() {
            let keep = |file: &File| {
                if file.size.is_some_and(|size| sizes.contains(&size)) {
                    held.add(file);
                }
            };
            list::files_of_size(client, memory, place, size, keep).await?;
        }
        Ok(held)
    }

    /// Creates the index of a folder that has just been created.
    pub fn nothing(sources: Arc<Sources>) -> Self {
        Self {
            sources,
            rows: Mutex::default(),
        }
    }

    /// Adds a file that appeared since, which counts as held from now on.
    pub fn add(&self, file: &File) {
        let Some(size) = file.size else { return };
        let row = IndexedFile {
            id: file.id.clone(),
            name: file.full_name(),
            md5: Md5Sum::told_of(file),
        };
        self.rows().entry(size).or_default().push(row);
    }

    pub fn has(&self, id: &FileId) -> bool {
        self.rows().values().flatten().any(|row| row.id == *id)
    }

    /// Returns the file that an earlier upload of `content` as `name` has created: the same bytes
    /// under that name or, where the name was taken by other content, under one that the service
    /// derived from it; without a name, the same bytes. `claim` returns `true` if a file may count
    /// for this upload, and keeps it from counting for another one.
    pub async fn same(
        &self,
        client: &Client,
        into: &FolderRef,
        content: &UploadContent,
        name: Option<&str>,
        claim: impl Fn(&FileId) -> bool,
    ) -> Result<Option<FileId>, Error> {
        let length = content.length().await?;
        let is_meant = |row: &&IndexedFile| self.may_be(&row.name, name);
        let alike: Vec<IndexedFile> = self
            .rows()
            .get(&length)
            .into_iter()
            .flatten()
            .filter(is_meant)
            .cloned()
            .collect();
        if alike.is_empty() {
            return Ok(None);
        }
        let md5 = Md5Sum::of(content).await?;
        let (exact, numbered): (Vec<_>, Vec<_>) = alike
            .into_iter()
            .filter(|row| row.md5 == Some(md5))
            .partition(|row| name.is_none_or(|name| row.name == name));
        let first =
            |rows: Vec<IndexedFile>| rows.into_iter().map(|row| row.id).find(|id| claim(id));
        if let Some(exact) = first(exact) {
            return Ok(Some(exact));
        }
        let (Some(name), false) = (name, numbered.is_empty()) else {
            return Ok(None);
        };
        match client.files().stat(&join(&into.path, name)).await {
            Ok(_) => Ok(first(numbered)),
            Err(error) if error.kind == Kind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns `true` if the folder held `content`, of `length` bytes, under any name.
    pub(super) async fn has_content_of(
        &self,
        content: &UploadContent,
        length: u64,
    ) -> Result<bool, Error> {
        let sums: Vec<_> = self
            .rows()
            .get(&length)
            .into_iter()
            .flatten()
            .filter_map(|row| row.md5)
            .collect();
        Ok(!sums.is_empty() && sums.contains(&Md5Sum::of(content).await?))
    }

    /// Returns `true` if a file called `found` may have resulted from an upload under `name`, or
    /// without one, and from no other that is sent with it.
    pub(super) fn may_be(&self, found: &str, name: Option<&str>) -> bool {
        let Some(name) = name else { return true };
        // A file with a number may have been there before, if the folder was not listed.
        found == name || (self.sources.free_since.is_none() && self.may_be_numbered(found, name))
    }

    /// Returns `true` if a file is not the result of an upload under this name: it was there before,
    /// or another upload that is sent with it has stored it.
    pub fn is_of_another(&self, file: &File, name: Option<&str>) -> bool {
        let found = file.full_name();
        !self.may_be(&found, name) && (self.has(&file.id) || self.sources.names.contains(&found))
    }

    fn may_be_numbered(&self, found: &str, name: &str) -> bool {
        is_numbered(found, name) && !self.sources.names.contains(found)
    }

    /// Returns `true` if a copy of `stored` under a number has appeared since a plan found the name
    /// free. The service's clock has made the times of both files.
    pub(super) fn is_later_copy(&self, file: &File, stored: &File, name: &str) -> bool {
        let since_plan = self.sources.free_since.and_then(|free_since| {
            let ago = Timestamp::now().duration_since(free_since);
            stored.created_at?.checked_sub(ago).ok()
        });
        since_plan.is_some_and(|since| file.created_at >= Some(since))
            && !self.has(&file.id)
            && self.may_be_numbered(&file.full_name(), name)
    }

    fn rows(&self) -> MutexGuard<'_, FilesBySize> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns `true` for what becomes of a name that is taken: `logo-1.png` of `logo.png`
/// (`contract.md#uploads`).
fn is_numbered(found: &str, name: &str) -> bool {
    // A dot at either end of a name begins no extension.
    let dot = name
        .rfind('.')
        .filter(|dot| *dot > 0 && !name.ends_with('.'));
    let (stem, extension) = dot
        .and_then(|dot| name.split_at_checked(dot))
        .unwrap_or((name, ""));
    let number = found
        .strip_prefix(stem)
        .and_then(|rest| rest.strip_suffix(extension)?.strip_prefix('-'));
    number.is_some_and(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::same("logo.png", "logo.png", true)]
    #[case::numbered("logo-12.png", "logo.png", true)]
    #[case::numbered_without_extension("README-1", "README", true)]
    #[case::numbered_with_a_dot_first(".h-1", ".h", true)]
    #[case::numbered_with_a_dot_last("x.-1", "x.", true)]
    #[case::longer("logo-new.png", "logo.png", false)]
    #[case::other_extension("logo.jpg", "logo.png", false)]
    #[case::longer_stem("logos.png", "logo.png", false)]
    #[case::no_dot("logopng", "logo.png", false)]
    #[case::numbered_without_a_dot("logo-1png", "logo.png", false)]
    fn an_upload_is_known_by_its_name(
        #[case] found: &str,
        #[case] name: &str,
        #[case] expected: bool,
    ) {
        assert_eq!(RemoteIndex::default().may_be(found, Some(name)), expected);
    }

    #[test]
    fn a_name_that_is_sent_too_is_not_a_number_given_by_the_service() {
        let names = HashSet::from(["logo.png".to_owned(), "logo-1.png".to_owned()]);
        let held = RemoteIndex {
            sources: Arc::new(Sources {
                names,
                ..Sources::default()
            }),
            ..RemoteIndex::default()
        };
        assert!(!held.may_be("logo-1.png", Some("logo.png")));
        assert!(
            held.may_be("logo-1.png", Some("logo-1.png"))
                && held.may_be("logo-2.png", Some("logo.png"))
        );
    }

    #[test]
    fn of_a_folder_that_was_not_listed_only_the_name_itself_counts() {
        let held = RemoteIndex::nothing(Arc::new(Sources {
            free_since: Some(Timestamp::now()),
            ..Sources::default()
        }));
        assert!(held.may_be("logo.png", Some("logo.png")));
        assert!(!held.may_be("logo-1.png", Some("logo.png")));
    }
}
