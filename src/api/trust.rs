//! Server trust: the certificate must lead to an authority of the system, or to one that the user adds. This cannot be
//! bypassed. Explains in plain words why a server is not trusted.

use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, OtherError, SignatureScheme};
use rustls_platform_verifier::Verifier;

use crate::tls;

/// Certificate authorities to trust in addition to the system's.
#[derive(Debug, Clone, Default)]
pub struct ExtraRoots(Vec<CertificateDer<'static>>);

impl ExtraRoots {
    /// Adds the certificates in a PEM text. Returns `false` if there are none or one cannot be read.
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

    /// TLS 1.2 and 1.3 to servers that these or the system's authorities vouch for.
    pub(super) fn client_config(&self) -> Result<ClientConfig, rustls::Error> {
        let inner = Verifier::new_with_extra_roots(self.0.iter().cloned(), tls::provider())?;
        let mut config = tls::verified_by(Arc::new(SelfSignedKnown(inner)))?;
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(config)
    }
}

/// Verifies like the system, but tells a self-signed certificate from one of an unknown authority.
#[derive(Debug)]
struct SelfSignedKnown(Verifier);

#[derive(Debug, thiserror::Error)]
#[error("self-signed")]
struct SelfSigned;

impl ServerCertVerifier for SelfSignedKnown {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let verified = self.0.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now);
        verified.map_err(|error| match error {
            rustls::Error::InvalidCertificate(CertificateError::UnknownIssuer) if is_self_signed(end_entity) => {
                rustls::Error::InvalidCertificate(CertificateError::Other(OtherError(Arc::new(SelfSigned))))
            }
            error => error,
        })
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.0.verify_tls12_signature(message, cert, dss)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.0.verify_tls13_signature(message, cert, dss)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_verify_schemes()
    }
}

fn is_self_signed(certificate: &CertificateDer<'_>) -> bool {
    webpki::EndEntityCert::try_from(certificate).is_ok_and(|parsed| parsed.issuer() == parsed.subject())
}

/// Returns the reason a server is not trusted, as the end of a sentence; `None` if another step failed.
pub(super) fn distrust(error: &rustls::Error) -> Option<String> {
    let rustls::Error::InvalidCertificate(why) = error else { return None };
    Some(match why {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "its certificate has expired, or this machine's clock is wrong".to_owned()
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "its certificate is not valid yet, or this machine's clock is wrong".to_owned()
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "its certificate is for another name".to_owned()
        }
        CertificateError::UnknownIssuer => {
            "its certificate is from an authority that is not trusted; --ca-cert FILE adds one".to_owned()
        }
        CertificateError::Revoked => "its certificate was revoked".to_owned(),
        CertificateError::Other(other) if other.0.is::<SelfSigned>() => {
            "its certificate is self-signed; --ca-cert FILE adds an authority".to_owned()
        }
        other => format!("its certificate is not valid: {other}"),
    })
}
