//! Looks at some entries of a folder or of a search again, by id, and at what was added since:
//! three requests at most, however long the list is.

use std::collections::HashSet;

use super::list::ListRequest;
use super::list_memory::ListMemory;
use super::perform::{OpContext, Perform};
use crate::api::ids::{FileId, FolderId};
use crate::api::model::Page;
use crate::api::search::{FileSearch, FolderSearch};
use crate::api::{Client, Error, Position};
use crate::engine::message::{Collection, Entry, Stage, Target};
use crate::engine::question::{Refresh, Refreshed};

/// Looks at `targets`, a page of them at most, and at a page of what has a higher id than `newest`.
pub async fn refresh(
    client: &Client,
    memory: &ListMemory,
    of: &Collection,
    targets: &[Target],
    newest: Option<&Target>,
) -> Result<Refreshed, Error> {
    let own = ListMemory::with_root_of(memory);
    let asked = ListRequest::new(client, &own, of);
    let (known, new) = futures::try_join!(
        known(client, &asked, targets),
        new(&asked, memory, of, newest)
    )?;
    let Refreshed { mut found, gone } = known;
    found.extend(new);
    Ok(Refreshed { found, gone })
}

async fn known(
    client: &Client,
    asked: &ListRequest<'_>,
    targets: &[Target],
) -> Result<Refreshed, Error> {
    let files: Vec<FileId> = targets
        .iter()
        .filter_map(|target| target.file().cloned())
        .collect();
    let folders: Vec<FolderId> = targets
        .iter()
        .filter_map(|target| target.folder().cloned())
        .collect();
    let mut entries = Vec::new();
    if !files.is_empty() {
        let search = FileSearch {
            ids: files,
            ..FileSearch::default()
        };
        let Page { results, .. } = client.files().search(&search).await?;
        entries.extend(results.into_iter().map(Entry::File));
    }
    if !folders.is_empty() {
        let search = FolderSearch {
            ids: folders,
            ..FolderSearch::default()
        };
        let Page { results, .. } = client.folders().search(&search).await?;
        entries.extend(results.into_iter().map(Entry::Folder));
    }
    let wanted: HashSet<&Target> = targets.iter().collect();
    let returned: Vec<Target> = entries.iter().map(Entry::target).collect();
    if returned.iter().any(|target| !wanted.contains(target)) {
        // The service does not filter by id: what it leaves out says nothing.
        return Ok(Refreshed {
            found: Vec::new(),
            gone: Vec::new(),
        });
    }
    let found: Vec<Entry> = entries
        .into_iter()
        .filter(|entry| asked.belongs(entry))
        .collect();
    let here: HashSet<Target> = found.iter().map(Entry::target).collect();
    let gone = targets
        .iter()
        .filter(|target| !here.contains(*target))
        .cloned()
        .collect();
    Ok(Refreshed { found, gone })
}

async fn new(
    asked: &ListRequest<'_>,
    memory: &ListMemory,
    of: &Collection,
    newest: Option<&Target>,
) -> Result<Vec<Entry>, Error> {
    let stage = newest.map(|newest| {
        if newest.file().is_some() {
            Stage::Files
        } else {
            Stage::Folders
        }
    });
    let from = newest
        .and_then(|newest| newest.id().parse::<u64>().ok())
        .and_then(|id| id.checked_add(1));
    let (Some(stage), Some(from), Some(scope)) = (stage, from, memory.scope(of)) else {
        return Ok(Vec::new());
    };
    let position = Some(Position::from_id(from));
    let mut entries = asked.pager(stage, scope).at(position).next().await?;
    entries.retain(|entry| asked.belongs(entry));
    Ok(entries)
}

impl Perform for Refresh {
    async fn perform(self, context: &OpContext) -> Result<Refreshed, Error> {
        let OpContext { client, lists, .. } = context;
        Box::pin(refresh(
            client,
            lists,
            &self.of,
            &self.targets,
            self.newest.as_ref(),
        ))
        .await
    }
}
