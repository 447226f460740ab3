//! From a request to the operation that carries it out, and from what came of it to an outcome.

use std::path::Path;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::journal::Journal;
use super::message::{Entry, Outcome, Request, UnfinishedTask};
use super::ops::folder_update::Change;
use super::ops::held::Held;
use super::ops::list::{ListMemory, Listing};
use super::ops::{download, edit, folder_update, imports, list, local, part, upload};
use super::report::Report;
use crate::api::paths::split;
use crate::api::{Client, Error, Kind, Signing, sendable};

/// What operations work with. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Tools {
    pub(super) client: Client,
    pub(super) journal: Option<Journal>,
    pub(super) lists: Arc<ListMemory>,
    /// The engine stops: what is under way stays in the journal.
    pub(super) stop: CancellationToken,
}

/// Carries a request out; none if it was cancelled. A transfer is in the journal while it is under way.
pub(super) async fn perform(
    tools: Tools,
    request: Request,
    report: Report,
    cancelled: CancellationToken,
) -> Option<Result<Outcome, Error>> {
    let transfer = match (&tools.journal, transfer(&request)) {
        (Some(journal), Some((what, folder))) => {
            let begun = journal.begin_transfer(&what, folder).await;
            begun.inspect_err(|error| tracing::warn!(%error, "a transfer is not in the journal")).ok()
        }
        _ => None,
    };
    let result = cancelled.run_until_cancelled(Box::pin(carry_out(&tools, request, &report))).await;
    if let (Some(journal), Some(transfer)) = (&tools.journal, transfer)
        && !(result.is_none() && tools.stop.is_cancelled())
    {
        Journal::log_failure(journal.end_transfer(transfer).await);
    }
    result
}

async fn carry_out(tools: &Tools, request: Request, report: &Report) -> Result<Outcome, Error> {
    let Tools { client, lists, .. } = tools;
    let journal = tools.journal.as_ref();
    Ok(match request {
        Request::List { place, sort, after } => {
            let Listing { entries, next } = list::page(client, lists, &place, sort, after).await?;
            Outcome::Listed { entries, next }
        }
        Request::Folders { place } => Outcome::Folders(list::folders(client, lists, &place).await?),
        Request::Locate { path } => locate(client, &path).await?,
        Request::Details { file } => Outcome::Details(client.file(&file).await?),
        Request::Upload { local, into, name, options } => {
            let held = Held::look(client, lists, &into, [sendable(&local).await?.len()]).await?;
            let sent = upload::upload(client, &local, &into, name.as_deref(), &options, &held, report).await?;
            Outcome::Uploaded { file: sent.file, twins: sent.twins }
        }
        Request::Download { file, into } => {
            let download::Downloaded { path, bytes } = download::download(client, &file, &into, report).await?;
            Outcome::Downloaded { path, bytes }
        }
        Request::Import { request } => Outcome::Imported(imports::import(client, journal, &request, report).await?),
        Request::WatchImport { task } => Outcome::Imported(imports::watch(client, journal, &task, report).await?),
        Request::CreateFolder { parent, name } => {
            Outcome::FolderCreated(edit::create_folder(client, &parent, &name).await?)
        }
        Request::UpdateFolder { folder, from, name, parent } => {
            let change = Change { folder: &folder, from: &from, name: name.as_deref(), parent: parent.as_ref() };
            Outcome::FolderUpdated(folder_update::update(client, journal, change, report).await?)
        }
        Request::WatchFolderUpdate { task, folder } => {
            Outcome::FolderUpdated(folder_update::watch(client, journal, &task, &folder, report).await?)
        }
        Request::UpdateFiles { changes } => {
            let edit::Updated { updated, failed } = edit::update_files(client, changes, report).await;
            Outcome::FilesUpdated { updated, failed }
        }
        Request::Delete { targets, permanent } => {
            let edit::Deleted { deleted, failed } = edit::delete(client, journal, targets, permanent, report).await;
            Outcome::Deleted { deleted, failed }
        }
        Request::Sign { file, seconds } => {
            Outcome::Signed(client.signed_url(&file, &Signing { seconds, ..Signing::default() }).await?)
        }
        Request::Limits => Outcome::Limits(client.custom_property_limits().await?),
        Request::Associations { from } => {
            let limits = client.association_limits(&from).await?;
            Outcome::Associations { from, limits }
        }
        Request::LocalNames { folder } => {
            let names = local::names(&folder).await?;
            Outcome::LocalNames { folder, names }
        }
        Request::Unfinished => Outcome::Unfinished(match journal {
            Some(journal) => swept(journal.unfinished().await?).await?,
            None => Vec::new(),
        }),
    })
}

async fn locate(client: &Client, path: &str) -> Result<Outcome, Error> {
    if split(path).next().is_none() {
        return Ok(Outcome::LocatedRoot);
    }
    let found = client.stat(path).await?;
    let entry = found.folder.map(Entry::Folder).or(found.file.map(Entry::File));
    entry.map(Outcome::Located).ok_or_else(|| Error::new(Kind::NotFound, format!("There is nothing at {path}")))
}

/// Removes the parts that downloads of ended runs have left.
async fn swept(unfinished: Vec<UnfinishedTask>) -> Result<Vec<UnfinishedTask>, Error> {
    let sweep = move || {
        for task in &unfinished {
            if let UnfinishedTask::Transfer { folder: Some(folder), .. } = task {
                part::sweep(folder);
            }
        }
        unfinished
    };
    let swept = tokio::task::spawn_blocking(sweep).await;
    swept.map_err(|_| Error::new(Kind::Internal, "Sweeping local folders failed unexpectedly"))
}

/// What a transfer is called should it be cut short, and the local folder of a download.
fn transfer(request: &Request) -> Option<(String, Option<&Path>)> {
    match request {
        Request::Upload { local, into, .. } => {
            Some((format!("Upload of {} into {}", local.display(), into.path), None))
        }
        Request::Download { file, into } => {
            Some((format!("Download of {} into {}", file.full_name(), into.display()), Some(into)))
        }
        _ => None,
    }
}
