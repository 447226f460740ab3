//! Maintenance of stores that are in a directory.

use std::path::Path;

use filedeck::service::maintenance::{self, Copied, MaintenanceError, StoreSource, Verification};

pub async fn verify(data: &Path) -> Result<Verification, MaintenanceError> {
    maintenance::verify(&StoreSource::in_directory(data)).await
}

pub async fn backup(data: &Path, copy: &Path) -> Result<Copied, MaintenanceError> {
    maintenance::backup(&StoreSource::in_directory(data), copy, &|_| {}).await
}
