//! The access to a bucket: its address, and the credentials and servers from the environment.

use std::time::Duration;

use super::address::BucketAddress;
use super::fault::BucketFault;
use crate::service::content::bucket_settings::BucketSettings;
use crate::service::policy;

/// `Debug` shows no value of the settings.
#[derive(Debug, Clone)]
pub struct BucketOptions {
    pub address: BucketAddress,
    pub settings: BucketSettings,
    /// The time that a request to the bucket may go without progress.
    pub patience: Duration,
}

/// Returns `true` for the values that S3 clients accept as yes.
pub(super) fn is_yes(value: &str) -> bool {
    matches!(
        value.to_ascii_lowercase().as_str(),
        "1" | "true" | "on" | "yes" | "y"
    )
}

impl BucketOptions {
    pub fn new(address: BucketAddress, settings: BucketSettings) -> Self {
        Self {
            address,
            settings,
            patience: policy::BUCKET_PATIENCE,
        }
    }

    pub(super) fn region(&self) -> &str {
        self.settings
            .first(&["AWS_REGION", "AWS_DEFAULT_REGION"])
            .unwrap_or("us-east-1")
    }

    pub(super) fn is_plain(&self) -> bool {
        let endpoint =
            self.settings
                .first(&["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"]);
        endpoint.is_some_and(|endpoint| endpoint.starts_with("http://"))
    }

    /// Refuses to work without TLS unless that is explicitly allowed.
    pub(super) fn check(&self) -> Result<(), BucketFault> {
        let is_allowed = self.settings.first(&["AWS_ALLOW_HTTP"]).is_some_and(is_yes);
        if self.is_plain() && !is_allowed {
            Err(BucketFault::Plain)
        } else {
            Ok(())
        }
    }
}
