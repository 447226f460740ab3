//! The credentials and servers of a bucket from the environment, by the names that S3 clients use.

#[cfg(feature = "s3")]
use secrecy::ExposeSecret as _;
use secrecy::SecretString;

use crate::tls::ExtraRoots;

/// The environment variables that S3 clients use, such as `AWS_ACCESS_KEY_ID`, and the authorities
/// that may vouch for the server. `Debug` shows no value of a variable.
#[derive(Debug, Clone, Default)]
#[cfg_attr(
    not(feature = "s3"),
    expect(dead_code, reason = "only buckets are reached with them")
)]
pub struct BucketSettings {
    variables: Vec<(&'static str, SecretString)>,
    roots: ExtraRoots,
}

impl BucketSettings {
    pub fn from_variables(
        variables: impl IntoIterator<Item = (&'static str, SecretString)>,
    ) -> Self {
        Self {
            variables: variables.into_iter().collect(),
            roots: ExtraRoots::default(),
        }
    }

    #[must_use]
    pub fn trusting(self, roots: ExtraRoots) -> Self {
        Self { roots, ..self }
    }
}

#[cfg(feature = "s3")]
impl BucketSettings {
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.variables
            .iter()
            .map(|(name, value)| (*name, value.expose_secret()))
    }

    pub(crate) fn roots(&self) -> &ExtraRoots {
        &self.roots
    }

    pub(crate) fn first(&self, names: &[&str]) -> Option<&str> {
        names.iter().find_map(|name| {
            self.iter()
                .find(|(known, _)| known == name)
                .map(|(_, value)| value)
        })
    }
}
