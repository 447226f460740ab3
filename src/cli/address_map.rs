//! The map of a copy: the old and the new address of each file, for whoever has to change links.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::Serialize;
use tempfile::NamedTempFile;

use super::locate::file_path;
use crate::api::Error;
use crate::api::model::File;
use crate::tui::widget::csv;

/// The map while the copies are made; the file appears once it is complete.
#[derive(Debug)]
pub(super) struct AddressMap {
    path: PathBuf,
    file: NamedTempFile,
    accounts: Accounts,
    rows: Vec<MapRow>,
}

/// The names of the accounts.
#[derive(Debug)]
pub(super) struct Accounts {
    pub(super) source: String,
    pub(super) target: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct MapRow {
    source_account: String,
    source_id: String,
    source_path: String,
    source_address: Option<String>,
    target_account: String,
    target_id: String,
    target_path: String,
    target_address: Option<String>,
    /// `copied` or `already there`.
    state: &'static str,
}

const HEADING: [&str; 9] = [
    "source account",
    "source id",
    "source path",
    "source address",
    "target account",
    "target id",
    "target path",
    "target address",
    "state",
];

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

    pub(super) fn copied(&mut self, source: &File, target: &File) {
        self.add(source, target, "copied");
    }

    pub(super) fn present(&mut self, source: &File, target: &File) {
        self.add(source, target, "already there");
    }

    fn add(&mut self, source: &File, target: &File, state: &'static str) {
        self.rows.push(MapRow {
            source_account: self.accounts.source.clone(),
            source_id: source.id.to_string(),
            source_path: file_path(source),
            source_address: source.url.clone(),
            target_account: self.accounts.target.clone(),
            target_id: target.id.to_string(),
            target_path: file_path(target),
            target_address: target.url.clone(),
            state,
        });
    }

    /// Writes the rows in order of path: as JSON lines if the name ends with `.jsonl`, otherwise as
    /// CSV.
    pub(super) fn finish(mut self) -> Result<(), Error> {
        self.rows
            .sort_by(|one, other| one.source_path.cmp(&other.source_path));
        let is_json = self
            .path
            .extension()
            .is_some_and(|extension| extension == "jsonl");
        let lines: Vec<String> = if is_json {
            let lines = self.rows.iter().map(serde_json::to_string);
            lines.filter_map(Result::ok).collect()
        } else {
            let rows = self.rows.iter().map(MapRow::csv);
            std::iter::once(csv::row(HEADING)).chain(rows).collect()
        };
        let text: String = lines.into_iter().map(|line| line + "\n").collect();
        let written = self.file.write_all(text.as_bytes());
        written
            .and_then(|()| self.file.as_file().sync_all())
            .and_then(|()| Ok(self.file.persist(&self.path).map(drop)?))
            .map_err(|error| unwritable(&self.path, &error))
    }
}

impl MapRow {
    fn csv(&self) -> String {
        csv::row([
            &self.source_account,
            &self.source_id,
            &self.source_path,
            self.source_address.as_deref().unwrap_or_default(),
            &self.target_account,
            &self.target_id,
            &self.target_path,
            self.target_address.as_deref().unwrap_or_default(),
            self.state,
        ])
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> Error {
    Error::local(&format!("Cannot write {}", path.display()), error)
}
