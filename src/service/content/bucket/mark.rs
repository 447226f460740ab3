//! The object by which a bucket names the store that owns its bytes: only that one adds or removes
//! any.

use std::io;

use object_store::aws::AmazonS3;
use object_store::path::Path;
use object_store::{Error, ObjectStoreExt as _};

use super::fault::{self, BucketFault};

/// The object that the first start of a store puts into its bucket, and that later starts check
/// for.
const MARKER: &str = "filedeck.txt";
const TEXT: &str =
    "The bytes of a filedeck store lie here. Their names and folders are in its database.\n";
const OWNER: &str = "Owner: ";

/// A store that opens a bucket.
pub(crate) struct BucketOwner {
    pub(crate) identity: String,
    /// Set for a store that has no bytes anywhere yet; any other store must find a mark.
    pub(crate) is_new: bool,
}

/// The content of the mark. Earlier versions named no owner.
struct BucketMark {
    owner: Option<String>,
}

pub(super) async fn is_there(s3: &AmazonS3, prefix: &Path) -> Result<(), BucketFault> {
    read(s3, prefix).await.map(drop).map_err(unreadable)
}

/// Checks quickly that the bucket responds and has the mark.
pub(super) async fn answers(s3: &AmazonS3, prefix: &Path) -> Result<(), Error> {
    s3.head(&key(prefix)).await.map(drop)
}

/// Makes sure that the mark names this store. A new one marks its bucket, and an existing one a
/// mark without owner.
pub(super) async fn claim(
    s3: &AmazonS3,
    prefix: &Path,
    owner: &BucketOwner,
) -> Result<(), BucketFault> {
    match read(s3, prefix).await {
        Ok(mark) if mark.names(&owner.identity) => Ok(()),
        Ok(_) if owner.is_new => Err(BucketFault::Taken),
        Ok(BucketMark { owner: None }) => write(s3, prefix, &owner.identity).await,
        Ok(_) => Err(BucketFault::OtherStore),
        Err(Error::NotFound { .. }) if owner.is_new => {
            write(s3, prefix, &owner.identity).await?;
            is_there(s3, prefix).await
        }
        Err(error) => Err(unreadable(error)),
    }
}

/// Makes a store the owner. Returns `false` if it was that already.
pub(super) async fn adopt(
    s3: &AmazonS3,
    prefix: &Path,
    identity: &str,
) -> Result<bool, BucketFault> {
    let mark = read(s3, prefix).await.map_err(unreadable)?;
    if mark.names(identity) {
        return Ok(false);
    }
    write(s3, prefix, identity).await.map(|()| true)
}

pub(super) async fn is_owner(s3: &AmazonS3, prefix: &Path, identity: &str) -> io::Result<bool> {
    let mark = read(s3, prefix).await.map_err(fault::unreached)?;
    Ok(mark.names(identity))
}

impl BucketMark {
    fn names(&self, identity: &str) -> bool {
        self.owner.as_deref() == Some(identity)
    }
}

async fn read(s3: &AmazonS3, prefix: &Path) -> Result<BucketMark, Error> {
    let bytes = s3.get(&key(prefix)).await?.bytes().await?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(BucketMark {
        owner: text
            .lines()
            .find_map(|line| line.strip_prefix(OWNER))
            .map(str::to_owned),
    })
}

async fn write(s3: &AmazonS3, prefix: &Path, identity: &str) -> Result<(), BucketFault> {
    let put = s3
        .put(&key(prefix), format!("{TEXT}{OWNER}{identity}\n").into())
        .await;
    put.map(drop)
        .map_err(BucketFault::of("take objects", "s3:PutObject"))
}

fn unreadable(error: Error) -> BucketFault {
    match error {
        Error::NotFound { .. } => BucketFault::NotTheOne,
        error => BucketFault::of("give objects", "s3:GetObject")(error),
    }
}

fn key(prefix: &Path) -> Path {
    prefix.clone().join(MARKER)
}
