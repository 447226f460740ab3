//! An import from an address, from its start to its end. Its task is in the journal before the first poll, and leaves it
//! when the task has ended.

use crate::api::ids::TaskId;
use crate::api::model::{File, ImportRequest};
use crate::api::{Client, Error};
use crate::engine::journal::Journal;
use crate::engine::message::Progress;
use crate::engine::poll;
use crate::engine::report::Report;

/// Starts an import and follows it; `folder` is the path of the folder it goes into, for the journal. Dropped after its acceptance, the import goes on and stays in the journal.
pub async fn import(
    client: &Client,
    journal: Option<&Journal>,
    request: &ImportRequest,
    folder: &str,
    report: &Report,
) -> Result<File, Error> {
    let accepted = client
        .start_import(request)
        .await
        .map_err(|error| error.or_it("may have started: look before starting it again"))?;
    if let Some(journal) = journal {
        Journal::log_failure(journal.begin_import(&accepted.id, &request.url, folder).await);
    }
    report.tell(Progress::Accepted { task: accepted.id.clone() });
    watch(client, journal, &accepted.id, report).await
}

/// Follows an import to its end.
pub async fn watch(client: &Client, journal: Option<&Journal>, task: &TaskId, report: &Report) -> Result<File, Error> {
    let on_status = |status: &_, next_poll| report.tell(Progress::Task { status: Clone::clone(status), next_poll });
    let ended = poll::until_final(task, || client.import_status(task), on_status).await;
    if let Some(journal) = journal.filter(|_| poll::is_over(&ended)) {
        Journal::log_failure(journal.end_import(task).await);
    }
    let ended = ended?;
    ended.success().cloned().ok_or_else(|| poll::failure("The import", &ended))
}
