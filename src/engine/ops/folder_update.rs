//! Renames or moves a folder: with an asynchronous task, or synchronously where the version has no
//! tasks. Checks that a move to the root folder took place, since no document names the value for
//! it.

use crate::api::ids::{FolderId, TaskId};
use crate::api::model::{Folder, FolderUpdate, FolderUpdateTask};
use crate::api::paths::split;
use crate::api::{Client, Error, Kind, root_folder};
use crate::engine::message::{FolderRef, Progress};
use crate::engine::poll;
use crate::engine::progress_sink::ProgressSink;

#[derive(Debug, Clone, Copy)]
pub struct FolderEdit<'a> {
    pub folder: &'a FolderId,
    pub name: Option<&'a str>,
    pub parent: Option<&'a FolderRef>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Started {
    /// The service works on it, whether anybody watches or not.
    Task(TaskId),
    /// The folder as it is now, after an immediate change.
    Done(Box<Folder>),
}

pub async fn start(client: &Client, change: FolderEdit<'_>) -> Result<Started, Error> {
    let update = FolderUpdate {
        name: change.name.map(str::to_owned),
        parent_folder_id: change
            .parent
            .map(|to| to.id.clone().unwrap_or_else(root_folder::stand_in)),
    };
    let started = if client.version().has_folder_tasks() {
        start_task(client, change.folder, update).await?
    } else {
        Started::Done(Box::new(
            client.folders().update(change.folder, &update).await?,
        ))
    };
    if let Started::Done(folder) = &started {
        check(folder, change.parent.is_some_and(FolderRef::is_root))?;
    }
    Ok(started)
}

/// Follows a rename or move to its end; `to_root` is set if it moves the folder to the root folder.
pub async fn watch(
    client: &Client,
    task: &TaskId,
    folder: &FolderId,
    to_root: bool,
    report: &ProgressSink,
) -> Result<Folder, Error> {
    let on_status = |status: &_, next_poll| {
        report.report(Progress::Task {
            status: Clone::clone(status),
            next_poll,
        });
    };
    let ended = poll::until_final(task, || client.folders().update_status(task), on_status).await?;
    let folder = match ended.success() {
        Some(folder) => folder.clone(),
        // Complete without the folder in the response: request it.
        None if ended.is_clean() => client.folders().get(folder).await?,
        None => return Err(poll::failure("The change of the folder", task, &ended)),
    };
    check(&folder, to_root)?;
    Ok(folder)
}

async fn start_task(
    client: &Client,
    folder: &FolderId,
    update: FolderUpdate,
) -> Result<Started, Error> {
    let order = FolderUpdateTask {
        id: folder.clone(),
        update,
    };
    let accepted = match client.folders().start_update(&order).await {
        Err(error) if error.in_doubt => {
            let Ok(now) = client.folders().get(folder).await else {
                return Err(error.or_it("may have been changed: check before you change it again"));
            };
            if is_done(&now, &order.update) {
                return Ok(Started::Done(Box::new(now)));
            }
            // Setting the same values again changes nothing else.
            client.folders().start_update(&order).await
        }
        answer => answer,
    };
    Ok(Started::Task(accepted?.id))
}

fn is_done(folder: &Folder, update: &FolderUpdate) -> bool {
    let parent = folder
        .parent_folder_id
        .clone()
        .unwrap_or_else(root_folder::stand_in);
    update
        .name
        .as_ref()
        .is_none_or(|name| folder.name.as_ref() == Some(name))
        && update
            .parent_folder_id
            .as_ref()
            .is_none_or(|wanted| *wanted == parent)
}

fn check(folder: &Folder, to_root: bool) -> Result<(), Error> {
    if to_root
        && folder
            .path
            .as_deref()
            .is_some_and(|path| split(path).count() != 1)
    {
        return Err(Error::new(
            Kind::TaskFailed,
            "The service did not move the folder to the root folder",
        ));
    }
    Ok(())
}
