//! A command that opens no account, or opens it by itself, and what it runs in.

use super::exit::Exit;
use super::format::Format;
use super::logging::Logs;
#[cfg(feature = "tui")]
use super::setup::Setup;
use crate::config::{Environment, Paths};
use crate::signals::Listener;

/// A command that opens no account, or opens it by itself.
pub trait LocalCommand: clap::Args {
    /// Whether `--account` and `--read-only` mean something to it.
    const TAKES_ACCOUNT: bool = false;

    /// The form of its output; of errors, too.
    fn format(&self) -> Format {
        Format::default()
    }

    /// What it logs to standard error.
    fn logs(&self) -> Logs {
        Logs::OFF
    }

    /// Does what is asked for.
    fn run(self, context: LocalContext<'_>) -> impl Future<Output = anyhow::Result<Exit>>;
}

/// What such a command runs in.
#[derive(Debug)]
pub struct LocalContext<'a> {
    pub environment: &'a Environment,
    pub paths: &'a Paths,
    /// The configuration; the service alone has none.
    #[cfg(feature = "tui")]
    pub setup: &'a Setup,
    pub listener: &'a mut Listener,
    /// The definitions of the command line.
    pub grammar: fn() -> clap::Command,
}
