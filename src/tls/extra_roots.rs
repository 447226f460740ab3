//! The authorities that vouch for servers: those of the system, and those that the user adds.

use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, Error};
use rustls_platform_verifier::Verifier;

use super::client_config::{provider, verified_by};
use super::verifier::NamingVerifier;

/// Certificate authorities to trust in addition to the system's.
#[derive(Debug, Clone, Default)]
pub struct ExtraRoots(Vec<CertificateDer<'static>>);

impl ExtraRoots {
    /// Adds the certificates in a PEM text. Returns `false` if there are none or one cannot be
    /// read.
    pub fn add(&mut self, pem: &[u8]) -> bool {
        let read: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
        let found = read.unwrap_or_default();
        let is_usable = |root: &CertificateDer<'_>| webpki::anchor_from_trusted_cert(root).is_ok();
        let is_right = !found.is_empty() && found.iter().all(is_usable);
        if is_right {
            self.0.extend(found);
        }
        is_right
    }

    /// TLS to servers that these or the system's authorities vouch for.
    pub(crate) fn client_config(&self) -> Result<ClientConfig, Error> {
        let verifier = Verifier::new_with_extra_roots(self.0.iter().cloned(), provider());
        let verifier = verifier.map_err(|error| match error {
            // Neither the system nor the user has any.
            Error::General(what) => Error::General(format!(
                "{what}; install them, or name some with --ca-cert FILE"
            )),
            error => error,
        })?;
        verified_by(Arc::new(NamingVerifier(verifier)))
    }
}
