//! Authorization: tokens with their scopes, and signed addresses for anyone who has them.

pub(crate) mod accepted_credentials;
pub(crate) mod credential_error;
pub(crate) mod random_secret;
pub(crate) mod scopes;
pub(crate) mod signing;
pub(crate) mod token_file;
pub(crate) mod token_source;
pub(crate) mod tokens;
