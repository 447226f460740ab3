//! `filedeck account use`: sets the account for commands that name none.

use anyhow::Context as _;

use super::find::one;
use crate::cli::completion::Completes;
use crate::cli::exit::Exit;
use crate::cli::setup::Setup;
use crate::cli::stderr::{InvalidUsage, say};
use crate::config::{AccountSource, LastAccount};

const EXAMPLES: &str = "\
Examples:
  filedeck account use acme
  filedeck account use local";

/// Use an account by default
///
/// Commands use it from then on, and the next screen opens it. The setting 'account' in config.toml
/// and the variables of the environment take precedence over it.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Name of the account; 'local' is the built-in store
    #[arg(add = Completes::Account)]
    pub name: String,
}

pub(super) fn run(args: &Args, setup: &Setup) -> anyhow::Result<Exit> {
    let account = one(setup, &args.name)?;
    let name = match &account.source {
        AccountSource::Configured(name) => Some(name.as_str()),
        AccountSource::LocalStore => None,
        AccountSource::Environment | AccountSource::Demo => {
            return Err(InvalidUsage(
                "the account of the environment is used as long as it is set".to_owned(),
            )
            .into());
        }
    };
    if let Some(configured) = &setup.config.account {
        let message = format!(
            "config.toml has account = \"{configured}\", which goes before; change it there"
        );
        return Err(InvalidUsage(message).into());
    }
    setup
        .own_accounts()
        .choose(name)
        .context("the account cannot be chosen")?;
    LastAccount::new(&setup.paths.state)
        .write(&account.source)
        .context("the screen will open another account")?;
    let environment = &setup.environment;
    if environment.account.is_some() || environment.token.is_some() {
        say(
            "filedeck: the environment names another account, which goes before as long as it is set",
        );
    }
    Ok(Exit::Ok)
}
