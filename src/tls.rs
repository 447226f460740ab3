//! TLS client configuration, with its own cryptography provider: a process-wide one may be somebody else's.

use std::sync::Arc;

use rustls::client::danger::ServerCertVerifier;
use rustls::crypto::{CryptoProvider, ring};
use rustls::{ClientConfig, ConfigBuilder, RootCertStore, WantsVerifier};
#[cfg(feature = "service")]
use rustls_platform_verifier::Verifier;

pub(crate) fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

/// TLS 1.2 and 1.3 to servers that `verifier` accepts.
pub(crate) fn verified_by(verifier: Arc<dyn ServerCertVerifier>) -> Result<ClientConfig, rustls::Error> {
    Ok(builder()?.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth())
}

/// TLS to servers that the system's certificate authorities vouch for.
#[cfg(feature = "service")]
pub(crate) fn of_the_system() -> Result<ClientConfig, rustls::Error> {
    verified_by(Arc::new(Verifier::new(provider())?))
}

/// Trusts no server. For plain `http`, where loading the system's certificate authorities would be wasted.
pub(crate) fn without_authorities() -> Result<ClientConfig, rustls::Error> {
    Ok(builder()?.with_root_certificates(RootCertStore::empty()).with_no_client_auth())
}

fn builder() -> Result<ConfigBuilder<ClientConfig, WantsVerifier>, rustls::Error> {
    ClientConfig::builder_with_provider(provider()).with_safe_default_protocol_versions()
}
