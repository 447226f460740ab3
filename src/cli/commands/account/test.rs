//! `filedeck account test`: sends one request to the service.

use anyhow::Context as _;

use super::find::one;
use super::list::AccountLine;
use crate::cli::accounts::ask;
use crate::cli::authorities::Authorities;
use crate::cli::completion::Completes;
use crate::cli::exit::Exit;
use crate::cli::output::Output;
use crate::cli::session::Session;
use crate::cli::setup::Setup;
use crate::cli::stderr::say;

const EXAMPLES: &str = "\
Examples:
  filedeck account test acme
  filedeck account test local";

/// Ask the service of an account whether the token works
///
/// Exits with 3 if the token is refused.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Name of the account
    #[arg(add = Completes::Account)]
    pub name: String,

    #[command(flatten)]
    pub authorities: Authorities,
}

pub(super) async fn run(args: Args, setup: &Setup) -> anyhow::Result<Exit> {
    let account = one(setup, &args.name)?;
    let session = Session::of(setup, account.source, None, &say).await?;
    let asked = ask(&session.client).await;
    session.close().await;
    asked.with_context(|| format!("the account '{}' does not work", args.name))?;
    let mut output = Output::default();
    let ends = AccountLine::of(&one(setup, &args.name)?, setup).access_token_ends;
    let ends = ends
        .map(|ends| format!(" (OAuth; the access token ends at {ends})"))
        .unwrap_or_default();
    output.line(&format!("{} works{ends}", args.name))?;
    output.flush()?;
    Ok(Exit::Ok)
}
