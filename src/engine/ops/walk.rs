//! Walks through folders level by level. One request looks into many, so that a few requests tell
//! everything about most folders; where they do not, the walk knows that there is more. A few
//! requests run at once.

use std::collections::hash_map::Entry::Vacant;
use std::collections::{HashMap, HashSet, VecDeque};

use futures::future::{BoxFuture, FutureExt as _};
use futures::stream::{FuturesUnordered, StreamExt as _};

use super::entry_pager::EntryPager;
use crate::api::ids::{FileId, FolderId};
use crate::api::search::{FileSearch, Filter, FolderSearch};
use crate::api::{Client, Error};
use crate::engine::folder_size::{FolderSize, FolderSizes};
use crate::engine::message::Entry;

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
    reading: FuturesUnordered<BoxFuture<'a, ReadPage>>,
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
                .map(|id| (id.clone(), LevelListing::OF_EACH))
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
                .flat_map(|folders| LevelListing::of(self.client, folders))
                .collect();
        }
        while self.reading.len() < REQUESTS_AT_ONCE
            && let Some(left) = self.requests_left.checked_sub(1)
            && let Some(listing) = self.waiting.pop_front()
        {
            self.requests_left = left;
            self.reading.push(listing.next_page().boxed());
        }
        let Some((listing, page)) = self.reading.next().await else {
            return Ok(None);
        };
        let entries = page?
            .into_iter()
            .filter_map(|entry| self.take(entry))
            .collect();
        if listing.pager.position().is_some() {
            self.waiting.push_front(listing);
        } else {
            self.settle(&listing);
        }
        Ok(Some(entries))
    }

    /// Counts a new entry that lies in a requested folder, and returns it: a service may ignore the
    /// filter.
    fn take(&mut self, entry: Entry) -> Option<Entry> {
        let top = self.within.get(entry.parent()?)?.clone();
        match entry {
            Entry::Folder(folder) => {
                let Vacant(place) = self.within.entry(folder.id.clone()) else {
                    return None;
                };
                self.found.push(folder.id.clone());
                if let Some(unread) = self.unread.get_mut(&top) {
                    *unread += LevelListing::OF_EACH;
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

/// A listing, and its next page.
type ReadPage = (LevelListing, Result<Vec<Entry>, Error>);

/// A listing of the folders, or of the files, in some folders, in order of id.
struct LevelListing {
    folders: Vec<FolderId>,
    pager: EntryPager,
}

impl LevelListing {
    /// The number of listings of each folder: its folders, and its files.
    const OF_EACH: usize = 2;

    fn of(client: &Client, folders: &[FolderId]) -> [Self; Self::OF_EACH] {
        let filter = || Filter {
            parents: folders.to_vec(),
            ..Filter::default()
        };
        let subfolders = client.folders().pages(FolderSearch {
            filter: filter(),
            ..FolderSearch::default()
        });
        let files = client.files().pages(FileSearch {
            filter: filter(),
            ..FileSearch::default()
        });
        [EntryPager::Folders(subfolders), EntryPager::Files(files)].map(|pager| Self {
            folders: folders.to_vec(),
            pager,
        })
    }

    async fn next_page(mut self) -> ReadPage {
        let entries = self.pager.next().await;
        (self, entries)
    }
}
