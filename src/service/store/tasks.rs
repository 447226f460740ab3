//! Rows of imports and folder updates. What a task is to do is JSON text to this module.

use jiff::Timestamp;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row as _, SqliteConnection};

use super::database::Store;
use super::error::StoreError;
use super::records::FileKey;
use super::values::{millis, optional, time};
use crate::api::ids::TaskId;
use crate::api::model::TaskStatus;

/// What a task is; its name, in capitals, is in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum TaskKind {
    Import,
    FolderUpdate,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TaskRecord {
    pub(crate) id: TaskId,
    pub(crate) status: TaskStatus,
    /// JSON.
    pub(crate) request: String,
    pub(crate) requested_at: Timestamp,
    pub(crate) started_at: Option<Timestamp>,
    pub(crate) completed_at: Option<Timestamp>,
    /// Id of the file or folder.
    pub(crate) result: Option<i64>,
    /// JSON.
    pub(crate) error: Option<String>,
}

impl Store {
    /// Writes a PENDING task whose turn comes at `turn`. `origin` is the address that an import fetches.
    pub(crate) async fn add_task(
        &self,
        id: &TaskId,
        kind: TaskKind,
        request: &str,
        origin: Option<&str>,
        now: Timestamp,
        turn: Timestamp,
    ) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO tasks (id, kind, status, request, origin, requested_at, next_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(id.as_str())
        .bind(<&str>::from(kind))
        .bind(TaskStatus::Pending.as_str())
        .bind(request)
        .bind(origin)
        .bind(millis(now))
        .bind(millis(turn))
        .execute(&self.writer)
        .await?;
        Ok(())
    }

    pub(crate) async fn task(&self, id: &TaskId, kind: TaskKind) -> Result<Option<TaskRecord>, StoreError> {
        let row = sqlx::query("SELECT * FROM tasks WHERE id = $1 AND kind = $2")
            .bind(id.as_str())
            .bind(<&str>::from(kind))
            .fetch_optional(&self.readers)
            .await?;
        Ok(row.as_ref().map(record).transpose()?)
    }

    /// Unfinished tasks whose turn has come, oldest first.
    pub(crate) async fn tasks_in_turn(
        &self,
        kind: TaskKind,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<TaskRecord>, StoreError> {
        let rows = sqlx::query(
            "SELECT * FROM tasks WHERE kind = $1 AND next_at <= $2 ORDER BY next_at, requested_at, rowid LIMIT $3",
        )
        .bind(<&str>::from(kind))
        .bind(millis(now))
        .bind(limit)
        .fetch_all(&self.readers)
        .await?;
        Ok(rows.iter().map(record).collect::<Result<_, _>>()?)
    }

    /// When the next task that is not in turn yet comes to be.
    pub(crate) async fn next_turn(&self, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
        let turn: Option<i64> = sqlx::query_scalar("SELECT MIN(next_at) FROM tasks WHERE next_at > $1")
            .bind(millis(now))
            .fetch_one(&self.readers)
            .await?;
        Ok(turn.map(time).transpose()?)
    }

    /// Makes a task PROCESSING, and due again at `turn`. A second call keeps the time of the first.
    pub(crate) async fn start_task(&self, id: &TaskId, now: Timestamp, turn: Timestamp) -> Result<(), StoreError> {
        sqlx::query(
            "UPDATE tasks SET status = $1, started_at = COALESCE(started_at, $2), next_at = $3
             WHERE id = $4 AND next_at IS NOT NULL",
        )
        .bind(TaskStatus::Processing.as_str())
        .bind(millis(now))
        .bind(millis(turn))
        .bind(id.as_str())
        .execute(&self.writer)
        .await?;
        Ok(())
    }

    /// Makes a task COMPLETE with the folder that resulted from it.
    pub(crate) async fn complete_task(&self, id: &TaskId, result: i64, now: Timestamp) -> Result<(), StoreError> {
        let mut connection = self.writer.acquire().await?;
        complete(&mut connection, id, result, now).await
    }

    /// Forgets tasks that ended before this time.
    pub(crate) async fn forget_tasks(&self, ended_before: Timestamp) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM tasks WHERE completed_at < $1")
            .bind(millis(ended_before))
            .execute(&self.writer)
            .await?;
        Ok(())
    }

    /// Makes a task CANCELED; `error` is JSON. One that is over stays as it is.
    pub(crate) async fn cancel_task(&self, id: &TaskId, error: &str, now: Timestamp) -> Result<(), StoreError> {
        let mut connection = self.writer.acquire().await?;
        end(&mut connection, id, TaskStatus::Canceled, None, Some(error), now).await.map(drop)
    }
}

/// Inside the transaction that makes the result, so that neither is there without the other. A task that is over
/// already refuses, which takes the result back.
pub(super) async fn complete(
    connection: &mut SqliteConnection,
    id: &TaskId,
    result: i64,
    now: Timestamp,
) -> Result<(), StoreError> {
    let is_ended = end(connection, id, TaskStatus::Complete, Some(result), None, now).await?;
    if is_ended { Ok(()) } else { Err(StoreError::TaskOver) }
}

/// False where the task is over already.
async fn end(
    connection: &mut SqliteConnection,
    id: &TaskId,
    status: TaskStatus,
    result: Option<i64>,
    error: Option<&str>,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let ended = sqlx::query(
        "UPDATE tasks SET status = $1, started_at = COALESCE(started_at, $2), completed_at = $2, result_id = $3,
           error = $4, next_at = NULL
         WHERE id = $5 AND next_at IS NOT NULL",
    )
    .bind(status.as_str())
    .bind(millis(now))
    .bind(result)
    .bind(error)
    .bind(id.as_str())
    .execute(connection)
    .await?;
    Ok(ended.rows_affected() > 0)
}

/// Notes that a file is why an import is going to be refused. Inside the transaction that found the file.
pub(super) async fn refuse_for(connection: &mut SqliteConnection, id: &TaskId, file: i64) -> Result<(), StoreError> {
    sqlx::query("UPDATE tasks SET refused_for = $1 WHERE id = $2")
        .bind(file)
        .bind(id.as_str())
        .execute(connection)
        .await?;
    Ok(())
}

/// Forgets the tasks about a file: those that made it, those that were refused because of it, and those that are over
/// and fetched the same address.
pub(super) async fn erase_tasks_of(connection: &mut SqliteConnection, file: FileKey) -> Result<(), StoreError> {
    sqlx::query(
        "DELETE FROM tasks WHERE result_id = $1 OR refused_for = $1
           OR (next_at IS NULL AND origin IN (SELECT origin FROM tasks WHERE result_id = $1))",
    )
    .bind(file.0)
    .execute(connection)
    .await?;
    Ok(())
}

fn record(row: &SqliteRow) -> Result<TaskRecord, sqlx::Error> {
    Ok(TaskRecord {
        id: TaskId::new(row.try_get::<String, _>("id")?),
        status: TaskStatus::from(row.try_get::<&str, _>("status")?),
        request: row.try_get("request")?,
        requested_at: time(row.try_get("requested_at")?)?,
        started_at: optional(row, "started_at", time)?,
        completed_at: optional(row, "completed_at", time)?,
        result: row.try_get("result_id")?,
        error: row.try_get("error")?,
    })
}
