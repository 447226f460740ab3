//! Lists the paths of all folders of the account, page by page in order of id: each page begins
//! after the highest id so far, so that the limit of offsets does not end the list, and no folder
//! is missed when others come or go.

use super::perform::{OpContext, Perform};
use crate::api::model::Folder;
use crate::api::position::FIRST_ID;
use crate::api::search::FolderSearch;
use crate::api::{Client, Error, Position};
use crate::engine::message::FolderRef;
use crate::engine::question::{FolderNamesPage, ListFolderNames};

/// Returns one page of folders, from an id on.
pub async fn page(client: &Client, from: Option<u64>) -> Result<FolderNamesPage, Error> {
    let position = Position::from_id(from.unwrap_or(FIRST_ID));
    let mut pager = client
        .folders()
        .pages(FolderSearch::default())
        .at(Some(position));
    let found = pager.next().await?.unwrap_or_default();
    let id = |folder: &Folder| folder.id.as_str().parse::<u64>().ok()?.checked_add(1);
    let next = found.iter().filter_map(id).max().max(from);
    let place = |folder: Folder| {
        Some(FolderRef {
            path: folder.path?,
            id: Some(folder.id),
        })
    };
    Ok(FolderNamesPage {
        folders: found.into_iter().filter_map(place).collect(),
        next,
        is_last: pager.position().is_none(),
    })
}

impl Perform for ListFolderNames {
    async fn perform(self, context: &OpContext) -> Result<FolderNamesPage, Error> {
        page(&context.client, self.from).await
    }
}
