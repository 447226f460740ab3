//! Lists the paths of all folders of the account, page by page in order of id: each page begins
//! after the highest id so far, so that the limit of offsets does not end the list, and no folder
//! is missed when others come or go.

use super::perform::{OpContext, Perform};
use crate::api::model::Folder;
use crate::api::position::stands_still;
use crate::api::search::{Filter, FolderSearch, SortBy};
use crate::api::{Client, Error};
use crate::engine::message::FolderRef;
use crate::engine::question::{FolderNamesPage, ListFolderNames};

/// Returns one page of folders, from an id on.
pub async fn page(client: &Client, from: Option<u64>) -> Result<FolderNamesPage, Error> {
    let id_from = from.map(|id| id.to_string());
    let filter = Filter {
        id_from,
        sort: vec![SortBy::ID],
        ..Filter::default()
    };
    let found = client
        .search_folders(&FolderSearch {
            filter,
            ..FolderSearch::default()
        })
        .await?;
    let is_last = found.next_after().is_none();
    let id = |folder: &Folder| folder.id.as_str().parse::<u64>().ok()?.checked_add(1);
    let next = found.results.iter().filter_map(id).max().max(from);
    // A service that ignores the bound would return the same page forever.
    if !is_last && next == from {
        return Err(stands_still());
    }
    let place = |folder: Folder| {
        Some(FolderRef {
            path: folder.path?,
            id: Some(folder.id),
        })
    };
    Ok(FolderNamesPage {
        folders: found.results.into_iter().filter_map(place).collect(),
        next,
        is_last,
    })
}

impl Perform for ListFolderNames {
    async fn perform(self, context: &OpContext) -> Result<FolderNamesPage, Error> {
        page(&context.client, self.from).await
    }
}
