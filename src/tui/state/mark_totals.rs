//! The running totals of the marked rows, so that neither marking nor drawing counts all of them
//! again.

use super::row::Row;
use crate::api::model::Access;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct MarkTotals {
    len: usize,
    folders: usize,
    bytes: u64,
    /// The number of files by access level; a level that no file has anymore stays, with 0.
    levels: Vec<(Option<Access>, usize)>,
}

impl MarkTotals {
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn folders(&self) -> usize {
        self.folders
    }

    /// The known sizes of the marked files, summed.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The number of marked files by access level.
    pub fn levels(&self) -> impl Iterator<Item = (Option<&Access>, usize)> {
        self.levels
            .iter()
            .filter(|(_, count)| *count > 0)
            .map(|(level, count)| (level.as_ref(), *count))
    }

    /// Adds or removes a row.
    pub(super) fn count(&mut self, row: &Row, is_marked: bool) {
        let count = |count: usize| {
            if is_marked {
                count + 1
            } else {
                count.saturating_sub(1)
            }
        };
        let size = row.size.unwrap_or(0);
        self.len = count(self.len);
        self.bytes = if is_marked {
            self.bytes.saturating_add(size)
        } else {
            self.bytes.saturating_sub(size)
        };
        if !row.is_file() {
            self.folders = count(self.folders);
            return;
        }
        let level = |(level, _): &&mut (Option<Access>, usize)| *level == row.access;
        match self.levels.iter_mut().find(level) {
            Some((_, known)) => *known = count(*known),
            None => self.levels.push((row.access.clone(), count(0))),
        }
    }
}
