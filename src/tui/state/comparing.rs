//! The comparison of a local folder, or of one of another account, with one of the account: the result and the cursor. Sends no
//! requests itself.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Timestamp};

use super::beside::Beside;
use super::cursor_idle::CursorIdle;
use super::list_state::ListState;
use super::name_order::NameOrder;
use crate::api::Error;
use crate::api::paths::join;
use crate::engine::OpId;
use crate::engine::folder_comparison::{ComparedEntry, EntryHere, FolderComparison, Likeness};
use crate::engine::message::{FolderRef, Target};
use crate::engine::question::FolderHere;

#[derive(Debug, Clone)]
pub struct Comparing {
    pub here: FolderHere,
    pub remote: FolderRef,
    /// Set if names that begin with a dot are compared, too.
    pub with_hidden: bool,
    /// The lists that it covers.
    pub over: Beside,
    /// Set if the keys were in the left one of two accounts' lists, and go back there.
    pub from_left: bool,
    pub stage: ComparingStage,
    pub found: Box<FolderComparison>,
    /// The path of the shown folder below the compared ones; empty for the compared folders
    /// themselves.
    pub at: String,
    /// The shown entries, by path.
    pub list: ListState<String>,
    pub names: NameOrder,
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

/// Items that were marked in the two lists that are compared.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MarkedItems {
    pub here: HashSet<ItemHere>,
    pub there: HashSet<Target>,
}

/// An item of the first side.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ItemHere {
    Disk(PathBuf),
    Account(Target),
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

impl ItemHere {
    fn of(entry: &EntryHere) -> Self {
        match entry {
            EntryHere::Disk(entry) => Self::Disk(entry.local.clone()),
            EntryHere::Account(entry) => Self::Account(entry.item.target.clone()),
        }
    }
}

/// The longest time after a read during which a plan may be made from it.
const GOOD_FOR: SignedDuration = SignedDuration::from_mins(2);

