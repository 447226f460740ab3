//! The matches of a path pattern, page by page. Reads only folders in which the pattern can match
//! something.

use std::collections::{BTreeSet, HashSet};

use super::pattern::{NamePattern, RemoteGlob};
use super::place;
use crate::api::ids::FolderId;
use crate::api::paths::join;
use crate::api::{Client, Error, Kind};
use crate::engine::message::{Collection, Cursor, Entry, FolderRef, Sort};
use crate::engine::ops::list::{self, ListMemory};
use crate::engine::ops::locate::at;

#[derive(Debug)]
pub struct Matches<'a> {
    client: &'a Client,
    pattern: &'a RemoteGlob,
    memory: ListMemory,
    /// The folders to read, the next one last.
    open: Vec<OpenFolder>,
    /// All folders opened so far, because a service may put a folder into itself.
    opened: HashSet<FolderId>,
    /// The folder being read, and the cursor of its next page.
    reading: Option<(OpenFolder, Cursor)>,
}

/// A folder, and the positions in the pattern that its entries may match.
#[derive(Debug, Clone)]
struct OpenFolder {
    place: FolderRef,
    states: BTreeSet<usize>,
}

impl<'a> Matches<'a> {
    /// Finds the folder that contains all matches.
    pub async fn begin(client: &'a Client, pattern: &'a RemoteGlob) -> Result<Self, Error> {
        let place = place::find(client, pattern.base()).await?;
        let (memory, opened) = (ListMemory::default(), place.id.iter().cloned().collect());
        let mut matches = Self {
            client,
            pattern,
            memory,
            open: Vec::new(),
            opened,
            reading: None,
        };
        let states = matches.closed(BTreeSet::from([0]));
        matches.open.push(OpenFolder { place, states });
        Ok(matches)
    }

    /// Returns the matches of the next page that has any; `None` at the end.
    pub async fn next(&mut self) -> Result<Option<Vec<Entry>>, Error> {
        loop {
            let (folder, cursor) = match self.reading.take() {
                Some((folder, cursor)) => (folder, Some(cursor)),
                None => match self.open.pop() {
                    Some(folder) => (folder, None),
                    None => return Ok(None),
                },
            };
            let found = match self.only_name(&folder) {
                Some(name) => self
                    .look(&join(&folder.place.path, name))
                    .await?
                    .into_iter()
                    .collect(),
                None => self.page(&folder, cursor).await?,
            };
            let (mut matched, mut inner) = (Vec::new(), Vec::new());
            for entry in found {
                let states = self.after(&folder.states, &entry);
                let is_fit = matches!(entry, Entry::Folder(_)) || !self.pattern.means_folder();
                let is_match = is_fit && states.contains(&self.pattern.names().len());
                if let (Entry::Folder(below), true) = (
                    &entry,
                    states.iter().any(|at| *at < self.pattern.names().len()),
                ) && self.opened.insert(below.id.clone())
                {
                    let path = join(&folder.place.path, &below.full_name());
                    let place = place::of(below.clone(), &path);
                    inner.push(OpenFolder { place, states });
                }
                if is_match {
                    matched.push(entry);
                }
            }
            self.open.extend(inner.into_iter().rev());
            if !matched.is_empty() {
                return Ok(Some(matched));
            }
        }
    }

    async fn page(
        &mut self,
        folder: &OpenFolder,
        cursor: Option<Cursor>,
    ) -> Result<Vec<Entry>, Error> {
        let of: Collection = folder.place.clone().into();
        let page = list::page(self.client, &self.memory, &of, Sort::default(), cursor).await?;
        self.reading = page.next.map(|next| (folder.clone(), next));
        Ok(page.entries)
    }

    /// Returns what is at a path, if anything.
    async fn look(&self, path: &str) -> Result<Option<Entry>, Error> {
        match at(self.client, path).await {
            Ok(found) => Ok(found.entry().cloned()),
            Err(error) if error.kind == Kind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns the name that an entry of the folder must have, if only one is possible.
    fn only_name(&self, folder: &OpenFolder) -> Option<&'a str> {
        let mut states = folder.states.iter();
        match (
            states.next().and_then(|at| self.pattern.names().get(*at)),
            states.next(),
        ) {
            (Some(NamePattern::Exactly(name)), None) => Some(name),
            _ => None,
        }
    }

    /// Returns the positions in the pattern that are reached by matching an entry.
    fn after(&self, states: &BTreeSet<usize>, entry: &Entry) -> BTreeSet<usize> {
        let (name, is_folder) = match entry {
            Entry::Folder(folder) => (folder.full_name(), true),
            Entry::File(file) => (file.full_name(), false),
        };
        let names = self.pattern.names();
        let mut after = BTreeSet::new();
        for at in states {
            match names.get(*at) {
                Some(NamePattern::AnyDepth) => {
                    // At the end of the pattern it matches everything below.
                    let is_last = at + 1 == names.len();
                    after.extend(is_folder.then_some(*at));
                    after.extend(is_last.then_some(names.len()));
                }
                Some(pattern) if pattern.holds(&name) => drop(after.insert(at + 1)),
                _ => {}
            }
        }
        let is_match = after.contains(&names.len());
        let mut after = self.closed(after);
        // A `**` that stands for no folder is not a match of its own.
        if !is_match {
            after.remove(&names.len());
        }
        after
    }

    /// Adds the positions behind each `**`, which may stand for no folder.
    fn closed(&self, mut states: BTreeSet<usize>) -> BTreeSet<usize> {
        for (at, name) in self.pattern.names().iter().enumerate() {
            if states.contains(&at) && matches!(name, NamePattern::AnyDepth) {
                states.insert(at + 1);
            }
        }
        states
    }
}
