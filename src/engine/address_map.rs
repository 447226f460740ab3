//! The map of copies: the old and the new address of each file, for whoever has to change links.
//! Plain data.

use serde::{Deserialize, Serialize};

use super::item::Item;
use crate::api::ids::FileId;
use crate::api::model::File;

/// The result of a copy from an account.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredCopy {
    pub file: FileId,
    pub state: CopyState,
    pub compared_by: ComparedBy,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum CopyState {
    #[serde(rename = "copied")]
    Copied,
    #[serde(rename = "already there")]
    AlreadyThere,
}

/// The proof that both files have the same content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ComparedBy {
    #[serde(rename = "MD5")]
    Md5,
    /// One of the accounts gives no MD5.
    #[serde(rename = "size")]
    Size,
}

/// A file of the map in one of the accounts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FileAddress {
    /// The name of the account.
    pub account: String,
    pub id: String,
    /// Empty if the file is gone and its path is not known.
    pub path: String,
    /// `None` for a file that is gone.
    pub address: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AddressRow {
    pub source: FileAddress,
    pub target: FileAddress,
    pub state: CopyState,
    pub compared_by: ComparedBy,
}

impl StoredCopy {
    pub fn new(source: &Item, target: &File, state: CopyState) -> Self {
        let has_md5 = source.md5.is_some() && target.file_md5.is_some();
        let compared_by = if has_md5 {
            ComparedBy::Md5
        } else {
            ComparedBy::Size
        };
        Self {
            file: target.id.clone(),
            state,
            compared_by,
        }
    }
}

impl CopyState {
    pub fn word(self) -> &'static str {
        match self {
            Self::Copied => "copied",
            Self::AlreadyThere => "already there",
        }
    }
}

impl ComparedBy {
    pub fn word(self) -> &'static str {
        match self {
            Self::Md5 => "MD5",
            Self::Size => "size",
        }
    }
}

impl FileAddress {
    pub fn of(account: &str, file: &File) -> Self {
        Self {
            account: account.to_owned(),
            id: file.id.to_string(),
            path: Item::of(file).path,
            address: file.url.clone(),
        }
    }
}

/// Returns the rows of a table, the heading first.
pub fn cells(rows: &[AddressRow]) -> impl Iterator<Item = [&str; 10]> {
    std::iter::once(HEADING).chain(rows.iter().map(AddressRow::cells))
}

const HEADING: [&str; 10] = [
    "source account",
    "source id",
    "source path",
    "source address",
    "target account",
    "target id",
    "target path",
    "target address",
    "state",
    "compared by",
];

impl AddressRow {
    fn cells(&self) -> [&str; 10] {
        let Self { source, target, .. } = self;
        [
            &source.account,
            &source.id,
            &source.path,
            source.address.as_deref().unwrap_or_default(),
            &target.account,
            &target.id,
            &target.path,
            target.address.as_deref().unwrap_or_default(),
            self.state.word(),
            self.compared_by.word(),
        ]
    }
}
