//! The options of every command that works on an account, and of the screen.

use super::authorities::Authorities;
use super::completion::Completes;
use crate::config::LimitRate;

// No doc comment: it would replace each command's own.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Global options")]
pub struct GlobalOptions {
    /// Account to use, or 'local' for the built-in store
    #[arg(long, value_name = "NAME", global = true, add = Completes::Account)]
    pub account: Option<String>,

    #[command(flatten)]
    pub authorities: Authorities,

    /// Refuse everything that would change the account
    #[arg(long, global = true)]
    pub read_only: bool,

    /// Transfer at most this many bytes per second, up and down together: 500K, 2M
    #[arg(long, value_name = "RATE", global = true)]
    pub limit_rate: Option<LimitRate>,

    /// Print each request on standard error, with its status and the time that it took
    #[arg(short, long, global = true)]
    pub verbose: bool,
}
