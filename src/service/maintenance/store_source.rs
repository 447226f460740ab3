//! A store that is copied, backed up or verified: its rows, its bytes, and the locks that keep
//! other processes away.

use std::path::{Path, PathBuf};

use futures::{TryStream, TryStreamExt as _, stream};

use super::copy_news::Extent;
use super::error::MaintenanceError;
use super::shared_rows::SharedRows;
use super::{place, sources};
#[cfg(feature = "postgres")]
use crate::service::content::blobs::BlobDirectory;
use crate::service::content::blobs::Blobs;
use crate::service::content::bucket_settings::BucketSettings;
use crate::service::content::data_dir::{self, Lock};
use crate::service::start_error::StartError;
use crate::service::store::{Audit, Salvage, SavedFile, SavedFiles};
#[cfg(feature = "postgres")]
use crate::service::store::{DatabaseAddress, LockedDatabase, StoreError};

/// The place of a store that is copied, backed up or verified.
#[derive(Debug)]
pub struct StoreSource {
    /// Holds all parts of the store that are not elsewhere.
    pub dir: PathBuf,
    #[cfg(feature = "postgres")]
    pub database: Option<DatabaseAddress>,
    pub settings: BucketSettings,
}

const PAGE: u32 = 1000;

/// An open source; nobody else uses the store until this is closed.
pub(super) struct OpenSource {
    /// All rows except those of files.
    pub(super) rows: Salvage,
    pub(super) blobs: Blobs,
    files: SourceFiles,
    _lock: Option<Lock>,
}

enum SourceFiles {
    /// `None` in a directory whose store is empty.
    Directory(PathBuf, Option<Audit>),
    #[cfg(feature = "postgres")]
    Database(String, LockedDatabase),
}

impl StoreSource {
    /// Returns the store whose rows and bytes are in this directory.
    pub fn in_directory(dir: impl Into<PathBuf>) -> Self {
        Self {
            dir: dir.into(),
            #[cfg(feature = "postgres")]
            database: None,
            settings: BucketSettings::default(),
        }
    }

    /// Returns the database or the directory, for messages.
    pub fn name(&self) -> String {
        #[cfg(feature = "postgres")]
        if let Some(address) = &self.database {
            return address.to_string();
        }
        self.dir.display().to_string()
    }

    /// Returns the error for rows or bytes that cannot be read.
    pub(super) fn unreadable<E: Into<Box<dyn std::error::Error + Send + Sync>>>(
        &self,
        error: E,
    ) -> MaintenanceError {
        #[cfg(feature = "postgres")]
        if self.database.is_some() {
            return MaintenanceError::database(&self.name())(error);
        }
        MaintenanceError::store(&self.dir)(error)
    }

    pub(super) async fn open(&self) -> Result<OpenSource, MaintenanceError> {
        #[cfg(feature = "postgres")]
        if let Some(address) = &self.database {
            return self.open_server(address).await;
        }
        let dir = &*self.dir;
        check_there(dir)?;
        let lock = self.lock()?;
        let blobs = place::anywhere(dir, &self.settings).await?;
        let audit = Audit::open_locked(&data_dir::database(dir))
            .await
            .map_err(MaintenanceError::store(dir))?;
        let rows = match &audit {
            Some(audit) => audit
                .salvage_but_files()
                .await
                .map_err(MaintenanceError::store(dir))?,
            None => Salvage::default(),
        };
        if let Some(fault) = rows.faults.first() {
            return Err(MaintenanceError::store(dir)(fault.clone()));
        }
        if rows.is_half_copied {
            return Err(MaintenanceError::store(dir)(StartError::HalfCopied));
        }
        Ok(OpenSource {
            rows,
            blobs,
            files: SourceFiles::Directory(dir.to_owned(), audit),
            _lock: Some(lock),
        })
    }

    fn lock(&self) -> Result<Lock, MaintenanceError> {
        let lock = Lock::try_take(&self.dir).map_err(MaintenanceError::store(&self.dir))?;
        lock.ok_or_else(|| MaintenanceError::InUse(self.dir.clone()))
    }

    #[cfg(feature = "postgres")]
    async fn open_server(&self, address: &DatabaseAddress) -> Result<OpenSource, MaintenanceError> {
        let name = address.to_string();
        let database = LockedDatabase::take(address)
            .await
            .map_err(MaintenanceError::database(&name))?;
        let database = database.ok_or_else(|| MaintenanceError::DatabaseInUse(name.clone()))?;
        let blobs = self.bytes_of(&name, &database).await?;
        let lock = if blobs.directory().is_some() {
            Some(self.lock()?)
        } else {
            None
        };
        let rows = database
            .salvage_but_files()
            .await
            .map_err(MaintenanceError::database(&name))?;
        if rows.is_half_copied {
            return Err(MaintenanceError::database(&name)(StartError::HalfCopied));
        }
        Ok(OpenSource {
            rows,
            blobs,
            files: SourceFiles::Database(name, database),
            _lock: lock,
        })
    }

