//! The list of a local folder beside the account's: its rows, the cursor and the marks. Sends no
//! requests itself.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::cursor_idle::CursorIdle;
use super::filter::ListFilter;
use crate::api::Error;
use crate::api::text::visible_local;
use crate::engine::OpId;
use crate::engine::local_entry::LocalEntry;
use crate::engine::message::{Sort, SortKey};
use crate::tui::widget::scroll::CursorOffset;

#[derive(Debug, Clone, Default)]
pub struct LocalSide {
    pub folder: PathBuf,
    pub stage: LocalStage,
    /// All rows, unordered.
    rows: Vec<LocalRow>,
    /// Indices of the shown rows, top to bottom.
    visible: Vec<usize>,
    /// An index into `visible`; 0 if that is empty.
    pub cursor: usize,
    pub cursor_offset: CursorOffset,
    /// Paths and their bytes; includes marks in other folders.
    marks: BTreeMap<PathBuf, u64>,
    range: Option<LocalRange>,
    pub sort: Sort,
    pub filter: Option<ListFilter>,
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

/// A range of marks from the row `anchor` to the cursor, on top of the earlier marks `before`.
#[derive(Debug, Clone)]
struct LocalRange {
    anchor: OsString,
    before: BTreeMap<PathBuf, u64>,
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
        *self = Self {
            marks: std::mem::take(&mut self.marks),
            sort: self.sort,
            shows_hidden: self.shows_hidden,
            has_details: self.has_details,
            seek,
            ..Self::new(folder)
        };
    }

    /// The number of rows that the filter matches.
    pub fn len(&self) -> usize {
        self.visible.len()
    }

    pub fn is_empty(&self) -> bool {
        self.visible.is_empty()
    }

    /// The number of rows, not counting hidden ones unless they are shown.
    pub fn count(&self) -> usize {
        self.rows
            .iter()
            .filter(|row| self.shows_hidden || !row.is_hidden())
            .count()
    }

    /// The number of hidden rows that are not shown.
    pub fn hidden(&self) -> usize {
        self.rows.len() - self.count()
    }

    pub fn at(&self, index: usize) -> Option<&LocalRow> {
        self.rows.get(*self.visible.get(index)?)
    }

    pub fn current(&self) -> Option<&LocalRow> {
        self.at(self.cursor)
    }

    pub fn path(&self, row: &LocalRow) -> PathBuf {
        self.folder.join(&row.entry.name)
    }

    pub fn is_marked(&self, row: &LocalRow) -> bool {
        !self.marks.is_empty() && self.marks.contains_key(&self.path(row))
    }

    pub fn marks(&self) -> impl ExactSizeIterator<Item = &PathBuf> {
        self.marks.keys()
    }

    pub fn has_marks(&self) -> bool {
        !self.marks.is_empty()
    }

    /// The number of marks in this folder, and the bytes of all marks.
    pub fn marked(&self) -> (usize, u64) {
        let here = self
            .marks
            .keys()
            .filter(|path| path.parent() == Some(&self.folder))
            .count();
        (
            here,
            self.marks
                .values()
                .fold(0, |sum, size| sum.saturating_add(*size)),
        )
    }

    pub fn clear_marks(&mut self) {
        self.marks.clear();
        self.range = None;
    }

    /// The paths that an action works on: the marked ones, or the one under the cursor.
    pub fn chosen(&self) -> Vec<PathBuf> {
        if self.marks.is_empty() {
            return self
                .current()
                .map(|row| self.path(row))
                .into_iter()
                .collect();
        }
        self.marks.keys().cloned().collect()
    }

    /// Toggles the mark of the row under the cursor and moves to the next row.
    pub fn toggle_mark(&mut self) {
        if let Some((path, size)) = self.current().map(|row| self.markable(row)) {
            self.toggle(path, size);
            self.move_to(self.cursor + 1);
        }
    }

    pub fn mark_all(&mut self) {
        let marks: Vec<(PathBuf, u64)> = self.visible_marks().collect();
        self.marks.extend(marks);
    }

    /// Inverts the marks of the visible rows.
    pub fn invert_marks(&mut self) {
        let marks: Vec<(PathBuf, u64)> = self.visible_marks().collect();
        for (path, size) in marks {
            self.toggle(path, size);
        }
    }

    /// Starts a range at the cursor, or ends the current one; its marks stay.
    pub fn toggle_range(&mut self) {
        if self.range.take().is_none()
            && let Some(anchor) = self.current().map(|row| row.entry.name.clone())
        {
            self.range = Some(LocalRange {
                anchor,
                before: self.marks.clone(),
            });
            self.extend_range();
        }
    }

