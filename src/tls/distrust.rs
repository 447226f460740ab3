//! The reason why a server is not trusted, in plain words, found among the causes of an error.

use std::error::Error;
use std::io;

use rustls::CertificateError;

use super::verifier::UnknownAuthority;

/// The reason why a server is not trusted, as the end of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Distrust {
    pub(crate) reason: String,
    pub(crate) lacks_authority: bool,
}

impl Distrust {
    /// Returns `None` if another step failed.
    pub(crate) fn of(error: &(dyn Error + 'static)) -> Option<Self> {
        let rustls::Error::InvalidCertificate(why) = tls_error(error)? else {
            return None;
        };
        let lacks_authority =
            matches!(why, CertificateError::Other(other) if other.0.is::<UnknownAuthority>());
        Some(Self {
            reason: in_words(why),
            lacks_authority,
        })
    }

    /// Returns the reason, with the options that add the missing authority if one is.
    #[cfg(feature = "service")]
    pub(crate) fn with_advice(&self, options: &str) -> String {
        if self.lacks_authority {
            format!("{}; {options} adds it", self.reason)
        } else {
            self.reason.clone()
        }
    }
}

fn in_words(why: &CertificateError) -> String {
    match why {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "its certificate has expired, or this machine's clock is wrong".to_owned()
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "its certificate is not valid yet, or this machine's clock is wrong".to_owned()
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "its certificate is for another name".to_owned()
        }
        CertificateError::Revoked => "its certificate was revoked".to_owned(),
        CertificateError::Other(other) if other.0.is::<UnknownAuthority>() => other.0.to_string(),
        other => format!("its certificate is not valid: {other}"),
    }
}

/// Returns the TLS error among the causes of an error.
pub(crate) fn tls_error<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a rustls::Error> {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        // An I/O error hides the error that it wraps from `source`, and may wrap another one.
        cause = match error
            .downcast_ref::<io::Error>()
            .and_then(io::Error::get_ref)
        {
            Some(wrapped) => Some(wrapped),
            None => error.source(),
        };
    }
    None
}
