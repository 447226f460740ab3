//! The address and token with which a client reaches an embedded service.

use secrecy::SecretString;
use url::Url;

#[derive(Debug, Clone)]
pub struct ServiceAddress {
    pub base_url: Url,
    pub token: SecretString,
}
