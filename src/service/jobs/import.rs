//! An import: fetches the file, spools it, and in one transaction creates the file and ends the
//! task. Interrupted at any point, it leaves nothing, and is started again at the next start.

use std::convert::Infallible;

use axum::http::StatusCode;
use jiff::Timestamp;
use tracing::Instrument as _;
use tracing::field::Empty;

use super::erasure_watch::later;
use super::failure;
use super::orders::ImportOrder;
use crate::api::ids::TaskId;
use crate::service::answer::error::ApiError;
use crate::service::domain::lifetime;
use crate::service::domain::names::FileName;
use crate::service::fetch::{FetchError, FetchedContent, Fetcher};
use crate::service::ingest::{self, Spool, Spooled};
use crate::service::metrics::TaskEnd;
use crate::service::policy;
use crate::service::state::AppState;
use crate::service::store::{NewFileRow, StoreError, TaskKind, TaskRecord};

/// Runs until the task is COMPLETE or CANCELED. If the database fails, returns an error, and the
/// task is neither.
pub(super) async fn run(
    state: AppState,
    fetcher: Fetcher,
    task: TaskRecord,
) -> Result<(), StoreError> {
    let now = state.clock.now();
    let turn = if state.store.is_shared() {
        later(now, policy::IMPORT_LEASE)
    } else {
        now
    };
    if !state.store.start_task(&task.id, now, turn).await? {
        return Ok(());
    }
    let span =
        tracing::info_span!("job", job = "import", object = %task.id, otel.status_code = Empty);
    carry_out(&state, &fetcher, &task).instrument(span).await
}

async fn carry_out(
    state: &AppState,
    fetcher: &Fetcher,
    task: &TaskRecord,
) -> Result<(), StoreError> {
    let imported = tokio::select! {
        imported = import(state, fetcher, task) => imported,
        never = renew(state, &task.id), if state.store.is_shared() => match never {},
    };
    match imported {
        Ok(()) => {
            state
                .metrics
                .task_ended(TaskKind::Import, TaskEnd::Complete);
            Ok(())
        }
        // Accepted is accepted: it waits for the place of the bytes and for the database.
        Err(error) if error.is_out_of_reach() => {
            tracing::warn!("an import cannot be stored now; it is tried again");
            state
                .store
                .keep_task(&task.id, later(state.clock.now(), policy::IMPORT_RETRY))
                .await
        }
        Err(error) => {
            failure::cancel(
                state,
                (TaskKind::Import, &task.id),
                error,
                state.clock.now(),
            )
            .await
        }
    }
}

/// Renews the lease on the import for as long as this process lives, so that others do not take it
/// over.
async fn renew(state: &AppState, task: &TaskId) -> Infallible {
    loop {
        tokio::time::sleep(policy::IMPORT_LEASE_RENEWED).await;
        let turn = later(state.clock.now(), policy::IMPORT_LEASE);
        if let Err(error) = state.store.keep_task(task, turn).await {
            tracing::warn!(%error, "an import cannot be kept from other processes; that is tried again");
        }
    }
}

/// Used for the status of a task: no request waits for the result.
impl From<FetchError> for ApiError {
    fn from(error: FetchError) -> Self {
        Self::new(StatusCode::BAD_GATEWAY, error.to_string())
    }
}

async fn import(state: &AppState, fetcher: &Fetcher, task: &TaskRecord) -> Result<(), ApiError> {
    let order: ImportOrder = serde_json::from_str(&task.request)
        .map_err(|error| ApiError::internal("read an import", &error))?;
    // The address need not be asked while there is no place for its bytes.
    state
        .blobs
        .check_reach()
        .await
        .map_err(|error| ApiError::of_bytes("reach the bucket", &error))?;
    let mut content = fetcher.open(&order.url).await?;
    let name = content.file_name(order.name.as_deref());
    let spooled = spool(state, &mut content).await?;
    let new = new_file(order, &name, state.clock.now())?;
    ingest::import_file(state, spooled, new, task.id.clone()).await?;
    Ok(())
}

async fn spool(state: &AppState, content: &mut FetchedContent) -> Result<Spooled, ApiError> {
    let mut spool = Spool::open(state, state.max_file_bytes).await?;
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
