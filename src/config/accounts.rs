//! Selects the account of a run: `--account`, then the environment, then the configured one, then
//! the built-in store. Messages never quote an invalid value, which may be a token pasted into the
//! wrong setting.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fmt, io};

use secrecy::SecretString;
use url::{Host, Url};

use super::account_entry::{AccountEntry, CredentialKind, Origin, TokenLocation};
use super::environment::Environment;
use super::favorites::looks_like_a_secret;
use super::keyring::Keyring;
use super::keyring::error::KeyringError;
use super::oauth_file::OauthFile;
use super::paths::Paths;
use super::saved_accounts::Draft;
use super::settings::Config;
use crate::secret_file::{self, SecretFileError};

/// The name of the built-in store. No account can have this name.
pub const LOCAL_STORE: &str = "local";

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AccountSource {
    /// An account from the files, by its name there.
    Configured(String),
    Environment,
    LocalStore,
    /// The embedded service on its own temporary directory.
    Demo,
}

impl AccountSource {
    pub fn name(&self) -> &str {
        match self {
            Self::Configured(name) => name,
            Self::Environment => "environment",
            Self::LocalStore => LOCAL_STORE,
            Self::Demo => "demo",
        }
    }

    /// The name on the screen, where "local" means this machine.
    pub fn title(&self) -> &str {
        match self {
            Self::LocalStore => "built-in store",
            source => source.name(),
        }
    }

    /// Returns `true` if filedeck serves the account itself.
    pub fn is_embedded(&self) -> bool {
        matches!(self, Self::LocalStore | Self::Demo)
    }
}

/// An account to choose from, without its credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountSummary {
    pub source: AccountSource,
    /// `None` for accounts on this machine, and if the configured address is invalid.
    pub address: Option<Url>,
    /// Unparsed; the client knows the valid versions.
    pub version: String,
    pub read_only: bool,
    /// The entry in its file, with an absolute token path; `None` if it is in no file.
    pub entry: Option<AccountEntry>,
}

impl AccountSummary {
    /// The web page on which deleted files are restored, if the account has one
    /// (`contract.md#deletion`).
    pub fn trash(&self) -> Option<&'static str> {
        let host = self.address.as_ref()?.host_str()?;
        (host == "api.hubapi.com").then_some("https://app.hubspot.com/l/files")
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// All accounts after the change.
    pub known: Vec<AccountSummary>,
    /// The reason that the keyring failed: a token meant for it is in a file, or an old one is
    /// still in the keyring.
    pub refused: Option<KeyringError>,
    /// The reason that a file with an old token could not be removed.
    pub left: Option<String>,
}

#[derive(Debug)]
pub struct RemoteAccount {
    pub base_url: Url,
    /// Unparsed; the client knows the valid versions.
    pub version: String,
    pub credentials: RemoteCredentials,
    /// Additional trusted certificate authorities.
    pub ca_cert: Option<PathBuf>,
    pub read_only: bool,
}

/// The credentials of a remote account. `Debug` shows no secret.
#[derive(Debug)]
pub enum RemoteCredentials {
    Token(SecretString),
    Oauth(OauthFile),
}

impl RemoteCredentials {
    /// Panics for an account with OAuth.
    #[cfg(test)]
    pub(super) fn token(&self) -> &SecretString {
        match self {
            Self::Token(token) => token,
            Self::Oauth(file) => panic!("{file:?}"),
        }
    }

