//! Which account is on the screen, as far as the screen needs to know. Never its token.

/// The account in use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    pub name: String,
    pub base_url: String,
    /// Changes are refused before anything is sent.
    pub read_only: bool,
    /// The store of this machine: the embedded service runs in the same process.
    pub local: bool,
}
