//! The errors of the system's keyring. Never hold a token or the name of an entry.

/// Phrased to continue a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyringError {
    #[error("this filedeck is built without the system keyring")]
    NotBuiltIn,
    #[error("no system keyring here")]
    NotHere,
    #[error("the system keyring is locked")]
    Locked,
    #[error("the system keyring does not have it")]
    NoEntry,
    #[error("the system keyring did not answer within {0} s")]
    NoAnswer(u64),
    #[error("the system keyring failed: {0}")]
    Failed(String),
}
