//! Signatures of addresses: an HMAC-SHA256 over the permissions of the address and its end
//! (`guarantees.md#a-signed-address-opens-one-file-until-its-end`).

use hmac::{Hmac, KeyInit as _, Mac as _};
use jiff::Timestamp;
use secrecy::{ExposeSecret as _, SecretString};
use sha2::Sha256;

use super::scopes::Principal;
use crate::api::model::ThumbnailSize;
use crate::service::store::FileKey;

/// The permissions that a signed address gives its holder.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Grant {
    pub(crate) file: FileKey,
    /// The name in the address; the file may have been renamed since.
    pub(crate) name: String,
    pub(crate) size: Option<ThumbnailSize>,
    pub(crate) upscale: bool,
    pub(crate) expires_at: Timestamp,
}

/// Signs and verifies with the store's own key. A signature is also over the token of its maker,
/// and ends with it.
pub(crate) struct Signer {
    keyed: Option<Hmac<Sha256>>,
}

impl Signer {
    pub(crate) fn new(key: &SecretString) -> Self {
        let keyed = Hmac::<Sha256>::new_from_slice(key.expose_secret().as_bytes());
        Self { keyed: keyed.ok() }
    }

    /// Lower-case hex.
    pub(crate) fn sign(&self, grant: &Grant, maker: &Principal) -> String {
        self.mac(grant, maker)
            .map(|mac| hex::encode(mac.finalize().into_bytes()))
            .unwrap_or_default()
    }

    /// Returns `true` if this caller signed exactly this grant. Takes the same time for every wrong
    /// signature.
    pub(crate) fn accepts(&self, grant: &Grant, maker: &Principal, signature: &str) -> bool {
        let (Some(mac), Ok(bytes)) = (self.mac(grant, maker), hex::decode(signature)) else {
            return false;
        };
        // The decoder would also accept upper-case digits, which are never issued.
        mac.verify_slice(&bytes).is_ok() && !signature.bytes().any(|byte| byte.is_ascii_uppercase())
    }

    fn mac(&self, grant: &Grant, maker: &Principal) -> Option<Hmac<Sha256>> {
        let size = grant.size.as_ref().map_or("", ThumbnailSize::as_str);
        let Grant {
            file,
            name,
            upscale,
            ..
        } = grant;
        let (file, until) = (file.0, grant.expires_at.as_millisecond());
        let mut mac = self.keyed.clone()?;
        mac.update(&maker.token.0);
        mac.update(
            format!("filedeck signed address 3\nGET\n{file}\n{size}\n{upscale}\n{until}\n{name}")
                .as_bytes(),
        );
        Some(mac)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::access::scopes::Scopes;
    use crate::service::access::token_source::TokenDigest;

    fn maker(token: &str) -> Principal {
        Principal {
            name: "owner".to_owned(),
            scopes: Scopes::All,
            token: TokenDigest::of(token),
        }
    }

    fn grant() -> Grant {
        let expires_at = Timestamp::from_second(1_000).unwrap();
        Grant {
            file: FileKey(7),
            name: "a.png".to_owned(),
            size: None,
            upscale: false,
            expires_at,
        }
    }

    // Fails if file, size, upscale or token is left out of the signed text.
    #[test]
    fn a_signature_holds_for_its_grant_alone() {
        let signer = Signer::new(&"key-1".to_owned().into());
        let grant = grant();
        let signature = signer.sign(&grant, &maker("fdk-1"));
        assert!(signer.accepts(&grant, &maker("fdk-1"), &signature));
        let others = [
            Grant {
                file: FileKey(8),
                ..grant.clone()
            },
            Grant {
                name: "b.png".to_owned(),
                ..grant.clone()
            },
            Grant {
                size: Some(ThumbnailSize::Icon),
                ..grant.clone()
            },
            Grant {
                upscale: true,
                ..grant.clone()
            },
            Grant {
                expires_at: Timestamp::from_second(1_001).unwrap(),
                ..grant.clone()
            },
        ];
        assert!(
            others
                .iter()
                .all(|other| !signer.accepts(other, &maker("fdk-1"), &signature))
        );
        assert!(!signer.accepts(&grant, &maker("fdk-2"), &signature));
        assert!(!Signer::new(&"key-2".to_owned().into()).accepts(
            &grant,
            &maker("fdk-1"),
            &signature
        ));
    }

    #[test]
    fn every_changed_digit_is_refused() {
        let signer = Signer::new(&"key-1".to_owned().into());
        let grant = grant();
        let signature = signer.sign(&grant, &maker("fdk-1"));
        for at in 0..signature.len() {
            let mut changed = signature.clone().into_bytes();
            changed[at] = if changed[at] == b'0' { b'1' } else { b'0' };
            assert!(!signer.accepts(
                &grant,
                &maker("fdk-1"),
                &String::from_utf8(changed).unwrap()
            ));
        }
        assert!(!signer.accepts(&grant, &maker("fdk-1"), ""));
        assert!(!signer.accepts(&grant, &maker("fdk-1"), &signature.to_uppercase()));
    }
}
