//! A folder's rename or move: the asynchronous road with its token, or the synchronous one where the version has no other.
//! The token is in the journal before the first poll, and leaves it when the task has ended.

use super::root;
use crate::api::ids::{FolderId, TaskId};
use crate::api::model::{Folder, FolderUpdate, FolderUpdateTask};
use crate::api::paths::split;
use crate::api::{Client, Error, Kind};
use crate::engine::journal::Journal;
use crate::engine::message::{Place, Progress};
use crate::engine::poll;
use crate::engine::report::Report;

/// What is to change of a folder.
#[derive(Debug, Clone, Copy)]
pub struct Change<'a> {
    pub folder: &'a FolderId,
    /// Its path now, and afterwards.
    pub from: &'a str,
    pub to: &'a str,
    pub name: Option<&'a str>,
    pub parent: Option<&'a Place>,
}

/// Renames or moves a folder and follows it to its end. Dropped after its acceptance, it goes on and stays in the
/// journal. That a move to the root folder came about is checked, since no document names the value for it.
pub async fn update(
    client: &Client,
    journal: Option<&Journal>,
    change: Change<'_>,
    report: &Report,
) -> Result<Folder, Error> {
    let update = FolderUpdate {
        name: change.name.map(str::to_owned),
        parent_folder_id: change.parent.map(|to| to.id.clone().unwrap_or_else(root::stand_in)),
    };
    let folder = if client.version().has_folder_tasks() {
        by_task(client, journal, change, update, report).await?
    } else {
        client.update_folder(change.folder, &update).await?
    };
    let to_root = change.parent.is_some_and(Place::is_root);
    if to_root && folder.path.as_deref().is_some_and(|path| split(path).count() != 1) {
        return Err(Error::new(Kind::TaskFailed, "The service did not move the folder to the root folder"));
    }
    Ok(folder)
}

/// Follows a rename or move to its end.
pub async fn watch(
    client: &Client,
    journal: Option<&Journal>,
    task: &TaskId,
    folder: &FolderId,
    report: &Report,
) -> Result<Folder, Error> {
    let on_status = |status: &_, next_poll| report.tell(Progress::Task { status: Clone::clone(status), next_poll });
    let ended = poll::until_final(task, || client.folder_update_status(task), on_status).await;
    if let Some(journal) = journal.filter(|_| poll::is_over(&ended)) {
        Journal::log_failure(journal.end_folder_update(task).await);
    }
    let ended = ended?;
    match ended.success() {
        Some(folder) => Ok(folder.clone()),
        // Complete without the folder in the answer: ask for it.
        None if ended.is_clean() => client.folder(folder).await,
        None => Err(poll::failure("The change of the folder", &ended)),
    }
}

async fn by_task(
    client: &Client,
    journal: Option<&Journal>,
    change: Change<'_>,
    update: FolderUpdate,
    report: &Report,
) -> Result<Folder, Error> {
    let order = FolderUpdateTask { id: change.folder.clone(), update };
    let accepted = match client.start_folder_update(&order).await {
        Err(error) if error.in_doubt => {
            let Ok(now) = client.folder(change.folder).await else {
                return Err(error.or_it("may have been changed: look before changing it again"));
            };
            if is_done(&now, &order.update) {
                return Ok(now);
            }
            // Setting the same values once more changes nothing else.
            client.start_folder_update(&order).await
        }
        answer => answer,
    }?;
    if let Some(journal) = journal {
        let begun = journal.begin_folder_update(&accepted.id, change.folder, change.from, change.to).await;
        Journal::log_failure(begun);
    }
    report.tell(Progress::Accepted { task: accepted.id.clone() });
    watch(client, journal, &accepted.id, change.folder, report).await
}

fn is_done(folder: &Folder, update: &FolderUpdate) -> bool {
    let parent = folder.parent_folder_id.clone().unwrap_or_else(root::stand_in);
    update.name.as_ref().is_none_or(|name| folder.name.as_ref() == Some(name))
        && update.parent_folder_id.as_ref().is_none_or(|wanted| *wanted == parent)
}
