//! The trait of commands that open no account, or open one themselves, and their context.

use std::path::Path;

use super::exit::Exit;
use super::format::Format;
use super::logging::Logs;
#[cfg(feature = "tui")]
use super::setup::Setup;
use crate::config::{Environment, Paths};
use crate::signals::Listener;

/// A command that opens no account, or opens one itself.
pub trait LocalCommand: clap::Args {
    /// Returns the form of the output and of errors.
    fn format(&self) -> Format {
        Format::default()
    }

    /// Returns the logs that it writes to standard error.
    fn logs(&self) -> Logs {
        Logs::OFF
    }

    fn run(self, context: LocalContext<'_>) -> impl Future<Output = anyhow::Result<Exit>>;
}

#[derive(Debug)]
pub struct LocalContext<'a> {
    pub environment: &'a Environment,
    pub paths: &'a Paths,
    /// The configuration, which a build of the service alone does not have.
    #[cfg(feature = "tui")]
    pub setup: &'a Setup,
    /// The file of authorities named on the command line.
    pub ca_cert: Option<&'a Path>,
    pub listener: &'a mut Listener,
    pub grammar: fn() -> clap::Command,
}
