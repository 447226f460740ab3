//! The store that a command of `filedeck store` works on: one in a directory, or one whose rows are
//! in a database.

use std::path::{Path, PathBuf};

use crate::cli::authorities;
#[cfg(feature = "postgres")]
use crate::cli::store_place::database_address;
use crate::config::{Environment, Paths};
use crate::service::maintenance::StoreSource;
use crate::service::{BucketSettings, ServiceOptions};

/// A store that must not be in use.
#[derive(Debug, clap::Args)]
pub struct StoreChoice {
    /// Directory of the store, which must not be in use [default: the built-in store]
    #[arg(long, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,

    /// The rows of the store are in this database of PostgreSQL, and not in the directory
    ///
    /// The password comes from PGPASSWORD, and the user from PGUSER if the address has none.
    #[cfg(feature = "postgres")]
    #[arg(
        long,
        value_name = "postgres://USER@HOST/DATABASE",
        conflicts_with = "data_dir"
    )]
    pub database: Option<String>,
}

impl StoreChoice {
    /// Returns the options of that store. The authorities in `ca_cert` may vouch for its database.
    #[cfg_attr(
        not(feature = "postgres"),
        expect(unused_variables, reason = "only a database needs them")
    )]
    pub fn options(
        self,
        environment: &Environment,
        paths: &Paths,
        ca_cert: Option<&Path>,
    ) -> anyhow::Result<ServiceOptions> {
        let dir = self.data_dir.unwrap_or_else(|| paths.local_store());
        Ok(ServiceOptions {
            #[cfg(feature = "postgres")]
            database: database_address(
                "--database",
                self.database.as_deref(),
                environment,
                ca_cert,
            )?,
            ..ServiceOptions::new(dir)
        })
    }
}

/// A store that may be in use.
#[derive(Debug, clap::Args)]
pub struct ServedStore {
    /// Directory of the store [default: the built-in store]
    #[arg(long, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,

    /// The rows of the store are in this database of PostgreSQL, and not in the directory
    ///
    /// The password comes from PGPASSWORD, and the user from PGUSER if the address has none. If the
    /// bytes are in a bucket, the database says in which, and `--data-dir` is not needed.
    #[cfg(feature = "postgres")]
    #[arg(long, value_name = "postgres://USER@HOST/DATABASE")]
    pub database: Option<String>,
}

impl ServedStore {
    /// Returns that store. The authorities in `ca_cert` may vouch for its database and its bucket.
    pub fn source(
        self,
        environment: &Environment,
        paths: &Paths,
        ca_cert: Option<&Path>,
    ) -> anyhow::Result<StoreSource> {
        Ok(StoreSource {
            dir: self.data_dir.unwrap_or_else(|| paths.local_store()),
            #[cfg(feature = "postgres")]
            database: database_address(
                "--database",
                self.database.as_deref(),
                environment,
                ca_cert,
            )?,
            settings: bucket_settings(environment, ca_cert)?,
        })
    }
}

/// Returns the settings of a bucket, for whose server the authorities in `ca_cert` may vouch.
pub fn bucket_settings(
    environment: &Environment,
    ca_cert: Option<&Path>,
) -> anyhow::Result<BucketSettings> {
    Ok(BucketSettings::from_variables(environment.bucket.clone())
        .trusting(authorities::read(ca_cert)?))
}
