//! Looks up the state of a task of the service, by its id or by its job.

use super::perform::{OpContext, Perform};
use crate::api::ids::TaskId;
use crate::api::{Client, Error, Kind};
use crate::engine::journal::Journal;
use crate::engine::poll;
use crate::engine::question::{GetTask, GetTaskId};
use crate::engine::service_task::{ServiceTask, Which};

/// Requests the state of one task; also returns its id.
pub async fn look(
    client: &Client,
    journal: &Journal,
    which: Which,
) -> Result<(TaskId, ServiceTask), Error> {
    let id = match which {
        Which::Id(id) => id,
        Which::Of(job) => {
            let kept = journal.task_of(job).await?;
            kept.ok_or_else(|| {
                Error::new(Kind::NotFound, "No task of the service is known for it")
            })?
        }
    };
    let task = Box::pin(by_id(client, &id)).await?;
    Ok((id, task))
}

/// Returns the import with this id, or else the change of a folder: whoever has the id may not know
/// which it is.
pub async fn by_id(client: &Client, id: &TaskId) -> Result<ServiceTask, Error> {
    let (import, folder) = futures::join!(
        client.imports().status(id),
        client.folders().update_status(id)
    );
    // A version without folder tasks refuses without a request.
    let is_none =
        |error: &Error| matches!(error.kind, Kind::NotFound | Kind::Invalid | Kind::Refused);
    match (import, folder) {
        (Ok(task), _) => Ok(ServiceTask::Import(task)),
        (_, Ok(task)) => Ok(ServiceTask::Folder(task)),
        (Err(error), Err(_)) | (_, Err(error)) if !is_none(&error) => Err(error),
        _ => Err(Error::new(
            Kind::NotFound,
            "No import and no change of a folder has this id, or the token may not see it",
        )),
    }
}

/// Polls a task until it has ended; returns its last state.
pub async fn until_final(client: &Client, id: &TaskId) -> Result<ServiceTask, Error> {
    let now = Box::pin(by_id(client, id)).await?;
    if now.status().is_final() {
        return Ok(now);
    }
    match now {
        ServiceTask::Import(_) => poll::until_final(id, || client.imports().status(id), |_, _| {})
            .await
            .map(ServiceTask::Import),
        ServiceTask::Folder(_) => {
            poll::until_final(id, || client.folders().update_status(id), |_, _| {})
                .await
                .map(ServiceTask::Folder)
        }
    }
}

impl Perform for GetTaskId {
    async fn perform(self, context: &OpContext) -> Result<Option<TaskId>, Error> {
        context.journal.task_of(self.0).await
    }
}

impl Perform for GetTask {
    async fn perform(self, context: &OpContext) -> Result<(TaskId, Box<ServiceTask>), Error> {
        let (id, task) = look(&context.client, &context.journal, self.0).await?;
        Ok((id, Box::new(task)))
    }
}
