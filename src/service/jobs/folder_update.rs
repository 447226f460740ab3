//! Carries out renames and moves of folders requested as tasks (`contract.md#folders`); nothing
//! changes before.

use jiff::Timestamp;
use tracing::Instrument as _;
use tracing::field::Empty;

use super::failure;
use super::orders::FolderOrder;
use crate::api::model::TaskStatus;
use crate::service::answer::error::ApiError;
use crate::service::metrics::TaskEnd;
use crate::service::policy;
use crate::service::state::AppState;
use crate::service::store::{StoreError, TaskKind, TaskRecord};

const AT_ONCE: u32 = 100;

/// Advances every folder update whose turn has come by one step.
pub(super) async fn advance(state: &AppState, now: Timestamp) -> Result<(), StoreError> {
    loop {
        let tasks = state
            .store
            .tasks_in_turn(TaskKind::FolderUpdate, now, AT_ONCE)
            .await?;
        if tasks.is_empty() {
            return Ok(());
        }
        for task in tasks {
            if task.status == TaskStatus::Pending {
                state
                    .store
                    .start_task(&task.id, now, now + policy::FOLDER_UPDATE_TAKES)
                    .await?;
            } else {
                let span = tracing::info_span!("job", job = "folder update", object = %task.id, otel.status_code = Empty);
                finish(state, &task, now).instrument(span).await?;
            }
        }
    }
}

async fn finish(state: &AppState, task: &TaskRecord, now: Timestamp) -> Result<(), StoreError> {
    let order: FolderOrder = match serde_json::from_str(&task.request) {
        Ok(order) => order,
        Err(error) => {
            let error = ApiError::internal("read a folder update", &error);
            return failure::cancel(state, (TaskKind::FolderUpdate, &task.id), error, now).await;
        }
    };
    match state
        .store
        .carry_out_relocation(order.folder, &order.change, &task.id, now)
        .await
    {
        Ok(()) => {
            state
                .metrics
                .task_ended(TaskKind::FolderUpdate, TaskEnd::Complete);
            Ok(())
        }
        // Another process was quicker.
        Err(StoreError::TaskOver) => Ok(()),
        Err(refusal) if refusal.is_refusal() => {
            failure::cancel(
                state,
                (TaskKind::FolderUpdate, &task.id),
                refusal.into(),
                now,
            )
            .await
        }
        Err(error) => Err(error),
    }
}
