//! Who may do what: tokens and their scopes, and addresses that are signed for anyone who has them.

pub(crate) mod credentials;
pub(crate) mod scopes;
pub(crate) mod signing;
pub(crate) mod token_file;
pub(crate) mod tokens;
