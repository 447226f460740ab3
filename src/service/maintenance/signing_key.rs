//! Replaces the key of signed addresses, which ends all of them.

#[cfg(feature = "postgres")]
use std::sync::Arc;

use super::error::MaintenanceError;
use super::store_source::check_there;
use crate::service::access::random_secret::random_secret;
use crate::service::content::data_dir::{self, Lock};
use crate::service::options::ServiceOptions;
#[cfg(feature = "postgres")]
use crate::service::store::PostgresDatabase;
use crate::service::store::Store;

/// Replaces the key of a store in a directory that is not in use, or of one in a database.
/// Processes that serve the latter have the new key within seconds.
pub async fn rotate_key(options: &ServiceOptions) -> Result<(), MaintenanceError> {
    let dir = &*options.data_dir;
    #[cfg(feature = "postgres")]
    if let Some(address) = &options.database {
        let failed = |error| MaintenanceError::database(&address.to_string())(error);
        let opened = PostgresDatabase::open(address, None, Arc::default())
            .await
            .map_err(failed)?;
        return replace(&Store::from(opened))
            .await
            .map_err(|error| MaintenanceError::database(&address.to_string())(error));
    }
    check_there(dir)?;
    let lock = Lock::try_take(dir).map_err(MaintenanceError::store(dir))?;
    let _lock = lock.ok_or_else(|| MaintenanceError::InUse(dir.to_owned()))?;
    let store = Store::open(&data_dir::database(dir), None)
        .await
        .map_err(MaintenanceError::store(dir))?;
    replace(&store).await.map_err(MaintenanceError::store(dir))
}

async fn replace(store: &Store) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    store.replace_signing_key(random_secret()?).await?;
    store.close().await;
    Ok(())
}
