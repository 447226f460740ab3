//! A folder of this machine, or of an account that files are copied from, side by side with one of
//! the account: what each has by name, and whether it is the same. Plain data.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::ancestors::ancestors;
use super::disk_name::path_to_disk;
use super::item::{FolderRef, Item};
use super::job::Job;
use super::left_out::LeftOut;
use super::relocation::relocation;
use super::seen_state::{LocalState, file_state};
use crate::api::Error;
use crate::api::model::{Access, File};

#[derive(Debug, Clone, Default, PartialEq)]
pub struct FolderComparison {
    /// The account that the first side is of, as its journal names it; `None` for this machine.
    pub account: Option<String>,
    /// By path, as the account would have it.
    pub entries: BTreeMap<String, ComparedEntry>,
    /// Files and folders of the account that were renamed here; not among the entries.
    pub renames: Vec<Rename>,
    /// The number of files that were compared by size alone, since the service gave no MD5.
    pub by_size: usize,
    /// Set if folders exist only for the files in them.
    pub no_empty_folders: bool,
    /// Paths that are neither compared nor changed, on both sides.
    pub left_out: LeftOut,
    /// Warnings about the rules that were read; safe to show.
    pub warnings: Vec<String>,
    /// Files and folders whose local path differs from the account's, with that path as the account
    /// would have it.
    pub own: BTreeMap<String, String>,
}

/// A file or folder that at least one side has.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedEntry {
    pub is_folder: bool,
    pub here: Option<EntryHere>,
    pub there: Option<RemoteEntry>,
    pub likeness: Likeness,
}

/// A file or folder as the first side has it.
#[derive(Debug, Clone, PartialEq)]
pub enum EntryHere {
    Disk(DiskEntry),
    Account(Box<RemoteEntry>),
}

#[derive(Debug, Clone, PartialEq)]
pub struct DiskEntry {
    pub local: PathBuf,
    /// Present for a file.
    pub state: Option<LocalState>,
    /// The number of names in a folder.
    pub items: usize,
    /// Present for a file that was read for the comparison.
    pub md5: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct RemoteEntry {
    pub item: Item,
    /// The `file_state` of a file.
    pub state: Option<String>,
    pub items: usize,
    pub updated_at: Option<Timestamp>,
    pub access: Option<Access>,
    pub expires_at: Option<Timestamp>,
    pub is_usable_in_content: Option<bool>,
}

/// A file or folder of the account that has another path on this machine, with the same bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Rename {
    pub item: Item,
    pub from: String,
    pub to: String,
    pub is_folder: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Likeness {
    /// For a folder: so is everything in it.
    Same,
    /// For a folder: something in it does.
    Differs,
    OnlyHere,
    OnlyThere,
    /// It cannot be compared, for this reason.
    Refused(String),
}

impl Rename {
    /// Returns the job that moves it; `into` is the folder that it is in from then on.
    pub fn job(&self, into: &FolderRef) -> Result<Job, Error> {
        let name = self.to.rsplit_once('/').map_or(&*self.to, |(_, name)| name);
        relocation(&self.item, into, Some(name))
    }

    /// Returns the folder that it moves into; `None` for the top.
    pub fn above(&self) -> Option<&str> {
        Some(self.to.rsplit_once('/')?.0)
    }
}

impl ComparedEntry {
    /// Returns `true` if no names of this folder are compared.
    pub(super) fn is_empty(&self) -> bool {
        let items = [
            self.here.as_ref().map(EntryHere::items),
            self.there.as_ref().map(|there| there.items),
        ];
        items.into_iter().flatten().all(|items| items == 0)
    }
}

impl EntryHere {
    /// The file or folder, if it is of an account.
    pub fn remote(&self) -> Option<&RemoteEntry> {
        match self {
            Self::Disk(_) => None,
            Self::Account(entry) => Some(entry),
        }
    }

    pub fn disk(&self) -> Option<&DiskEntry> {
        match self {
            Self::Disk(entry) => Some(entry),
            Self::Account(_) => None,
        }
    }

    pub(super) fn is_file(&self) -> bool {
        match self {
            Self::Disk(entry) => entry.state.is_some(),
            Self::Account(entry) => entry.state.is_some(),
        }
    }

    /// Returns the number of names in a folder.
    pub fn items(&self) -> usize {
        match self {
            Self::Disk(entry) => entry.items,
            Self::Account(entry) => entry.items,
        }
    }

    /// Returns the size of a file, in bytes.
    pub fn size(&self) -> Option<u64> {
        match self {
            Self::Disk(entry) => Some(entry.state?.size),
            Self::Account(entry) => entry.item.size,
        }
    }

    pub fn updated_at(&self) -> Option<Timestamp> {
        match self {
            Self::Disk(entry) => entry.state?.modified,
            Self::Account(entry) => entry.updated_at,
        }
    }

