//! The authorization header.

use reqwest::header::HeaderValue;
use secrecy::{ExposeSecret as _, SecretString};

use super::error::{Error, Kind};

/// Marked sensitive, so that debug output never shows it.
pub(super) fn header(token: &SecretString) -> Result<HeaderValue, Error> {
    let mut header =
        HeaderValue::try_from(format!("Bearer {}", token.expose_secret())).map_err(|_| {
            Error::new(
                Kind::Refused,
                "The account's token has characters that cannot be sent",
            )
        })?;
    header.set_sensitive(true);
    Ok(header)
}
