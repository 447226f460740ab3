//! Fills an empty database with the rows of another one in one transaction: ids, names and places
//! are kept where they are free; rows that clash get a new id or a numbered name.

use std::collections::HashMap;

use jiff::Timestamp;

use super::blobs::{keep_block_sums, release_blob};
use super::content::StoredContent;
use super::database::Store;
use super::error::StoreError;
use super::files::{Created, DuplicateRule, NewFileRow, create, next_free_name};
use super::folders::find_or_create_folder;
use super::placement::Placement;
use super::records::{FileKey, FileRecord, Finding, FolderKey, FolderRecord};
use super::salvage::SavedFile;
use super::sql::Tables;
use super::sqlite::{EmbeddedDatabase, LongTransaction};
use crate::api::model::{Access, DuplicateStrategy};
use crate::service::content::blobs::BlobId;
use crate::service::domain::names::{FileName, FolderPath};

/// Rows on their way into the database. If this is dropped before `finish`, none of them is stored.
pub(crate) struct Restoration(LongTransaction<RestorationState>);

struct RestorationState {
    /// For each folder of the old database its new key, and `true` if it is live.
    folders: HashMap<FolderKey, (FolderKey, bool)>,
    now: Timestamp,
}

impl EmbeddedDatabase {
    pub(crate) async fn restoration(&self, now: Timestamp) -> Result<Restoration, StoreError> {
        self.long_transaction(RestorationState {
            folders: HashMap::new(),
            now,
        })
        .await
        .map(Restoration)
    }
}

impl Store {
    pub(crate) async fn count_damaged(&self) -> Result<i64, StoreError> {
        self.read(|tables| tables.count_findings(Finding::Damaged))
            .await
    }
}

impl Restoration {
    /// Takes over all folders; later files go into them. Returns messages about folders that had to
    /// be changed.
    pub(crate) async fn folders(
        &self,
        folders: Vec<FolderRecord>,
    ) -> Result<Vec<String>, StoreError> {
        self.0
            .run(move |tables, state| state.take_folders(tables, folders))
            .await
    }

    pub(crate) async fn file(
        &self,
        file: &SavedFile,
        name: FileName,
        content: &StoredContent,
        finding: Option<Finding>,
    ) -> Result<FileRecord, StoreError> {
        let (file, content) = (file.clone(), content.clone());
        self.0
            .run(move |tables, state| state.take_file(tables, &file, name, &content, finding))
            .await
    }

    /// Creates a file in the root for bytes that no row names. It is named after its blob and
    /// private.
    pub(crate) async fn nameless(&self, content: &StoredContent) -> Result<FileRecord, StoreError> {
        let new = NewFileRow {
            placement: Placement::Path(FolderPath::default()),
            name: FileName::parse(content.blob.as_str())?,
            access: Access::Private,
            expires_at: None,
            overwrite: false,
            duplicates: DuplicateRule {
                strategy: DuplicateStrategy::None,
                ..DuplicateRule::default()
            },
        };
        let content = content.clone();
        let created = self
            .0
            .run(move |tables, state| create(tables, &new, &content, state.now))
            .await?;
        let (Created::New(file) | Created::Existing(file)) = created;
        Ok(file)
    }

    /// Continues the ids where another database stopped. Must be called before anything that may
    /// need a new id.
    pub(crate) async fn ids_from(&self, next: i64) -> Result<(), StoreError> {
        self.0
            .run(move |tables, _| <dyn Tables>::raise_ids(tables, next))
            .await
    }

    pub(crate) async fn unused(&self, blob: &BlobId) -> Result<(), StoreError> {
        let blob = blob.clone();
        self.0
            .run(move |tables, state| release_blob(tables, &blob, state.now))
            .await
    }

    pub(crate) async fn finish(self) -> Result<(), StoreError> {
        self.0.commit().await
    }
}

impl RestorationState {
    fn take_folders(
        &mut self,
        tables: &dyn Tables,
        mut folders: Vec<FolderRecord>,
    ) -> Result<Vec<String>, StoreError> {
        self.folders.clear();
        let mut faults = Vec::new();
        // Parents first, and deleted folders last, since their paths may be out of date.
        folders.sort_by_key(|folder| {
            (
                folder.deleted_at.is_some(),
                folder.path.matches('/').count(),
                folder.key,
            )
        });
        for folder in &folders {
            match self.take_folder(tables, folder) {
                Ok(key) => {
                    let is_same = |there: FolderRecord| there.created_at == folder.created_at;
                    if folder.deleted_at.is_none()
                        && !tables.folder(folder.key)?.is_some_and(is_same)
                    {
                        faults.push(format!(
                            "{} (id {}): it has the id {} now",
                            folder.path, folder.key.0, key.0
                        ));
                    }
                    self.folders
                        .insert(folder.key, (key, folder.deleted_at.is_none()));
                }
                Err(error) if error.is_refusal() => {
                    faults.push(format!("{}: {error}", folder.path));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(faults)
    }

    /// Trusts the path, since parents may be lost and the name damaged. An existing folder at the
    /// path is used.
    fn take_folder(
        &self,
        tables: &dyn Tables,
        folder: &FolderRecord,
    ) -> Result<FolderKey, StoreError> {
        let path = FolderPath::parse(&folder.path)?;
        let Some((above, name)) = path.split_last() else {
            return Err(StoreError::FolderMissing(folder.path.clone()));
        };
        let parent = if folder.deleted_at.is_some() {
            folder
                .parent
                .and_then(|parent| self.folders.get(&parent))
                .map(|(key, _)| *key)
        } else if let Some(there) = tables.folder_at(&path.to_string())? {
            return Ok(there.key);
        } else {
            find_or_create_folder(tables, &above, folder.created_at)?
        };
        let key = FolderKey(free_id(tables, folder.key.0)?);
        let (name, path) = (name.to_owned(), path.to_string());
        tables.insert_folder(&FolderRecord {
            key,
            parent,
            name,
            path,
            ..folder.clone()
        })?;
        Ok(key)
    }

    fn take_file(
        &self,
        tables: &dyn Tables,
        file: &SavedFile,
        mut name: FileName,
        content: &StoredContent,
        finding: Option<Finding>,
    ) -> Result<FileRecord, StoreError> {
        let record = &file.record;
        let is_live = record.deleted_at.is_none();
        let place = record.folder.and_then(|folder| self.folders.get(&folder));
        let folder = place
            .filter(|(_, is_there)| *is_there || !is_live)
            .map(|(key, _)| *key);
        if is_live && tables.file_named(folder, &name.full())?.is_some() {
            name = next_free_name(tables, folder, &name)?;
        }
        let row = FileRecord {
            key: FileKey(free_id(tables, record.key.0)?),
            folder,
            stem: name.stem().to_owned(),
            extension: name.extension().to_owned(),
            full_name: name.full(),
            content: content.clone(),
            ..record.clone()
        };
        let taken_over = tables.insert_file(&row, file.erase_from)?;
        let taken_over = taken_over.ok_or_else(|| StoreError::NameTaken(name.full()))?;
        keep_block_sums(tables, content)?;
        if let Some(finding) = finding {
            tables.insert_finding(taken_over.key, finding, self.now)?;
        }
        Ok(taken_over)
    }
}

fn free_id(tables: &dyn Tables, id: i64) -> Result<i64, StoreError> {
    if tables.is_id_taken(id)? {
        tables.next_id()
    } else {
        Ok(id)
    }
}
