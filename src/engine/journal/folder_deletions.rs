//! Deleted folders and the files in them: noted beforehand, in parts, and listed once the deletion
//! is certain.

use jiff::Timestamp;
use rusqlite::{Connection, Row, Transaction};

use super::database::{Journal, size, time};
use super::text::json;
use crate::api::Error;
use crate::api::ids::{FileId, FolderId};
use crate::engine::deletion::Deletion;
use crate::engine::item::{Item, Target};

impl Journal {
    /// Forgets the notes on a folder that was not deleted after all.
    pub(crate) async fn forget_noted(&self, folder: &FolderId) -> Result<(), Error> {
        let folder = folder.clone();
        let forget = move |journal: &Self, change: &Transaction<'_>| {
            let forget =
                "DELETE FROM folder_deletion WHERE account = ?1 AND folder = ?2 AND NOT certain";
            change
                .prepare_cached(forget)?
                .execute((&journal.account, folder.as_str()))?;
            journal.forget_files(change, &folder)
        };
        self.change(forget).await
    }

    pub(crate) async fn note_files(
        &self,
        folder: &FolderId,
        files: &[Item],
        at: Timestamp,
    ) -> Result<(), Error> {
        let rows: Vec<_> = files
            .iter()
            .map(|file| (file.target.id(), &file.path, file.size, &file.md5))
            .collect();
        let (folder, rows) = (folder.clone(), json(&rows));
        let insert = "INSERT OR REPLACE INTO noted_file (account, folder, file, path, noted_at, size, md5) \
                      SELECT ?1, ?4, value ->> 0, value ->> 1, ?3, value ->> 2, value ->> 3 FROM json_each(?2)";
        let note = move |journal: &Self, change: &Transaction<'_>| {
            let values = (&journal.account, rows, at.as_millisecond(), folder.as_str());
            change.prepare_cached(insert)?.execute(values).map(drop)
        };
        self.change(note).await
    }

    /// Notes that a folder is about to be deleted, and whether more will be deleted with it than is
    /// noted.
    pub(crate) async fn note_folder(
        &self,
        folder: &FolderId,
        deletion: &Deletion,
    ) -> Result<(), Error> {
        let (folder, deletion) = (folder.clone(), deletion.clone());
        self.change(move |journal, change| journal.insert_folder(change, &folder, &deletion, false))
            .await
    }

    /// Records that a folder was deleted with the noted files. Files already known to be deleted
    /// stay as they are.
    pub(super) fn add_folder(
        &self,
        change: &Connection,
        folder: &FolderId,
        deletion: &Deletion,
    ) -> rusqlite::Result<()> {
        self.insert_folder(change, folder, deletion, true)?;
        let take = "INSERT INTO deletion (account, file, path, deleted_at, folder, size, md5) \
                    SELECT account, file, path, ?3, folder, size, md5 FROM noted_file WHERE account = ?1 AND folder = ?2 \
                    ON CONFLICT (account, file) DO NOTHING";
        let values = (
            &self.account,
            folder.as_str(),
            deletion.deleted_at.as_millisecond(),
        );
        change.prepare_cached(take)?.execute(values)?;
        self.forget_files(change, folder)
    }

    /// Inserts a folder. A certain row stays as it is; in a row that was in doubt, what was missing
    /// remains missing.
    fn insert_folder(
        &self,
        change: &Connection,
        folder: &FolderId,
        deletion: &Deletion,
        certain: bool,
    ) -> rusqlite::Result<()> {
        let insert = "INSERT INTO folder_deletion (account, folder, path, deleted_at, missing, certain) \
                      VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (account, folder) DO UPDATE \
                      SET path = excluded.path, deleted_at = excluded.deleted_at, certain = excluded.certain, \
                          missing = coalesce(folder_deletion.missing, excluded.missing) \
                      WHERE NOT folder_deletion.certain";
        let (path, at, missing) = (
            &deletion.path,
            deletion.deleted_at.as_millisecond(),
            deletion.missing(),
        );
        let row = (&self.account, folder.as_str(), path, at, missing, certain);
        change.prepare_cached(insert)?.execute(row).map(drop)
    }

    fn forget_files(&self, change: &Connection, folder: &FolderId) -> rusqlite::Result<()> {
        let forget = "DELETE FROM noted_file WHERE account = ?1 AND folder = ?2";
        change
            .prepare_cached(forget)?
            .execute((&self.account, folder.as_str()))
            .map(drop)
    }

    /// Returns `true` if the notes on a folder are complete.
    pub(crate) async fn is_noted(&self, folder: &FolderId) -> Result<bool, Error> {
        let select = "SELECT 1 FROM folder_deletion WHERE account = ?1 AND folder = ?2";
        self.has_row(select, folder.as_str().to_owned()).await
    }

    /// Returns `true` if a file is listed as deleted with a folder.
    pub(crate) async fn went_with_folder(&self, file: &FileId) -> Result<bool, Error> {
        let select =
            "SELECT 1 FROM deletion WHERE account = ?1 AND file = ?2 AND folder IS NOT NULL";
        self.has_row(select, file.as_str().to_owned()).await
    }

    /// Returns size and MD5 of a file that was deleted before, as far as they are recorded.
    pub(crate) async fn deleted_content(
        &self,
        file: &FileId,
    ) -> Result<Option<(Option<u64>, Option<String>)>, Error> {
        let select = "SELECT size, md5 FROM deletion WHERE account = ?1 AND file = ?2";
        let values = (self.account.clone(), file.as_str().to_owned());
        let found = self.find(select, values, |row| Ok((size(row.get(0)?), row.get(1)?)));
        Ok(found.await?.pop())
    }

    /// Returns `true` if a query finds something of the account with this id.
    async fn has_row(&self, select: &'static str, id: String) -> Result<bool, Error> {
        let find = move |journal: &Self, connection: &Connection| {
            connection
                .prepare_cached(select)?
                .exists((&journal.account, id))
        };
        self.read(find).await
    }

    /// Removes a file from the list that was not deleted with its folder.
    pub(crate) async fn forget_deletion(&self, file: &FileId) -> Result<(), Error> {
        let file = file.clone();
        self.change(move |journal, change| journal.delete_deletion(change, &file))
            .await
    }

    /// Returns the files that were deleted with a folder and are not deleted permanently, in order
    /// of their paths.
    pub async fn deleted_with(&self, folder: &FolderId) -> Result<Vec<Deletion>, Error> {
        let select = "SELECT file, deletion.path, folder_deletion.deleted_at, size, md5 \
                      FROM deletion JOIN folder_deletion USING (account, folder) \
                      WHERE account = ?1 AND folder = ?2 AND certain ORDER BY deletion.path";
        let read = |row: &Row<'_>| {
            Ok(Deletion {
                target: Target::File(FileId::new(row.get::<_, String>(0)?)),
                path: row.get(1)?,
                deleted_at: time(row.get(2)?),
                gone_by: None,
                size: size(row.get(3)?),
                md5: row.get(4)?,
                answer: None,
                contents: None,
            })
        };
        self.find(
            select,
            (self.account.clone(), folder.as_str().to_owned()),
            read,
        )
        .await
    }
}
