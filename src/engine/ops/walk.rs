//! Through folders, level by level. Many are looked into with one request, so that a few requests tell all of most folders;
//! where they do not, it is known that there is more.

use std::collections::hash_map::Entry::Vacant;
use std::collections::{HashMap, HashSet, VecDeque};

use super::list::{ServicePage, stands_still};
use crate::api::ids::{FileId, FolderId};
use crate::api::search::{FileSearch, Filter, FolderSearch, LAST_OFFSET, SortBy};
use crate::api::{Client, Error};
use crate::engine::folder_size::{FolderSize, FolderSizes};
use crate::engine::message::{Entry, Stage};

/// As many ids as an address takes well.
const FOLDERS_AT_ONCE: usize = 50;

/// A walk under way.
pub(super) struct Walk<'a> {
    client: &'a Client,
    sizes: FolderSizes,
    /// The folders that were found, and in which of those that were asked about they lie.
    within: HashMap<FolderId, FolderId>,
    /// Those that were not read to their end.
    open: VecDeque<FolderId>,
    /// So many of them are being read: first the folders in them, then the files, from this place on.
    chunk: usize,
    stage: Stage,
    offset: u32,
    /// Where offsets end, the walk goes on from the id after the highest so far.
    from_id: Option<u64>,
    highest: Option<u64>,
    files: HashSet<FileId>,
    requests_left: usize,
}

impl<'a> Walk<'a> {
    /// Through these folders, none of which lies in another, with so many requests at most.
    pub(super) fn new(client: &'a Client, folders: &[FolderId], most_requests: usize) -> Self {
        Self {
            client,
            sizes: folders.iter().map(|id| (id.clone(), FolderSize::default())).collect(),
            within: folders.iter().map(|id| (id.clone(), id.clone())).collect(),
            open: folders.iter().cloned().collect(),
            chunk: folders.len().min(FOLDERS_AT_ONCE),
            stage: Stage::Folders,
            offset: 0,
            from_id: None,
            highest: None,
            files: HashSet::new(),
            requests_left: most_requests,
        }
    }

    /// What is known so far of what lies in the folders.
    pub(super) fn sizes(&self) -> &FolderSizes {
        &self.sizes
    }

    /// Makes one request, and gives the files and folders that it found, if any: a folder before what is in it. None at
    /// the end, or where nothing more may be asked.
    pub(super) async fn next(&mut self) -> Result<Option<Vec<Entry>>, Error> {
        let may_ask = self.requests_left.checked_sub(1).filter(|_| !self.open.is_empty());
        let Some(left) = may_ask else { return Ok(None) };
        self.requests_left = left;
        let folders: Vec<FolderId> = self.open.iter().take(self.chunk).cloned().collect();
        let found = search(self.client, self.stage, folders, self.from_id, self.offset).await?;
        self.highest = self.highest.max(found.entries.iter().filter_map(|entry| entry.id().parse().ok()).max());
        let entries = found.entries.into_iter().filter_map(|entry| self.take(entry)).collect();
        match (found.next, self.stage) {
            (Some(next), _) if next <= self.offset => return Err(stands_still()),
            (Some(next), _) if next <= LAST_OFFSET => self.offset = next,
            (Some(_), _) => {
                let next = self.highest.and_then(|id| id.checked_add(1));
                if next.is_none() || next <= self.from_id {
                    return Err(stands_still());
                }
                (self.from_id, self.offset) = (next, 0);
            }
            (None, Stage::Folders) => self.begin(Stage::Files),
            (None, Stage::Files) => self.settle(),
        }
        Ok(Some(entries))
    }

    fn begin(&mut self, stage: Stage) {
        (self.stage, self.offset, self.from_id, self.highest) = (stage, 0, None, None);
    }

    /// Counts an entry once, if it lies where was asked: a service may ignore the filter. Gives one that is new.
    fn take(&mut self, entry: Entry) -> Option<Entry> {
        let parent = match &entry {
            Entry::Folder(folder) => &folder.parent_folder_id,
            Entry::File(file) => &file.parent_folder_id,
        };
        let top = self.within.get(parent.as_ref()?)?.clone();
        match entry {
            Entry::Folder(folder) => {
                let Vacant(place) = self.within.entry(folder.id.clone()) else { return None };
                place.insert(top);
                self.open.push_back(folder.id.clone());
                Some(Entry::Folder(folder))
            }
            Entry::File(file) => {
                if !self.files.insert(file.id.clone()) {
                    return None;
                }
                if let Some(weight) = self.sizes.get_mut(&top) {
                    weight.files += 1;
                    weight.bytes = weight.bytes.saturating_add(file.size.unwrap_or(0));
                }
                Some(Entry::File(file))
            }
        }
    }

    /// The chunk was read to its end. All is known of those in which no folder is open.
    fn settle(&mut self) {
        self.open.drain(..self.chunk);
        self.begin(Stage::Folders);
        self.chunk = self.open.len().min(FOLDERS_AT_ONCE);
        self.sizes.values_mut().for_each(|weight| weight.is_all = true);
        for top in self.open.iter().filter_map(|id| self.within.get(id)) {
            if let Some(weight) = self.sizes.get_mut(top) {
                weight.is_all = false;
            }
        }
    }
}

async fn search(
    client: &Client,
    stage: Stage,
    parents: Vec<FolderId>,
    from_id: Option<u64>,
    offset: u32,
) -> Result<ServicePage, Error> {
    let (after, id_from) = ((offset > 0).then_some(offset), from_id.map(|id| id.to_string()));
    let filter = Filter { parents, id_from, sort: vec![SortBy::ID], after, ..Filter::default() };
    Ok(match stage {
        Stage::Folders => {
            let search = FolderSearch { filter, ..FolderSearch::default() };
            ServicePage::of(client.search_folders(&search).await?, Entry::Folder)
        }
        Stage::Files => {
            let search = FileSearch { filter, ..FileSearch::default() };
            ServicePage::of(client.search_files(&search).await?, Entry::File)
        }
    })
}