    fn read(kind: CredentialKind, secret: SecretString, name: &str) -> Result<Self, AccountError> {
        match kind {
            CredentialKind::Token => Ok(Self::Token(secret)),
            CredentialKind::Oauth => OauthFile::parse(&secret)
                .map(Self::Oauth)
                .ok_or_else(|| AccountError::NotOauth(name.to_owned())),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    #[error("there is no account {name}; there are: {known}")]
    Unknown {
        /// The name in quotes, or words for one that may be a secret.
        name: String,
        known: String,
    },
    #[error(
        "the account to use is not known, and no other one is opened: {0}. Correct it, or name one: --account local"
    )]
    NoDefault(String),
    #[error(
        "the last account is not known, and no other one is opened: {0}. Correct it, or name one: --account local"
    )]
    LastInDoubt(String),
    #[error("the accounts are not known: {0}. Correct it, or name one: --account local")]
    NotKnown(String),
    #[error("the account cannot be read, and no other one is used: {0}")]
    InDoubt(String),
    #[error(
        "FILEDECK_ACCOUNT and FILEDECK_TOKEN are both set and may mean different accounts; unset one of them"
    )]
    Ambiguous,
    #[error(
        "FILEDECK_BASE_URL is set, but FILEDECK_TOKEN is not; set it to the token of that service"
    )]
    NoToken,
    #[error(
        "FILEDECK_TOKEN is set, but empty; set it to a token, or unset it to use what is configured on this machine"
    )]
    EmptyToken,
    #[error("{setting} is not an address; write it like https://api.hubapi.com")]
    NotAnAddress { setting: String },
    #[error("{setting}: {url} is not encrypted; use https (plain http is for this machine only)")]
    NotEncrypted { setting: String, url: Url },
    #[error("{setting}: an address must not contain a user name, password, query or fragment")]
    ExcessAddress { setting: String },
    #[error("the {1} of account '{0}' does not exist; the setting names a file with the token")]
    NoTokenFile(String, &'static str),
    #[error(
        "the OAuth credentials of account '{0}' are not client_id, client_secret and refresh_token in TOML or JSON"
    )]
    NotOauth(String),
    #[error("the token of {0} is for another address: type it again")]
    OtherAddress(String),
    #[error("token of account '{name}': {error}")]
    Token {
        name: String,
        error: SecretFileError,
    },
    #[error("token of account '{name}': {error}; {remedy}")]
    Keyring {
        name: String,
        error: KeyringError,
        remedy: &'static str,
    },
}

/// Selects the account. `flag` is the value of `--account`.
pub fn choose(
    config: &Config,
    environment: &Environment,
    flag: Option<&str>,
) -> Result<AccountSource, AccountError> {
    if let Some(name) = flag {
        // So that a path can name it, too.
        if name == AccountSource::Environment.name() && environment.token.is_some() {
            return Ok(AccountSource::Environment);
        }
        return named(config, name);
    }
    match (
        &environment.account,
        &environment.token,
        &environment.base_url,
    ) {
        (Some(_), Some(_), _) => Err(AccountError::Ambiguous),
        (Some(name), None, _) => named(config, name),
        (None, Some(_), _) => Ok(AccountSource::Environment),
        (None, None, _) if environment.token_is_empty => Err(AccountError::EmptyToken),
        (None, None, Some(_)) => Err(AccountError::NoToken),
        (None, None, None) => match &config.account_errors.default {
            Some(why) => Err(AccountError::NoDefault(why.clone())),
            None => match config
                .account
                .as_deref()
                .or(config.saved_account.as_deref())
            {
                Some(name) => named(config, name),
                // The unreadable file may name one.
                None => match &config.saved_account_errors.all {
                    Some(why) => Err(AccountError::NoDefault(why.clone())),
                    None => Ok(AccountSource::LocalStore),
                },
            },
        },
    }
}

/// Returns `true` if nothing names an account, so that the built-in store is used.
pub fn is_none_named(config: &Config, environment: &Environment, flag: Option<&str>) -> bool {
    let names = [
        flag,
        environment.account.as_deref(),
        config.account.as_deref(),
        config.saved_account.as_deref(),
    ];
    names.iter().all(Option::is_none) && environment.token.is_none()
}

/// Selects the account for the screen: if none is named, the last one shown, if it still exists. If
/// that account is in doubt, it may exist, so no other one replaces it.
pub fn choose_for_screen(
    config: &Config,
    environment: &Environment,
    flag: Option<&str>,
    last: Option<&str>,
) -> Result<AccountSource, AccountError> {
    let is_named = flag.is_some()
        || environment.account.is_some()
        || environment.token.is_some()
        || environment.token_is_empty
        || environment.base_url.is_some()
        || config.account.is_some()
        || config.account_errors.default.is_some();
    match last.filter(|_| !is_named).map(|name| named(config, name)) {
        Some(Ok(last)) => Ok(last),
        Some(Err(AccountError::InDoubt(why))) => Err(AccountError::LastInDoubt(why)),
        Some(Err(_)) | None => choose(config, environment, flag),
    }
}

