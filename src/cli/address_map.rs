//! The map of a copy: the old and the new address of each file, for whoever has to change links.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::api::Error;
use crate::api::model::File;
use crate::engine::address_map::{self, AddressRow, FileAddress, StoredCopy};
use crate::tui::widget::csv;

/// The map while the copies are made; the file appears once it is complete.
#[derive(Debug)]
pub(super) struct AddressMap {
    path: PathBuf,
    file: NamedTempFile,
    accounts: Accounts,
    rows: Vec<AddressRow>,
}

/// The names of the accounts.
#[derive(Debug)]
pub(super) struct Accounts {
    pub(super) source: String,
    pub(super) target: String,
}

impl AddressMap {
    /// Begins a map; fails if nothing can be written beside `path`.
    pub(super) fn begin(path: &Path, accounts: Accounts) -> Result<Self, Error> {
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let file = NamedTempFile::new_in(folder.unwrap_or(Path::new(".")));
        Ok(Self {
            path: path.to_owned(),
            file: file.map_err(|error| unwritable(path, &error))?,
            accounts,
            rows: Vec::new(),
        })
    }

    pub(super) fn add(&mut self, source: &File, target: &File, stored: &StoredCopy) {
        self.rows.push(AddressRow {
            source: FileAddress::of(&self.accounts.source, source),
            target: FileAddress::of(&self.accounts.target, target),
            state: stored.state,
            compared_by: stored.compared_by,
        });
    }

    /// Writes the rows in order of path: as JSON lines if the name ends with `.jsonl`, otherwise as
    /// CSV.
    pub(super) fn finish(mut self) -> Result<(), Error> {
        self.rows
            .sort_by(|one, other| one.source.path.cmp(&other.source.path));
        let is_json = self
            .path
            .extension()
            .is_some_and(|extension| extension == "jsonl");
        let text: String = if is_json {
            let lines = self.rows.iter().map(serde_json::to_string);
            lines
                .filter_map(Result::ok)
                .map(|line| line + "\n")
                .collect()
        } else {
            csv::table(address_map::cells(&self.rows))
        };
        let written = self.file.write_all(text.as_bytes());
        written
            .and_then(|()| self.file.as_file().sync_all())
            .and_then(|()| Ok(self.file.persist(&self.path).map(drop)?))
            .map_err(|error| unwritable(&self.path, &error))
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> Error {
    Error::local(&format!("Cannot write {}", path.display()), error)
}
