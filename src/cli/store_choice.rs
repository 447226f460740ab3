//! The store that a command of `filedeck store` works on: one in a directory, or one whose rows are
//! in a database.

use std::path::PathBuf;

use crate::cli::store_access::StoreAccess;
use crate::service::ServiceOptions;
use crate::service::maintenance::StoreSource;

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
    /// Returns the options of that store.
    pub fn options(self, access: StoreAccess<'_>) -> anyhow::Result<ServiceOptions> {
        Ok(ServiceOptions {
            #[cfg(feature = "postgres")]
            database: access.database("--database", self.database.as_ref())?,
            ..ServiceOptions::new(access.dir(self.data_dir))
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
    /// Returns that store.
    pub fn source(self, access: StoreAccess<'_>) -> anyhow::Result<StoreSource> {
        Ok(StoreSource {
            dir: access.dir(self.data_dir),
            #[cfg(feature = "postgres")]
            database: access.database("--database", self.database.as_ref())?,
            settings: access.bucket()?,
        })
    }
}
