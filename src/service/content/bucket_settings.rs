//! The credentials and servers of a bucket from the environment, by the names that S3 clients use.

#[cfg(feature = "s3")]
use secrecy::ExposeSecret as _;
use secrecy::SecretString;

/// The environment variables that S3 clients use, such as `AWS_ACCESS_KEY_ID`. `Debug` shows no value.
#[derive(Debug, Clone, Default)]
pub struct BucketSettings(
    #[cfg_attr(not(feature = "s3"), expect(dead_code, reason = "only buckets are reached with them"))]
    Vec<(&'static str, SecretString)>,
);

impl BucketSettings {
    pub fn from_variables(variables: impl IntoIterator<Item = (&'static str, SecretString)>) -> Self {
        Self(variables.into_iter().collect())
    }
}

#[cfg(feature = "s3")]
impl BucketSettings {
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0.iter().map(|(name, value)| (*name, value.expose_secret()))
    }

    pub(crate) fn first(&self, names: &[&str]) -> Option<&str> {
        names.iter().find_map(|name| self.iter().find(|(known, _)| known == name).map(|(_, value)| value))
    }
}
