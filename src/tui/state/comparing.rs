//! The comparison of a local folder with one of the account: the result and the cursor. Sends no
//! requests itself.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Timestamp};

use super::cursor_idle::CursorIdle;
use crate::api::Error;
use crate::engine::OpId;
use crate::engine::folder_comparison::{ComparedEntry, FolderComparison, Likeness};
use crate::engine::message::FolderRef;
use crate::tui::widget::scroll::CursorOffset;

#[derive(Debug, Clone)]
pub struct Comparing {
    pub local: PathBuf,
    pub remote: FolderRef,
    /// Set if names that begin with a dot are compared, too.
    pub with_hidden: bool,
    pub stage: ComparingStage,
    pub found: Box<FolderComparison>,
    /// The path of the shown folder below the compared ones; empty for the compared folders
    /// themselves.
    pub at: String,
    /// The paths of the shown entries, top to bottom.
    rows: Vec<String>,
    pub cursor: usize,
    pub cursor_offset: CursorOffset,
    marks: BTreeSet<String>,
    pub hides_same: bool,
    pub freshness: Freshness,
    read_at: Timestamp,
    ahead: SignedDuration,
    /// The counts of files in the shown folder, at any depth.
    pub counts: LikenessCounts,
    /// The number of those files and their total bytes: local, remote.
    pub sizes: [(usize, u64); 2],
    pub cursor_idle: CursorIdle<String>,
    /// The path of the file whose MD5 is being computed.
    pub summing: Option<(String, OpId)>,
}

