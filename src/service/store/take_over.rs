//! Rows of another store, taken over with their ids, names, places and times. Each call can be
//! repeated.

use super::blobs::keep_block_sums;
use super::database::Store;
use super::error::StoreError;
use super::records::{FileKey, FolderRecord};
use super::salvage::SavedFile;
use super::sql::Tables;

impl Store {
    /// Takes over folders that do not exist yet. Parents must come first.
    pub(crate) async fn take_over_folders(
        &self,
        folders: Vec<FolderRecord>,
    ) -> Result<(), StoreError> {
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

    /// Takes over a file whose bytes have arrived.
    pub(crate) async fn take_over_file(&self, file: SavedFile) -> Result<(), StoreError> {
        let blobs = vec![file.record.content.blob.clone()];
        self.write_blobs(move |()| blobs.clone(), move |tables| insert(tables, &file))
            .await
    }

    /// Takes over files whose bytes are yet to come.
    #[cfg(feature = "postgres")]
    pub(crate) async fn take_over_rows(&self, files: Vec<SavedFile>) -> Result<(), StoreError> {
        self.write(move |tables| files.iter().try_for_each(|file| insert(tables, file)))
            .await
    }

    pub(crate) async fn has_id(&self, file: FileKey) -> Result<bool, StoreError> {
        self.read(move |tables| tables.is_id_taken(file.0)).await
    }

    /// Continues the ids where another store stopped.
    pub(crate) async fn take_over_ids(&self, next: i64) -> Result<(), StoreError> {
        self.write(move |tables| tables.raise_ids(next)).await
    }
}

fn insert(
    tables: &dyn Tables,
    SavedFile {
        record, erase_from, ..
    }: &SavedFile,
) -> Result<(), StoreError> {
    let taken_over = tables.insert_file(record, *erase_from)?;
    taken_over.ok_or_else(|| StoreError::NameTaken(record.path()))?;
    keep_block_sums(tables, &record.content)
}
