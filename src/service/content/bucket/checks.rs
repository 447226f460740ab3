//! The checks at the start, so that a bucket that cannot do all that the service needs is refused with a reason.

use object_store::aws::AmazonS3;
use object_store::path::Path;
use object_store::{Error, ObjectStoreExt as _, PutPayload};

use super::calls::BucketCalls;
use super::fault::BucketFault;

/// The object that the first start of a store puts into its bucket, and that later starts check for.
const MARKER: &str = "filedeck.txt";
const MARKER_TEXT: &str = "The bytes of a filedeck store lie here. Their names and folders are in its database.\n";
const PROBE: &str = "filedeck-probe.txt";

pub(super) async fn use_once(s3: &AmazonS3, calls: &BucketCalls, prefix: &Path) -> Result<(), BucketFault> {
    calls.list_one(prefix).await?;
    let probe = prefix.clone().join(PROBE);
    let put = s3.put(&probe, PutPayload::from_static(b"probe")).await;
    put.map_err(BucketFault::of("take objects", "s3:PutObject"))?;
    s3.delete(&probe).await.map_err(BucketFault::of("remove objects", "s3:DeleteObject"))
}

pub(super) async fn remove_versions(calls: &BucketCalls, prefix: &Path) -> Result<(), BucketFault> {
    let removed = calls.remove(prefix.clone().join(PROBE)).await;
    removed.map_err(|error| BucketFault::Refused {
        what: "remove versions of objects",
        permission: "s3:ListBucketVersions and s3:DeleteObjectVersion",
        cause: error.to_string(),
    })
}

pub(super) async fn mark(s3: &AmazonS3, prefix: &Path) -> Result<(), BucketFault> {
    let put = s3.put(&prefix.clone().join(MARKER), PutPayload::from_static(MARKER_TEXT.as_bytes())).await;
    put.map(drop).map_err(BucketFault::of("take objects", "s3:PutObject"))
}

pub(super) async fn is_marked(s3: &AmazonS3, prefix: &Path) -> Result<(), BucketFault> {
    match s3.get(&prefix.clone().join(MARKER)).await {
        Ok(_) => Ok(()),
        Err(Error::NotFound { .. }) => Err(BucketFault::NotTheOne),
        Err(error) => Err(BucketFault::of("give objects", "s3:GetObject")(error)),
    }
}

/// Checks quickly that the bucket responds and has the marker.
pub(super) async fn answers(s3: &AmazonS3, prefix: &Path) -> Result<(), Error> {
    s3.head(&prefix.clone().join(MARKER)).await.map(drop)
}

/// Returns `true` if objects have versions that a permanent deletion has to remove, too. Logs a warning if the bucket
/// may keep bytes after a permanent deletion.
pub(super) async fn keeps_versions(calls: &BucketCalls) -> bool {
    let are_kept = calls.are_kept().await;
    match &are_kept {
        Ok(false) => return false,
        Ok(true) => {}
        Err(error) => tracing::warn!(
            %error,
            "the bucket does not say whether it keeps versions of objects (s3:GetBucketVersioning): if it does, earlier \
             versions stay after a permanent deletion"
        ),
    }
    match calls.are_locked().await {
        Ok(true) => tracing::warn!(
            "the bucket has object lock: it may keep bytes against a permanent deletion until their retention ends"
        ),
        Ok(false) => {}
        Err(error) => tracing::warn!(
            %error,
            "the bucket does not say whether it has object lock (s3:GetBucketObjectLockConfiguration): if it has, it may \
             keep bytes against a permanent deletion"
        ),
    }
    matches!(are_kept, Ok(true))
}
