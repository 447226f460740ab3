//! Walks through folders level by level. One request looks into many, so that a few requests tell
//! everything about most folders; where they do not, the walk knows that there is more. A few
//! requests run at once.

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

/// The most ids that fit well into a URL.
const FOLDERS_AT_ONCE: usize = 50;

const REQUESTS_AT_ONCE: usize = 4;

pub(super) struct Walk<'a> {
    client: &'a Client,
    sizes: FolderSizes,
    /// The folders found so far, each with the requested one that it lies in.
    within: HashMap<FolderId, FolderId>,
    /// The number of listings that have not been read to their end, by requested folder.
    unread: HashMap<FolderId, usize>,
    /// The folders of the next level.
    found: Vec<FolderId>,
    waiting: VecDeque<LevelListing>,
    reading: FuturesUnordered<BoxFuture<'a, (LevelListing, Result<ServicePage, Error>)>>,
    files: HashSet<FileId>,
    requests_left: usize,
}

impl<'a> Walk<'a> {
    /// Walks through these folders, none of which lies in another, with at most `most_requests`
    /// requests.
    pub(super) fn new(client: &'a Client, folders: &[FolderId], most_requests: usize) -> Self {
        Self {
            client,
            sizes: folders
                .iter()
                .map(|id| (id.clone(), FolderSize::default()))
                .collect(),
            within: folders.iter().map(|id| (id.clone(), id.clone())).collect(),
            unread: folders
                .iter()
                .map(|id| (id.clone(), LevelListing::STAGES.len()))
                .collect(),
            found: folders.to_vec(),
            waiting: VecDeque::new(),
            reading: FuturesUnordered::new(),
            files: HashSet::new(),
            requests_left: most_requests,
        }
    }

    pub(super) fn sizes(&self) -> &FolderSizes {
        &self.sizes
    }

    /// Waits for one response, and returns the files and folders in it, if any: a folder before
    /// what is in it. `None` at the end, or when no more requests are allowed.
    pub(super) async fn next(&mut self) -> Result<Option<Vec<Entry>>, Error> {
        if self.waiting.is_empty() && self.reading.is_empty() {
            let level = std::mem::take(&mut self.found);
            self.waiting = level
                .chunks(FOLDERS_AT_ONCE)
                .flat_map(LevelListing::of)
                .collect();
        }
        while self.reading.len() < REQUESTS_AT_ONCE
            && let Some(left) = self.requests_left.checked_sub(1)
            && let Some(listing) = self.waiting.pop_front()
        {
            self.requests_left = left;
            self.reading.push(listing.next_page(self.client).boxed());
        }
        let Some((listing, page)) = self.reading.next().await else {
            return Ok(None);
        };
        let page = page?;
        let end = page.end();
        let entries = page
            .entries
            .into_iter()
            .filter_map(|entry| self.take(entry))
            .collect();
        match listing.position.after(end, FIRST_ID)? {
            Some(position) => self.waiting.push_front(LevelListing {
                position,
                ..listing
            }),
            None => self.settle(&listing),
        }
        Ok(Some(entries))
    }

    /// Counts a new entry that lies in a requested folder, and returns it: a service may ignore the
    /// filter.
    fn take(&mut self, entry: Entry) -> Option<Entry> {
        let parent = match &entry {
            Entry::Folder(folder) => &folder.parent_folder_id,
            Entry::File(file) => &file.parent_folder_id,
        };
        let top = self.within.get(parent.as_ref()?)?.clone();
        match entry {
            Entry::Folder(folder) => {
                let Vacant(place) = self.within.entry(folder.id.clone()) else {
                    return None;
                };
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

    /// Notes that a listing was read to its end: a folder in which nothing is unread is complete.
    fn settle(&mut self, listing: &LevelListing) {
        for top in listing
            .folders
            .iter()
            .filter_map(|folder| self.within.get(folder))
        {
            let Some(unread) = self.unread.get_mut(top) else {
                continue;
            };
            *unread = unread.saturating_sub(1);
            if *unread == 0
                && let Some(size) = self.sizes.get_mut(top)
            {
                size.is_all = true;
            }
        }
    }
}

/// A listing of the folders, or of the files, in some folders, read page by page.
struct LevelListing {
    folders: Vec<FolderId>,
    stage: Stage,
    /// The start of the next page, in order of id.
    position: Position,
}

impl LevelListing {
    const STAGES: [Stage; 2] = [Stage::Folders, Stage::Files];

    fn of(folders: &[FolderId]) -> [Self; 2] {
        let position = Position::from_id(FIRST_ID);
        Self::STAGES.map(|stage| Self {
            folders: folders.to_vec(),
            stage,
            position,
        })
    }

    async fn next_page(self, client: &Client) -> (Self, Result<ServicePage, Error>) {
        let page = self.search(client).await;
        (self, page)
    }

    async fn search(&self, client: &Client) -> Result<ServicePage, Error> {
        let filter = Filter {
            parents: self.folders.clone(),
            ..Filter::default()
        };
        let filter = self.position.applied(filter, Vec::new());
        Ok(match self.stage {
            Stage::Folders => {
                let search = FolderSearch {
                    filter,
                    ..FolderSearch::default()
                };
                ServicePage::of(client.search_folders(&search).await?, Entry::Folder)
            }
            Stage::Files => {
                let search = FileSearch {
                    filter,
                    ..FileSearch::default()
                };
                ServicePage::of(client.search_files(&search).await?, Entry::File)
            }
        })
    }
}
