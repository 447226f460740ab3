//! Folders that are deleted, and the files that go with them: written down before, in parts, and listed once it is certain.

use jiff::Timestamp;
use sqlx::SqliteConnection;

use super::database::{Journal, time};
use super::text::json;
use crate::api::Error;
use crate::api::ids::{FileId, FolderId};
use crate::engine::deletion::Deletion;
use crate::engine::item::{Item, Target};

impl Journal {
    /// Forgets what was noted of a folder that was not deleted then.
    pub(crate) async fn forget_noted(&self, folder: &FolderId) -> Result<(), Error> {
        let forget = async {
            let mut change = self.pool.begin().await?;
            for forget in [
                "DELETE FROM folder_deletion WHERE account = $1 AND folder = $2 AND NOT certain",
                "DELETE FROM noted_file WHERE account = $1 AND folder = $2",
            ] {
                sqlx::query(forget).bind(&self.account).bind(folder.as_str()).execute(&mut *change).await?;
            }
            change.commit().await
        };
        forget.await.map_err(|error: sqlx::Error| self.failed(&error))
    }

    /// Notes files that will go with a folder.
    pub(crate) async fn note_files(&self, folder: &FolderId, files: &[Item], at: Timestamp) -> Result<(), Error> {
        let rows: Vec<(&str, &str)> = files.iter().map(|file| (file.target.id(), file.path.as_str())).collect();
        let insert = "INSERT OR REPLACE INTO noted_file (account, folder, file, path, noted_at) \
                      SELECT $1, $4, value ->> 0, value ->> 1, $3 FROM json_each($2)";
        let insert = sqlx::query(insert).bind(&self.account).bind(json(&rows)).bind(at.as_millisecond());
        insert.bind(folder.as_str()).execute(&self.pool).await.map(drop).map_err(|error| self.failed(&error))
    }

    /// Notes that a folder is about to be deleted, and whether more goes with it than is noted.
    pub(crate) async fn note_folder(&self, folder: &FolderId, deletion: &Deletion) -> Result<(), Error> {
        let mut pool = self.pool.acquire().await.map_err(|error| self.failed(&error))?;
        self.insert_folder(&mut pool, folder, deletion, false).await.map_err(|error| self.failed(&error))
    }

    /// Keeps that a folder was deleted, and with it the files that are noted. Those that are known to be deleted already
    /// stay as they are.
    pub(super) async fn add_folder(&self, folder: &FolderId, deletion: &Deletion) -> Result<(), sqlx::Error> {
        let mut change = self.pool.begin().await?;
        self.insert_folder(&mut change, folder, deletion, true).await?;
        let take = "INSERT INTO deletion (account, file, path, deleted_at, folder) \
                    SELECT account, file, path, $3, folder FROM noted_file WHERE account = $1 AND folder = $2 \
                    ON CONFLICT (account, file) DO NOTHING";
        let take = sqlx::query(take).bind(&self.account).bind(folder.as_str());
        take.bind(deletion.deleted_at.as_millisecond()).execute(&mut *change).await?;
        let forget = "DELETE FROM noted_file WHERE account = $1 AND folder = $2";
        sqlx::query(forget).bind(&self.account).bind(folder.as_str()).execute(&mut *change).await?;
        change.commit().await
    }

    /// What is certain stays as it is; of what was in doubt, what was missing then is missing still.
    async fn insert_folder(
        &self,
        connection: &mut SqliteConnection,
        folder: &FolderId,
        deletion: &Deletion,
        certain: bool,
    ) -> Result<(), sqlx::Error> {
        let insert = "INSERT INTO folder_deletion (account, folder, path, deleted_at, missing, certain) \
                      VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (account, folder) DO UPDATE \
                      SET path = excluded.path, deleted_at = excluded.deleted_at, certain = excluded.certain, \
                          missing = coalesce(folder_deletion.missing, excluded.missing) \
                      WHERE NOT folder_deletion.certain";
        let insert = sqlx::query(insert)
            .bind(&self.account)
            .bind(folder.as_str())
            .bind(&deletion.path)
            .bind(deletion.deleted_at.as_millisecond())
            .bind(deletion.missing())
            .bind(certain);
        insert.execute(connection).await.map(drop)
    }

    /// Whether it was noted to the end what goes with a folder.
    pub(crate) async fn is_noted(&self, folder: &FolderId) -> Result<bool, Error> {
        let select = "SELECT EXISTS (SELECT 1 FROM folder_deletion WHERE account = $1 AND folder = $2)";
        let found = sqlx::query_scalar(select).bind(&self.account).bind(folder.as_str()).fetch_one(&self.pool).await;
        found.map_err(|error| self.failed(&error))
    }

    /// Whether a file is listed as one that went with a folder.
    pub(crate) async fn went_with_folder(&self, file: &FileId) -> Result<bool, Error> {
        let select = "SELECT EXISTS (SELECT 1 FROM deletion WHERE account = $1 AND file = $2 AND folder IS NOT NULL)";
        let found = sqlx::query_scalar(select).bind(&self.account).bind(file.as_str()).fetch_one(&self.pool).await;
        found.map_err(|error| self.failed(&error))
    }

    /// Lists a file no more that did not go with its folder.
    pub(crate) async fn forget_deletion(&self, file: &FileId) -> Result<(), Error> {
        let forget = "DELETE FROM deletion WHERE account = $1 AND file = $2";
        let forget = sqlx::query(forget).bind(&self.account).bind(file.as_str()).execute(&self.pool).await;
        forget.map(drop).map_err(|error| self.failed(&error))
    }

    /// The files that went with a folder and are not deleted permanently, in order of their paths.
    pub async fn deleted_with(&self, folder: &FolderId) -> Result<Vec<Deletion>, Error> {
        let select = "SELECT file, deletion.path, folder_deletion.deleted_at \
                      FROM deletion JOIN folder_deletion USING (account, folder) \
                      WHERE account = $1 AND folder = $2 AND certain ORDER BY deletion.path";
        let rows: Vec<(String, String, i64)> = sqlx::query_as(select)
            .bind(&self.account)
            .bind(folder.as_str())
            .fetch_all(&self.pool)
            .await
            .map_err(|error| self.failed(&error))?;
        let deletion = |(file, path, deleted_at)| Deletion {
            target: Target::File(FileId::new(file)),
            path,
            deleted_at: time(deleted_at),
            gone_by: None,
            contents: None,
        };
        Ok(rows.into_iter().map(deletion).collect())
    }
}
