//! From a request to the operation that carries it out, and from what came of it to an outcome.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::job::Job;
use super::journal::Journal;
use super::message::{Entry, Outcome, Request, Target, Unfinished};
use super::ops::edit::Settled;
use super::ops::folder_update::Change;
use super::ops::held::Held;
use super::ops::list::{ListMemory, Listing};
use super::ops::{download, edit, folder_update, imports, list, local, look, part, replace, upload, whole};
use super::parts::Parts;
use super::report::Report;
use crate::api::model::{File, FileUpdate};
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

/// Carries a request out; none if it was cancelled. A job of several changes is not dropped where it stands: it ends after
/// the one that is under way, and answers with what was done. A transfer is in the journal while it is under way.
pub(super) async fn perform(
    tools: Tools,
    request: Request,
    report: Report,
    parts: Parts,
    cancelled: CancellationToken,
) -> Option<Result<Outcome, Error>> {
    let transfer = match &request {
        Request::Job(job) => job.transfer(),
        _ => None,
    };
    let transfer = match (&tools.journal, transfer) {
        (Some(journal), Some((what, folder))) => {
            let begun = journal.begin_transfer(&what, folder).await;
            begun.inspect_err(|error| tracing::warn!(%error, "a transfer is not in the journal")).ok()
        }
        _ => None,
    };
    let until = if answers_for_itself(&request) { &tools.stop } else { &cancelled };
    let result = until.run_until_cancelled(Box::pin(carry_out(&tools, request, &cancelled, &report, &parts))).await;
    if let (Some(journal), Some(transfer)) = (&tools.journal, transfer)
        && !(result.is_none() && tools.stop.is_cancelled())
    {
        Journal::log_failure(journal.end_transfer(transfer).await);
    }
    result
}

/// Whether a job ends by itself, and soon, when it is cancelled.
fn answers_for_itself(request: &Request) -> bool {
    matches!(request, Request::Job(Job::ChangeFiles { .. } | Job::MoveFiles { .. } | Job::Delete { .. }))
}

async fn carry_out(
    tools: &Tools,
    request: Request,
    cancelled: &CancellationToken,
    report: &Report,
    parts: &Parts,
) -> Result<Outcome, Error> {
    let Tools { client, lists, .. } = tools;
    let journal = tools.journal.as_ref();
    Ok(match request {
        Request::List { place, sort, after } => {
            let Listing { entries, next } = list::page(client, lists, &place, sort, after).await?;
            Outcome::Listed { entries, next }
        }
        Request::ListAll { place } => {
            whole::read(client, lists, &place, parts).await?;
            Outcome::AllListed
        }
        Request::Look { place, targets, newest } => {
            let look::Looked { found, gone } =
                Box::pin(look::look(client, lists, &place, &targets, newest.as_ref())).await?;
            Outcome::Looked { found, gone }
        }
        Request::Folders { place } => Outcome::Folders(list::folders(client, lists, &place).await?),
        Request::Locate { path } => locate(client, &path).await?,
        Request::Details { file } => Outcome::Details(client.file(&file).await?),
        Request::Job(job) => do_job(tools, job, cancelled, report).await?,
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

async fn do_job(tools: &Tools, job: Job, cancelled: &CancellationToken, report: &Report) -> Result<Outcome, Error> {
    let Tools { client, lists, .. } = tools;
    let journal = tools.journal.as_ref();
    let to = job.folder_path().unwrap_or_default();
    Ok(match job {
        Job::Upload { local, into, name, options } => {
            let held = Held::look(client, lists, &into, [sendable(&local).await?.len()]).await?;
            let sent = upload::upload(client, &local, &into, name.as_deref(), &options, &held, report).await?;
            Outcome::Uploaded { file: sent.file, twins: sent.twins }
        }
        Job::Replace { local, file } => Outcome::Replaced(replace::replace(client, &local, &file, report).await?),
        Job::Download { file, into } => {
            let Target::File(id) = &file.target else { return Err(Error::new(Kind::Refused, "A folder has no bytes")) };
            let file = client.file(id).await?;
            let download::Downloaded { path, bytes } = download::download(client, &file, &into, report).await?;
            Outcome::Downloaded { path, bytes }
        }
        Job::Import { request, folder } => {
            Outcome::Imported(imports::import(client, journal, &request, &folder, report).await?)
        }
        Job::WatchImport { task, .. } => Outcome::Imported(imports::watch(client, journal, &task, report).await?),
        Job::CreateFolder { parent, name } => {
            Outcome::FolderCreated(edit::create_folder(client, &parent, &name).await?)
        }
        Job::UpdateFolder { folder, from, name, parent } => {
            let change =
                Change { folder: &folder, from: &from, to: &to, name: name.as_deref(), parent: parent.as_ref() };
            Outcome::FolderUpdated(folder_update::update(client, journal, change, report).await?)
        }
        Job::WatchFolderUpdate { task, folder, .. } => {
            Outcome::FolderUpdated(folder_update::watch(client, journal, &task, &folder, report).await?)
        }
        Job::ChangeFiles { changes } => updated(edit::update_files(client, changes, cancelled, report).await),
        Job::MoveFiles { files, into } => {
            let update = FileUpdate {
                parent_folder_id: into.id.clone(),
                parent_folder_path: into.is_root().then(|| "/".to_owned()),
                ..FileUpdate::default()
            };
            let changes = files.into_iter().map(|file| (file, update.clone())).collect();
            updated(edit::update_files(client, changes, cancelled, report).await)
        }
        Job::Delete { items, permanent } => {
            let Settled { done, failed, left } =
                edit::delete(client, journal, items, permanent, cancelled, report).await;
            Outcome::Deleted { deleted: done, failed, left }
        }
    })
}

fn updated(Settled { done, failed, left }: Settled<File>) -> Outcome {
    Outcome::FilesUpdated { updated: done, failed, left }
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
async fn swept(unfinished: Vec<Unfinished>) -> Result<Vec<Unfinished>, Error> {
    let sweep = move || {
        for task in &unfinished {
            if let Unfinished::CutShort { folder: Some(folder), .. } = task {
                part::sweep(folder);
            }
        }
        unfinished
    };
    let swept = tokio::task::spawn_blocking(sweep).await;
    swept.map_err(|_| Error::new(Kind::Internal, "Sweeping local folders failed unexpectedly"))
}