fn named(config: &Config, name: &str) -> Result<AccountSource, AccountError> {
    if name == LOCAL_STORE {
        return Ok(AccountSource::LocalStore);
    }
    entry(config, name).map(|_| AccountSource::Configured(name.to_owned()))
}

fn entry<'a>(config: &'a Config, name: &str) -> Result<&'a AccountEntry, AccountError> {
    if let Some(why) = config.account_errors.of(name) {
        return Err(AccountError::InDoubt(why.to_owned()));
    }
    config
        .accounts
        .get(name)
        .ok_or_else(|| match config.saved_account_errors.of(name) {
            Some(why) => AccountError::InDoubt(why.to_owned()),
            None => AccountError::Unknown {
                name: shown_name(name),
                known: known_names(config).to_string(),
            },
        })
}

/// Returns the name in quotes, but not one that may be a token in the wrong place.
fn shown_name(name: &str) -> String {
    const LONGEST: usize = 32;
    if name.chars().count() <= LONGEST && !looks_like_a_secret(name) {
        format!("{name:?}")
    } else {
        "of that name".to_owned()
    }
}

/// Reads an account of the file and its token. Blocks for up to the keyring's time limit if the
/// token is there.
pub fn configured(
    config: &Config,
    paths: &Paths,
    keyring: Keyring,
    name: &str,
) -> Result<RemoteAccount, AccountError> {
    let entry = entry(config, name)?;
    let base_url = parse_base_url(&format!("base_url of account '{name}'"), &entry.base_url)?;
    let secret = match &entry.token {
        TokenLocation::File(file) => read_file(entry.kind, &paths.config.join(file), name),
        TokenLocation::Keyring(of) => keyring.read(of).map_err(|error| {
            let remedy = remedy(&error, entry.origin);
            AccountError::Keyring {
                name: name.to_owned(),
                error,
                remedy,
            }
        }),
    }?;
    let credentials = RemoteCredentials::read(entry.kind, secret, name)?;
    let ca_cert = entry.ca_cert.as_ref().map(|file| paths.config.join(file));
    Ok(RemoteAccount {
        base_url,
        version: entry.version.clone(),
        credentials,
        ca_cert,
        read_only: entry.read_only,
    })
}

fn read_file(kind: CredentialKind, path: &Path, name: &str) -> Result<SecretString, AccountError> {
    let (read, setting) = match kind {
        CredentialKind::Token => (secret_file::read(path), "token_file"),
        CredentialKind::Oauth => (secret_file::read_text(path), "oauth_file"),
    };
    read.map_err(|error| match error {
        SecretFileError::Io { error, .. } if error.kind() == io::ErrorKind::NotFound => {
            AccountError::NoTokenFile(name.to_owned(), setting)
        }
        error => AccountError::Token {
            name: name.to_owned(),
            error,
        },
    })
}

/// The advice if the keyring does not return a token.
fn remedy(error: &KeyringError, origin: Origin) -> &'static str {
    match (error, origin) {
        (KeyringError::Locked | KeyringError::NoAnswer(_), _) => "unlock it, and try again",
        (_, Origin::Own) => {
            "the list of accounts on the screen stores a new one, in the keyring or in a file"
        }
        (_, Origin::Config) => "store it there again, or use token_file instead of keyring",
    }
}

/// The account that a draft would create, with its token.
pub fn drafted(
    config: &Config,
    paths: &Paths,
    keyring: Keyring,
    draft: &Draft,
) -> Result<RemoteAccount, AccountError> {
    let entry = &draft.entry;
    let credentials = match &draft.token {
        Some(token) => RemoteCredentials::read(entry.kind, token.secret().clone(), &draft.name)?,
        // A token is never sent to an address other than the one that it was entered for.
        None if self::entry(config, &draft.name)?.has_origin_of(entry) => {
            configured(config, paths, keyring, &draft.name)?.credentials
        }
        None => return Err(AccountError::OtherAddress(draft.name.clone())),
    };
    let base_url = parse_base_url("the address", &entry.base_url)?;
    let ca_cert = entry.ca_cert.as_ref().map(|file| paths.config.join(file));
    Ok(RemoteAccount {
        base_url,
        version: entry.version.clone(),
        credentials,
        ca_cert,
        read_only: entry.read_only,
    })
}

