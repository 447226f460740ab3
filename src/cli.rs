//! The command line: one command a file. Wires the layers together.

pub mod access;
pub mod accounts;
mod address;
pub mod arguments;
pub mod command;
pub mod commands;
pub mod completion;
pub mod context;
pub mod core_files;
pub mod demo;
pub mod dry_run;
pub mod exit;
pub mod file_options;
pub mod format;
pub mod local_store;
pub mod locate;
pub mod logging;
pub mod look_up;
pub mod matches;
pub mod mirror;
pub mod named_job;
mod oauth;
pub mod on_clash;
pub mod open_files;
pub mod opener;
pub mod output;
pub mod pattern;
pub mod place;
pub mod progress;
pub mod remote;
pub mod row;
pub mod session;
pub mod setup;
pub mod stderr;
pub mod store_claim;
pub mod sync_plan;
pub mod sync_run;
pub mod tally;
pub mod tui;
pub mod watch_run;
pub mod work;

use std::io;
use std::process::ExitCode;
use std::time::Duration;

use arguments::{Arguments, Command};
use commands::Remote;
use context::{CommandContext, LocalContext};
use exit::Exit;
use format::Format;
use session::Session;
use setup::Setup;

use crate::config::{Environment, quoted};
use crate::drawing;
use crate::signals::Listener;

/// How long blocking work, such as a read of the local disk, may hold up the end.
const LAST_WAIT: Duration = Duration::from_secs(1);

/// Reads the command line, does what it says, and gives the exit code.
pub fn main() -> ExitCode {
    if drawing::is_asked() {
        return drawing::serve();
    }
    if completion::is_asked() {
        return completion::answer(<Arguments as clap::CommandFactory>::command, Environment::read());
    }
    let mut listener = match Listener::start() {
        Ok(listener) => listener,
        Err(error) => return stderr::report_failure(Format::default(), &cannot("listen to signals", error)).into(),
    };
    let environment = Environment::read();
    if !environment.allow_core
        && let Err(error) = core_files::rule_out()
    {
        let what = "rule out core files, which would hold the token; FILEDECK_ALLOW_CORE=1 lets them be";
        return stderr::report_failure(Format::default(), &cannot(what, error)).into();
    }
    let arguments = match Arguments::read(std::env::args_os()) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help that nobody reads is no failure.
            let _ = error.print();
            return u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from);
        }
    };
    let format = arguments.format();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return stderr::report_failure(format, &error.into()).into(),
    };
    let result = runtime.block_on(run(arguments, environment, &mut listener));
    let exit = result.unwrap_or_else(|error| stderr::report_failure(format, &error));
    let exit = listener.missed().map_or(exit, Exit::from);
    runtime.shutdown_timeout(LAST_WAIT);
    exit.into()
}

fn cannot(what: &str, error: io::Error) -> anyhow::Error {
    anyhow::Error::from(error).context(format!("cannot {what}"))
}

async fn run(arguments: Arguments, environment: Environment, listener: &mut Listener) -> anyhow::Result<Exit> {
    let mut setup = Setup::read(environment)?;
    if arguments.plain {
        setup.config.plain = true;
        setup.set_by("plain", "true", "--plain");
    }
    if let Some(limit) = arguments.limit_rate {
        setup.config.limit_rate = limit;
        setup.set_by("limit_rate", quoted(&limit.to_string()), "--limit-rate");
    }
    setup.bandwidth.set(setup.config.limit_rate.bytes());
    setup.read_only = arguments.read_only;
    setup.account = arguments.account;
    // An account that is added keeps it, wherever it is used from.
    setup.ca_cert = arguments.ca_cert.map(std::path::absolute).transpose()?;
    match arguments.command {
        Some(Command::Local(command)) => {
            logging::to_stderr(command.logs());
            let grammar = <Arguments as clap::CommandFactory>::command;
            command.run(LocalContext { setup: &setup, listener, grammar }).await
        }
        Some(Command::Remote(command)) => {
            logging::to_stderr("off");
            setup.warnings.iter().for_each(|warning| stderr::say(&format!("filedeck: {warning}")));
            run_remote(command, &setup, listener).await
        }
        None => Box::pin(tui::run(setup, arguments.demo, listener)).await,
    }
}

/// A signal drops the command where it is, which removes its temporary files, and then stops the embedded service; a
/// second one does not wait for that.
async fn run_remote(command: Remote, setup: &Setup, listener: &mut Listener) -> anyhow::Result<Exit> {
    let (mut signals, format) = (listener.attend(), command.format());
    let tell = |line: &str| stderr::note(format, line);
    let session = match signals.unless_one_comes(Session::open(setup, &tell)).await {
        Ok(session) => session?.reporting(&stderr::waits(format)),
        Err(signal) => return Ok(signal.into()),
    };
    let context = CommandContext { session, format, utf8: setup.environment.utf8 };
    let result =
        signals.unless_one_comes(Box::pin(command.run(&context))).await.unwrap_or_else(|signal| Ok(signal.into()));
    match signals.unless_one_comes(context.session.close()).await {
        Ok(()) => result,
        Err(signal) => Ok(signal.into()),
    }
}
