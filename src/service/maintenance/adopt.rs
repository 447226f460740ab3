//! Makes a store the owner of the bucket that has its bytes, in place of the one that it is a copy
//! of.

#[cfg(feature = "postgres")]
use std::sync::Arc;

use super::error::MaintenanceError;
use super::place;
use super::store_source::check_there;
use crate::service::content::blobs::BlobBucket;
use crate::service::content::bucket_settings::BucketSettings;
use crate::service::content::data_dir::{self, Lock};
use crate::service::options::ServiceOptions;
#[cfg(feature = "postgres")]
use crate::service::store::PostgresDatabase;
use crate::service::store::Store;
use crate::service::store_identity;

type AdoptFault = Box<dyn std::error::Error + Send + Sync>;

#[derive(Debug)]
pub struct Adopted {
    pub bucket: String,
    /// Set if the bucket belonged to another store, or to none.
    pub is_changed: bool,
}

/// Makes a store in a directory that is not in use, or one in a database, the owner of its bucket.
/// A store that was the owner before adds and removes nothing from then on.
pub async fn adopt(
    options: &ServiceOptions,
    settings: &BucketSettings,
) -> Result<Adopted, MaintenanceError> {
    #[cfg(feature = "postgres")]
    if let Some(address) = &options.database {
        let name = address.to_string();
        let opened = PostgresDatabase::open(address, None, Arc::default()).await;
        let store = Store::from(opened.map_err(MaintenanceError::database(&name))?);
        return adopt_for(&store, options, settings, |fault| {
            MaintenanceError::database(&name)(fault)
        })
        .await;
    }
    let dir = &*options.data_dir;
    check_there(dir)?;
    let lock = Lock::try_take(dir).map_err(MaintenanceError::store(dir))?;
    let _lock = lock.ok_or_else(|| MaintenanceError::InUse(dir.to_owned()))?;
    let store = Store::open(&data_dir::database(dir), None)
        .await
        .map_err(MaintenanceError::store(dir))?;
    adopt_for(&store, options, settings, |fault| {
        MaintenanceError::store(dir)(fault)
    })
    .await
}

async fn adopt_for(
    store: &Store,
    options: &ServiceOptions,
    settings: &BucketSettings,
    unreadable: impl Fn(AdoptFault) -> MaintenanceError,
) -> Result<Adopted, MaintenanceError> {
    let bucket = store
        .bucket()
        .await
        .map_err(|error| unreadable(error.into()))?;
    #[cfg(feature = "postgres")]
    let bucket = bucket.filter(|place| !data_dir::is_identity(place));
    let bucket = bucket
        .ok_or_else(|| unreadable("no bucket has its bytes, so there is none to adopt".into()))?;
    let identity = store_identity::identity(&options.data_dir, Some(store))
        .await
        .map_err(&unreadable)?;
    store.close().await;
    let options = place::bucket_options(&bucket, settings)?;
    let adopted = BlobBucket::adopt(&options, &identity).await;
    let is_changed = adopted.map_err(|source| MaintenanceError::Bucket {
        bucket: bucket.clone(),
        source: source.into(),
    })?;
    Ok(Adopted { bucket, is_changed })
}
