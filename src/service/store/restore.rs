//! Fills an empty database with the rows of others, in one transaction: ids, names and places are kept where they are
//! free, and what clashes gets a new id or a numbered name.

use std::collections::HashMap;

use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::content::StoredContent;
use super::error::StoreError;
use super::files::{DuplicateRule, NewFileRow, create, file_named, insert_row, next_free_name};
use super::folders::{find_or_create_folder, folder_at};
use super::placement::Placement;
use super::records::{FileKey, FileRecord, FolderKey, FolderRecord};
use super::recovered_files::{Finding, note_finding};
use super::sqlite::connections::{beside, connect};
use super::sqlite::database::Store;
use super::sqlite::ids::next_id;
use super::sqlite::salvage::SavedFile;
use super::sqlite::statements::{execute, value};
use super::sqlite::values::millis;
use super::unused_blobs::release_blob;
use crate::api::model::{Access, DuplicateStrategy};
use crate::connection_threads::ConnectionThreads;
use crate::service::content::blobs::BlobId;
use crate::service::domain::names::{FileName, FolderPath, fold};

/// Rows on their way into the database; dropped before `finish`, none of them is there.
pub(crate) struct Restoration(ConnectionThreads<RestoringConnection>);

/// A connection in the one transaction.
struct RestoringConnection {
    connection: Connection,
    /// Where the folders of the database that is being taken over are now, and whether they are live.
    folders: HashMap<FolderKey, (FolderKey, bool)>,
    now: Timestamp,
}

impl Store {
    pub(crate) async fn restoration(&self, now: Timestamp) -> Result<Restoration, StoreError> {
        let presence = self.presence.clone();
        beside(move || {
            let connection = connect(presence.file())?;
            presence.guard(&connection)?;
            connection.execute_batch("BEGIN IMMEDIATE")?;
            let restoring = RestoringConnection { connection, folders: HashMap::new(), now };
            Ok(Restoration(ConnectionThreads::start("restoration", [restoring])?))
        })
        .await
    }
}

impl Restoration {
    /// Takes over all folders of a database; the files that follow are in them. Gives what is wrong with those that
    /// cannot be taken over.
    pub(crate) async fn folders(&self, folders: Vec<FolderRecord>) -> Result<Vec<String>, StoreError> {
        self.0.run(move |restoring| restoring.take_folders(folders)).await?
    }

    /// Takes over a file, by this name, with these sums and what was found of its bytes. Gives its id.
    pub(crate) async fn file(
        &self,
        file: &SavedFile,
        name: FileName,
        content: &StoredContent,
        finding: Option<Finding>,
    ) -> Result<i64, StoreError> {
        let (file, content) = (file.clone(), content.clone());
        self.0.run(move |restoring| restoring.take_file(&file, name, &content, finding)).await?
    }

    /// Makes a file in the root of bytes that no row names: its name is that of the bytes, and nobody else can fetch it.
    pub(crate) async fn nameless(&self, content: &StoredContent) -> Result<(), StoreError> {
        let new = NewFileRow {
            placement: Placement::Path(FolderPath::default()),
            name: FileName::parse(content.blob.as_str())?,
            access: Access::Private,
            expires_at: None,
            overwrite: false,
            duplicates: DuplicateRule { strategy: DuplicateStrategy::None, ..DuplicateRule::default() },
        };
        let content = content.clone();
        self.0.run(move |to| create(&to.connection, &new, &content, to.now).map(drop)).await?
    }

    /// Continues with the ids where another database stopped. Comes before anything that may need a new id.
    pub(crate) async fn ids_from(&self, next: i64) -> Result<(), StoreError> {
        let raise = "UPDATE id_sequence SET next = MAX(next, ?1)";
        self.0.run(move |to| Ok(execute(&to.connection, raise, [next]).map(drop)?)).await?
    }

