//! The identity by which a bucket names the store that owns its bytes.

use std::error::Error;
use std::path::Path;

use super::content::owner_file;
use super::store::Store;

/// Returns the identity of a database on a server, or that of the directory if the database is
/// there.
pub(super) async fn identity(
    dir: &Path,
    store: Option<&Store>,
) -> Result<String, Box<dyn Error + Send + Sync>> {
    if let Some(store) = store
        && let Some(identity) = store.server_identity().await?
    {
        return Ok(identity);
    }
    Ok(owner_file::identity(dir)?)
}
