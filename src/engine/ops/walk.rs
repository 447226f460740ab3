//! Through folders, level by level. Many are looked into with one request, so that a few requests tell all of most folders;
//! where they do not, it is known that there is more. A few requests are under way at once.

use std::collections::hash_map::Entry::Vacant;
use std::collections::{HashMap, HashSet, VecDeque};

use futures::future::{BoxFuture, FutureExt as _};
use futures::stream::{FuturesUnordered, StreamExt as _};

use super::list::ServicePage;
use crate::api::ids::{FileId, FolderId};
use crate::api::position::{FIRST_ID, Position};
use crate::api::search::{FileSearch, Filter, FolderSearch};
use crate::api::{Client, Error};
use crate::engine::folder_size::{FolderSize, FolderSizes};
use crate::engine::message::{Entry, Stage};

/// As many ids as an address takes well.
const FOLDERS_AT_ONCE: usize = 50;

const REQUESTS_AT_ONCE: usize = 4;

/// A walk under way.
pub(super) struct Walk<'a> {
    client: &'a Client,
    sizes: FolderSizes,
    /// The folders that were found, and in which of those that were asked about they lie.
    within: HashMap<FolderId, FolderId>,
    /// For each of those that were asked about, how many listings of folders in it have not been read to their end.
    unread: HashMap<FolderId, usize>,
    /// The folders of the next level.
    found: Vec<FolderId>,
    waiting: VecDeque<LevelListing>,
    reading: FuturesUnordered<BoxFuture<'a, (LevelListing, Result<ServicePage, Error>)>>,
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
            unread: folders.iter().map(|id| (id.clone(), LevelListing::STAGES.len())).collect(),
            found: folders.to_vec(),
            waiting: VecDeque::new(),
            reading: FuturesUnordered::new(),
            files: HashSet::new(),
            requests_left: most_requests,
        }
    }

    /// What is known so far of what lies in the folders.
    pub(super) fn sizes(&self) -> &FolderSizes {
        &self.sizes
    }

    /// Waits for one answer, and gives the files and folders that it has, if any: a folder before what is in it. None at
    /// the end, or where nothing more may be asked.
    pub(super) async fn next(&mut self) -> Result<Option<Vec<Entry>>, Error> {
        if self.waiting.is_empty() && self.reading.is_empty() {
            let level = std::mem::take(&mut self.found);
            self.waiting = level.chunks(FOLDERS_AT_ONCE).flat_map(LevelListing::of).collect();
        }
        while self.reading.len() < REQUESTS_AT_ONCE
            && let Some(left) = self.requests_left.checked_sub(1)
            && let Some(listing) = self.waiting.pop_front()
        {
            self.requests_left = left;
            self.reading.push(listing.next_page(self.client).boxed());
        }
        let Some((listing, page)) = self.reading.next().await else { return Ok(None) };
        let page = page?;
        let end = page.end();
        let entries = page.entries.into_iter().filter_map(|entry| self.take(entry)).collect();
        match listing.position.after(end, FIRST_ID)? {
            Some(position) => self.waiting.push_front(LevelListing { position, ..listing }),
            None => self.settle(&listing),
        }
        Ok(Some(entries))
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
                self.found.push(folder.id.clone());
                if let Some(unread) = self.unread.get_mut(&top) {
                    *unread += LevelListing::STAGES.len();
                }
                place.insert(top);
                Some(Entry::Folder(folder))
            }
            Entry::File(file) => {
                if !self.files.insert(file.id.clone()) {
                    return None;
                }
                if let Some(size) = self.sizes.get_mut(&top) {
                    size.files += 1;
                    size.bytes = size.bytes.saturating_add(file.size.unwrap_or(0));
                }
                Some(Entry::File(file))
            }
        }
    }

    /// The listing was read to its end: all is known of a folder in which nothing is unread.
    fn settle(&mut self, listing: &LevelListing) {
        for top in listing.folders.iter().filter_map(|folder| self.within.get(folder)) {
            let Some(unread) = self.unread.get_mut(top) else { continue };
            *unread = unread.saturating_sub(1);
            if *unread == 0
                && let Some(size) = self.sizes.get_mut(top)
            {
                size.is_all = true;
            }
        }
    }
}

/// The folders, or the files, that lie in some folders, read page by page.
struct LevelListing {
    folders: Vec<FolderId>,
    stage: Stage,
    /// Where the next page begins, in order of id.
    position: Position,
}

impl LevelListing {
    const STAGES: [Stage; 2] = [Stage::Folders, Stage::Files];

    fn of(folders: &[FolderId]) -> [Self; 2] {
        let position = Position::from_id(FIRST_ID);
        Self::STAGES.map(|stage| Self { folders: folders.to_vec(), stage, position })
    }

    async fn next_page(self, client: &Client) -> (Self, Result<ServicePage, Error>) {
        let page = self.search(client).await;
        (self, page)
    }

    async fn search(&self, client: &Client) -> Result<ServicePage, Error> {
        let filter = Filter { parents: self.folders.clone(), ..Filter::default() };
        let filter = self.position.applied(filter, Vec::new());
        Ok(match self.stage {
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
}
