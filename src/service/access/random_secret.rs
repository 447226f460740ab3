//! New tokens and keys.

use secrecy::SecretString;

use super::credential_error::CredentialError;

/// Returns 256 random bits in hexadecimal digits.
pub(crate) fn random_secret() -> Result<SecretString, CredentialError> {
    let mut random = [0_u8; 32];
    getrandom::fill(&mut random).map_err(|error| CredentialError::Random(error.to_string()))?;
    Ok(hex::encode(random).into())
}