    /// Takes over a blob that is to be removed.
    pub(crate) async fn unused(&self, blob: &BlobId) -> Result<(), StoreError> {
        let blob = blob.clone();
        self.0.run(move |to| release_blob(&to.connection, blob.as_str(), to.now)).await?
    }

    pub(crate) async fn finish(self) -> Result<(), StoreError> {
        let committed = self.0.run(|to| Ok(to.connection.execute_batch("COMMIT")?)).await?;
        self.0.close().await;
        committed
    }
}

impl RestoringConnection {
    fn take_folders(&mut self, mut folders: Vec<FolderRecord>) -> Result<Vec<String>, StoreError> {
        self.folders.clear();
        let mut faults = Vec::new();
        // Parents first; of what is deleted the paths may be out of date.
        folders.sort_by_key(|folder| (folder.deleted_at.is_some(), folder.path.matches('/').count(), folder.key));
        for folder in &folders {
            match self.take_folder(folder) {
                Ok(key) => {
                    self.folders.insert(folder.key, (key, folder.deleted_at.is_none()));
                }
                Err(error) if error.is_refusal() => faults.push(format!("{}: {error}", folder.path)),
                Err(error) => return Err(error),
            }
        }
        Ok(faults)
    }

    /// The path rules, because parents may be lost, and the name beside it may be damaged. A folder that is there at its
    /// path already is taken for it.
    fn take_folder(&self, folder: &FolderRecord) -> Result<FolderKey, StoreError> {
        let path = FolderPath::parse(&folder.path)?;
        let Some((above, name)) = path.split_last() else { return Err(StoreError::FolderMissing(folder.path.clone())) };
        let parent = if folder.deleted_at.is_some() {
            folder.parent.and_then(|parent| self.folders.get(&parent)).map(|(key, _)| *key)
        } else if let Some(there) = folder_at(&self.connection, &path.to_string())? {
            return Ok(there.key);
        } else {
            find_or_create_folder(&self.connection, &above, folder.created_at)?
        };
        let key = FolderKey(free_id(&self.connection, folder.key.0)?);
        execute(
            &self.connection,
            "INSERT INTO folders (id, parent_id, name, name_folded, path, created_at, updated_at, deleted_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![
                key,
                parent,
                name,
                fold(name),
                path.to_string(),
                millis(folder.created_at),
                millis(folder.updated_at),
                folder.deleted_at.map(millis),
            ],
        )?;
        Ok(key)
    }

    fn take_file(
        &self,
        file: &SavedFile,
        mut name: FileName,
        content: &StoredContent,
        finding: Option<Finding>,
    ) -> Result<i64, StoreError> {
        let (connection, record) = (&self.connection, &file.record);
        let is_live = record.deleted_at.is_none();
        let place = record.folder.and_then(|folder| self.folders.get(&folder));
        let folder = place.filter(|(_, is_there)| *is_there || !is_live).map(|(key, _)| *key);
        if is_live && file_named(connection, folder, &name.full())?.is_some() {
            name = next_free_name(connection, folder, &name)?;
        }
        let row = FileRecord {
            key: FileKey(free_id(connection, record.key.0)?),
            folder,
            stem: name.stem().to_owned(),
            extension: name.extension().to_owned(),
            full_name: name.full(),
            content: content.clone(),
            ..record.clone()
        };
        let taken_over = insert_row(connection, &row, file.erase_from)?;
        let FileRecord { key, .. } = taken_over.ok_or_else(|| StoreError::NameTaken(name.full()))?;
        if let Some(finding) = finding {
            note_finding(connection, key, finding, self.now)?;
        }
        Ok(key.0)
    }
}

/// This id, or the next one if something has it.
fn free_id(connection: &Connection, id: i64) -> Result<i64, StoreError> {
    let taken = "SELECT EXISTS (SELECT 1 FROM files WHERE id = ?1) OR EXISTS (SELECT 1 FROM folders WHERE id = ?1)";
    Ok(if value(connection, taken, [id])? { next_id(connection)? } else { id })
}
