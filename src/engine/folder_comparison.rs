//! A local folder and one of the account side by side: what each has by name, and whether it is the
//! same. Plain data.

use std::collections::BTreeMap;
use std::path::PathBuf;

use jiff::Timestamp;

use super::item::{FolderRef, Item};
use super::sync::ComparedTrees;
use crate::api::model::Access;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct FolderComparison {
    /// By path, as the account would have it.
    pub entries: BTreeMap<String, ComparedEntry>,
    /// The differences, from which the steps of a sync are made.
    pub trees: ComparedTrees,
}

/// A file or folder that at least one side has.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedEntry {
    pub is_folder: bool,
    pub here: Option<EntryHere>,
    pub there: Option<EntryThere>,
    pub likeness: Likeness,
}

#[derive(Debug, Clone, PartialEq)]
pub struct EntryHere {
    pub local: PathBuf,
    /// The size of a file, in bytes.
    pub size: Option<u64>,
    /// The number of names in a folder.
    pub items: usize,
    pub updated_at: Option<Timestamp>,
    /// Present for a file that was read for the comparison.
    pub md5: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct EntryThere {
    pub item: Item,
    pub items: usize,
    pub updated_at: Option<Timestamp>,
    pub md5: Option<String>,
    pub access: Option<Access>,
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

impl EntryThere {
    pub fn place(&self) -> Option<FolderRef> {
        let id = self.item.target.folder()?;
        Some(FolderRef {
            id: Some(id.clone()),
            path: self.item.path.clone(),
        })
    }
}

impl FolderComparison {
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