/// The relation of the rows to what tasks have done since the read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Freshness {
    #[default]
    Current,
    /// A task that may change a side was submitted.
    Changing,
    /// A task has ended.
    Changed,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ComparingStage {
    Reading(OpId),
    Read,
    Failed(Error),
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LikenessCounts {
    pub newer_here: usize,
    pub newer_there: usize,
    /// Files that differ and have no times to tell which is newer.
    pub differ: usize,
    pub only_here: usize,
    pub only_there: usize,
    pub same: usize,
    pub refused: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewerSide {
    Here,
    There,
}

/// The longest time after a read during which a plan may be made from it.
const GOOD_FOR: SignedDuration = SignedDuration::from_mins(2);

impl Comparing {
    pub fn new(local: PathBuf, remote: FolderRef, with_hidden: bool, op: OpId) -> Self {
        Self {
            local,
            remote,
            with_hidden,
            stage: ComparingStage::Reading(op),
            found: Box::default(),
            at: String::new(),
            rows: Vec::new(),
            cursor: 0,
            cursor_offset: CursorOffset::default(),
            marks: BTreeSet::new(),
            hides_same: false,
            freshness: Freshness::Current,
            read_at: Timestamp::MIN,
            ahead: SignedDuration::ZERO,
            counts: LikenessCounts::default(),
            sizes: [(0, 0); 2],
            cursor_idle: CursorIdle::default(),
            summing: None,
        }
    }

    /// Starts another read. The rows count as current from now on, because the answer may miss
    /// changes made from here on.
    pub fn read_again(&mut self, op: OpId, with_hidden: bool) {
        self.stage = ComparingStage::Reading(op);
        self.with_hidden = with_hidden;
        self.freshness = Freshness::Current;
    }

    /// Stores the result; `ahead` is the amount by which the service's clock is ahead.
    pub fn take(&mut self, found: Box<FolderComparison>, ahead: SignedDuration, now: Timestamp) {
        (self.found, self.stage, self.ahead, self.read_at) =
            (found, ComparingStage::Read, ahead, now);
        let entries = &self.found.entries;
        self.marks.retain(|path| entries.contains_key(path));
        if !self.at.is_empty() && !entries.contains_key(&self.at) {
            self.at.clear();
        }
        self.arrange();
    }

    /// Returns `true` if the result is too old to plan deletions and replacements from: others may
    /// have changed a side.
    pub fn is_older(&self, now: Timestamp) -> bool {
        self.freshness != Freshness::Current || now.duration_since(self.read_at) > GOOD_FOR
    }

    /// Returns the local file under the cursor that has no MD5 yet, with its path in the
    /// comparison.
    pub fn lacks_sum(&self) -> Option<(&str, &Path)> {
        let (path, entry) = self.current().filter(|(_, entry)| !entry.is_folder)?;
        let here = entry
            .here
            .as_ref()
            .filter(|here| here.md5.is_none() && here.size.is_some())?;
        Some((path, &here.local))
    }

    /// Stores an MD5; `None` if it could not be computed.
    pub fn take_sum(&mut self, op: OpId, sum: Option<String>) {
        if let Some((path, _)) = self.summing.take_if(|(_, asked)| *asked == op)
            && let Some(here) = self
                .found
                .entries
                .get_mut(&path)
                .and_then(|entry| entry.here.as_mut())
        {
            here.md5 = Some(sum.unwrap_or_default());
        }
    }

    /// The local folder that is shown.
    pub fn folder_here(&self) -> PathBuf {
        match self.found.trees.path_here(&self.at) {
            Ok(path) if !self.at.is_empty() => self.local.join(path),
            _ => self.local.clone(),
        }
    }

    pub fn reading(&self) -> Option<OpId> {
        if let ComparingStage::Reading(op) = self.stage {
            Some(op)
        } else {
            None
        }
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub fn at(&self, index: usize) -> Option<(&str, &ComparedEntry)> {
        let path = self.rows.get(index)?;
        Some((path, self.found.entries.get(path)?))
    }

    pub fn current(&self) -> Option<(&str, &ComparedEntry)> {
        self.at(self.cursor)
    }

    pub fn move_to(&mut self, index: usize) {
        self.cursor = index.min(self.rows.len().saturating_sub(1));
    }

    /// Opens the folder under the cursor; returns `false` if it is not a folder. Clears the marks,
    /// because they apply to the shown folder, the destination of an upload.
    pub fn enter(&mut self) -> bool {
        let folder = self
            .current()
            .filter(|(_, entry)| entry.is_folder)
            .map(|(path, _)| path.to_owned());
        let is_there = folder.is_some();
        if let Some(folder) = folder {
            self.at = folder;
            self.cursor = 0;
            self.marks.clear();
            self.arrange();
        }
        is_there
    }

    /// Opens the parent folder if it is part of the comparison.
    pub fn leave(&mut self) -> bool {
        if self.at.is_empty() {
            return false;
        }
        self.marks.clear();
        let left = std::mem::take(&mut self.at);
        self.at = left
            .rsplit_once('/')
            .map_or(String::new(), |(above, _)| above.to_owned());
        self.arrange();
        self.cursor = self.rows.iter().position(|path| *path == left).unwrap_or(0);
        true
    }

    pub fn toggle_same(&mut self) {
        self.hides_same = !self.hides_same;
        self.arrange();
        let rows = &self.rows;
        self.marks.retain(|path| rows.contains(path));
    }

    pub fn is_marked(&self, path: &str) -> bool {
        self.marks.contains(path)
    }

    pub fn marks(&self) -> usize {
        self.marks.len()
    }

    pub fn clear_marks(&mut self) {
        self.marks.clear();
    }

    /// Toggles the mark of the row under the cursor and moves to the next row.
    pub fn toggle_mark(&mut self) {
        if let Some(path) = self.rows.get(self.cursor).cloned() {
            if !self.marks.remove(&path) {
                self.marks.insert(path);
            }
            self.move_to(self.cursor + 1);
        }
    }

    pub fn mark_all(&mut self) {
        self.marks.extend(self.rows.iter().cloned());
    }

    /// The rows that an action works on: the marked ones, or the one under the cursor.
    pub fn chosen(&self) -> Vec<(&str, &ComparedEntry)> {
        if self.marks.is_empty() {
            return self.current().into_iter().collect();
        }
        self.marks
            .iter()
            .filter_map(|path| Some((path.as_str(), self.found.entries.get(path)?)))
            .collect()
    }

    pub fn newer(&self, entry: &ComparedEntry) -> Option<NewerSide> {
        newer(entry, self.ahead)
    }

    fn counted(&self) -> LikenessCounts {
        let mut counts = LikenessCounts::default();
        for (_, entry) in self
            .found
            .below(&self.at)
            .filter(|(_, entry)| !entry.is_folder)
        {
            let count = match (&entry.likeness, self.newer(entry)) {
                (Likeness::Same, _) => &mut counts.same,
                (Likeness::OnlyHere, _) => &mut counts.only_here,
                (Likeness::OnlyThere, _) => &mut counts.only_there,
                (Likeness::Refused(_), _) => &mut counts.refused,
                (Likeness::Differs, Some(NewerSide::Here)) => &mut counts.newer_here,
                (Likeness::Differs, Some(NewerSide::There)) => &mut counts.newer_there,
                (Likeness::Differs, None) => &mut counts.differ,
            };
            *count += 1;
        }
        counts
    }

    fn summed(&self) -> [(usize, u64); 2] {
        let mut sums = [(0, 0_u64); 2];
        let [here, there] = &mut sums;
        for (_, entry) in self
            .found
            .below(&self.at)
            .filter(|(_, entry)| !entry.is_folder)
        {
            let sides = [
                (&mut *here, entry.here.as_ref().map(|here| here.size)),
                (
                    &mut *there,
                    entry.there.as_ref().map(|there| there.item.size),
                ),
            ];
            for ((count, bytes), size) in sides
                .into_iter()
                .filter_map(|(sum, size)| Some((sum, size?)))
            {
                *count += 1;
                *bytes = bytes.saturating_add(size.unwrap_or(0));
            }
        }
        sums
    }

    /// Recomputes the rows and counts; the cursor stays on its row if that is still shown.
    fn arrange(&mut self) {
        (self.counts, self.sizes) = (self.counted(), self.summed());
        let here = self.rows.get(self.cursor).cloned();
        let inside = self.found.inside(&self.at);
        let mut rows: Vec<(&str, &ComparedEntry)> = inside
            .filter(|(_, entry)| !self.hides_same || entry.likeness != Likeness::Same)
            .collect();
        rows.sort_by(|one, other| compare(*one, *other));
        self.rows = rows.into_iter().map(|(path, _)| path.to_owned()).collect();
        let at = here.and_then(|here| self.rows.iter().position(|path| *path == here));
        self.cursor = at.unwrap_or_else(|| self.cursor.min(self.rows.len().saturating_sub(1)));
    }
}

/// The side that was changed last, of a file that exists on both, with the local time corrected by
/// `ahead`.
fn newer(entry: &ComparedEntry, ahead: SignedDuration) -> Option<NewerSide> {
    let here = entry.here.as_ref()?.updated_at?;
    let here: Timestamp = here.checked_add(ahead).unwrap_or(here);
    match here.cmp(&entry.there.as_ref()?.updated_at?) {
        Ordering::Greater => Some(NewerSide::Here),
        Ordering::Less => Some(NewerSide::There),
        Ordering::Equal => None,
    }
}

/// Orders folders first, then by name regardless of case.
fn compare((one, a): (&str, &ComparedEntry), (other, b): (&str, &ComparedEntry)) -> Ordering {
    let folded = |path: &str| {
        path.chars()
            .flat_map(char::to_lowercase)
            .collect::<String>()
    };
    b.is_folder
        .cmp(&a.is_folder)
        .then_with(|| folded(one).cmp(&folded(other)))
        .then_with(|| one.cmp(other))
}
