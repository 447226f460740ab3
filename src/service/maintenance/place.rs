//! The place of a store's bytes: its directory, or the bucket that its database records.

use std::path::Path;

use super::error::MaintenanceError;
#[cfg(feature = "s3")]
use crate::service::content::blobs::BlobBucket;
use crate::service::content::blobs::{BlobDirectory, Blobs};
#[cfg(feature = "s3")]
use crate::service::content::bucket::{BucketAddressError, BucketOptions};
use crate::service::content::bucket_settings::BucketSettings;
use crate::service::content::data_dir;
use crate::service::store::{Audit, StoreError};

/// Opens the bytes of a store that must have them in its directory.
pub(super) async fn in_directory(dir: &Path) -> Result<Blobs, MaintenanceError> {
    refuse_bucket(dir).await?;
    BlobDirectory::at(dir)
        .map(Blobs::from)
        .map_err(MaintenanceError::store(dir))
}

pub(super) async fn refuse_bucket(dir: &Path) -> Result<(), MaintenanceError> {
    match bucket_of(dir).await? {
        Some(bucket) => Err(MaintenanceError::InBucket {
            path: dir.to_owned(),
            bucket,
        }),
        None => Ok(()),
    }
}

#[cfg(feature = "s3")]
pub(super) async fn anywhere(
    dir: &Path,
    settings: &BucketSettings,
) -> Result<Blobs, MaintenanceError> {
    match bucket_of(dir).await? {
        Some(bucket) => in_bucket(&bucket, settings).await,
        None => in_directory(dir).await,
    }
}

#[cfg(feature = "s3")]
pub(super) async fn in_bucket(
    bucket: &str,
    settings: &BucketSettings,
) -> Result<Blobs, MaintenanceError> {
    let opened = BlobBucket::open_to_read(&bucket_options(bucket, settings)?).await;
    opened
        .map(Blobs::from)
        .map_err(|error| MaintenanceError::Bucket {
            bucket: bucket.to_owned(),
            source: error.into(),
        })
}

#[cfg(feature = "s3")]
pub(super) fn bucket_options(
    bucket: &str,
    settings: &BucketSettings,
) -> Result<BucketOptions, MaintenanceError> {
    let address = bucket
        .parse()
        .map_err(|error: BucketAddressError| MaintenanceError::Bucket {
            bucket: bucket.to_owned(),
            source: error.into(),
        });
    Ok(BucketOptions::new(address?, settings.clone()))
}

/// The same as `in_directory`, since this build has no support for buckets.
#[cfg(not(feature = "s3"))]
pub(super) async fn anywhere(dir: &Path, _: &BucketSettings) -> Result<Blobs, MaintenanceError> {
    in_directory(dir).await
}

/// Fails, since this build has no support for buckets.
#[cfg(all(feature = "postgres", not(feature = "s3")))]
#[expect(clippy::unused_async, reason = "as with buckets")]
pub(super) async fn in_bucket(bucket: &str, _: &BucketSettings) -> Result<Blobs, MaintenanceError> {
    let source = "this filedeck was built without buckets".into();
    Err(MaintenanceError::Bucket {
        bucket: bucket.to_owned(),
        source,
    })
}

/// Returns `None`, too, if the database cannot tell but the directory has bytes; its faults are
/// reported later.
async fn bucket_of(dir: &Path) -> Result<Option<String>, MaintenanceError> {
    let asked = async {
        let audit = Audit::open(&data_dir::database(dir)).await?;
        let bucket = audit.bucket().await?;
        audit.close().await;
        Ok::<_, StoreError>(bucket)
    };
    match asked.await {
        Ok(bucket) => Ok(bucket),
        Err(_) if data_dir::blobs(dir).is_dir() => Ok(None),
        Err(error) => Err(MaintenanceError::store(dir)(error)),
    }
}
