//! The list of a local folder beside the account's: its rows, the cursor and the marks. Sends no
//! requests itself.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use super::cursor_idle::CursorIdle;
use super::list_state::ListState;
use super::name_order::{NameOrder, folded};
use crate::api::Error;
use crate::api::text::visible_local;
use crate::engine::OpId;
use crate::engine::local_entry::LocalEntry;
use crate::engine::message::{Sort, SortKey};
use crate::tui::widget::scroll::ListCursor;

#[derive(Debug, Clone, Default)]
pub struct LocalSide {
    pub folder: PathBuf,
    pub stage: LocalStage,
    /// All rows of the folder, by name.
    rows: BTreeMap<OsString, LocalRow>,
    pub list: ListState<OsString>,
    pub names: NameOrder,
    /// The marks in other folders, with their bytes.
    marks_elsewhere: BTreeMap<PathBuf, u64>,
    pub shows_hidden: bool,
    pub pending: Option<OpId>,
    /// Set if the folder has to be read, or read again.
    pub is_stale: bool,
    /// The name that the cursor goes to once it appears.
    seek: Option<OsString>,
    /// Set if the details pane shows this side's row, not the account's.
    pub has_details: bool,
    pub cursor_idle: CursorIdle<PathBuf>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub enum LocalStage {
    #[default]
    Unread,
    Read,
    Failed(Error),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalRow {
    pub entry: LocalEntry,
    /// Safe to show.
    pub name: String,
}

impl LocalRow {
    fn new(entry: LocalEntry) -> Self {
        Self {
            name: visible_local(&entry.name),
            entry,
        }
    }

    /// The part after the last dot; empty if nothing comes before it.
    pub fn extension(&self) -> &str {
        let name = if self.entry.is_folder { "" } else { &self.name };
        name.rsplit_once('.')
            .filter(|(stem, _)| !stem.is_empty())
            .map_or("", |(_, extension)| extension)
    }

    fn is_hidden(&self) -> bool {
        self.name.starts_with('.')
    }
}

impl LocalSide {
    pub fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            is_stale: true,
            ..Self::default()
        }
    }

    /// Opens a folder; the cursor goes to `seek` in it.
    pub fn go(&mut self, folder: PathBuf, seek: Option<OsString>) {
        let mut marks: BTreeMap<PathBuf, u64> = self.marked().collect();
        let mut list = ListState::default();
        list.sort = self.list.sort;
        for (path, _) in marks.extract_if(.., |path, _| path.parent() == Some(&folder)) {
            list.mark(&path.file_name().unwrap_or_default().to_owned());
        }
        *self = Self {
            list,
            names: self.names,
            marks_elsewhere: marks,
            shows_hidden: self.shows_hidden,
            has_details: self.has_details,
            seek,
            ..Self::new(folder)
        };
    }

    /// The number of rows, not counting hidden ones unless they are shown.
    pub fn count(&self) -> usize {
        self.list.order.len()
    }

    /// The number of hidden rows that are not shown.
    pub fn hidden(&self) -> usize {
        self.rows.len() - self.count()
    }

    pub fn at(&self, index: usize) -> Option<&LocalRow> {
        self.rows.get(self.list.rows().get(index)?)
    }

    pub fn current(&self) -> Option<&LocalRow> {
        self.rows.get(self.list.current()?)
    }

    pub fn path(&self, row: &LocalRow) -> PathBuf {
        self.folder.join(&row.entry.name)
    }

    pub fn is_marked(&self, row: &LocalRow) -> bool {
        self.list.is_marked(&row.entry.name)
    }

    pub fn has_marks(&self) -> bool {
        !self.list.marks().is_empty() || !self.marks_elsewhere.is_empty()
    }

    /// The marked paths of all folders, with their bytes.
    pub fn marked(&self) -> impl Iterator<Item = (PathBuf, u64)> {
        let here = self.list.marks().iter().map(|name| {
            let size = self.rows.get(name).and_then(|row| row.entry.size);
            (self.folder.join(name), size.unwrap_or(0))
        });
        let elsewhere = self.marks_elsewhere.iter();
        here.chain(elsewhere.map(|(path, size)| (path.clone(), *size)))
    }

    pub fn clear_marks(&mut self) {
        self.list.clear_marks();
        self.marks_elsewhere.clear();
    }

