//! One import: fetches the file, spools it, makes the file and ends the task in one transaction. Stopped at any point
//! it leaves nothing, and is begun anew at the next start.

use jiff::Timestamp;

use super::failure;
use super::orders::ImportOrder;
use crate::service::answer::error::ApiError;
use crate::service::domain::lifetime;
use crate::service::domain::names::FileName;
use crate::service::fetch::{Content, FetchError, Fetcher};
use crate::service::intake::{self, Spool, Spooled};
use crate::service::state::AppState;
use crate::service::store::{NewFile, StoreError, TaskRecord};

/// Runs until the task is COMPLETE or CANCELED. An error means that the database failed and it is neither.
pub(super) async fn run(state: AppState, fetcher: Fetcher, task: TaskRecord) -> Result<(), StoreError> {
    let now = state.clock.now();
    state.store.start_task(&task.id, now, now).await?;
    let failure = match import(&state, &fetcher, &task).await {
        Ok(()) => return Ok(()),
        Err(Failure::Fetch(error)) => failure::of_fetch(&error),
        Err(Failure::Request(error)) => failure::of_request(&error),
    };
    state.store.cancel_task(&task.id, &failure, state.clock.now()).await
}

enum Failure {
    Fetch(FetchError),
    Request(ApiError),
}

impl<E: Into<ApiError>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Request(error.into())
    }
}

async fn import(state: &AppState, fetcher: &Fetcher, task: &TaskRecord) -> Result<(), Failure> {
    let order: ImportOrder =
        serde_json::from_str(&task.request).map_err(|error| ApiError::internal("read an import", &error))?;
    let mut content = fetcher.open(&order.url).await.map_err(Failure::Fetch)?;
    let name = content.file_name(order.name.as_deref());
    let spooled = spool(state, &mut content).await?;
    let new = new_file(order, &name, state.clock.now())?;
    intake::import_file(state, spooled, new, task.id.clone()).await?;
    Ok(())
}

async fn spool(state: &AppState, content: &mut Content) -> Result<Spooled, Failure> {
    let mut spool = Spool::open(&state.blobs, state.max_file_bytes).await?;
    while let Some(chunk) = content.chunk().await.map_err(Failure::Fetch)? {
        spool.write(chunk).await?;
    }
    Ok(spool.finish().await?)
}

fn new_file(order: ImportOrder, name: &str, now: Timestamp) -> Result<NewFile, ApiError> {
    Ok(NewFile {
        placement: order.target,
        name: FileName::parse(name).map_err(StoreError::from)?,
        access: order.access,
        expires_at: lifetime::expiry(order.ttl.as_deref(), order.expires_at, now)?,
        overwrite: order.overwrite,
        duplicates: order.duplicates,
    })
}
