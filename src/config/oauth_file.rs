//! Stored OAuth credentials: TOML or JSON in a private file or a keyring entry. Messages never
//! quote them.

use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use url::Url;

use super::token::Token;

/// The credentials that an app received when it was installed in an account. `Debug` shows no
/// secret.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OauthFile {
    /// Identifies the app; not secret.
    pub client_id: String,
    pub client_secret: SecretString,
    pub refresh_token: SecretString,
}

impl OauthFile {
    /// Parses TOML, or JSON if the text begins with a brace; `None` if a field is missing or
    /// unknown.
    pub fn parse(text: &SecretString) -> Option<Self> {
        let text = text.expose_secret().trim();
        let read: Self = if text.starts_with('{') {
            serde_json::from_str(text).ok()
        } else {
            toml::from_str(text).ok()
        }?;
        let parts = [
            &read.client_id,
            read.client_secret.expose_secret(),
            read.refresh_token.expose_secret(),
        ];
        let is_whole = parts.iter().all(|part| !part.trim().is_empty());
        is_whole.then_some(read)
    }

    /// Formats the credentials as one line, which can be stored like a token.
    pub fn to_token(&self) -> Option<Token> {
        let line = serde_json::json!({
            "client_id": self.client_id,
            "client_secret": self.client_secret.expose_secret(),
            "refresh_token": self.refresh_token.expose_secret(),
        });
        Token::new(&line.to_string())
    }

    /// A hash that distinguishes these credentials at this address from others without revealing
    /// them.
    pub fn fingerprint(&self, address: &Url) -> String {
        let origin = address.origin().ascii_serialization();
        let parts = [&origin, &self.client_id, self.refresh_token.expose_secret()];
        short_hash(&parts.join("\n"))
    }
}

/// Half of a hash, for file names.
pub(super) fn short_hash(text: &str) -> String {
    hex::encode(Sha256::digest(text)).chars().take(32).collect()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::toml("client_id = \"i\"\nclient_secret = \"s\"\nrefresh_token = \"r\"")]
    #[case::json("{\"client_id\": \"i\", \"client_secret\": \"s\", \"refresh_token\": \"r\"}")]
    fn credentials_are_read_from_either_form_and_kept_as_one_line(#[case] text: &str) {
        let read = OauthFile::parse(&SecretString::from(text)).unwrap();
        let again = OauthFile::parse(read.to_token().unwrap().secret()).unwrap();
        for file in [&read, &again] {
            assert_eq!(file.client_id, "i");
            assert_eq!(
                (
                    file.client_secret.expose_secret(),
                    file.refresh_token.expose_secret()
                ),
                ("s", "r")
            );
        }
        assert!(read.to_token().unwrap().is_one_line());
    }

    #[rstest]
    #[case::a_plain_token("canary")]
    #[case::a_part_is_missing("client_id = \"i\"\nrefresh_token = \"r\"")]
    #[case::a_part_is_empty("client_id = \"i\"\nclient_secret = \"\"\nrefresh_token = \"r\"")]
    fn what_is_not_whole_is_refused(#[case] text: &str) {
        assert!(OauthFile::parse(&SecretString::from(text)).is_none());
    }
}
