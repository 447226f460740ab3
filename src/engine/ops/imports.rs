//! Starts an import from a URL and follows it. Once accepted, it continues whether anybody watches
//! or not.

use crate::api::ids::TaskId;
use crate::api::model::{File, ImportRequest};
use crate::api::{Client, Error};
use crate::engine::message::Progress;
use crate::engine::poll;
use crate::engine::progress_sink::ProgressSink;

/// Starts an import; returns the task to watch.
pub async fn start(client: &Client, request: &ImportRequest) -> Result<TaskId, Error> {
    let accepted = client.start_import(request).await;
    let accepted = accepted
        .map_err(|error| error.or_it("may have started: check before you start it again"))?;
    Ok(accepted.id)
}

pub async fn watch(client: &Client, task: &TaskId, report: &ProgressSink) -> Result<File, Error> {
    let on_status = |status: &_, next_poll| {
        report.report(Progress::Task {
            status: Clone::clone(status),
            next_poll,
        });
    };
    let ended = poll::until_final(task, || client.import_status(task), on_status).await?;
    ended
        .success()
        .cloned()
        .ok_or_else(|| poll::failure("The import", task, &ended))
}
