//! `filedeck account add`: a new account, with a token that is typed unseen or comes from standard input.

use std::io::{self, IsTerminal as _, Read as _};
use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use clap::ValueEnum;

use crate::cli::accounts::{change, try_out};
use crate::cli::exit::Exit;
use crate::cli::setup::Setup;
use crate::cli::stderr::{InvalidUsage, say};
use crate::config::saved_accounts::check_name;
use crate::config::{AccountChange, AccountEntry, Draft, Origin, Token, TokenLocation};

const EXAMPLES: &str = "\
Examples:
  filedeck account add acme
  filedeck account add stage --base-url https://files.example --forbid-changes < token";

/// Add an account
///
/// Asks for the token, which is not shown, or reads it from standard input. The service is asked once whether the token
/// works before the account is kept.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Name of the new account
    #[arg(value_parser = name)]
    pub name: String,

    /// Address of the service
    #[arg(long, value_name = "URL", default_value = AccountEntry::DEFAULT_BASE_URL)]
    pub base_url: String,

    /// Version of the API: v3, 2026-03 or 2026-09
    #[arg(long, value_name = "VERSION", default_value = AccountEntry::DEFAULT_VERSION)]
    pub api_version: String,

    /// Refuse every change of the account
    #[arg(long = "forbid-changes")]
    pub is_read_only: bool,

    /// Mark it as one to be careful with
    #[arg(long)]
    pub production: bool,

    /// Where the token is kept
    #[arg(long, value_enum, default_value = "file")]
    pub keep_token_in: TokenPlace,

    /// Do not ask the service first
    #[arg(long)]
    pub untested: bool,
}

/// Where a token is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TokenPlace {
    /// In a file that only you can read
    File,
    /// In the system's keyring
    Keyring,
}

/// Tries the account out, then keeps it.
pub(super) async fn run(args: Args, setup: &Setup) -> anyhow::Result<Exit> {
    let token = match args.keep_token_in {
        TokenPlace::File => TokenLocation::File(PathBuf::new()),
        TokenPlace::Keyring => TokenLocation::Keyring(String::new()),
    };
    let entry = AccountEntry {
        base_url: args.base_url,
        version: args.api_version,
        read_only: args.is_read_only,
        production: args.production,
        color: None,
        token,
        origin: Origin::Own,
    };
    let draft = Draft { name: args.name.clone(), is_new: true, entry, token: Some(read_token()?) };
    if !args.untested {
        try_out(setup, &draft).await.context("the account does not work, and was not added")?;
    }
    let kept = change(setup, &AccountChange::Keep(draft)).await.context("the account was not added")?;
    if let Some(error) = kept.refused {
        say(&format!("filedeck: the token is in a file: {error}"));
    }
    Ok(Exit::Ok)
}

/// Reads one line: unseen where a person types it.
fn read_token() -> anyhow::Result<Token> {
    let text = if io::stdin().is_terminal() {
        rpassword::prompt_password("Token: ").context("cannot read the token")?
    } else {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).context("cannot read the token")?;
        text
    };
    let token = Token::new(&text).ok_or_else(|| InvalidUsage("no token was given".to_owned()))?;
    if token.is_one_line() { Ok(token) } else { Err(anyhow!(InvalidUsage("a token is one line".to_owned()))) }
}

fn name(text: &str) -> Result<String, &'static str> {
    check_name(text).map(|()| text.to_owned())
}