    /// The paths that an action works on: the marked ones, or the one under the cursor.
    pub fn chosen(&self) -> Vec<PathBuf> {
        if !self.has_marks() {
            return self
                .current()
                .map(|row| self.path(row))
                .into_iter()
                .collect();
        }
        let paths: BTreeSet<PathBuf> = self.marked().map(|(path, _)| path).collect();
        paths.into_iter().collect()
    }

    /// Returns `true` if the key that chooses enters the folder under the cursor instead.
    pub fn choosing_enters(&self) -> bool {
        !self.has_marks() && self.current().is_some_and(|row| row.entry.is_folder)
    }

    /// Moves the cursor; a row that is still to come is no longer sought.
    pub fn move_cursor(&mut self, change: impl FnOnce(&mut ListCursor)) {
        self.seek = None;
        self.list.move_cursor(change);
    }

    /// Stores the folder's current entries. The cursor stays on its row, or goes to the one sought.
    pub fn store_entries(&mut self, entries: Vec<LocalEntry>) {
        let here = self.seek.take().or_else(|| self.list.current().cloned());
        self.stage = LocalStage::Read;
        let rows = entries.into_iter().map(LocalRow::new);
        self.rows = rows.map(|row| (row.entry.name.clone(), row)).collect();
        let rows = &self.rows;
        self.list.retain_marks(|name| rows.contains_key(name));
        self.show(here.as_ref());
    }

    pub fn fail(&mut self, error: Error) {
        self.stage = LocalStage::Failed(error);
        self.rows.clear();
        self.show(None);
    }

    /// Recomputes the shown rows and their order; the cursor stays on its row if that is still
    /// shown.
    pub fn arrange(&mut self) {
        let here = self.list.current().cloned();
        self.show(here.as_ref());
    }

    /// Applies the changed filter. The cursor goes to the first match if its own row is filtered
    /// out.
    pub fn narrow(&mut self) {
        let here = self.list.current().cloned();
        self.refilter();
        self.list.find(here.as_ref());
        if self.list.current() != here.as_ref() {
            self.move_cursor(|cursor| cursor.go_to(0));
        }
    }

    /// The parent folder, and the name of this one in it.
    pub fn above(&self) -> Option<(PathBuf, Option<OsString>)> {
        let parent = self.folder.parent()?;
        Some((
            parent.to_owned(),
            self.folder.file_name().map(OsStr::to_owned),
        ))
    }

    fn show(&mut self, here: Option<&OsString>) {
        let rows = self.rows.values();
        let mut rows: Vec<&LocalRow> = rows
            .filter(|row| self.shows_hidden || !row.is_hidden())
            .collect();
        rows.sort_by(|row, other| compare(self.list.sort, self.names, row, other));
        let names = rows.into_iter().map(|row| row.entry.name.clone());
        self.list.order = names.collect();
        self.refilter();
        self.list.find(here);
    }

    fn refilter(&mut self) {
        let rows = &self.rows;
        self.list.refilter(|order, mut search| {
            let mut is_match = |name: &OsString| {
                let row = rows.get(name);
                row.is_some_and(|row| search.matches(&row.name))
            };
            let order = order.iter();
            order.filter(|name| is_match(name)).cloned().collect()
        });
    }
}

/// Orders folders first, always by name, then files by `sort`.
fn compare(sort: Sort, names: NameOrder, a: &LocalRow, b: &LocalRow) -> Ordering {
    let by_name = |a: &LocalRow, b: &LocalRow| {
        let by_shown = names.compare(&a.name, &b.name);
        by_shown.then_with(|| a.entry.name.cmp(&b.entry.name))
    };
    let by_key = |a: &LocalRow, b: &LocalRow| match sort.key {
        SortKey::Size => a.entry.size.cmp(&b.entry.size),
        SortKey::Kind => folded(a.extension()).cmp(folded(b.extension())),
        SortKey::Updated => a.entry.updated_at.cmp(&b.entry.updated_at),
        _ => by_name(a, b),
    };
    let by_key = match (a.entry.is_folder || b.entry.is_folder, sort.descending) {
        (true, _) => by_name(a, b),
        (false, true) => by_key(b, a),
        (false, false) => by_key(a, b),
    };
    b.entry
        .is_folder
        .cmp(&a.entry.is_folder)
        .then(by_key)
        .then_with(|| by_name(a, b))
}