impl Comparing {
    pub fn new(here: FolderHere, remote: FolderRef, with_hidden: bool, op: OpId) -> Self {
        Self {
            here,
            remote,
            with_hidden,
            over: Beside::Nothing,
            from_left: false,
            stage: ComparingStage::Reading(op),
            found: Box::default(),
            at: String::new(),
            list: ListState::default(),
            names: NameOrder::default(),
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

    /// The words for the sides: two accounts are told apart by their places.
    pub fn sides(&self) -> [&'static str; 2] {
        match self.here {
            FolderHere::Disk(_) => ["here", "there"],
            FolderHere::Account(..) => ["left", "right"],
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
    pub fn store_answer(
        &mut self,
        found: Box<FolderComparison>,
        ahead: SignedDuration,
        now: Timestamp,
    ) {
        (self.found, self.stage, self.ahead, self.read_at) =
            (found, ComparingStage::Read, ahead, now);
        let entries = &self.found.entries;
        self.list.retain_marks(|path| entries.contains_key(path));
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
        let here = entry.here.as_ref()?.disk()?;
        let lacks = here.md5.is_none() && here.state.is_some();
        lacks.then_some((path, &*here.local))
    }

    /// Stores an MD5; `None` if it could not be computed.
    pub fn take_sum(&mut self, op: OpId, sum: Option<String>) {
        if let Some((path, _)) = self.summing.take_if(|(_, asked)| *asked == op)
            && let Some(entry) = self.found.entries.get_mut(&path)
            && let Some(EntryHere::Disk(here)) = &mut entry.here
        {
            here.md5 = Some(sum.unwrap_or_default());
        }
    }

    /// The folder of the first side that is shown.
    pub fn folder_here(&self) -> FolderHere {
        if self.at.is_empty() {
            return self.here.clone();
        }
        let below = self.found.path_here(&self.at).unwrap_or_default();
        match &self.here {
            FolderHere::Disk(local) => FolderHere::Disk(local.join(below)),
            FolderHere::Account(account, folder) => {
                let entry = self.found.entries.get(&self.at);
                let item = match entry.and_then(|entry| entry.here.as_ref()) {
                    Some(EntryHere::Account(entry)) => entry.place(),
                    _ => None,
                };
                let missing = || FolderRef {
                    id: None,
                    path: join(&folder.path, &below),
                };
                FolderHere::Account(account.clone(), item.unwrap_or_else(missing))
            }
        }
    }

    /// The folder of the account that is shown; without an id if it does not exist yet.
    pub fn folder_there(&self) -> FolderRef {
        let entry = self.found.entries.get(&self.at);
        let there = entry.and_then(|entry| entry.there.as_ref()?.place());
        match there {
            _ if self.at.is_empty() => self.remote.clone(),
            Some(place) => place,
            None => FolderRef {
                id: None,
                path: join(&self.remote.path, &self.at),
            },
        }
    }

    pub fn reading(&self) -> Option<OpId> {
        if let ComparingStage::Reading(op) = self.stage {
            Some(op)
        } else {
            None
        }
    }

    pub fn at(&self, index: usize) -> Option<(&str, &ComparedEntry)> {
        let path = self.list.rows().get(index)?;
        Some((path, self.found.entries.get(path)?))
    }

    pub fn current(&self) -> Option<(&str, &ComparedEntry)> {
        self.at(self.list.cursor().at())
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
            self.list = ListState::default();
            self.arrange();
        }
        is_there
    }

    /// Opens the parent folder if it is part of the comparison.
    pub fn leave(&mut self) -> bool {
        if self.at.is_empty() {
            return false;
        }
        let left = std::mem::take(&mut self.at);
        self.at = left
            .rsplit_once('/')
            .map_or(String::new(), |(above, _)| above.to_owned());
        self.list = ListState::default();
        self.show(Some(&left));
        true
    }

    /// Marks the rows of these items; returns `false` if an item has no row.
    pub fn mark(&mut self, items: &MarkedItems) -> bool {
        let mut lacking = items.clone();
        for path in self.list.order.clone() {
            let entry = self.found.entries.get(&path);
            let here = entry.and_then(|entry| entry.here.as_ref());
            let there = entry.and_then(|entry| entry.there.as_ref());
            let is_marked = [
                here.is_some_and(|here| lacking.here.remove(&ItemHere::of(here))),
                there.is_some_and(|there| lacking.there.remove(&there.item.target)),
            ];
            if is_marked.contains(&true) {
                self.list.mark(&path);
            }
        }
        lacking == MarkedItems::default()
    }

    pub fn toggle_same(&mut self) {
        self.hides_same = !self.hides_same;
        self.arrange();
        let shown: BTreeSet<String> = self.list.rows().iter().cloned().collect();
        self.list.retain_marks(|path| shown.contains(path));
    }

    /// The rows that an action works on: the marked ones, or the one under the cursor.
    pub fn chosen(&self) -> Vec<(&str, &ComparedEntry)> {
        let entry = |path: String| self.found.entries.get_key_value(&path);
        let chosen = self.list.chosen().into_iter().filter_map(entry);
        chosen.map(|(path, entry)| (path.as_str(), entry)).collect()
    }

    /// Returns `true` if a path is marked, or inside a marked folder; without marks, if it is inside
    /// the shown folder.
    pub fn is_chosen(&self, path: &str) -> bool {
        let is_inside = |folder: &str| {
            let rest = path.strip_prefix(folder);
            rest.is_some_and(|rest| folder.is_empty() || rest.starts_with('/'))
        };
        let marks = self.list.marks();
        if marks.is_empty() {
            return is_inside(&self.at);
        }
        marks.iter().any(|mark| path == mark || is_inside(mark))
    }

    /// Returns `true` if all that is chosen is the same on both sides.
    pub fn is_same(&self) -> bool {
        let mut chosen = self.found.below(&self.at);
        chosen.all(|(path, entry)| !self.is_chosen(path) || entry.likeness == Likeness::Same)
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
                (&mut *here, entry.here.as_ref().map(EntryHere::size)),
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
    pub fn arrange(&mut self) {
        let here = self.list.current().cloned();
        self.show(here.as_ref());
    }

    fn show(&mut self, here: Option<&String>) {
        (self.counts, self.sizes) = (self.counted(), self.summed());
        let inside = self.found.inside(&self.at);
        let mut rows: Vec<(&str, &ComparedEntry)> = inside
            .filter(|(_, entry)| !self.hides_same || entry.likeness != Likeness::Same)
            .collect();
        // Folders first, then by name regardless of case.
        rows.sort_by(|(path, entry), (other_path, other)| {
            (other.is_folder.cmp(&entry.is_folder))
                .then_with(|| self.names.compare(path, other_path))
                .then_with(|| path.cmp(other_path))
        });
        let rows = rows.into_iter().map(|(path, _)| path.to_owned());
        self.list.order = rows.collect();
        self.list.find(here);
    }
}

/// The side that was changed last, of a file that exists on both, with the local time corrected by
/// `ahead`.
fn newer(entry: &ComparedEntry, ahead: SignedDuration) -> Option<NewerSide> {
    let here = entry.here.as_ref()?.updated_at()?;
    let here: Timestamp = here.checked_add(ahead).unwrap_or(here);
    match here.cmp(&entry.there.as_ref()?.updated_at?) {
        Ordering::Greater => Some(NewerSide::Here),
        Ordering::Less => Some(NewerSide::There),
        Ordering::Equal => None,
    }
}
