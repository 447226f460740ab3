//! Rows of tasks.

use jiff::Timestamp;

use super::connection::{SqlRow, Tables};
use super::values::{SqlValue, values};
use crate::api::ids::TaskId;
use crate::api::model::TaskStatus;
use crate::service::store::error::StoreError;
use crate::service::store::records::{FileKey, NewTask, TaskCounts, TaskKind, TaskRecord};

const COLUMNS: &str =
    "id, status, request, requested_at, started_at, completed_at, result_id, error";

impl dyn Tables + '_ {
    pub(crate) fn insert_task(&self, task: &NewTask) -> Result<(), StoreError> {
        let insert =
            "INSERT INTO tasks (id, kind, status, request, origin, caller, requested_at, next_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        let NewTask {
            id,
            kind,
            request,
            origin,
            caller,
            requested_at,
            turn,
        } = task;
        let (kind, status, origin) = (<&str>::from(*kind), TaskStatus::Pending, origin.as_deref());
        let values = values![
            id.as_str(),
            kind,
            status.as_str(),
            request,
            origin,
            caller,
            *requested_at,
            *turn
        ];
        self.execute(insert, values)?;
        self.dialect()
            .notify
            .map_or(Ok(0), |notify| self.execute(notify, values![]))
            .map(drop)
    }

    pub(crate) fn task(
        &self,
        id: &TaskId,
        kind: TaskKind,
    ) -> Result<Option<TaskRecord>, StoreError> {
        let task = format!("SELECT {COLUMNS} FROM tasks WHERE id = ?1 AND kind = ?2");
        self.first(&task, values![id.as_str(), <&str>::from(kind)], record)
    }

    pub(crate) fn tasks_in_turn(
        &self,
        kind: TaskKind,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<TaskRecord>, StoreError> {
        let position = self.dialect().task_position;
        // Folder updates depend on one another, so they keep their order whoever requests them.
        let share_of = if kind == TaskKind::Import {
            "PARTITION BY caller"
        } else {
            ""
        };
        let tasks = format!(
            "SELECT {COLUMNS} FROM (
               SELECT {COLUMNS}, next_at, ROW_NUMBER() OVER (
                 {share_of} ORDER BY CASE status WHEN ?4 THEN 0 ELSE 1 END, next_at, requested_at, {position}) AS share
               FROM tasks WHERE kind = ?1 AND next_at IS NOT NULL AND (next_at <= ?2 OR status = ?4)) AS shares
             WHERE next_at <= ?2 ORDER BY share, next_at, requested_at LIMIT ?3"
        );
        self.all(
            &tasks,
            values![
                <&str>::from(kind),
                now,
                limit,
                TaskStatus::Processing.as_str()
            ],
            record,
        )
    }

    /// Returns the number of unfinished tasks that a token has requested.
    pub(crate) fn count_tasks_of(&self, caller: &str) -> Result<i64, StoreError> {
        self.value(
            "SELECT COUNT(*) FROM tasks WHERE next_at IS NOT NULL AND caller = ?1",
            values![caller],
        )
    }

    pub(crate) fn count_tasks(&self, kind: TaskKind) -> Result<TaskCounts, StoreError> {
        let tasks = self.dialect().unfinished_tasks;
        let count = format!(
            "SELECT COUNT(*) FROM {tasks} WHERE next_at IS NOT NULL AND kind = ?1 AND status = ?2"
        );
        let count =
            |status: TaskStatus| self.value(&count, values![<&str>::from(kind), status.as_str()]);
        Ok(TaskCounts {
            waiting: count(TaskStatus::Pending)?,
            running: count(TaskStatus::Processing)?,
        })
    }

    pub(crate) fn next_turn(&self, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
        let turn = "SELECT MIN(next_at) FROM tasks WHERE next_at > ?1";
        self.value(turn, values![now])
    }

    /// Makes a task PROCESSING until its next turn. Returns `false` if its turn has not come or it
    /// has ended.
    pub(crate) fn start_task(
        &self,
        id: &TaskId,
        now: Timestamp,
        turn: Timestamp,
    ) -> Result<bool, StoreError> {
        let start =
            "UPDATE tasks SET status = ?1, started_at = COALESCE(started_at, ?2), next_at = ?3
             WHERE id = ?4 AND next_at <= ?2";
        let status = TaskStatus::Processing;
        Ok(self.execute(start, values![status.as_str(), now, turn, id.as_str()])? > 0)
    }

    pub(crate) fn keep_task(&self, id: &TaskId, turn: Timestamp) -> Result<(), StoreError> {
        let keep = "UPDATE tasks SET next_at = ?1 WHERE id = ?2 AND next_at IS NOT NULL";
        self.execute(keep, values![turn, id.as_str()]).map(drop)
    }

    /// Returns `false` if the task has already ended.
    pub(crate) fn end_task(
        &self,
        id: &TaskId,
        status: &TaskStatus,
        result: Option<i64>,
        error: Option<&str>,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let end =
            "UPDATE tasks SET status = ?1, started_at = COALESCE(started_at, ?2), completed_at = ?2, result_id = ?3,
               error = ?4, next_at = NULL
             WHERE id = ?5 AND next_at IS NOT NULL";
        Ok(self.execute(
            end,
            values![status.as_str(), now, result, error, id.as_str()],
        )? > 0)
    }

    /// Records the file because of which an import is going to be refused.
    pub(crate) fn refuse_task_for(&self, id: &TaskId, file: i64) -> Result<(), StoreError> {
        self.execute(
            "UPDATE tasks SET refused_for = ?1 WHERE id = ?2",
            values![file, id.as_str()],
        )
        .map(drop)
    }

    /// Deletes the tasks that concern a file: those that made it, those that were refused because
    /// of it, and those that have ended and fetched the same address.
    pub(crate) fn erase_tasks_of(&self, file: FileKey) -> Result<(), StoreError> {
        let erase = "DELETE FROM tasks WHERE result_id = ?1 OR refused_for = ?1
               OR (next_at IS NULL AND origin IN (SELECT origin FROM tasks WHERE result_id = ?1))";
        self.execute(erase, values![file]).map(drop)
    }

    pub(crate) fn forget_tasks(&self, ended_before: Timestamp) -> Result<(), StoreError> {
        self.execute(
            "DELETE FROM tasks WHERE completed_at < ?1",
            values![ended_before],
        )
        .map(drop)
    }
}

fn record(row: &dyn SqlRow) -> Result<TaskRecord, StoreError> {
    Ok(TaskRecord {
        id: TaskId::new(row.text(0)?),
        status: TaskStatus::from(row.text(1)?),
        request: row.get(2)?,
        requested_at: row.get(3)?,
        started_at: row.get(4)?,
        completed_at: row.get(5)?,
        result: row.get(6)?,
        error: row.get(7)?,
    })
}