/// Returns the account's entry in its file; `None` if it is in no file.
pub fn entry_of<'a>(config: &'a Config, source: &AccountSource) -> Option<&'a AccountEntry> {
    match source {
        AccountSource::Configured(name) => config.accounts.get(name),
        AccountSource::Environment | AccountSource::LocalStore | AccountSource::Demo => None,
    }
}

pub fn of_environment(environment: &Environment) -> Result<RemoteAccount, AccountError> {
    Ok(RemoteAccount {
        base_url: environment_url(environment)?,
        version: AccountEntry::DEFAULT_VERSION.to_owned(),
        credentials: RemoteCredentials::Token(
            environment.token.clone().ok_or(AccountError::NoToken)?,
        ),
        ca_cert: None,
        read_only: false,
    })
}

fn environment_url(environment: &Environment) -> Result<Url, AccountError> {
    parse_base_url(
        "FILEDECK_BASE_URL",
        environment
            .base_url
            .as_deref()
            .unwrap_or(AccountEntry::DEFAULT_BASE_URL),
    )
}

/// All accounts to choose from: those in the files by name, that of the environment, and those on
/// this machine.
pub fn known(config: &Config, paths: &Paths, environment: &Environment) -> Vec<AccountSummary> {
    let configured = config
        .accounts
        .iter()
        .filter(|(name, _)| *name != LOCAL_STORE)
        .map(|(name, entry)| AccountSummary {
            source: AccountSource::Configured(name.clone()),
            address: parse_base_url("base_url", &entry.base_url).ok(),
            version: entry.version.clone(),
            read_only: entry.read_only,
            entry: Some(AccountEntry {
                token: entry.token.within(&paths.config),
                ..entry.clone()
            }),
        });
    let of_environment = environment.token.iter().map(|_| AccountSummary {
        source: AccountSource::Environment,
        address: environment_url(environment).ok(),
        version: AccountEntry::DEFAULT_VERSION.to_owned(),
        read_only: false,
        entry: None,
    });
    let here = [AccountSource::LocalStore, AccountSource::Demo].map(|source| AccountSummary {
        source,
        address: None,
        version: AccountEntry::DEFAULT_VERSION.to_owned(),
        read_only: false,
        entry: None,
    });
    configured.chain(of_environment).chain(here).collect()
}

/// Returns the names of all accounts in the files, including those in doubt.
pub fn configured_names(config: &Config) -> Result<BTreeSet<&str>, AccountError> {
    let errors = [&config.account_errors, &config.saved_account_errors];
    if let Some(why) = errors.iter().find_map(|errors| errors.all.as_ref()) {
        return Err(AccountError::NotKnown(why.clone()));
    }
    let in_doubt = errors.iter().flat_map(|errors| errors.named.keys());
    let names = config.accounts.keys().chain(in_doubt).map(String::as_str);
    Ok(names.filter(|name| *name != LOCAL_STORE).collect())
}

fn known_names(config: &Config) -> impl fmt::Display {
    let names: Vec<&str> = config
        .accounts
        .keys()
        .map(String::as_str)
        .chain([LOCAL_STORE])
        .collect();
    names.join(", ")
}

/// Parses an address: https anywhere, http on this machine only. `setting` is named in the error.
pub fn parse_base_url(setting: &str, text: &str) -> Result<Url, AccountError> {
    let setting = setting.to_owned();
    let Ok(url) = Url::parse(text.trim()) else {
        return Err(AccountError::NotAnAddress { setting });
    };
    if !url.username().is_empty()
        || url.password().is_some()
        || url.query().is_some()
        || url.fragment().is_some()
    {
        return Err(AccountError::ExcessAddress { setting });
    }
    match url.scheme() {
        "https" => Ok(url),
        "http" if is_this_machine(&url) => Ok(url),
        "http" => Err(AccountError::NotEncrypted { setting, url }),
        _ => Err(AccountError::NotAnAddress { setting }),
    }
}

fn is_this_machine(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests;
