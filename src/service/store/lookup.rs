//! Files by id, for the many requests that are about one file each: those that ask at the same time share a query, and
//! with it the way to the connection's thread and back, which costs more than their rows. Nobody waits for company.

use std::collections::HashMap;
use std::sync::Arc;

use sqlx::AssertSqlSafe;
use sqlx::sqlite::SqlitePool;
use tokio::sync::{mpsc, oneshot};

use super::records::{FileKey, FileRecord, select_files};
use super::rows;

/// How many questions share a query at most.
const BATCH: usize = 64;
/// How many wait before those who ask have to wait too.
const QUEUE: usize = 256;

/// Takes questions to the one task that asks them. Cheap to clone; the task ends with the last clone.
#[derive(Debug, Clone)]
pub(super) struct FileLookup {
    queue: mpsc::Sender<PendingLookup>,
}

type PendingLookup = (FileKey, LookupReply);
type LookupReply = oneshot::Sender<Option<FileRecord>>;

impl FileLookup {
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

async fn run(readers: SqlitePool, mut questions: mpsc::Receiver<PendingLookup>) {
    let query = Arc::new(rows::all_of(select_files!(
        "WHERE f.deleted_at IS NULL AND f.id IN (SELECT value FROM json_each($1))"
    )));
    let mut asked = Vec::with_capacity(BATCH);
    while questions.recv_many(&mut asked, BATCH).await > 0 {
        if let Err(error) = answer(&readers, query.clone(), &mut asked).await {
            tracing::debug!(%error, "a lookup of files failed");
        }
        asked.clear();
    }
}

/// Answers those who ask; where the query fails, their questions are dropped. So are those that are left where a row cannot
/// be read: it may be theirs.
async fn answer(readers: &SqlitePool, query: Arc<String>, asked: &mut Vec<PendingLookup>) -> Result<(), sqlx::Error> {
    let keys: Vec<String> = asked.iter().map(|(key, _)| key.0.to_string()).collect();
    let query = sqlx::query_scalar(AssertSqlSafe(query)).bind(format!("[{}]", keys.join(",")));
    let found: String = query.fetch_one(readers).await?;
    let mut files: HashMap<FileKey, FileRecord> = HashMap::with_capacity(asked.len());
    let mut all_read = true;
    for row in rows::each(&found) {
        match rows::read::<FileRecord>(row) {
            Ok(file) => drop(files.insert(file.key, file)),
            Err(error) => {
                tracing::debug!(%error, "a row of a lookup cannot be read");
                all_read = false;
            }
        }
    }
    for (key, answer) in asked.drain(..) {
        let file = files.get(&key).cloned();
        if file.is_some() || all_read {
            // Nobody may be waiting anymore.
            let _ = answer.send(file);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::service::store::{FileKey, query_plans};

    // Seen to fail when a row that cannot be read fails for all who ask with it, and when it counts as missing.
    #[tokio::test]
    async fn a_row_that_cannot_be_read_fails_for_its_own_asker_alone() {
        let dir = tempfile::tempdir().unwrap();
        let store = query_plans::open(&dir.path().join("test.db")).await;
        sqlx::raw_sql(
            "INSERT INTO files (id, stem, stem_folded, extension, full_name, blob, size, md5, digest, kind, media_type,
               access, usable, source_group, created_at, updated_at)
             SELECT value, value, value, '', value, value, 1, '', '', 'OTHER', iif(value = 2, char(31), 'text/plain'),
               'PRIVATE', 1, 'CONTENT', 0, 0 FROM json_each('[1, 2, 3]')",
        )
        .execute(&store.writer)
        .await
        .unwrap();
        let ask = |key| store.lookup.file(FileKey(key));
        let (first, damaged, third) = tokio::join!(ask(1), ask(2), ask(3));
        assert!(matches!((first, third), (Some(Some(_)), Some(Some(_)))));
        assert!(damaged.is_none());
        assert!(matches!(ask(4).await, Some(None)));
    }
}
