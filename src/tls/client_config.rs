//! TLS 1.2 and 1.3 with the cryptography provider of filedeck.

use std::sync::Arc;

use rustls::client::danger::ServerCertVerifier;
use rustls::crypto::{CryptoProvider, ring};
use rustls::{ClientConfig, ConfigBuilder, Error, RootCertStore, WantsVerifier};

pub(super) fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

/// TLS to servers that `verifier` accepts.
pub(super) fn verified_by(verifier: Arc<dyn ServerCertVerifier>) -> Result<ClientConfig, Error> {
    Ok(builder()?
        .dangerous()
        .with_custom_certificate_verifier(verifier)
        .with_no_client_auth())
}

/// Trusts no server. For plain `http`, where loading the system's certificate authorities would be
/// wasted.
pub(crate) fn without_authorities() -> Result<ClientConfig, Error> {
    Ok(builder()?
        .with_root_certificates(RootCertStore::empty())
        .with_no_client_auth())
}

fn builder() -> Result<ConfigBuilder<ClientConfig, WantsVerifier>, Error> {
    ClientConfig::builder_with_provider(provider()).with_safe_default_protocol_versions()
}
