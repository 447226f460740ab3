//! The address of a place in a bucket, as in `s3://bucket/prefix`.

use std::fmt;
use std::str::FromStr;

/// Contains neither credentials nor the address of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BucketAddress {
    bucket: String,
    /// Has no slash at either end; empty for the whole bucket.
    prefix: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BucketAddressError {
    #[error("write it like s3://bucket/prefix")]
    Scheme,
    #[error("the name of a bucket has 3 to 63 lower-case letters, digits, dots and hyphens")]
    Bucket,
    #[error(
        "a prefix has letters, digits, '.', '_' and '-' between its slashes, and 512 of them at most"
    )]
    Prefix,
}

impl BucketAddress {
    pub(super) fn bucket(&self) -> &str {
        &self.bucket
    }

    pub(super) fn prefix(&self) -> &str {
        &self.prefix
    }
}

impl FromStr for BucketAddress {
    type Err = BucketAddressError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let place = text
            .strip_prefix("s3://")
            .ok_or(BucketAddressError::Scheme)?;
        let (bucket, prefix) = place.split_once('/').unwrap_or((place, ""));
        let is_of_bucket = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-');
        if !(3..=63).contains(&bucket.len()) || !bucket.bytes().all(is_of_bucket) {
            return Err(BucketAddressError::Bucket);
        }
        let prefix = prefix.strip_suffix('/').unwrap_or(prefix);
        let is_segment = |segment: &str| {
            let is_of_prefix =
                |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
            !matches!(segment, "" | "." | "..") && segment.bytes().all(is_of_prefix)
        };
        if prefix.len() > 512 || !(prefix.is_empty() || prefix.split('/').all(is_segment)) {
            return Err(BucketAddressError::Prefix);
        }
        Ok(Self {
            bucket: bucket.to_owned(),
            prefix: prefix.to_owned(),
        })
    }
}

impl fmt::Display for BucketAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slash = if self.prefix.is_empty() { "" } else { "/" };
        write!(f, "s3://{}{slash}{}", self.bucket, self.prefix)
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("s3://files", "s3://files")]
    #[case("s3://files/", "s3://files")]
    #[case("s3://my.files-2/a/b_c/", "s3://my.files-2/a/b_c")]
    fn an_address_has_one_form(#[case] text: &str, #[case] form: &str) {
        assert_eq!(text.parse::<BucketAddress>().unwrap().to_string(), form);
    }

    #[rstest]
    #[case("files", BucketAddressError::Scheme)]
    #[case("https://files.test/a", BucketAddressError::Scheme)]
    #[case("s3://", BucketAddressError::Bucket)]
    #[case("s3://Files", BucketAddressError::Bucket)]
    #[case("s3://key:secret@files", BucketAddressError::Bucket)]
    #[case("s3://files//a", BucketAddressError::Prefix)]
    #[case("s3://files/../a", BucketAddressError::Prefix)]
    #[case("s3://files/a?b", BucketAddressError::Prefix)]
    fn what_is_no_address_is_refused(#[case] text: &str, #[case] why: BucketAddressError) {
        assert_eq!(text.parse::<BucketAddress>(), Err(why));
    }
}
