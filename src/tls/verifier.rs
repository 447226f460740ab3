//! Verification as by the system, whose errors name the authority that is missing.

use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, DigitallySignedStruct, Error, OtherError, SignatureScheme};
use rustls_platform_verifier::Verifier;

#[derive(Debug)]
pub(super) struct NamingVerifier(pub(super) Verifier);

/// The certificates of a server lead to no trusted authority; the text says to which.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct UnknownAuthority(String);

impl UnknownAuthority {
    fn of(end_entity: &CertificateDer<'_>, intermediates: &[CertificateDer<'_>]) -> Self {
        if webpki::EndEntityCert::try_from(end_entity)
            .is_ok_and(|parsed| parsed.issuer() == parsed.subject())
        {
            return Self("its certificate is self-signed".to_owned());
        }
        let last = intermediates.last().unwrap_or(end_entity);
        let name = webpki::EndEntityCert::try_from(last)
            .ok()
            .and_then(|parsed| common_name(parsed.issuer()));
        // The server chose the name, so it is quoted.
        let name = name.map(|name| format!(", {name:?}")).unwrap_or_default();
        Self(format!(
            "its certificate is from an authority that is not trusted{name}"
        ))
    }
}

/// Returns the common name in an encoded name, or else the name of the organization.
fn common_name(name: &[u8]) -> Option<String> {
    const COMMON_NAME: u8 = 3;
    const ORGANIZATION: u8 = 10;
    [COMMON_NAME, ORGANIZATION].iter().find_map(|kind| {
        let identifier = [6, 3, 0x55, 4, *kind];
        let at = name
            .windows(identifier.len())
            .position(|window| window == identifier)?;
        let [_tag, length, text @ ..] = name.get(at + identifier.len()..)? else {
            return None;
        };
        String::from_utf8(text.get(..usize::from(*length))?.to_vec()).ok()
    })
}

impl ServerCertVerifier for NamingVerifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let verified =
            self.0
                .verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now);
        verified.map_err(|error| match error {
            Error::InvalidCertificate(CertificateError::UnknownIssuer) => {
                let unknown = Arc::new(UnknownAuthority::of(end_entity, intermediates));
                Error::InvalidCertificate(CertificateError::Other(OtherError(unknown)))
            }
            error => error,
        })
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls12_signature(message, cert, dss)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls13_signature(message, cert, dss)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_verify_schemes()
    }
}
