//! How to reach stores on this machine, in databases and in buckets.

use std::path::{Path, PathBuf};

use crate::cli::authorities;
#[cfg(feature = "postgres")]
use crate::cli::stderr::InvalidUsage;
use crate::config::{Environment, Paths};
use crate::service::BucketSettings;
#[cfg(feature = "postgres")]
use crate::service::DatabaseAddress;

#[derive(Debug, Clone, Copy)]
pub struct StoreAccess<'a> {
    pub environment: &'a Environment,
    pub paths: &'a Paths,
    /// The file of authorities that may vouch for the server of a database or a bucket.
    pub ca_cert: Option<&'a Path>,
}

impl StoreAccess<'_> {
    /// Returns the directory of a store, by default that of the built-in one.
    pub fn dir(self, given: Option<PathBuf>) -> PathBuf {
        given.unwrap_or_else(|| self.paths.local_store())
    }

    /// Returns the settings of a bucket.
    pub fn bucket(self) -> anyhow::Result<BucketSettings> {
        let settings = BucketSettings::from_variables(self.environment.bucket.clone());
        Ok(settings.trusting(authorities::read(self.ca_cert)?))
    }

    /// Parses a database address, completed from the environment, with the authorities in the file
    /// that it names, too; `option` is for the error.
    #[cfg(feature = "postgres")]
    pub fn database(
        self,
        option: &str,
        address: Option<&String>,
    ) -> anyhow::Result<Option<DatabaseAddress>> {
        let Some(address) = address else {
            return Ok(None);
        };
        let (user, password) = (
            self.environment.database_user.as_deref(),
            self.environment.database_password.clone(),
        );
        let parsed = DatabaseAddress::parse(address, user, password);
        let address = parsed.map_err(|error| InvalidUsage(format!("{option}: {error}")))?;
        let roots = authorities::read(self.ca_cert.into_iter().chain(address.root_cert()))?;
        Ok(Some(address.trusting(roots)))
    }
}
