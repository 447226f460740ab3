//! The checks at the start, so that a bucket that cannot do all that the service needs is refused
//! with a reason.

use object_store::aws::AmazonS3;
use object_store::path::Path;
use object_store::{ObjectStoreExt as _, PutPayload};

use super::calls::BucketCalls;
use super::fault::BucketFault;

const PROBE: &str = "filedeck-probe.txt";

pub(super) async fn use_once(
    s3: &AmazonS3,
    calls: &BucketCalls,
    prefix: &Path,
) -> Result<(), BucketFault> {
    calls.list_one(prefix).await?;
    let probe = prefix.clone().join(PROBE);
    let put = s3.put(&probe, PutPayload::from_static(b"probe")).await;
    put.map_err(BucketFault::of("take objects", "s3:PutObject"))?;
    s3.delete(&probe)
        .await
        .map_err(BucketFault::of("remove objects", "s3:DeleteObject"))
}

pub(super) async fn remove_versions(calls: &BucketCalls, prefix: &Path) -> Result<(), BucketFault> {
    let removed = calls.remove(prefix.clone().join(PROBE)).await;
    removed.map_err(|error| BucketFault::Refused {
        what: "remove versions of objects",
        permission: "s3:ListBucketVersions and s3:DeleteObjectVersion",
        cause: error.to_string(),
    })
}

/// Returns `true` if objects have versions that a permanent deletion has to remove, too. Logs a
/// warning if the bucket may keep bytes after a permanent deletion.
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
