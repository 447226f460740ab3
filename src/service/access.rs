//! Authorization: tokens with their scopes, and signed addresses for anyone who has them.

pub(crate) mod credentials;
pub(crate) mod scopes;
pub(crate) mod signing;
pub(crate) mod token_file;
pub(crate) mod tokens;
