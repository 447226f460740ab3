//! Rows of tasks.

use jiff::Timestamp;
use rusqlite::{Row, params};

use super::tables::SqliteTables;
use super::values::{StoredTime, millis, optional_time, time};
use crate::api::ids::TaskId;
use crate::api::model::TaskStatus;
use crate::service::store::error::StoreError;
use crate::service::store::records::{FileKey, TaskCounts, TaskKind, TaskRecord};
use crate::service::store::tables::TaskTable;

/// Goes through what is unfinished alone.
const COUNT: &str = "SELECT COUNT(*) FROM tasks INDEXED BY tasks_by_turn
     WHERE next_at IS NOT NULL AND kind = ?1 AND status = ?2";

impl TaskTable for SqliteTables<'_> {
    fn insert_task(
        &self,
        id: &TaskId,
        kind: TaskKind,
        request: &str,
        origin: Option<&str>,
        now: Timestamp,
        turn: Timestamp,
    ) -> Result<(), StoreError> {
        let insert = "INSERT INTO tasks (id, kind, status, request, origin, requested_at, next_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        let (kind, status) = (<&str>::from(kind), TaskStatus::Pending);
        let parameters = params![id.as_str(), kind, status.as_str(), request, origin, millis(now), millis(turn)];
        self.execute(insert, parameters).map(drop)
    }

    fn task(&self, id: &TaskId, kind: TaskKind) -> Result<Option<TaskRecord>, StoreError> {
        self.first("SELECT * FROM tasks WHERE id = ?1 AND kind = ?2", [id.as_str(), kind.into()], record)
    }

    fn tasks_in_turn(&self, kind: TaskKind, now: Timestamp, limit: u32) -> Result<Vec<TaskRecord>, StoreError> {
        let tasks =
            "SELECT * FROM tasks WHERE kind = ?1 AND next_at <= ?2 ORDER BY next_at, requested_at, rowid LIMIT ?3";
        self.all(tasks, params![<&str>::from(kind), millis(now), limit], record)
    }

    fn count_tasks(&self, kind: TaskKind) -> Result<TaskCounts, StoreError> {
        let count = |status: TaskStatus| self.value(COUNT, params![<&str>::from(kind), status.as_str()]);
        Ok(TaskCounts { waiting: count(TaskStatus::Pending)?, running: count(TaskStatus::Processing)? })
    }

    fn next_turn(&self, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
        let turn = "SELECT MIN(next_at) FROM tasks WHERE next_at > ?1";
        Ok(self.value::<Option<StoredTime>>(turn, [millis(now)])?.map(|StoredTime(turn)| turn))
    }

    fn start_task(&self, id: &TaskId, now: Timestamp, turn: Timestamp) -> Result<bool, StoreError> {
        let start = "UPDATE tasks SET status = ?1, started_at = COALESCE(started_at, ?2), next_at = ?3
             WHERE id = ?4 AND next_at <= ?2";
        let parameters = params![TaskStatus::Processing.as_str(), millis(now), millis(turn), id.as_str()];
        Ok(self.execute(start, parameters)? > 0)
    }

    fn keep_task(&self, id: &TaskId, turn: Timestamp) -> Result<(), StoreError> {
        let keep = "UPDATE tasks SET next_at = ?1 WHERE id = ?2 AND next_at IS NOT NULL";
        self.execute(keep, params![millis(turn), id.as_str()]).map(drop)
    }

    fn end_task(
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
        Ok(self.execute(end, params![status.as_str(), millis(now), result, error, id.as_str()])? > 0)
    }

    fn refuse_task_for(&self, id: &TaskId, file: i64) -> Result<(), StoreError> {
        self.execute("UPDATE tasks SET refused_for = ?1 WHERE id = ?2", params![file, id.as_str()]).map(drop)
    }

    fn erase_tasks_of(&self, file: FileKey) -> Result<(), StoreError> {
        let erase = "DELETE FROM tasks WHERE result_id = ?1 OR refused_for = ?1
               OR (next_at IS NULL AND origin IN (SELECT origin FROM tasks WHERE result_id = ?1))";
        self.execute(erase, [file]).map(drop)
    }

    fn forget_tasks(&self, ended_before: Timestamp) -> Result<(), StoreError> {
        self.execute("DELETE FROM tasks WHERE completed_at < ?1", [millis(ended_before)]).map(drop)
    }
}

fn record(row: &Row<'_>) -> rusqlite::Result<TaskRecord> {
    Ok(TaskRecord {
        id: TaskId::new(row.get::<_, String>("id")?),
        status: TaskStatus::from(row.get_ref("status")?.as_str()?),
        request: row.get("request")?,
        requested_at: time(row, "requested_at")?,
        started_at: optional_time(row, "started_at")?,
        completed_at: optional_time(row, "completed_at")?,
        result: row.get("result_id")?,
        error: row.get("error")?,
    })
}
