//! Rows of imports and folder updates. What a task is to do is JSON text to this module.

use jiff::Timestamp;
use rusqlite::{Connection, Row, params};

use super::error::StoreError;
use super::records::FileKey;
use super::sqlite::database::Store;
use super::sqlite::statements::{all, execute, first, value};
use super::sqlite::values::{StoredTime, millis, optional_time, time};
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
        let (id, request, origin) = (id.clone(), request.to_owned(), origin.map(str::to_owned));
        self.write(move |transaction| {
            let (kind, status) = (<&str>::from(kind), TaskStatus::Pending);
            execute(
                transaction,
                "INSERT INTO tasks (id, kind, status, request, origin, requested_at, next_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                params![id.as_str(), kind, status.as_str(), request, origin, millis(now), millis(turn)],
            )?;
            Ok(())
        })
        .await
    }

    pub(crate) async fn task(&self, id: &TaskId, kind: TaskKind) -> Result<Option<TaskRecord>, StoreError> {
        let id = id.clone();
        self.read(move |connection| {
            let task = "SELECT * FROM tasks WHERE id = ?1 AND kind = ?2";
            Ok(first(connection, task, [id.as_str(), kind.into()], record)?)
        })
        .await
    }

    /// Unfinished tasks whose turn has come, oldest first.
    pub(crate) async fn tasks_in_turn(
        &self,
        kind: TaskKind,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<TaskRecord>, StoreError> {
        self.read(move |connection| {
            let tasks =
                "SELECT * FROM tasks WHERE kind = ?1 AND next_at <= ?2 ORDER BY next_at, requested_at, rowid LIMIT ?3";
            Ok(all(connection, tasks, params![<&str>::from(kind), millis(now), limit], record)?)
        })
        .await
    }

    /// When the next task that is not in turn yet comes to be.
    pub(crate) async fn next_turn(&self, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
        let turn = "SELECT MIN(next_at) FROM tasks WHERE next_at > ?1";
        let turn: Option<StoredTime> = self.read(move |connection| Ok(value(connection, turn, [millis(now)])?)).await?;
        Ok(turn.map(|StoredTime(turn)| turn))
    }

    /// Makes a task PROCESSING, and due again at `turn`. A second call keeps the time of the first.
    pub(crate) async fn start_task(&self, id: &TaskId, now: Timestamp, turn: Timestamp) -> Result<(), StoreError> {
        let id = id.clone();
        self.write(move |transaction| {
            execute(
                transaction,
                "UPDATE tasks SET status = ?1, started_at = COALESCE(started_at, ?2), next_at = ?3
                 WHERE id = ?4 AND next_at IS NOT NULL",
                params![TaskStatus::Processing.as_str(), millis(now), millis(turn), id.as_str()],
            )?;
            Ok(())
        })
        .await
    }

    /// Makes a task COMPLETE with the folder that resulted from it.
    pub(crate) async fn complete_task(&self, id: &TaskId, result: i64, now: Timestamp) -> Result<(), StoreError> {
        let id = id.clone();
        self.write(move |transaction| complete(transaction, &id, result, now)).await
    }

    /// Forgets tasks that ended before this time.
    pub(crate) async fn forget_tasks(&self, ended_before: Timestamp) -> Result<(), StoreError> {
        let forget = "DELETE FROM tasks WHERE completed_at < ?1";
        self.write(move |transaction| Ok(execute(transaction, forget, [millis(ended_before)]).map(drop)?)).await
    }

    /// Makes a task CANCELED; `error` is JSON. One that is over stays as it is.
    pub(crate) async fn cancel_task(&self, id: &TaskId, error: &str, now: Timestamp) -> Result<(), StoreError> {
        let (id, error) = (id.clone(), error.to_owned());
        self.write(move |transaction| end(transaction, &id, &TaskStatus::Canceled, None, Some(&error), now).map(drop))
            .await
    }
}

/// Inside the transaction that makes the result, so that neither is there without the other. A task that is over
/// already refuses, which takes the result back.
pub(super) fn complete(connection: &Connection, id: &TaskId, result: i64, now: Timestamp) -> Result<(), StoreError> {
    let is_ended = end(connection, id, &TaskStatus::Complete, Some(result), None, now)?;
    if is_ended { Ok(()) } else { Err(StoreError::TaskOver) }
}

/// False where the task is over already.
fn end(
    connection: &Connection,
    id: &TaskId,
    status: &TaskStatus,
    result: Option<i64>,
    error: Option<&str>,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let ended = execute(
        connection,
        "UPDATE tasks SET status = ?1, started_at = COALESCE(started_at, ?2), completed_at = ?2, result_id = ?3,
           error = ?4, next_at = NULL
         WHERE id = ?5 AND next_at IS NOT NULL",
        params![status.as_str(), millis(now), result, error, id.as_str()],
    )?;
    Ok(ended > 0)
}

/// Notes that a file is why an import is going to be refused. Inside the transaction that found the file.
pub(super) fn refuse_for(connection: &Connection, id: &TaskId, file: i64) -> Result<(), StoreError> {
    execute(connection, "UPDATE tasks SET refused_for = ?1 WHERE id = ?2", params![file, id.as_str()])?;
    Ok(())
}

/// Forgets the tasks about a file: those that made it, those that were refused because of it, and those that are over
/// and fetched the same address.
pub(super) fn erase_tasks_of(connection: &Connection, file: FileKey) -> Result<(), StoreError> {
    let erase = "DELETE FROM tasks WHERE result_id = ?1 OR refused_for = ?1
           OR (next_at IS NULL AND origin IN (SELECT origin FROM tasks WHERE result_id = ?1))";
    execute(connection, erase, [file])?;
    Ok(())
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
