//! Through folders, level by level. Many are looked into with one request, so that a few requests tell all of most folders;
//! where they do not, it is known that there is more.

use std::collections::hash_map::Entry::Vacant;
use std::collections::{HashMap, HashSet, VecDeque};

use super::list::{ServicePage, stands_still};
use crate::api::ids::{FileId, FolderId};
use crate::api::model::File;
use crate::api::search::{FileSearch, Filter, FolderSearch, SortBy};
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
            files: HashSet::new(),
            requests_left: most_requests,
        }
    }

    /// What is known so far of what lies in the folders.
    pub(super) fn sizes(&self) -> &FolderSizes {
        &self.sizes
    }

    /// Makes one request, and gives the files that it found, if any. None at the end, or where nothing more may be
    /// asked.
    pub(super) async fn next(&mut self) -> Result<Option<Vec<File>>, Error> {
        let may_ask = self.requests_left.checked_sub(1).filter(|_| !self.open.is_empty());
        let Some(left) = may_ask else { return Ok(None) };
        self.requests_left = left;
        let folders: Vec<FolderId> = self.open.iter().take(self.chunk).cloned().collect();
        let found = search(self.client, self.stage, folders, self.offset).await?;
        let files = found.entries.into_iter().filter_map(|entry| self.take(entry)).collect();
        match (found.next, self.stage) {
            (Some(next), _) if next <= self.offset => return Err(stands_still()),
            (Some(next), _) => self.offset = next,
            (None, Stage::Folders) => (self.stage, self.offset) = (Stage::Files, 0),
            (None, Stage::Files) => self.settle(),
        }
        Ok(Some(files))
    }

    /// Counts an entry once, if it lies where was asked: a service may ignore the filter. Gives a file that is new.
    fn take(&mut self, entry: Entry) -> Option<File> {
        let parent = match &entry {
            Entry::Folder(folder) => &folder.parent_folder_id,
            Entry::File(file) => &file.parent_folder_id,
        };
        let top = self.within.get(parent.as_ref()?)?.clone();
        match entry {
            Entry::Folder(folder) => {
                if let Vacant(place) = self.within.entry(folder.id.clone()) {
                    place.insert(top);
                    self.open.push_back(folder.id);
                }
                None
            }
            Entry::File(file) => {
                if !self.files.insert(file.id.clone()) {
                    return None;
                }
                if let Some(weight) = self.sizes.get_mut(&top) {
                    weight.files += 1;
                    weight.bytes = weight.bytes.saturating_add(file.size.unwrap_or(0));
                }
                Some(file)
            }
        }
    }

    /// The chunk was read to its end. All is known of those in which no folder is open.
    fn settle(&mut self) {
        self.open.drain(..self.chunk);
        (self.chunk, self.stage, self.offset) = (self.open.len().min(FOLDERS_AT_ONCE), Stage::Folders, 0);
        self.sizes.values_mut().for_each(|weight| weight.is_all = true);
        for top in self.open.iter().filter_map(|id| self.within.get(id)) {
            if let Some(weight) = self.sizes.get_mut(top) {
                weight.is_all = false;
            }
        }
    }
}

async fn search(client: &Client, stage: Stage, parents: Vec<FolderId>, offset: u32) -> Result<ServicePage, Error> {
    let after = (offset > 0).then_some(offset);
    let filter = Filter { parents, sort: vec![SortBy::ID], after, ..Filter::default() };
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
