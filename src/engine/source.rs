//! The source of the bytes that a job stores: a local file, or a file of an account.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::item::Item;
use super::local_path;
use crate::api::text::visible;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum FileSource {
    #[serde(rename = "local", with = "local_path")]
    Local(PathBuf),
    #[serde(rename = "remote")]
    Remote(Box<RemoteSource>),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RemoteSource {
    /// The account, as its journal names it.
    pub account: String,
    pub file: Item,
    /// The `file_state` when decided: refused if it has changed by then.
    pub state: Option<String>,
}

impl From<PathBuf> for FileSource {
    fn from(path: PathBuf) -> Self {
        Self::Local(path)
    }
}

impl FileSource {
    pub fn local(&self) -> Option<&PathBuf> {
        match self {
            Self::Local(path) => Some(path),
            Self::Remote(_) => None,
        }
    }

    /// Returns its own name; `None` for a local one that is no text.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Local(path) => path.file_name()?.to_str(),
            Self::Remote(remote) => Some(&remote.file.name),
        }
    }

    /// Returns its own name, safe to show.
    pub(super) fn shown_name(&self) -> String {
        match self {
            Self::Local(path) => local_path::name(path),
            Self::Remote(remote) => visible(&remote.file.name).into_owned(),
        }
    }

    /// Returns its path in full, safe to show.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Local(path) => visible(&path.to_string_lossy()).into_owned(),
            Self::Remote(remote) => visible(&remote.shown()).into_owned(),
        }
    }
}

/// Returns the name of an account, without its address, from its name in the journal.
pub fn account_name(journal_name: &str) -> &str {
    journal_name.split(' ').next().unwrap_or_default()
}

impl RemoteSource {
    /// Returns the name of the account, without its address.
    pub fn account_name(&self) -> &str {
        account_name(&self.account)
    }

    pub(super) fn shown(&self) -> String {
        format!("@{}:{}", self.account_name(), self.file.path)
    }
}
