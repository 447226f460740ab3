//! Files by id, for the many requests that are about one file each: those that ask at the same time share a query, and
//! with it the way to the connection's thread and back, which costs more than their rows. Nobody waits for company.

use std::collections::HashMap;
use std::sync::Arc;

use sqlx::AssertSqlSafe;
use sqlx::sqlite::SqlitePool;
use tokio::sync::{mpsc, oneshot};

use super::records::{self, FileKey, FileRecord, select_files};

/// How many questions share a query at most.
const BATCH: usize = 64;
/// How many wait before those who ask have to wait too.
const QUEUE: usize = 256;

/// Takes questions to the one task that asks them. Cheap to clone; the task ends with the last clone.
#[derive(Debug, Clone)]
pub(super) struct Lookup {
    queue: mpsc::Sender<Question>,
}

type Question = (FileKey, oneshot::Sender<Option<FileRecord>>);

impl Lookup {
    /// Starts the task that asks.
    pub(super) fn start(readers: SqlitePool) -> Self {
        let (queue, questions) = mpsc::channel(QUEUE);
        tokio::spawn(run(readers, questions));
        Self { queue }
    }

    /// The file that is not deleted, if there is one. `None` where the query failed.
    pub(super) async fn file(&self, key: FileKey) -> Option<Option<FileRecord>> {
        let (answer, answered) = oneshot::channel();
        self.queue.send((key, answer)).await.ok()?;
        answered.await.ok()
    }
}

async fn run(readers: SqlitePool, mut questions: mpsc::Receiver<Question>) {
    let query = Arc::new(records::as_lines(select_files!(
        "WHERE f.deleted_at IS NULL AND f.id IN (SELECT value FROM json_each($1))"
    )));
    let mut asked = Vec::with_capacity(BATCH);
    while questions.recv_many(&mut asked, BATCH).await > 0 {
        match files(&readers, query.clone(), &asked).await {
            Ok(files) => asked.drain(..).for_each(|(key, answer)| {
                // Nobody may be waiting any more.
                let _ = answer.send(files.get(&key).cloned());
            }),
            Err(error) => {
                tracing::debug!(%error, "a lookup of files failed");
                asked.clear();
            }
        }
    }
}

async fn files(
    readers: &SqlitePool,
    query: Arc<String>,
    asked: &[Question],
) -> Result<HashMap<FileKey, FileRecord>, sqlx::Error> {
    let keys: Vec<String> = asked.iter().map(|(key, _)| key.0.to_string()).collect();
    let query = sqlx::query_scalar(AssertSqlSafe(query)).bind(format!("[{}]", keys.join(",")));
    let lines: String = query.fetch_one(readers).await?;
    records::read_lines(&lines).map(|file: Result<FileRecord, _>| file.map(|file| (file.key, file))).collect()
}
