//! Reads many files by their ids, with a request for each hundred.

use std::collections::HashMap;

use crate::api::ids::FileId;
use crate::api::model::File;
use crate::api::search::{FileSearch, PAGE};
use crate::api::{Client, Error};

/// Returns the files of these ids that exist and are listed.
pub(super) async fn files_by_id(
    client: &Client,
    ids: impl Iterator<Item = &FileId>,
) -> Result<HashMap<FileId, File>, Error> {
    let ids: Vec<FileId> = ids.cloned().collect();
    let mut found = HashMap::new();
    for ids in ids.chunks(PAGE as usize) {
        let search = FileSearch {
            ids: ids.to_vec(),
            ..FileSearch::default()
        };
        let files = client.files().search(&search).await?.results;
        found.extend(files.into_iter().map(|file| (file.id.clone(), file)));
    }
    Ok(found)
}
