//! Texts being edited, in folders beside the journal that only their owner can look into, each with
//! a record of its file and of the run that has it. Texts that ended runs have left are offered
//! again for a week.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use rusqlite::Row;
use serde::{Deserialize, Serialize};
use tempfile::{NamedTempFile, TempDir};

use super::database::Journal;
use super::run;
use super::text::{OfJson, word};
use crate::api::ids::FileId;
use crate::api::{Error, Kind};
use crate::engine::item::Item;
use crate::engine::job::{Job, JobKind};
use crate::engine::source::FileSource;
use crate::engine::text_file::{
    self, EditedText, KEPT_FOR, KEPT_IN, UnsavedEdits, is_private_folder, private_folder, record_of,
};
use crate::regular_file::{self, Links};

#[derive(Debug, Serialize, Deserialize)]
struct Record {
    account: String,
    /// The run that gave it to an editor last.
    run: String,
    file: Item,
    name: PathBuf,
    seen: String,
    /// The time at which it was given to an editor last.
    given_at: Timestamp,
}

struct Edits {
    dir: PathBuf,
    journal: PathBuf,
    account: String,
    run: String,
}

impl Journal {
    /// Creates a folder for a text: in the system's temporary directory if nothing outlives the
    /// process.
    pub(crate) async fn text_folder(&self) -> Result<TempDir, Error> {
        let edits = self.edits();
        let make = move || match &edits {
            Some(edits) => edits.make().and_then(|()| private_folder(&edits.dir)),
            None => private_folder(&std::env::temp_dir()),
        };
        blocking(make)
            .await
            .map_err(|error| Error::local("Cannot create a folder for the text", &error))
    }

    /// Records the file that the text in such a folder belongs to.
    pub(crate) async fn keep_text(&self, text: EditedText) -> Result<(), Error> {
        let Some(edits) = self.edits() else {
            return Ok(());
        };
        let keep = move || edits.write(&text);
        blocking(keep)
            .await
            .map_err(|error| Error::local("Cannot save which file the text belongs to", &error))
    }

    /// Returns the texts of the account that no run works on, newest first; with `of`, only those
    /// of that file.
    pub(crate) async fn unsaved_edits(
        &self,
        of: Option<&FileId>,
        now: Timestamp,
    ) -> Result<Vec<EditedText>, Error> {
        let Some(edits) = self.edits() else {
            return Ok(Vec::new());
        };
        let busy = self.texts_in_the_queue().await?;
        let of = of.cloned();
        blocking(move || edits.own(of.as_ref(), &busy, now))
            .await
            .map_err(|error| unreadable(&error))
    }

    /// Returns the same, after removing old texts of all accounts.
    pub(crate) async fn sweep_texts(&self, now: Timestamp) -> Result<UnsavedEdits, Error> {
        let Some(edits) = self.edits() else {
            return Ok(UnsavedEdits::default());
        };
        let busy = self.texts_in_the_queue().await?;
        let removed = blocking(move || edits.remove_old(&busy, now))
            .await
            .map_err(|error| unreadable(&error))?;
        Ok(UnsavedEdits {
            texts: self.unsaved_edits(None, now).await?,
            removed,
        })
    }

    /// Takes over for this run a text that no other run works on.
    pub(crate) async fn take_text(
        &self,
        path: PathBuf,
        now: Timestamp,
    ) -> Result<EditedText, Error> {
        let Some(edits) = self.edits() else {
            return Err(gone());
        };
        let busy = self.texts_in_the_queue().await?;
        let taken = blocking(move || edits.take(&path, &busy, now)).await;
        taken
            .map_err(|error| Error::local("Cannot open the unsaved edit", &error))?
            .ok_or_else(gone)
    }

    /// Returns `None` if nothing outlives the process.
    fn edits(&self) -> Option<Edits> {
        let (account, run) = (self.account.to_string(), self.run.id.clone());
        let dir = self.path.with_file_name(KEPT_IN);
        self.run.is_shared().then(|| Edits {
            dir,
            journal: self.path.to_path_buf(),
            account,
            run,
        })
    }

    /// Returns the local files of replacements that wait, are running, or are in doubt, of all
    /// accounts.
    async fn texts_in_the_queue(&self) -> Result<BTreeSet<PathBuf>, Error> {
        let select = "SELECT item.job FROM item JOIN batch ON batch.number = item.batch \
                      WHERE verb = ?1 AND state IN ('waiting', 'sent', 'doubt')";
        let local = |row: &Row<'_>| match row.get::<_, OfJson<Job>>(0) {
            Ok(OfJson(Job::Replace {
                source: FileSource::Local(local),
                ..
            })) => Ok(Some(local)),
            _ => Ok(None),
        };
        let all = self.find(select, [word(JobKind::Replace)], local).await?;
        Ok(all.into_iter().flatten().collect())
    }
}