    pub fn has_range(&self) -> bool {
        self.range.is_some()
    }

    /// Ends the range; returns `true` if there was one.
    pub fn end_range(&mut self) -> bool {
        self.range.take().is_some()
    }

    /// Moves the cursor to a visible row, clamped, and extends the range of marks.
    pub fn move_to(&mut self, index: usize) {
        self.cursor = index.min(self.visible.len().saturating_sub(1));
        self.seek = None;
        self.extend_range();
    }

    /// Stores the folder's current entries. The cursor stays on its row, or goes to the one sought.
    pub fn take(&mut self, entries: Vec<LocalEntry>) {
        let here = self
            .seek
            .take()
            .or_else(|| self.current().map(|row| row.entry.name.clone()));
        self.stage = LocalStage::Read;
        self.rows = entries.into_iter().map(LocalRow::new).collect();
        let names: BTreeSet<&OsStr> = self
            .rows
            .iter()
            .map(|row| row.entry.name.as_os_str())
            .collect();
        let is_there = |path: &Path| {
            path.parent() != Some(self.folder.as_path())
                || path.file_name().is_some_and(|name| names.contains(name))
        };
        self.marks.retain(|path, _| is_there(path));
        self.show(here);
    }

    pub fn fail(&mut self, error: Error) {
        self.stage = LocalStage::Failed(error);
        self.rows.clear();
        self.show(None);
    }

    /// Recomputes the visible rows and their order; the cursor stays on its row if that is still
    /// shown.
    pub fn arrange(&mut self) {
        let here = self.current().map(|row| row.entry.name.clone());
        self.show(here);
    }

    /// The parent folder, and the name of this one in it.
    pub fn above(&self) -> Option<(PathBuf, Option<OsString>)> {
        let parent = self.folder.parent()?;
        Some((
            parent.to_owned(),
            self.folder.file_name().map(OsStr::to_owned),
        ))
    }

    pub fn is_typing(&self) -> bool {
        self.filter.as_ref().is_some_and(|filter| filter.editing)
    }

    fn markable(&self, row: &LocalRow) -> (PathBuf, u64) {
        (self.path(row), row.entry.size.unwrap_or(0))
    }

    fn visible_marks(&self) -> impl Iterator<Item = (PathBuf, u64)> {
        self.visible
            .iter()
            .filter_map(|at| self.rows.get(*at))
            .map(|row| self.markable(row))
    }

    fn toggle(&mut self, path: PathBuf, size: u64) {
        if self.marks.remove(&path).is_none() {
            self.marks.insert(path, size);
        }
    }

    fn extend_range(&mut self) {
        let Some(LocalRange { anchor, before }) = &self.range else {
            return;
        };
        let Some(from) = self.position(anchor) else {
            return;
        };
        let (first, last) = (from.min(self.cursor), from.max(self.cursor));
        let ranged = (first..=last)
            .filter_map(|at| self.at(at))
            .map(|row| self.markable(row));
        self.marks = before
            .iter()
            .map(|(path, size)| (path.clone(), *size))
            .chain(ranged)
            .collect();
    }

    fn position(&self, name: &OsStr) -> Option<usize> {
        self.visible
            .iter()
            .position(|at| self.rows.get(*at).is_some_and(|row| row.entry.name == name))
    }

    fn show(&mut self, here: Option<OsString>) {
        let mut search = self
            .filter
            .as_ref()
            .filter(|filter| !filter.input.is_empty())
            .map(ListFilter::search);
        let mut shown: Vec<(usize, &LocalRow)> = self
            .rows
            .iter()
            .enumerate()
            .filter(|(_, row)| self.shows_hidden || !row.is_hidden())
            .filter(|(_, row)| {
                search
                    .as_mut()
                    .is_none_or(|search| search.matches(&row.name))
            })
            .collect();
        shown.sort_by(|(_, one), (_, other)| compare(self.sort, one, other));
        self.visible = shown.into_iter().map(|(at, _)| at).collect();
        let at = here.and_then(|name| self.position(&name));
        self.cursor = at.unwrap_or_else(|| self.cursor.min(self.visible.len().saturating_sub(1)));
    }
}

/// Orders folders first, always by name, then files by `sort`.
fn compare(sort: Sort, a: &LocalRow, b: &LocalRow) -> Ordering {
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

fn by_name(a: &LocalRow, b: &LocalRow) -> Ordering {
    folded(&a.name)
        .cmp(folded(&b.name))
        .then_with(|| a.entry.name.cmp(&b.entry.name))
}

fn folded(text: &str) -> impl Iterator<Item = char> {
    text.chars().flat_map(char::to_lowercase)
}
