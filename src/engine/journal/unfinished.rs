//! A file beside the journal that exists as long as the journal has unfinished work, and holds only
//! a count: that of the changes of this work. A journal that knows of fewer was damaged, replaced
//! by an older copy, or removed.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, Params, Transaction};

use super::database::{Journal, transact};
use crate::api::Error;
use crate::regular_file;

impl Journal {
    /// Returns a message if the journal lacks changes that were written to it: its unfinished work
    /// is then in doubt and waits for the user. Reported once.
    ///
    /// # Errors
    ///
    /// The journal cannot be read or written.
    pub async fn loss(&self) -> Result<Option<String>, Error> {
        if !self.read(Self::lacks_changes).await? {
            return Ok(None);
        }
        let doubt = "UPDATE item SET state = 'doubt' WHERE state = 'waiting' \
                       AND batch IN (SELECT number FROM batch WHERE ended_at IS NULL); \
                     UPDATE batch SET held = 'restarted' WHERE ended_at IS NULL";
        self.change_work(move |_, change| change.execute_batch(doubt))
            .await?;
        Ok(Some(format!(
            "{} lacks what was written to it last: it was damaged, removed, or put back from a copy. Look which of your last \
             uploads, downloads and changes are missing, and start those again; what the journal still has of them waits \
             for a key in the list of tasks. Hidden files that end in .part go with the next download into their folder",
            self.path.display()
        )))
    }

    fn lacks_changes(&self, connection: &Connection) -> rusqlite::Result<bool> {
        let Some(file) = self.unfinished() else {
            return Ok(false);
        };
        let text = regular_file::read_own(&file)
            .ok()
            .and_then(|text| String::from_utf8(text).ok());
        let known = text.and_then(|text| text.trim().parse::<i64>().ok());
        let count: i64 = connection.query_row("SELECT count FROM changes", [], |row| row.get(0))?;
        Ok(known.is_some_and(|known| known > count))
    }

    /// Makes a change to the work to be done, and counts it.
    pub(super) async fn change_work<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Self, &Transaction<'_>) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, Error> {
        let count = "UPDATE changes SET count = count + 1 \
                     RETURNING count, EXISTS (SELECT 1 FROM batch WHERE ended_at IS NULL)";
        let change = |journal: &Self, connection: &mut Connection| {
            let (made, (count, is_unfinished)) = transact(connection, |transaction| {
                let made = change(journal, transaction)?;
                let counted = transaction
                    .prepare_cached(count)?
                    .query_row([], |row| <(i64, bool)>::try_from(row))?;
                Ok((made, counted))
            })?;
            journal.keep_count(count, is_unfinished);
            Ok(made)
        };
        self.ask(change).await
    }

    /// Makes such a change with one statement; returns the number of rows changed.
    pub(super) async fn change_by(
        &self,
        statement: &'static str,
        values: impl Params + Send + 'static,
    ) -> Result<usize, Error> {
        self.change_work(move |_, change| change.prepare_cached(statement)?.execute(values))
            .await
    }

    fn keep_count(&self, count: i64, is_unfinished: bool) {
        let Some(file) = self.unfinished() else {
            return;
        };
        let kept = if is_unfinished {
            write_own(&file, &count.to_string())
        } else {
            fs::remove_file(&file)
        };
        if let Err(error) = kept
            && error.kind() != ErrorKind::NotFound
        {
            tracing::warn!(%error, file = %file.display(), "a loss of the journal could not be detected");
        }
    }

    /// Returns `None` for a journal that does not outlive its process.
    fn unfinished(&self) -> Option<PathBuf> {
        self.run
            .is_shared()
            .then(|| self.path.with_added_extension("unfinished"))
    }
}

fn write_own(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = regular_file::open_own(path)?;
    file.set_len(0)?;
    file.write_all(text.as_bytes())
}