impl Edits {
    fn make(&self) -> io::Result<()> {
        let mut dir = fs::DirBuilder::new();
        dir.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut dir, 0o700);
        dir.create(&self.dir)
    }

    /// Waits until no other process takes or removes texts. Others wait as long as the result is
    /// kept.
    fn alone(&self) -> io::Result<File> {
        let lock = regular_file::open_own(&self.dir.join("lock"))?;
        lock.lock()?;
        Ok(lock)
    }

    fn write(&self, text: &EditedText) -> io::Result<()> {
        let (Some(folder), Some(name)) = (text.path.parent(), text.path.file_name()) else {
            return Ok(());
        };
        let record = Record {
            account: self.account.clone(),
            run: self.run.clone(),
            file: text.file.clone(),
            name: name.into(),
            seen: text.seen.clone(),
            given_at: text.at,
        };
        let mut file = NamedTempFile::new_in(&self.dir)?;
        file.write_all(&serde_json::to_vec(&record)?)?;
        file.as_file().sync_all()?;
        file.persist(record_of(folder))?;
        Ok(())
    }

    fn folders(&self) -> io::Result<Vec<PathBuf>> {
        let entries = match fs::read_dir(&self.dir) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let entries = entries
            .flatten()
            .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        Ok(entries
            .map(|entry| entry.path())
            .filter(|path| is_private_folder(path))
            .collect())
    }

    /// Returns all texts that neither a run nor the queue works on.
    fn left(&self, busy: &BTreeSet<PathBuf>) -> io::Result<Vec<(Record, EditedText)>> {
        let folders = self.folders()?;
        Ok(folders
            .iter()
            .filter_map(|folder| self.left_in(folder, busy))
            .collect())
    }

    fn left_in(&self, folder: &Path, busy: &BTreeSet<PathBuf>) -> Option<(Record, EditedText)> {
        let record = record(folder)?;
        let path = folder.join(record.name.file_name()?);
        let is_held = record.run != self.run && !run::has_ended(&self.journal, &record.run);
        if is_held || busy.contains(&path) {
            return None;
        }
        let at = saved_at(&path).map_or(record.given_at, |saved| saved.max(record.given_at));
        let text = EditedText {
            file: record.file.clone(),
            path,
            seen: record.seen.clone(),
            at,
        };
        Some((record, text))
    }

    /// Returns the texts of the account that are not old, newest first; with `of`, only those of
    /// that file.
    fn own(
        &self,
        of: Option<&FileId>,
        busy: &BTreeSet<PathBuf>,
        now: Timestamp,
    ) -> io::Result<Vec<EditedText>> {
        let is_meant = |(record, text): &(Record, EditedText)| {
            let is_asked_for = of.is_none_or(|id| text.file.target.file() == Some(id));
            record.account == self.account
                && is_asked_for
                && !is_old(text, now)
                && text.path.exists()
        };
        let mut texts: Vec<EditedText> = self
            .left(busy)?
            .into_iter()
            .filter(is_meant)
            .map(|(_, text)| text)
            .collect();
        texts.sort_by_key(|text| std::cmp::Reverse(text.at));
        Ok(texts)
    }

    /// Removes the old ones, and leftovers: an old folder without a readable record, a record whose
    /// folder is gone. What cannot be removed stays until the next time.
    fn remove_old(&self, busy: &BTreeSet<PathBuf>, now: Timestamp) -> io::Result<Vec<EditedText>> {
        if !self.dir.exists() {
            return Ok(Vec::new());
        }
        let _alone = self.alone()?;
        for folder in self.folders()? {
            let is_old = saved_at(&folder).is_some_and(|at| now.duration_since(at) >= KEPT_FOR);
            if is_old && record(&folder).is_none() {
                is_gone(&text_file::discard(&folder.join("text")));
            }
        }
        for record in fs::read_dir(&self.dir)?.flatten().map(|entry| entry.path()) {
            let folder = record.with_extension("");
            if is_private_folder(&folder) && record_of(&folder) == record && !folder.exists() {
                is_gone(&fs::remove_file(record));
            }
        }
        let old = self
            .left(busy)?
            .into_iter()
            .map(|(_, text)| text)
            .filter(|text| is_old(text, now));
        Ok(old
            .filter(|text| is_gone(&text_file::discard(&text.path)))
            .collect())
    }

    fn take(
        &self,
        path: &Path,
        busy: &BTreeSet<PathBuf>,
        now: Timestamp,
    ) -> io::Result<Option<EditedText>> {
        let Some(folder) = path
            .parent()
            .filter(|folder| is_private_folder(folder) && folder.exists())
        else {
            return Ok(None);
        };
        let _alone = self.alone()?;
        let Some((_, left)) = self.left_in(folder, busy) else {
            return Ok(None);
        };
        regular_file::open(&left.path, Links::Refused)?;
        let text = EditedText { at: now, ..left };
        self.write(&text)?;
        Ok(Some(text))
    }
}

fn record(folder: &Path) -> Option<Record> {
    serde_json::from_slice(&regular_file::read_own(&record_of(folder)).ok()?).ok()
}

fn is_gone(removed: &io::Result<()>) -> bool {
    if let Err(error) = removed {
        tracing::warn!(%error, "an old unsaved edit could not be removed");
    }
    removed.is_ok()
}

fn is_old(text: &EditedText, now: Timestamp) -> bool {
    now.duration_since(text.at) >= KEPT_FOR
}

fn saved_at(path: &Path) -> Option<Timestamp> {
    Timestamp::try_from(fs::symlink_metadata(path).ok()?.modified().ok()?).ok()
}

fn gone() -> Error {
    let message =
        "The unsaved edit is gone: it was saved or discarded, or another filedeck is editing it";
    Error::new(Kind::Refused, message)
}

fn unreadable(error: &io::Error) -> Error {
    Error::local("Cannot look for unsaved edits", error)
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|error| Err(io::Error::other(error)))
}
