//! `filedeck account remove`: forgets an account and its token.

use anyhow::{Context as _, bail};

use super::find::one;
use crate::cli::accounts;
use crate::cli::completion::Completes;
use crate::cli::confirmation::{agrees, can_ask};
use crate::cli::exit::Exit;
use crate::cli::setup::Setup;
use crate::cli::stderr::{InvalidUsage, say};
use crate::config::{AccountChange, AccountSource, Origin};

const EXAMPLES: &str = "\
Examples:
  filedeck account remove acme
  filedeck account remove acme --yes";

/// Remove an account and its token from this machine
///
/// Only accounts that filedeck has added; those of config.toml are yours to remove. Refused while
/// the account has unfinished tasks.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Name of the account
    #[arg(add = Completes::Account)]
    pub name: String,

    /// Do not ask; required without a terminal
    #[arg(short, long)]
    pub yes: bool,
}

pub(super) async fn run(args: Args, setup: &Setup) -> anyhow::Result<Exit> {
    let account = one(setup, &args.name)?;
    let AccountSource::Configured(name) = account.source else {
        return Err(InvalidUsage(format!("{} cannot be removed", args.name)).into());
    };
    if account
        .entry
        .is_none_or(|entry| entry.origin == Origin::Config)
    {
        return Err(InvalidUsage(format!("{name} is in config.toml; remove it there")).into());
    }
    if !args.yes {
        if !can_ask() {
            return Err(InvalidUsage(
                "remove asks first, and there is no terminal; use --yes".to_owned(),
            )
            .into());
        }
        say(&format!(
            "Remove the account {name} and its token from this machine?"
        ));
        if !agrees("remove").await? {
            bail!("nothing was removed");
        }
    }
    let removed = accounts::change(setup, &AccountChange::Forget(name))
        .await
        .context("it was not removed")?;
    for left in removed
        .left
        .iter()
        .chain(&removed.refused.map(|error| error.to_string()))
    {
        say(&format!("filedeck: {left}"));
    }
    Ok(Exit::Ok)
}
