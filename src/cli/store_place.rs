//! The options for keeping a store's rows and bytes outside its directory, for every command that
//! creates a store.

use crate::cli::store_access::StoreAccess;
use crate::service::ServiceOptions;
#[cfg(feature = "s3")]
use crate::service::{BucketAddress, BucketOptions};

#[derive(Debug, clap::Args)]
pub struct StorePlace {
    /// Keep the bytes in this bucket of S3, or of another server with that API; the database stays
    /// in the directory
    ///
    /// The environment says how to reach it: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`,
    /// `AWS_SESSION_TOKEN`, `AWS_REGION`, `AWS_ENDPOINT_URL` (of a server other than that of AWS)
    /// and `AWS_ALLOW_HTTP=true` (if that one has no TLS). `--ca-cert` adds an authority for its
    /// certificate. A store keeps to its bucket from its first start on.
    #[cfg(feature = "s3")]
    #[arg(long, value_name = "s3://BUCKET/PREFIX")]
    pub objects: Option<BucketAddress>,

    /// Keep the rows of the store in this database of PostgreSQL, and not in the directory
    ///
    /// The password comes from PGPASSWORD, and the user from PGUSER if the address has none. A
    /// connection to another machine is encrypted and the certificate is checked, unless the
    /// address ends with `?sslmode=disable`; one to this machine with `sslmode=verify-full`.
    /// `--ca-cert`, or `sslrootcert=FILE` in the address, adds an authority. The user needs the
    /// right to create tables and the extension `pg_trgm`.
    #[cfg(feature = "postgres")]
    #[arg(long, value_name = "postgres://USER@HOST/DATABASE")]
    pub database: Option<String>,
}

impl StorePlace {
    /// Returns `true` if the rows or the bytes are outside the directory.
    pub fn is_elsewhere(&self) -> bool {
        let places = [
            #[cfg(feature = "s3")]
            self.objects.is_some(),
            #[cfg(feature = "postgres")]
            self.database.is_some(),
        ];
        places.contains(&true)
    }

    /// Sets the options for these places.
    pub fn apply(
        &self,
        options: &mut ServiceOptions,
        access: StoreAccess<'_>,
    ) -> anyhow::Result<()> {
        #[cfg(feature = "s3")]
        if let Some(address) = self.objects.clone() {
            options.bucket = Some(BucketOptions::new(address, access.bucket()?));
        }
        #[cfg(feature = "postgres")]
        {
            options.database = access.database("--database", self.database.as_ref())?;
        }
        Ok(())
    }
}
