//! `filedeck account list`: a line for each account.

use jiff::Timestamp;
use serde::Serialize;

use super::find::all;
use crate::cli::exit::Exit;
use crate::cli::format::{Format, Style};
use crate::cli::output::Output;
use crate::cli::setup::Setup;
use crate::config::{AccountSummary, CredentialKind, OauthCache, Origin, accounts};

const EXAMPLES: &str = "\
Examples:
  filedeck account list
  filedeck account list --json";

/// List accounts
///
/// A star marks the account that commands use if you name none.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    pub format: Format,
}

/// The printed properties of an account, never including its token.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AccountLine {
    pub(super) name: String,
    /// The address; `None` for the built-in store.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) address: Option<String>,
    pub(super) version: String,
    pub(super) read_only: bool,
    pub(super) production: bool,
    /// The place of the token or of the OAuth credentials.
    pub(super) token: &'static str,
    /// The kind of the credentials; `None` for the built-in store.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) credentials: Option<&'static str>,
    /// The end of the OAuth access token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) access_token_ends: Option<Timestamp>,
    /// The place where the account is stored.
    pub(super) kept_in: &'static str,
    pub(super) is_used: bool,
}

impl AccountLine {
    pub(super) fn of(account: &AccountSummary, setup: &Setup) -> Self {
        let used = accounts::choose(&setup.config, &setup.environment, None).ok();
        let entry = account.entry.as_ref();
        let is_oauth = entry.is_some_and(|entry| entry.kind == CredentialKind::Oauth);
        Self {
            name: account.source.name().to_owned(),
            address: account.address.as_ref().map(ToString::to_string),
            version: account.version.clone(),
            read_only: account.read_only,
            production: entry.is_some_and(|entry| entry.production),
            token: match entry {
                Some(entry) if entry.token.is_keyring() => "keyring",
                Some(_) => "file",
                None if account.address.is_some() => "environment",
                None => "none",
            },
            credentials: account
                .address
                .as_ref()
                .map(|_| if is_oauth { "oauth" } else { "token" }),
            access_token_ends: if is_oauth {
                OauthCache::end_of(&setup.paths, account.source.name())
            } else {
                None
            },
            kept_in: match entry.map(|entry| entry.origin) {
                Some(Origin::Config) => "config.toml",
                Some(Origin::Own) => "accounts.toml",
                None if account.address.is_some() => "the environment",
                None => "this machine",
            },
            is_used: used.as_ref() == Some(&account.source),
        }
    }
}

pub(super) fn run(args: &Args, setup: &Setup) -> anyhow::Result<Exit> {
    let lines: Vec<AccountLine> = all(setup)
        .iter()
        .map(|account| AccountLine::of(account, setup))
        .collect();
    let mut output = Output::new(args.format);
    if output.style() == Style::Json {
        lines.iter().try_for_each(|line| output.json(line))?;
    } else {
        let row = |line: &AccountLine| {
            let used = if line.is_used { "*" } else { "" };
            let allowed = if line.read_only { "read only" } else { "" };
            [
                used.to_owned(),
                line.name.clone(),
                if line.credentials == Some("oauth") {
                    format!("{}, OAuth", line.token)
                } else {
                    line.token.to_owned()
                },
                allowed.to_owned(),
                line.address.clone().unwrap_or_default(),
            ]
        };
        output.table(
            ["", "NAME", "TOKEN", "ALLOWED", "ADDRESS"],
            lines.iter().map(row),
        )?;
    }
    output.flush()?;
    Ok(Exit::Ok)
}
