//! Paths that name their account, as in `@acme:/brand` or `@acme:id:12`.

use std::fmt;
use std::str::FromStr;

use super::remote::{RemoteArgument, RemoteError};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountPath {
    /// `None` for the chosen account.
    pub account: Option<String>,
    pub remote: RemoteArgument,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AccountPathError {
    #[error("write a path of an account as in @acme:/brand, with a colon after the name")]
    NoColon,
    #[error("write the name of the account between '@' and ':', as in @acme:/brand")]
    NoName,
    #[error(transparent)]
    Remote(#[from] RemoteError),
}

impl FromStr for AccountPath {
    type Err = AccountPathError;

    fn from_str(text: &str) -> Result<Self, AccountPathError> {
        let Some(rest) = text.strip_prefix('@') else {
            return Ok(Self {
                account: None,
                remote: text.parse()?,
            });
        };
        let (account, path) = rest.split_once(':').ok_or(AccountPathError::NoColon)?;
        if account.is_empty() {
            return Err(AccountPathError::NoName);
        }
        Ok(Self {
            account: Some(account.to_owned()),
            remote: path.parse()?,
        })
    }
}

impl fmt::Display for AccountPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.account {
            Some(account) => write!(f, "@{account}:{}", self.remote),
            None => self.remote.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::named("@acme:/brand", Some("acme"), "/brand")]
    #[case::by_id("@acme:id:12", Some("acme"), "id:12")]
    #[case::root("@local:/", Some("local"), "/")]
    #[case::chosen("/brand", None, "/brand")]
    #[case::colon_in_a_name("@acme:/a:b", Some("acme"), "/a:b")]
    fn a_path_may_name_its_account(
        #[case] text: &str,
        #[case] account: Option<&str>,
        #[case] remote: &str,
    ) {
        let path: AccountPath = text.parse().unwrap();
        assert_eq!(
            (path.account.as_deref(), path.remote.to_string()),
            (account, remote.to_owned())
        );
        assert_eq!(path.to_string(), text);
    }

    #[rstest]
    #[case::no_colon("@acme", AccountPathError::NoColon)]
    #[case::no_name("@:/brand", AccountPathError::NoName)]
    #[case::relative("@acme:brand", AccountPathError::Remote(RemoteError::NotAbsolute))]
    fn other_texts_are_refused(#[case] text: &str, #[case] error: AccountPathError) {
        assert_eq!(text.parse::<AccountPath>(), Err(error));
    }
}
