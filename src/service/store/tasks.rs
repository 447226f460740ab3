//! Imports and folder updates. The request of a task is opaque JSON text to the store.

use jiff::Timestamp;

use super::database::Store;
use super::error::StoreError;
use super::records::{NewTask, TaskKind, TaskRecord};
use super::sql::Tables;
use crate::api::ids::TaskId;
use crate::api::model::TaskStatus;
use crate::service::policy;

impl Store {
    /// Inserts a PENDING task, unless its caller has as many unfinished ones as it may have.
    pub(crate) async fn add_task(&self, task: NewTask) -> Result<(), StoreError> {
        self.write(move |tables| {
            if tables.count_tasks_of(&task.caller)? >= policy::MAX_TASKS_PER_TOKEN {
                return Err(StoreError::TooManyTasks);
            }
            tables.insert_task(&task)
        })
        .await
    }

    pub(crate) async fn task(
        &self,
        id: &TaskId,
        kind: TaskKind,
    ) -> Result<Option<TaskRecord>, StoreError> {
        let id = id.clone();
        self.read(move |tables| tables.task(&id, kind)).await
    }

    /// Returns unfinished tasks whose turn has come, oldest first; imports of the caller that has
    /// the fewest running come first.
    pub(crate) async fn tasks_in_turn(
        &self,
        kind: TaskKind,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<TaskRecord>, StoreError> {
        self.read(move |tables| tables.tasks_in_turn(kind, now, limit))
            .await
    }

    /// Returns the earliest turn that is still in the future.
    pub(crate) async fn next_turn(&self, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
        self.read(move |tables| tables.next_turn(now)).await
    }

    /// Makes a task PROCESSING if its turn has come, and due again at `turn`. A second call keeps
    /// the start time of the first. Returns `false` if another process was quicker.
    pub(crate) async fn start_task(
        &self,
        id: &TaskId,
        now: Timestamp,
        turn: Timestamp,
    ) -> Result<bool, StoreError> {
        let id = id.clone();
        self.write(move |tables| tables.start_task(&id, now, turn))
            .await
    }

    /// Postpones the turn at which another process may take over the task.
    pub(crate) async fn keep_task(&self, id: &TaskId, turn: Timestamp) -> Result<(), StoreError> {
        let id = id.clone();
        self.write(move |tables| tables.keep_task(&id, turn)).await
    }

    /// Makes a task CANCELED; `error` is JSON. Returns `false` if it has ended already; it then
    /// stays as it is.
    pub(crate) async fn cancel_task(
        &self,
        id: &TaskId,
        error: &str,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let (id, error) = (id.clone(), error.to_owned());
        self.write(move |tables| {
            tables.end_task(&id, &TaskStatus::Canceled, None, Some(&error), now)
        })
        .await
    }

    pub(crate) async fn forget_tasks(&self, ended_before: Timestamp) -> Result<(), StoreError> {
        self.write(move |tables| tables.forget_tasks(ended_before))
            .await
    }
}

/// Must run in the transaction that makes the result, so that neither exists without the other.
/// Fails if the task has ended already, which rolls the result back.
pub(super) fn complete(
    tables: &dyn Tables,
    id: &TaskId,
    result: i64,
    now: Timestamp,
) -> Result<(), StoreError> {
    let is_ended = tables.end_task(id, &TaskStatus::Complete, Some(result), None, now)?;
    if is_ended {
        Ok(())
    } else {
        Err(StoreError::TaskOver)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::store::query_plans;

    fn task(number: usize, caller: &str, at: Timestamp) -> NewTask {
        NewTask {
            id: TaskId::new(format!("{caller}-{number}")),
            kind: TaskKind::Import,
            request: "{}".to_owned(),
            origin: None,
            caller: caller.to_owned(),
            requested_at: at,
            turn: at,
        }
    }

    // Fails if the oldest imports come first, and if those that run are not counted.
    #[tokio::test]
    async fn imports_are_started_in_turn_by_token() {
        let (_dir, store) = query_plans::store().await;
        let now = Timestamp::UNIX_EPOCH;
        for number in 0..6 {
            store.add_task(task(number, "many", now)).await.unwrap();
        }
        for caller in ["few", "other"] {
            store
                .add_task(task(0, caller, now + jiff::SignedDuration::from_secs(1)))
                .await
                .unwrap();
        }
        let later = now + jiff::SignedDuration::from_secs(2);
        let mut started = Vec::new();
        for _ in 0..8 {
            let due = store
                .tasks_in_turn(TaskKind::Import, later, 8)
                .await
                .unwrap();
            let next = due
                .into_iter()
                .find(|task| task.status == TaskStatus::Pending)
                .unwrap();
            assert!(store.start_task(&next.id, later, later).await.unwrap());
            started.push(next.id.as_str().to_owned());
        }
        assert_eq!(
            started,
            [
                "many-0", "few-0", "other-0", "many-1", "many-2", "many-3", "many-4", "many-5"
            ],
            "each token has one running before another one has two"
        );
    }

    #[tokio::test]
    async fn a_token_has_a_limit_of_unfinished_tasks_and_others_are_not_concerned() {
        let (_dir, store) = query_plans::store().await;
        let now = Timestamp::UNIX_EPOCH;
        let fill = format!(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {})
             INSERT INTO tasks (id, kind, status, request, caller, requested_at, next_at)
               SELECT 'full-' || i, 'import', 'PENDING', '{{}}', 'full', 0, 0 FROM n",
            policy::MAX_TASKS_PER_TOKEN
        );
        query_plans::carry_out(&store, &fill).await;
        assert!(matches!(
            store.add_task(task(0, "full", now)).await,
            Err(StoreError::TooManyTasks)
        ));
        store.add_task(task(0, "other", now)).await.unwrap();
        assert!(
            store
                .cancel_task(&TaskId::new("full-1"), "{}", now)
                .await
                .unwrap()
        );
        store.add_task(task(0, "full", now)).await.unwrap();
    }
}
