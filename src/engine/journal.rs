//! What must outlive the process, in SQLite: tasks of the service, transfers under way, receipts of permanent deletions.
//! Keyed by account. Every row is on the disk before what it tells of goes on.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use sqlx::SqlSafeStr as _;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use url::Url;

use self::run::Run;
use super::job::Job;
use super::message::Unfinished;
use crate::api::ids::{FileId, FolderId, TaskId};
use crate::api::{Error, Kind};

mod run;

/// Permanent deletion ends within seven days (`service-seed.md` §3.2).
const GONE_WITHIN: SignedDuration = SignedDuration::from_hours(7 * 24);

/// The journal of one account. Clones share the database.
#[derive(Debug, Clone)]
pub struct Journal {
    pool: SqlitePool,
    account: String,
    run: Arc<Run>,
    path: PathBuf,
}

/// A transfer under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transfer(i64);

/// Proof that a permanent deletion was asked for and accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    pub file: FileId,
    pub path: String,
    pub deleted_at: Timestamp,
    /// By then content and metadata are gone.
    pub gone_by: Timestamp,
}

impl Journal {
    /// Opens the database at `path`, and makes it if it is not there; its directory must exist. `account` tells this
    /// account's rows from others'.
    pub async fn open(path: &Path, account: impl Into<String>) -> Result<Self, Error> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(Duration::from_secs(5));
        // One connection: writes are few and small, and SQLite takes them one by one anyway.
        let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await;
        let pool = pool.map_err(|error| unusable(path, &error))?;
        migrator().run(&pool).await.map_err(|error| unusable(path, &error))?;
        let run = Arc::new(Run::begin(path).map_err(|error| unusable(path, &error))?);
        Ok(Self { pool, account: account.into(), run, path: path.to_owned() })
    }

    /// Goes on without the row: what it was for has happened already, and must not be reported as a failure.
    pub fn log_failure(written: Result<(), Error>) {
        if let Err(error) = written {
            tracing::warn!(%error, "the journal lacks a row");
        }
    }

    /// Remembers an import. The address is kept without its query, which may hold a signature.
    pub async fn begin_import(&self, task: &TaskId, url: &str, folder: &str) -> Result<(), Error> {
        self.begin_task("import", task, None, &without_query(url), folder).await
    }

    /// Remembers a folder's rename or move.
    pub async fn begin_folder_update(
        &self,
        task: &TaskId,
        folder: &FolderId,
        from: &str,
        to: &str,
    ) -> Result<(), Error> {
        self.begin_task("folder", task, Some(folder.as_str()), from, to).await
    }

    /// Forgets an import that has ended.
    pub async fn end_import(&self, task: &TaskId) -> Result<(), Error> {
        self.end_task("import", task).await
    }

    /// Forgets a folder update that has ended.
    pub async fn end_folder_update(&self, task: &TaskId) -> Result<(), Error> {
        self.end_task("folder", task).await
    }

    /// Remembers a transfer; `what` is shown should it be cut short, and the local folder of a download swept.
    pub async fn begin_transfer(&self, what: &str, folder: Option<&Path>) -> Result<Transfer, Error> {
        let insert = "INSERT INTO transfer (account, run, what, folder, started_at) VALUES ($1, $2, $3, $4, $5)";
        let insert = sqlx::query(insert).bind(&self.account).bind(&self.run.id).bind(what);
        // A folder whose name is no text is swept by the next download into it.
        let insert = insert.bind(folder.and_then(Path::to_str)).bind(now());
        let done = insert.execute(&self.pool).await.map_err(|error| self.failed(&error))?;
        Ok(Transfer(done.last_insert_rowid()))
    }

    /// Forgets a transfer that has ended, well or badly.
    pub async fn end_transfer(&self, transfer: Transfer) -> Result<(), Error> {
        let delete = sqlx::query("DELETE FROM transfer WHERE number = $1").bind(transfer.0);
        delete.execute(&self.pool).await.map(drop).map_err(|error| self.failed(&error))
    }

    /// Keeps the proof of a permanent deletion.
    pub async fn add_receipt(&self, file: &FileId, path: &str) -> Result<(), Error> {
        let at = Timestamp::now();
        let gone_by = at.saturating_add(GONE_WITHIN).unwrap_or(at);
        let insert = "INSERT INTO receipt (account, file, path, deleted_at, gone_by) VALUES ($1, $2, $3, $4, $5)";
        let insert = sqlx::query(insert)
            .bind(&self.account)
            .bind(file.as_str())
            .bind(path)
            .bind(at.as_millisecond())
            .bind(gone_by.as_millisecond());
        insert.execute(&self.pool).await.map(drop).map_err(|error| self.failed(&error))
    }

    /// Proofs of permanent deletions, newest first.
    pub async fn receipts(&self) -> Result<Vec<Receipt>, Error> {
        let select = "SELECT file, path, deleted_at, gone_by FROM receipt WHERE account = $1 ORDER BY number DESC";
        let rows: Vec<(String, String, i64, i64)> = sqlx::query_as(select)
            .bind(&self.account)
            .fetch_all(&self.pool)
            .await
            .map_err(|error| self.failed(&error))?;
        let time = |millis| Timestamp::from_millisecond(millis).unwrap_or(Timestamp::UNIX_EPOCH);
        let receipt = |(file, path, deleted_at, gone_by): (String, _, _, _)| Receipt {
            file: FileId::new(file),
            path,
            deleted_at: time(deleted_at),
            gone_by: time(gone_by),
        };
        Ok(rows.into_iter().map(receipt).collect())
    }

    /// What earlier runs left, oldest first. Transfers are told once, tasks until they have ended; the transfers of a run
    /// that goes on in another process are left to it.
    pub async fn unfinished(&self) -> Result<Vec<Unfinished>, Error> {
        let tasks = self.unfinished_tasks().await.map_err(|error| self.failed(&error))?;
        let mut lost = Vec::new();
        for run in self.ended_runs().await.map_err(|error| self.failed(&error))? {
            let take = "DELETE FROM transfer WHERE account = $1 AND run = $2 RETURNING what, folder";
            let taken: Vec<(String, Option<String>)> = sqlx::query_as(take)
                .bind(&self.account)
                .bind(run)
                .fetch_all(&self.pool)
                .await
                .map_err(|error| self.failed(&error))?;
            lost.extend(taken.into_iter().map(|(what, folder)| {
                let folder = folder.map(PathBuf::from);
                Unfinished::CutShort { what, folder }
            }));
        }
        Ok(tasks.into_iter().chain(lost).collect())
    }

    /// Runs with transfers under way whose process is there no more, oldest first.
    async fn ended_runs(&self) -> Result<Vec<String>, sqlx::Error> {
        let select = "SELECT run FROM transfer WHERE account = $1 AND run <> $2 GROUP BY run ORDER BY min(number)";
        let runs: Vec<(String,)> =
            sqlx::query_as(select).bind(&self.account).bind(&self.run.id).fetch_all(&self.pool).await?;
        let ended = runs.into_iter().map(|(run,)| run).filter(|run| run::has_ended(&self.path, run)).collect();
        run::sweep(&self.path);
        Ok(ended)
    }

    async fn unfinished_tasks(&self) -> Result<Vec<Unfinished>, sqlx::Error> {
        let select = "SELECT id, folder, source, target FROM task WHERE account = $1 ORDER BY rowid";
        let rows: Vec<(String, Option<String>, String, String)> =
            sqlx::query_as(select).bind(&self.account).fetch_all(&self.pool).await?;
        let task = |(id, folder, source, target): (String, Option<String>, _, _)| match folder {
            None => Unfinished::Job(Job::WatchImport { task: TaskId::new(id), url: source, folder: target }),
            Some(folder) => Unfinished::Job(Job::WatchFolderUpdate {
                task: TaskId::new(id),
                folder: FolderId::new(folder),
                from: source,
                to: target,
            }),
        };
        Ok(rows.into_iter().map(task).collect())
    }

    async fn begin_task(
        &self,
        kind: &str,
        task: &TaskId,
        folder: Option<&str>,
        source: &str,
        target: &str,
    ) -> Result<(), Error> {
        let insert = "INSERT INTO task (account, kind, id, folder, source, target, started_at) \
                      VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING";
        let insert = sqlx::query(insert).bind(&self.account).bind(kind).bind(task.as_str());
        let insert = insert.bind(folder).bind(source).bind(target).bind(now());
        insert.execute(&self.pool).await.map(drop).map_err(|error| self.failed(&error))
    }

    async fn end_task(&self, kind: &str, task: &TaskId) -> Result<(), Error> {
        let delete = sqlx::query("DELETE FROM task WHERE account = $1 AND kind = $2 AND id = $3");
        let delete = delete.bind(&self.account).bind(kind).bind(task.as_str());
        delete.execute(&self.pool).await.map(drop).map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &sqlx::Error) -> Error {
        unusable(&self.path, error)
    }
}

fn migrator() -> Migrator {
    let migration = |number, name: &'static str, sql: &'static str| {
        Migration::new(number, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    };
    Migrator::with_migrations(vec![
        migration(1, "unfinished work", include_str!("../../assets/migrations/journal/0001_unfinished_work.sql")),
        migration(
            2,
            "folders of downloads",
            include_str!("../../assets/migrations/journal/0002_folders_of_downloads.sql"),
        ),
    ])
}

fn unusable(path: &Path, error: &dyn std::error::Error) -> Error {
    Error::new(Kind::Local, format!("The journal {} cannot be used: {error}", path.display()))
}

fn now() -> i64 {
    Timestamp::now().as_millisecond()
}

fn without_query(address: &str) -> String {
    let Ok(mut url) = Url::parse(address) else { return String::new() };
    url.set_query(None);
    url.set_fragment(None);
    // Neither can fail for an address with a host; one without holds no password.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.into()
}

#[cfg(test)]
mod tests;
