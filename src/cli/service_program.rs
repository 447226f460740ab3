//! The program of a build with only the embedded service: `serve` and `store`, without accounts or
//! a screen.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};
use clap_complete::env::CompleteEnv;

use super::commands::{completions, man, serve, store};
use super::exit::Exit;
use super::format::Format;
use super::local_command::{LocalCommand, LocalContext};
use super::{logging, shell_request, token_argument};
use crate::config::{Environment, Paths};
use crate::signals::Listener;

/// Serve a directory over the API of a cloud file store, for other programs and their tests.
///
/// This build has the embedded service alone: no screen, and no commands on accounts.
#[derive(Debug, Parser)]
#[command(name = "filedeck", version, after_long_help = AFTER_HELP, max_term_width = 100)]
pub(super) struct ServiceArguments {
    #[command(subcommand)]
    command: ServiceCommand,
}

pub(super) use ServiceArguments as Arguments;

#[derive(Debug, Subcommand)]
enum ServiceCommand {
    Serve(serve::Args),
    Store(store::Args),
    Completions(completions::Args),
    Man(man::Args),
}

const AFTER_HELP: &str = "\
Environment:
  FILEDECK_SERVICE_TOKEN  token that 'serve' asks for
  FILEDECK_DATA_DIR       the built-in store [$XDG_DATA_HOME/filedeck]
  FILEDECK_LOG            what is logged, as in filedeck=debug
  FILEDECK_ALLOW_CORE     1: core files and tracers are let in, and see the token

Files:
  $XDG_DATA_HOME/filedeck/store  the built-in store

Exit codes:
  0                   ok
  1                   error
  2                   usage or configuration
  5                   some files are damaged
  129, 130, 131, 143  ended by SIGHUP, SIGINT, SIGQUIT, SIGTERM";

impl ServiceArguments {
    /// Parses a command line, which starts with the program's name.
    pub(super) fn read(words: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let words: Vec<OsString> = words.into_iter().collect();
        token_argument::refuse(&words, Self::command)?;
        Self::try_parse_from(words)
    }

    /// Returns the default form, because these commands have no option for it.
    #[expect(clippy::unused_self, reason = "the whole program has such an option")]
    pub(super) fn format(&self) -> Format {
        Format::default()
    }
}

pub(super) fn complete() -> ExitCode {
    let (_, words) = shell_request::line();
    let shells = CompleteEnv::with_factory(ServiceArguments::command).var(shell_request::ASKED_BY);
    // If a word cannot be completed, the shell gets nothing.
    let _ = shells.try_complete(words, std::env::current_dir().ok().as_deref());
    ExitCode::SUCCESS
}

pub(super) async fn run(
    arguments: ServiceArguments,
    environment: Environment,
    listener: &mut Listener,
) -> anyhow::Result<Exit> {
    let paths = Paths::resolve(&environment)?;
    let ca_cert = match &arguments.command {
        ServiceCommand::Serve(args) => args.authorities.ca_cert.clone(),
        ServiceCommand::Store(args) => args.authorities.ca_cert.clone(),
        ServiceCommand::Completions(_) | ServiceCommand::Man(_) => None,
    };
    let context = LocalContext {
        environment: &environment,
        paths: &paths,
        ca_cert: ca_cert.as_deref(),
        listener,
        grammar: ServiceArguments::command,
    };
    match arguments.command {
        ServiceCommand::Serve(args) => carry_out(args, context).await,
        ServiceCommand::Store(args) => carry_out(args, context).await,
        ServiceCommand::Completions(args) => carry_out(args, context).await,
        ServiceCommand::Man(args) => carry_out(args, context).await,
    }
}

async fn carry_out<Args: LocalCommand>(
    args: Args,
    context: LocalContext<'_>,
) -> anyhow::Result<Exit> {
    let _until_it_ends = logging::to_stderr(args.logs(), context.environment)?;
    Box::pin(args.run(context)).await
}
