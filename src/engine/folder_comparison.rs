//! A folder of this machine and one of the account beside each other, name by name: what is on which side, and whether it is
//! the same. Plain data.

use std::collections::BTreeMap;
use std::path::PathBuf;

use jiff::Timestamp;

use super::item::{FolderRef, Item};
use super::sync::ComparedTrees;
use crate::api::model::Access;

/// Both folders.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FolderComparison {
    /// By path; its names are those that this machine's disk can have.
    pub entries: BTreeMap<String, ComparedEntry>,
    /// What makes one side like the other one is made from this.
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

/// What this machine has.
#[derive(Debug, Clone, PartialEq)]
pub struct EntryHere {
    pub local: PathBuf,
    /// Bytes of a file.
    pub size: Option<u64>,
    /// Names in a folder.
    pub items: usize,
    pub updated_at: Option<Timestamp>,
    /// Of a file that was read for the comparison.
    pub md5: Option<String>,
}

/// What the account has.
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
    /// Of a folder: everything in it is.
    Same,
    /// Of a folder: something in it does.
    Differs,
    OnlyHere,
    OnlyThere,
    /// It cannot be compared; why.
    Refused(String),
}

impl EntryThere {
    /// A folder as a place to put things.
    pub fn place(&self) -> Option<FolderRef> {
        let id = self.item.target.folder()?;
        Some(FolderRef { id: Some(id.clone()), path: self.item.path.clone() })
    }
}

impl FolderComparison {
    /// What is directly in a folder of it, by path; the empty path is the top.
    pub fn inside<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = (&'a str, &'a ComparedEntry)> {
        self.below(folder).filter(move |(path, _)| {
            let name = path.get(folder.len()..).unwrap_or_default().trim_start_matches('/');
            !name.contains('/')
        })
    }

    /// What is in a folder of it at any depth.
    pub fn below<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = (&'a str, &'a ComparedEntry)> {
        let start = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let entries = self.entries.range(start.clone()..);
        entries.take_while(move |(path, _)| path.starts_with(&start)).map(|(path, entry)| (path.as_str(), entry))
    }
}