    /// Opens rows and bytes to read them while others use them.
    pub(super) async fn share(&self) -> Result<(SharedRows, Blobs), MaintenanceError> {
        #[cfg(feature = "postgres")]
        if let Some(address) = &self.database {
            let name = address.to_string();
            let database = LockedDatabase::share(address)
                .await
                .map_err(MaintenanceError::database(&name))?;
            let database =
                database.ok_or_else(|| MaintenanceError::DatabaseBeingCopied(name.clone()))?;
            let blobs = self.bytes_of(&name, &database).await?;
            return Ok((SharedRows::Server(database), blobs));
        }
        let blobs = self.blobs_of_directory().await?;
        let audit = Audit::open(&data_dir::database(&self.dir))
            .await
            .map_err(MaintenanceError::store(&self.dir))?;
        Ok((SharedRows::Directory(audit), blobs))
    }

    /// Opens the bytes of a store whose rows are in the directory.
    pub(super) async fn blobs_of_directory(&self) -> Result<Blobs, MaintenanceError> {
        check_there(&self.dir)?;
        place::anywhere(&self.dir, &self.settings).await
    }

    /// Opens the bytes at the place that the database records.
    #[cfg(feature = "postgres")]
    async fn bytes_of(
        &self,
        name: &str,
        database: &LockedDatabase,
    ) -> Result<Blobs, MaintenanceError> {
        let dir = &*self.dir;
        let place = database
            .place()
            .await
            .map_err(MaintenanceError::database(name))?;
        let place = place.ok_or_else(|| MaintenanceError::NoStoreInDatabase(name.to_owned()))?;
        if !data_dir::is_identity(&place) {
            return place::in_bucket(&place, &self.settings).await;
        }
        let identity = data_dir::known_identity(dir).map_err(MaintenanceError::store(dir))?;
        if identity.as_deref() != Some(&*place) {
            return Err(MaintenanceError::OtherDirectory {
                database: name.to_owned(),
                path: dir.to_owned(),
            });
        }
        BlobDirectory::at(dir)
            .map(Blobs::from)
            .map_err(MaintenanceError::store(dir))
    }
}

/// Fails if there is no database in the directory, or something else in its place.
pub(super) fn check_there(dir: &Path) -> Result<(), MaintenanceError> {
    if !data_dir::database(dir).exists() {
        return Err(MaintenanceError::NoStore(dir.to_owned()));
    }
    data_dir::check_database(dir).map_err(MaintenanceError::store(dir))
}

impl OpenSource {
    /// Returns the files page by page, since there may be millions.
    pub(super) fn files(&self) -> impl TryStream<Ok = Vec<SavedFile>, Error = MaintenanceError> {
        stream::try_unfold(Some(i64::MIN), async |place| {
            let Some(place) = place else { return Ok(None) };
            let page = self.files_after(place, PAGE).await?;
            Ok(Some((page.files, page.last)))
        })
    }

    /// Returns the extent of the store, and an id above all ever assigned. Reads all files, so that
    /// it fails before anything is copied.
    pub(super) async fn extent(&self) -> Result<(Extent, i64), MaintenanceError> {
        let known = (Extent::default(), sources::next_id(&self.rows));
        let add = async |known, page: Vec<SavedFile>| {
            Ok(page
                .iter()
                .fold(known, |(extent, next_id): (Extent, i64), file| {
                    let extent = Extent {
                        files: extent.files + 1,
                        bytes: extent.bytes + file.record.content.size,
                    };
                    (extent, next_id.max(file.record.key.0.saturating_add(1)))
                }))
        };
        self.files().try_fold(known, add).await
    }

    async fn files_after(&self, place: i64, limit: u32) -> Result<SavedFiles, MaintenanceError> {
        match &self.files {
            SourceFiles::Directory(dir, Some(audit)) => audit
                .files_after(place, limit)
                .await
                .map_err(MaintenanceError::store(dir)),
            SourceFiles::Directory(_, None) => Ok(SavedFiles {
                files: Vec::new(),
                last: None,
            }),
            #[cfg(feature = "postgres")]
            SourceFiles::Database(name, database) => match database.files_after(place, limit).await
            {
                Ok(files) => Ok(files),
                Err(error) => {
                    self.check_held().await?;
                    Err(MaintenanceError::database(name)(error))
                }
            },
        }
    }

    pub(super) async fn close(self) {
        if let SourceFiles::Directory(_, Some(audit)) = self.files {
            audit.close().await;
        }
    }

    /// Fails if another process may have used the store meanwhile.
    #[cfg_attr(
        not(feature = "postgres"),
        expect(clippy::unused_async, reason = "as with a database on a server")
    )]
    pub(super) async fn check_held(&self) -> Result<(), MaintenanceError> {
        #[cfg(feature = "postgres")]
        if let SourceFiles::Database(name, database) = &self.files {
            let lost = |error: StoreError| MaintenanceError::LockLost {
                database: name.clone(),
                source: error.into(),
            };
            return database.check_held().await.map_err(lost);
        }
        Ok(())
    }
}
