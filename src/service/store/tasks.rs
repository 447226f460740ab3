//! Imports and folder updates. The request of a task is opaque JSON text to the store.

use jiff::Timestamp;

use super::database::Store;
use super::error::StoreError;
use super::records::{TaskKind, TaskRecord};
use super::sql::Tables;
use crate::api::ids::TaskId;
use crate::api::model::TaskStatus;

impl Store {
    /// Inserts a PENDING task whose turn comes at `turn`. `origin` is the address that an import fetches.
    pub(crate) async fn add_task(
        &self,
        id: &TaskId,
        kind: TaskKind,
        request: &str,
        origin: Option<&str>,
        now: Timestamp,
        turn: Timestamp,
    ) -> Result<(), StoreError> {
        let (id, request, origin) = (id.clone(), request.to_owned(), origin.map(str::to_owned));
        self.write(move |tables| tables.insert_task(&id, kind, &request, origin.as_deref(), now, turn)).await
    }

    pub(crate) async fn task(&self, id: &TaskId, kind: TaskKind) -> Result<Option<TaskRecord>, StoreError> {
        let id = id.clone();
        self.read(move |tables| tables.task(&id, kind)).await
    }

    /// Returns unfinished tasks whose turn has come, oldest first.
    pub(crate) async fn tasks_in_turn(
        &self,
        kind: TaskKind,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<TaskRecord>, StoreError> {
        self.read(move |tables| tables.tasks_in_turn(kind, now, limit)).await
    }

    /// Returns the earliest turn that is still in the future.
    pub(crate) async fn next_turn(&self, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
        self.read(move |tables| tables.next_turn(now)).await
    }

    /// Makes a task PROCESSING if its turn has come, and due again at `turn`. A second call keeps the start time of the
    /// first. Returns `false` if another process was quicker.
    pub(crate) async fn start_task(&self, id: &TaskId, now: Timestamp, turn: Timestamp) -> Result<bool, StoreError> {
        let id = id.clone();
        self.write(move |tables| tables.start_task(&id, now, turn)).await
    }

    /// Postpones the turn at which another process may take over the task.
    pub(crate) async fn keep_task(&self, id: &TaskId, turn: Timestamp) -> Result<(), StoreError> {
        let id = id.clone();
        self.write(move |tables| tables.keep_task(&id, turn)).await
    }

    /// Makes a task CANCELED; `error` is JSON. Returns `false` if it has ended already; it then stays as it is.
    pub(crate) async fn cancel_task(&self, id: &TaskId, error: &str, now: Timestamp) -> Result<bool, StoreError> {
        let (id, error) = (id.clone(), error.to_owned());
        self.write(move |tables| tables.end_task(&id, &TaskStatus::Canceled, None, Some(&error), now)).await
    }

    pub(crate) async fn forget_tasks(&self, ended_before: Timestamp) -> Result<(), StoreError> {
        self.write(move |tables| tables.forget_tasks(ended_before)).await
    }
}

/// Must run in the transaction that makes the result, so that neither exists without the other. Fails if the task has
/// ended already, which rolls the result back.
pub(super) fn complete(tables: &dyn Tables, id: &TaskId, result: i64, now: Timestamp) -> Result<(), StoreError> {
    let is_ended = tables.end_task(id, &TaskStatus::Complete, Some(result), None, now)?;
    if is_ended { Ok(()) } else { Err(StoreError::TaskOver) }
}
