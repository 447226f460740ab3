//! One import: fetches the file, spools it, makes the file and ends the task in one transaction. Stopped at any point
//! it leaves nothing, and is begun again at the next start.

use axum::http::StatusCode;
use jiff::Timestamp;

use super::failure;
use super::orders::ImportOrder;
use crate::service::answer::error::ApiError;
use crate::service::domain::lifetime;
use crate::service::domain::names::FileName;
use crate::service::fetch::{FetchError, FetchedContent, Fetcher};
use crate::service::ingest::{self, Spool, Spooled};
use crate::service::metrics::TaskEnd;
use crate::service::state::AppState;
use crate::service::store::{NewFileRow, StoreError, TaskKind, TaskRecord};

/// Runs until the task is COMPLETE or CANCELED. An error means that the database failed and it is neither.
pub(super) async fn run(state: AppState, fetcher: Fetcher, task: TaskRecord) -> Result<(), StoreError> {
    let now = state.clock.now();
    state.store.start_task(&task.id, now, now).await?;
    match import(&state, &fetcher, &task).await {
        Ok(()) => {
            state.metrics.task_ended(TaskKind::Import, TaskEnd::Complete);
            Ok(())
        }
        Err(error) => failure::cancel(&state, (TaskKind::Import, &task.id), error, state.clock.now()).await,
    }
}

/// For the status of a task: no request waits for it.
impl From<FetchError> for ApiError {
    fn from(error: FetchError) -> Self {
        Self::new(StatusCode::BAD_GATEWAY, error.to_string())
    }
}

async fn import(state: &AppState, fetcher: &Fetcher, task: &TaskRecord) -> Result<(), ApiError> {
    let order: ImportOrder =
        serde_json::from_str(&task.request).map_err(|error| ApiError::internal("read an import", &error))?;
    let mut content = fetcher.open(&order.url).await?;
    let name = content.file_name(order.name.as_deref());
    let spooled = spool(state, &mut content).await?;
    let new = new_file(order, &name, state.clock.now())?;
    ingest::import_file(state, spooled, new, task.id.clone()).await?;
    Ok(())
}

async fn spool(state: &AppState, content: &mut FetchedContent) -> Result<Spooled, ApiError> {
    let mut spool = Spool::open(&state.blobs, state.max_file_bytes).await?;
    while let Some(chunk) = content.chunk().await? {
        spool.write(chunk).await?;
    }
    spool.finish().await
}

fn new_file(order: ImportOrder, name: &str, now: Timestamp) -> Result<NewFileRow, ApiError> {
    Ok(NewFileRow {
        placement: order.target,
        name: FileName::parse(name).map_err(StoreError::from)?,
        access: order.access,
        expires_at: lifetime::expiry(order.ttl.as_deref(), order.expires_at, now)?,
        overwrite: order.overwrite,
        duplicates: order.duplicates,
    })
}
