//! The parameters of a database's address that say how TLS is used, by the names that PostgreSQL
//! clients know. There are two ways: with TLS, and then with a certificate that is checked for the
//! host's name, or without.

use std::borrow::Cow;
use std::path::PathBuf;

use percent_encoding::percent_decode_str;
use tokio_postgres::config::SslMode;

#[derive(Debug, Default)]
pub(super) struct TlsParameters {
    pub(super) mode: Option<SslMode>,
    /// The file of `sslrootcert`.
    pub(super) root_cert: Option<PathBuf>,
}

#[derive(Debug, thiserror::Error)]
#[error(
    "sslmode={0} is not supported; use verify-full, or disable, which sends everything without encryption"
)]
pub struct UnknownSslMode(String);

impl TlsParameters {
    /// Returns the parameters, and the address without them.
    pub(super) fn split_off(address: &str) -> Result<(Self, String), UnknownSslMode> {
        let mut found = Self::default();
        let Some((place, query)) = address.split_once('?') else {
            return Ok((found, address.to_owned()));
        };
        let mut others = Vec::new();
        for parameter in query.split('&') {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            let value = decoded(value);
            match &*decoded(name) {
                "sslmode" => found.mode = Some(mode(&value)?),
                // By this word, PostgreSQL clients mean the authorities of the system.
                "sslrootcert" if value == "system" => {}
                "sslrootcert" => found.root_cert = Some(PathBuf::from(&*value)),
                _ => others.push(parameter),
            }
        }
        let mark = if others.is_empty() { "" } else { "?" };
        Ok((found, format!("{place}{mark}{}", others.join("&"))))
    }
}

fn mode(value: &str) -> Result<SslMode, UnknownSslMode> {
    match value {
        "disable" => Ok(SslMode::Disable),
        "require" | "verify-ca" | "verify-full" => Ok(SslMode::Require),
        other => Err(UnknownSslMode(other.to_owned())),
    }
}

fn decoded(text: &str) -> Cow<'_, str> {
    percent_decode_str(text).decode_utf8_lossy()
}