    /// Returns the MD5 of a file, if it is known.
    pub fn md5(&self) -> Option<&str> {
        match self {
            Self::Disk(entry) => entry.md5.as_deref(),
            Self::Account(entry) => entry.item.md5.as_deref(),
        }
    }
}

impl RemoteEntry {
    pub fn of_file(file: &File) -> Self {
        Self {
            item: Item::of(file),
            state: Some(file_state(file)),
            items: 0,
            updated_at: file.updated_at,
            access: file.access.clone(),
            expires_at: file.expires_at,
            is_usable_in_content: file.is_usable_in_content,
        }
    }

    pub fn of_folder(item: Item, items: usize) -> Self {
        Self {
            item,
            state: None,
            items,
            updated_at: None,
            access: None,
            expires_at: None,
            is_usable_in_content: None,
        }
    }

    pub fn place(&self) -> Option<FolderRef> {
        let id = self.item.target.folder()?;
        Some(FolderRef {
            id: Some(id.clone()),
            path: self.item.path.clone(),
        })
    }
}

impl FolderComparison {
    /// Exchanges the sides of a comparison of two accounts; `account` is the second one, as its
    /// journal names it.
    #[must_use]
    pub fn turned(mut self, account: String) -> Self {
        for entry in self.entries.values_mut() {
            let there = entry.here.as_ref().and_then(EntryHere::remote).cloned();
            let here = std::mem::replace(&mut entry.there, there);
            entry.here = here.map(Box::new).map(EntryHere::Account);
            match entry.likeness {
                Likeness::OnlyHere => entry.likeness = Likeness::OnlyThere,
                Likeness::OnlyThere => entry.likeness = Likeness::OnlyHere,
                Likeness::Same | Likeness::Differs | Likeness::Refused(_) => {}
            }
        }
        self.account = Some(account);
        self
    }

    /// Returns the number of files with the same content on both sides.
    pub fn same(&self) -> usize {
        self.count(|entry| entry.likeness == Likeness::Same)
    }

    /// Returns the number of files that the first side has.
    pub fn files_here(&self) -> usize {
        self.count(|entry| entry.here.as_ref().is_some_and(EntryHere::is_file))
    }

    /// Returns the number of files that the account has.
    pub fn files_there(&self) -> usize {
        self.count(|entry| entry.there.is_some())
    }

    fn count(&self, counts: impl Fn(&ComparedEntry) -> bool) -> usize {
        let files = self.entries.values().filter(|entry| !entry.is_folder);
        files.filter(|entry| counts(entry)).count()
    }

    /// Returns `true` for a folder that the account does not have.
    pub(super) fn is_new_folder(&self, path: &str) -> bool {
        let entry = self.entries.get(path);
        entry.is_some_and(|entry| entry.is_folder && entry.likeness == Likeness::OnlyHere)
    }

    /// Returns the folders that hold, at any depth, something that is not compared.
    pub(super) fn holding(&self) -> BTreeSet<&str> {
        let refused = self
            .entries
            .iter()
            .filter(|(_, entry)| matches!(entry.likeness, Likeness::Refused(_)));
        let mut folders = self.left_out.folders();
        folders.extend(refused.flat_map(|(path, _)| ancestors(path)));
        folders
    }

    /// Returns the path on the first side, whether it exists or not. Fails if this machine's disk
    /// cannot have the name.
    pub fn path_here(&self, path: &str) -> Result<String, &'static str> {
        let above = path
            .rmatch_indices('/')
            .filter_map(|(at, _)| path.get(..at));
        let moved = [path].into_iter().chain(above).find_map(|above| {
            let (own, rest) = (self.own.get(above)?, path.strip_prefix(above)?);
            Some(format!("{own}{rest}"))
        });
        let path = moved.as_deref().unwrap_or(path);
        match self.account {
            Some(_) => Ok(path.to_owned()),
            None => path_to_disk(path),
        }
    }

    /// Returns the outermost folder of this machine around a path that the account does not have;
    /// `top` is the folder that is compared.
    pub(super) fn outermost_only_here(&self, path: &str, top: &Path) -> Option<PathBuf> {
        let outermost = ancestors(path).find(|folder| self.is_new_folder(folder))?;
        Some(top.join(self.path_here(outermost).ok()?))
    }

    /// Returns what is directly in a folder of it, by path; the empty path is the top.
    pub fn inside<'a>(
        &'a self,
        folder: &'a str,
    ) -> impl Iterator<Item = (&'a str, &'a ComparedEntry)> {
        self.below(folder).filter(move |(path, _)| {
            let name = path
                .get(folder.len()..)
                .unwrap_or_default()
                .trim_start_matches('/');
            !name.contains('/')
        })
    }

    /// Returns what is in a folder of it, at any depth.
    pub fn below<'a>(
        &'a self,
        folder: &'a str,
    ) -> impl Iterator<Item = (&'a str, &'a ComparedEntry)> {
        let start = if folder.is_empty() {
            String::new()
        } else {
            format!("{folder}/")
        };
        let entries = self.entries.range(start.clone()..);
        entries
            .take_while(move |(path, _)| path.starts_with(&start))
            .map(|(path, entry)| (path.as_str(), entry))
    }
}
