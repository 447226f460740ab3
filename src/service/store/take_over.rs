//! Rows of another store, taken over with their ids, names, places and times. Each call can be repeated.

use super::blobs::keep_block_sums;
use super::content::StoredContent;
use super::database::Store;
use super::error::StoreError;
use super::records::{FileKey, FileRecord, FolderRecord};
use super::salvage::SavedFile;

impl Store {
    /// Takes over folders that do not exist yet. Parents must come first.
    pub(crate) async fn take_over_folders(&self, folders: Vec<FolderRecord>) -> Result<(), StoreError> {
        self.write(move |tables| {
            for folder in &folders {
                if !tables.is_id_taken(folder.key.0)? {
                    tables.insert_folder(folder)?;
                }
            }
            Ok(())
        })
        .await
    }

    pub(crate) async fn take_over_file(&self, file: &SavedFile, content: StoredContent) -> Result<(), StoreError> {
        let blobs = vec![content.blob.clone()];
        let (row, erase_from) = (FileRecord { content, ..file.record.clone() }, file.erase_from);
        let change = move |tables: &dyn super::sql::Tables| {
            let taken_over = tables.insert_file(&row, erase_from)?;
            taken_over.ok_or_else(|| StoreError::NameTaken(row.path()))?;
            keep_block_sums(tables, &row.content)
        };
        self.write_blobs(move |()| blobs.clone(), change).await
    }

    pub(crate) async fn has_id(&self, file: FileKey) -> Result<bool, StoreError> {
        self.read(move |tables| tables.is_id_taken(file.0)).await
    }

    /// Continues the ids where another store stopped.
    pub(crate) async fn take_over_ids(&self, next: i64) -> Result<(), StoreError> {
        self.write(move |tables| tables.raise_ids(next)).await
    }
}
