//! Starts an import from a URL, or from the account of a file, and follows it. Once accepted, it
//! continues whether anybody watches or not.

use std::path::Path;

use super::lost_upload::{self, LostUpload};
use crate::api::ids::TaskId;
use crate::api::model::{File, ImportRequest};
use crate::api::{Client, Error, RemoteContent, UploadContent};
use crate::engine::job::{can_replace, without_address};
use crate::engine::message::Progress;
use crate::engine::poll;
use crate::engine::progress_sink::ProgressSink;
use crate::engine::sending::Sending;

/// The size from which a copy is imported. An import takes three calls, and half a second until the
/// first poll; streaming takes two, and as long as that for this many bytes at 64 Mbit/s.
const LEAST: u64 = 4 * 1024 * 1024;

/// Starts an import; returns the task to watch.
pub async fn start(client: &Client, request: &ImportRequest) -> Result<TaskId, Error> {
    let accepted = client.imports().start(request).await;
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
    let ended = poll::until_final(task, || client.imports().status(task), on_status).await?;
    ended
        .success()
        .cloned()
        .ok_or_else(|| poll::failure("The import", task, &ended))
}

/// Returns the request for a copy, without its address; `None` if the file is better sent. Like an
/// upload that is sent again, it never results in a second file, so that one whose end is not known
/// can be followed by another attempt.
pub async fn request_for_copy(
    lost: LostUpload<'_>,
    sending: &Sending,
) -> Result<Option<ImportRequest>, Error> {
    let (UploadContent::Remote(content), Some(name)) = (lost.content, lost.name) else {
        return Ok(None);
    };
    let length = content.file().size.unwrap_or_default();
    let source = content.file().full_name();
    // Any other extension may be completed, and an encoding cannot be given.
    let keeps_name = Path::new(name).extension().is_some() && can_replace(Path::new(&source), name);
    if length < LEAST || !keeps_name || sending.charset.is_some() {
        return Ok(None);
    }
    let has_others = lost.held.has_content_of(lost.content, length).await?;
    let guarded = lost_upload::guarded(&sending.options, has_others);
    Ok(guarded.map(|options| ImportRequest {
        name: Some(name.to_owned()),
        folder_id: lost.into.id.clone(),
        folder_path: lost.into.is_root().then(|| "/".to_owned()),
        ..ImportRequest::new("", options)
    }))
}

/// Starts the import of a copy from a signed address, which nothing but the request contains.
pub async fn start_copy(
    client: &Client,
    content: &RemoteContent,
    request: ImportRequest,
) -> Result<TaskId, Error> {
    let url = content.signed_url().await?.url;
    let request = ImportRequest { url, ..request };
    let accepted = client.imports().start(&request).await;
    let accepted = accepted.map_err(|error| without_address(error, &request.url))?;
    Ok(accepted.id)
}
