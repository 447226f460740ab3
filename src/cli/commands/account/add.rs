//! `filedeck account add`: a new account, with a token or with OAuth credentials. Secrets are typed
//! without being shown, or come from standard input.

use std::io::{self, IsTerminal as _, Read as _};
use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use clap::ValueEnum;
use secrecy::{ExposeSecret as _, SecretString};

use super::find;
use crate::cli::accounts::{change, try_out};
use crate::cli::authorities::Authorities;
use crate::cli::exit::Exit;
use crate::cli::setup::Setup;
use crate::cli::stderr::{InvalidUsage, say};
use crate::config::saved_accounts::check_name;
use crate::config::typed_file::without_mark;
use crate::config::{
    AccountChange, AccountEntry, CredentialKind, Draft, OauthFile, Origin, Token, TokenLocation,
};

const EXAMPLES: &str = "\
Examples:
  filedeck account add stage --base-url https://files.example --forbid-changes < token
  filedeck account add acme --oauth --client-id 7fff1e36-2d40-4ae1-bbb1-5266d59564fb";

/// Add an account
///
/// Asks for the token, which is not shown, or reads it from standard input. With --oauth, these are
/// two: the secret of the app, then the refresh token, on a line each. One request tests whether
/// they work before the account is saved.
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

    #[command(flatten)]
    pub oauth: OauthArgs,

    /// Place to keep the token
    #[arg(long, value_enum, value_name = "PLACE", default_value = "file")]
    pub keep_token_in: TokenPlace,

    /// Do not test the account first
    #[arg(long)]
    pub untested: bool,

    #[command(flatten)]
    pub authorities: Authorities,
}

/// The credentials of the account.
#[derive(Debug, clap::Args)]
pub struct OauthArgs {
    /// Use OAuth: a refresh token, which gets access tokens
    #[arg(long = "oauth", requires = "client_id")]
    pub is_used: bool,

    /// Id of the app that is installed in the account
    #[arg(long, value_name = "ID", requires = "is_used")]
    pub client_id: Option<String>,
}

/// The place where a token is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TokenPlace {
    /// A file that only you can read
    File,
    /// The system's keyring
    Keyring,
}

pub(super) async fn run(args: Args, setup: &Setup) -> anyhow::Result<Exit> {
    // Checked before asking for a token.
    if find::all(setup)
        .iter()
        .any(|account| account.source.name() == args.name)
    {
        let message = format!(
            "there is an account '{}' already; remove it first, or choose another name",
            args.name
        );
        return Err(InvalidUsage(message).into());
    }
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
        kind: if args.oauth.is_used {
            CredentialKind::Oauth
        } else {
            CredentialKind::Token
        },
        ca_cert: setup.ca_cert.clone(),
        origin: Origin::Own,
    };
    let token = match args.oauth.client_id {
        Some(client_id) => read_oauth(client_id)?,
        None => read_token()?,
    };
    let draft = Draft {
        name: args.name.clone(),
        is_new: true,
        entry,
        token: Some(token),
    };
    if !args.untested {
        try_out(setup, &draft)
            .await
            .context("the account does not work, and was not added")?;
    }
    let kept = change(setup, &AccountChange::Keep(draft))
        .await
        .context("the account was not added")?;
    if let Some(error) = kept.refused {
        say(&format!("filedeck: the token is in a file: {error}"));
    }
    Ok(Exit::Ok)
}

/// Reads a token, which is one line.
fn read_token() -> anyhow::Result<Token> {
    let [text] = read_secrets(["Token: "])?;
    one_line(text.expose_secret(), "token")
}

/// Reads the two secrets of OAuth, on a line each.
fn read_oauth(client_id: String) -> anyhow::Result<Token> {
    let [secret, refresh] = read_secrets(["Client secret: ", "Refresh token: "])?;
    let file = OauthFile {
        client_id,
        client_secret: one_line(secret.expose_secret(), "client secret")?
            .secret()
            .clone(),
        refresh_token: one_line(refresh.expose_secret(), "refresh token")?
            .secret()
            .clone(),
    };
    file.to_token()
        .ok_or_else(|| anyhow!(InvalidUsage("no client id was given".to_owned())))
}

/// Asks for secrets on a terminal, unseen; otherwise reads a line for each, and the whole rest for
/// the last one.
fn read_secrets<const COUNT: usize>(
    prompts: [&str; COUNT],
) -> anyhow::Result<[SecretString; COUNT]> {
    let mut texts = [(); COUNT].map(|()| SecretString::default());
    if io::stdin().is_terminal() {
        for (text, prompt) in texts.iter_mut().zip(prompts) {
            *text = rpassword::prompt_password(prompt)
                .context("cannot read the token")?
                .into();
        }
    } else {
        let mut all = String::new();
        io::stdin()
            .read_to_string(&mut all)
            .context("cannot read the token")?;
        for (text, part) in texts.iter_mut().zip(without_mark(&all).splitn(COUNT, '\n')) {
            *text = part.into();
        }
    }
    Ok(texts)
}

fn one_line(text: &str, what: &str) -> anyhow::Result<Token> {
    let token = Token::new(text).ok_or_else(|| InvalidUsage(format!("no {what} was given")))?;
    if token.is_one_line() {
        Ok(token)
    } else {
        Err(anyhow!(InvalidUsage(format!("a {what} is one line"))))
    }
}

fn name(text: &str) -> Result<String, &'static str> {
    check_name(text).map(|()| text.to_owned())
}
