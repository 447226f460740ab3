//! The file for `--token-file`: a single token, or a list of tokens with names, scopes and expiry
//! times in TOML or JSON. A list may hold digests instead of tokens; only digests are kept in
//! memory.

use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;

use super::credential_error::{CredentialError, TokenFileError};
use super::scopes::{Principal, Scopes};
use super::token_source::{TokenDigest, is_token, is_weak};
use crate::secret_file;

#[derive(Debug)]
pub(super) enum TokenFile {
    /// A token with all permissions, instead of the one that the service creates.
    One(SecretString),
    /// Tokens in addition to the one that the service creates.
    List(Vec<ListedToken>),
}

#[derive(Clone, PartialEq)]
pub(crate) struct ListedToken {
    pub(crate) caller: Arc<Principal>,
    /// The time from which the token is refused; `None` if it never expires.
    pub(crate) expires_at: Option<Timestamp>,
    /// Set if the token is known to be short; of a digest the length is not known.
    pub(crate) is_weak: bool,
}

impl std::fmt::Debug for ListedToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ListedToken")
            .field("name", &self.caller.name)
            .finish_non_exhaustive()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TokenList {
    tokens: Vec<ListEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListEntry {
    name: String,
    token: Option<SecretString>,
    sha256: Option<String>,
    scopes: Vec<String>,
    expires_at: Option<String>,
}

impl TokenFile {
    pub(super) fn read(path: &Path) -> Result<Self, CredentialError> {
        let text = secret_file::read_text(path)?;
        Self::parse(text.expose_secret()).map_err(|error| CredentialError::List {
            path: path.to_owned(),
            error,
        })
    }

    fn parse(text: &str) -> Result<Self, TokenFileError> {
        let text = text.trim();
        let list = if text.starts_with('{') {
            // Neither parser's message is passed on in full: it may quote a line that contains the
            // token.
            serde_json::from_str::<TokenList>(text)
                .map_err(|error| TokenFileError::Form(json_fault(&error)))?
        } else if is_token(text) {
            return Ok(Self::One(text.into()));
        } else {
            toml::from_str::<TokenList>(text)
                .map_err(|error| TokenFileError::Form(toml_fault(&error, text)))?
        };
        let mut tokens: Vec<ListedToken> = Vec::new();
        for entry in list.tokens {
            let name = entry.name.clone();
            let token = listed(entry).map_err(|fault| TokenFileError::Entry { name, fault })?;
            if tokens.iter().any(|other| {
                other.caller.name == token.caller.name || other.caller.token == token.caller.token
            }) {
                let fault = "has the name or the secret of another one".to_owned();
                return Err(TokenFileError::Entry {
                    name: token.caller.name.clone(),
                    fault,
                });
            }
            tokens.push(token);
        }
        Ok(Self::List(tokens))
    }
}

fn listed(entry: ListEntry) -> Result<ListedToken, String> {
    if entry.name.is_empty() || entry.name.chars().any(char::is_control) {
        return Err("needs a name of one line".to_owned());
    }
    let is_weak = entry.token.as_ref().is_some_and(is_weak);
    let token = match (entry.token, entry.sha256) {
        (Some(token), None) if is_token(token.expose_secret()) => {
            TokenDigest::of(token.expose_secret())
        }
        (Some(_), None) => {
            return Err("is empty or has characters that a bearer token cannot have".to_owned());
        }
        (None, Some(digits)) => {
            let bytes = hex::decode(digits).unwrap_or_default();
            let bytes = bytes.try_into().map(TokenDigest);
            bytes.map_err(|_| "has an sha256 that is not 64 hexadecimal digits".to_owned())?
        }
        _ => return Err("needs either token or sha256".to_owned()),
    };
    let scopes = Scopes::parse(entry.scopes.iter().map(String::as_str))
        .map_err(|scope| format!("lists '{scope}', which is no scope"))?;
    let expires_at = entry
        .expires_at
        .map(|text| text.parse::<Timestamp>())
        .transpose();
    let expires_at = expires_at
        .map_err(|_| "has an expires_at that is not like 2027-01-31T00:00:00Z".to_owned())?;
    Ok(ListedToken {
        caller: Arc::new(Principal {
            name: entry.name,
            scopes,
            token,
        }),
        expires_at,
        is_weak,
    })
}

fn json_fault(error: &serde_json::Error) -> String {
    format!("line {}, column {}", error.line(), error.column())
}

fn toml_fault(error: &toml::de::Error, text: &str) -> String {
    let before = error
        .span()
        .and_then(|span| text.get(..span.start))
        .unwrap_or_default();
    format!("line {}", before.matches('\n').count() + 1)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    const SHA256_OF_ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    fn list(text: &str) -> Vec<ListedToken> {
        match TokenFile::parse(text).unwrap() {
            TokenFile::List(tokens) => tokens,
            TokenFile::One(_) => panic!("read as one token"),
        }
    }

    #[test]
    fn a_line_is_the_token() {
        assert!(
            matches!(TokenFile::parse("fdk-1=\n").unwrap(), TokenFile::One(token) if token.expose_secret() == "fdk-1=")
        );
    }

    #[rstest]
    #[case::toml(
        "# for the build\n[[tokens]]\nname = 'ci'\ntoken = 'abc'\nscopes = ['files.read']\nexpires_at = '2027-01-31T00:00:00Z'\n"
    )]
    #[case::json(
        r#"{"tokens":[{"name":"ci","token":"abc","scopes":["files.read"],"expires_at":"2027-01-31T00:00:00Z"}]}"#
    )]
    #[case::without_blanks(
        "tokens=[{name='ci',token='abc',scopes=['files.read'],expires_at='2027-01-31T00:00:00Z'}]"
    )]
    #[case::digest(&format!("tokens = [{{name='ci', sha256='{SHA256_OF_ABC}', scopes=['files.read'], expires_at='2027-01-31T00:00:00Z'}}]"))]
    fn a_list_is_read_in_each_form(#[case] text: &str) {
        let tokens = list(text);
        assert_eq!(tokens.len(), 1);
        assert_eq!(tokens[0].caller.name, "ci");
        assert_eq!(tokens[0].caller.token, TokenDigest::of("abc"));
        assert_eq!(
            tokens[0].caller.scopes,
            Scopes::parse(["files.read"]).unwrap()
        );
        assert_eq!(
            tokens[0].expires_at,
            Some("2027-01-31T00:00:00Z".parse().unwrap())
        );
    }

    #[rstest]
    #[case::neither("tokens = [{name='ci', scopes=[]}]", "either token or sha256")]
    #[case::both(
        "tokens = [{name='ci', token='s3cret', sha256='00', scopes=[]}]",
        "either token or sha256"
    )]
    #[case::short_digest("tokens = [{name='ci', sha256='00', scopes=[]}]", "64 hexadecimal")]
    #[case::no_scopes("[[tokens]]\nname='ci'\ntoken='s3cret'\n", "line")]
    #[case::no_such_key(
        "[[tokens]]\nname='ci'\ntoken='s3cret'\nscope=['files']\nscopes=[]",
        "line 4"
    )]
    #[case::bad_scope(
        "tokens = [{name='ci', token='s3cret', scopes=['files, crm']}]",
        "'files, crm'"
    )]
    #[case::bad_time(
        "tokens = [{name='ci', token='s3cret', scopes=[], expires_at='soon'}]",
        "expires_at"
    )]
    #[case::blank_token("tokens = [{name='ci', token='s3 cret', scopes=[]}]", "cannot have")]
    #[case::a_list_without_its_key(
        "{name='ci',token='s3cret',scopes=['files.read']}",
        "[[tokens]]"
    )]
    #[case::one_of_other_characters("s3cret!", "[[tokens]]")]
    #[case::same_secret(
        "tokens = [{name='a', token='s3cret', scopes=[]}, {name='b', token='s3cret', scopes=[]}]",
        "'b'"
    )]
    #[case::not_a_list("my s3cret token", "[[tokens]]")]
    #[case::broken_json(r#"{"tokens": [{"name": "s3cret"}]"#, "line 1")]
    fn a_mistake_is_said_without_the_token(#[case] text: &str, #[case] expected: &str) {
        let error = TokenFile::parse(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
        assert!(!error.contains("s3cret"), "{error}");
        assert!(!error.contains("s3 cret"), "{error}");
    }
}
