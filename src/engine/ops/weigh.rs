//! How much lies in folders. Many are looked into with one request, level by level, so that a few requests tell all of most
//! folders; where they do not, the count says that there is more.

use std::collections::hash_map::Entry::Vacant;
use std::collections::{HashMap, HashSet, VecDeque};

use super::list::{Found, stands_still};
use crate::api::ids::{FileId, FolderId};
use crate::api::search::{FileSearch, Filter, FolderSearch, SortBy};
use crate::api::{Client, Error};
use crate::engine::message::{Entry, Stage};
use crate::engine::weight::{Weight, Weights};

/// What a look at what lies in folders may cost.
const MOST_REQUESTS: usize = 50;

/// As many ids as an address takes well.
const FOLDERS_AT_ONCE: usize = 50;

/// Counts what lies in these folders, none of which lies in another, and tells on the way what is known.
pub async fn weigh(client: &Client, folders: &[FolderId], mut tell: impl FnMut(&Weights)) -> Result<Weights, Error> {
    let mut walk = Walk {
        client,
        weights: folders.iter().map(|id| (id.clone(), Weight::default())).collect(),
        within: folders.iter().map(|id| (id.clone(), id.clone())).collect(),
        open: folders.iter().cloned().collect(),
        files: HashSet::new(),
        requests_left: MOST_REQUESTS,
    };
    while !walk.open.is_empty() {
        let some: Vec<FolderId> = walk.open.iter().take(FOLDERS_AT_ONCE).cloned().collect();
        if !walk.look_into(&some).await? {
            break;
        }
        walk.open.drain(..some.len());
        walk.settle();
        tell(&walk.weights);
    }
    Ok(walk.weights)
}

struct Walk<'a> {
    client: &'a Client,
    weights: Weights,
    /// The folders that were found, and in which of those that were asked about they lie.
    within: HashMap<FolderId, FolderId>,
    /// Those that were not read to their end.
    open: VecDeque<FolderId>,
    files: HashSet<FileId>,
    requests_left: usize,
}

impl Walk<'_> {
    /// Whether all that lies directly in these folders was counted.
    async fn look_into(&mut self, folders: &[FolderId]) -> Result<bool, Error> {
        for stage in [Stage::Folders, Stage::Files] {
            let mut next = Some(0);
            while let Some(offset) = next {
                let Some(left) = self.requests_left.checked_sub(1) else { return Ok(false) };
                self.requests_left = left;
                let found = search(self.client, stage, folders, offset).await?;
                next = found.next;
                if next.is_some_and(|next| next <= offset) {
                    return Err(stands_still());
                }
                found.entries.into_iter().for_each(|entry| self.take(entry));
            }
        }
        Ok(true)
    }

    /// Counts an entry once, if it lies where was asked: a service may ignore the filter.
    fn take(&mut self, entry: Entry) {
        let parent = match &entry {
            Entry::Folder(folder) => &folder.parent_folder_id,
            Entry::File(file) => &file.parent_folder_id,
        };
        let Some(top) = parent.as_ref().and_then(|parent| self.within.get(parent)).cloned() else { return };
        match entry {
            Entry::Folder(folder) => {
                if let Vacant(place) = self.within.entry(folder.id.clone()) {
                    place.insert(top);
                    self.open.push_back(folder.id);
                }
            }
            Entry::File(file) => {
                if self.files.insert(file.id)
                    && let Some(weight) = self.weights.get_mut(&top)
                {
                    weight.files += 1;
                    weight.bytes = weight.bytes.saturating_add(file.size.unwrap_or(0));
                }
            }
        }
    }

    /// All is known of those in which no folder is open.
    fn settle(&mut self) {
        self.weights.values_mut().for_each(|weight| weight.is_all = true);
        for top in self.open.iter().filter_map(|id| self.within.get(id)) {
            if let Some(weight) = self.weights.get_mut(top) {
                weight.is_all = false;
            }
        }
    }
}

async fn search(client: &Client, stage: Stage, folders: &[FolderId], offset: u32) -> Result<Found, Error> {
    let after = (offset > 0).then_some(offset);
    let filter = Filter { parents: folders.to_vec(), sort: vec![SortBy::ID], after, ..Filter::default() };
    Ok(match stage {
        Stage::Folders => {
            let search = FolderSearch { filter, ..FolderSearch::default() };
            Found::of(client.search_folders(&search).await?, Entry::Folder)
        }
        Stage::Files => {
            let search = FileSearch { filter, ..FileSearch::default() };
            Found::of(client.search_files(&search).await?, Entry::File)
        }
    })
}
