//! From a request to the read that answers it.

use std::sync::Arc;

use jiff::Timestamp;
use tokio_util::sync::CancellationToken;

use super::folder_size::FolderSizes;
use super::journal::Journal;
use super::message::{Entry, Outcome, Progress, Request};
use super::ops::list::{ListMemory, ListPage};
use super::ops::{
    duplicates, existing_content, export, fetch_text, folder_size, limits, list, list_all, local_entries, locate,
    plan_save, plan_upload, preview, refresh, service_task,
};
use super::parts::Parts;
use super::plan::{PlanEvent, PlanRow};
use super::progress_sink::ProgressSink;
use super::text_file::UnsavedEdits;
use crate::api::{Client, Error, Kind, sendable};
use crate::regular_file::Links;

/// What operations work with. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Tools {
    pub(super) client: Client,
    pub(super) journal: Journal,
    pub(super) lists: Arc<ListMemory>,
    /// The engine stops: what is under way stays in the journal.
    pub(super) stop: CancellationToken,
}

/// Answers a request that changes nothing.
pub(super) async fn perform(
    tools: &Tools,
    request: Request,
    report: &ProgressSink,
    parts: &Parts,
) -> Result<Outcome, Error> {
    let Tools { client, journal, lists, .. } = tools;
    Ok(match request {
        Request::List { of, sort, after } => {
            let ListPage { entries, next } = list::page(client, lists, &of, sort, after).await?;
            Outcome::Listed { entries, next }
        }
        Request::ListAll { of } if of.is_read_whole() => {
            Box::pin(duplicates::read(client, lists, &of, parts, report)).await?;
            Outcome::AllListed
        }
        Request::ListAll { of } => {
            list_all::read(client, lists, &of, parts).await?;
            Outcome::AllListed
        }
        Request::Look { of, targets, newest } => {
            let refresh::Refreshed { found, gone } =
                Box::pin(refresh::refresh(client, lists, &of, &targets, newest.as_ref())).await?;
            Outcome::Looked { found, gone }
        }
        Request::Folders { place } => Outcome::Folders(list::folders(client, lists, &place).await?),
        Request::MeasureFolders { folders } => {
            let tell = |sizes: &_| report.report(Progress::FolderSizes(FolderSizes::clone(sizes)));
            Outcome::FolderSizes(Box::pin(folder_size::folder_size(client, &folders, tell)).await?)
        }
        Request::Locate { path } => locate::at(client, &path).await?,
        Request::LocateId(id) => Box::pin(locate::by_id(client, &id)).await?,
        Request::LocateFolder(id) => Outcome::Located(Entry::Folder(client.folder(&id).await?)),
        Request::Names { path } => Outcome::Names { names: Box::pin(locate::names(client, lists, &path)).await?, path },
        Request::Details { file } => Outcome::Details(client.file(&file).await?),
        Request::Preview { subject, room } => {
            Outcome::Previewed(Box::pin(preview::preview(client, lists, &subject, room)).await?)
        }
        Request::Sign { file, signing } => Outcome::Signed(client.signed_url(&file, &signing).await?),
        Request::ServiceTask(which) => {
            let (id, task) = Box::pin(service_task::look(client, journal, which)).await?;
            Outcome::ServiceTask(id, Box::new(task))
        }
        Request::Limits(report) => Outcome::Limits(limits::read(client, &report).await?),
        Request::Remember(snapshot) => Outcome::Remembered(journal.keep_snapshot(&snapshot).await?),
        Request::Deletions => Outcome::Deletions(journal.deletions().await?),
        Request::DeletedWith(folder) => Outcome::Deletions(journal.deleted_with(&folder).await?),
        Request::Export { folder, name, text } => Outcome::Exported(export::write(folder, &name, text).await?),
        Request::LocalNames { folder } => {
            let names = local_entries::names(&folder).await?;
            Outcome::LocalNames { folder, names }
        }
        Request::LocalFile { path } => sendable(&path, Links::Followed).await.map(|_| Outcome::LocalFile)?,
        Request::FetchText { file, anew } => {
            let now = Timestamp::now();
            let kept = if anew { Vec::new() } else { journal.unsaved_edits(Some(&file), now).await? };
            if kept.is_empty() {
                Outcome::TextFetched(Box::pin(fetch_text::fetch(client, journal, &file, now, report)).await?)
            } else {
                Outcome::UnsavedEdits(UnsavedEdits { texts: kept, removed: Vec::new() })
            }
        }
        Request::UnsavedEdits => Outcome::UnsavedEdits(journal.sweep_texts(Timestamp::now()).await?),
        Request::TakeText { path } => Outcome::TextTaken(journal.take_text(path, Timestamp::now()).await?),
        Request::PlanUpload { typed, into, name, unnamed } => {
            let wanted = plan_upload::PlanRequest { typed, into, name, unnamed };
            let plan_upload::UploadPlan { into, rows } =
                Box::pin(plan_upload::plan(client, journal, lists, wanted, report)).await?;
            parts.plan(PlanEvent::Into(into)).await;
            give(parts, &rows, None).await;
            Outcome::Planned { not_looked_for: existing_content::look(client, &rows, parts).await? }
        }
        Request::PlanSave { files, into } => {
            let (rows, room) = plan_save::plan(client, files, &into).await?;
            give(parts, &rows, room).await;
            Outcome::Planned { not_looked_for: 0 }
        }
        Request::Queue(_) | Request::Control(_) | Request::Failures(_) => {
            return Err(Error::new(Kind::Internal, "The queue answers this"));
        }
    })
}

/// Rows of a plan that are given at once.
const ROWS_AT_ONCE: usize = 1_024;

async fn give(parts: &Parts, rows: &[PlanRow], room: Option<u64>) {
    for rows in rows.chunks(ROWS_AT_ONCE) {
        parts.plan(PlanEvent::Rows(rows.to_vec())).await;
    }
    parts.plan(PlanEvent::Complete { room }).await;
}
