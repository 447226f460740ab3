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
            Self::Remote(remote) => remote.shown(),
        }
    }
}

/// Returns the name of an account, without its address, from its name in the journal.
pub fn account_name(journal_name: &str) -> &str {
    journal_name.split(' ').next().unwrap_or_default()
}

/// Returns a path with its account, which is given by its name in the journal; safe to show.
pub fn in_account(account: &str, path: &str) -> String {
    visible(&format!("@{}:{path}", account_name(account))).into_owned()
}

impl RemoteSource {
    /// Returns the name of the account, without its address.
    pub fn account_name(&self) -> &str {
        account_name(&self.account)
    }

    pub(super) fn shown(&self) -> String {
        in_account(&self.account, &self.file.path)
    }
}
