//! The command line, with one file per command. Wires the layers together.

#[cfg(feature = "tui")]
pub mod access;
#[cfg(feature = "tui")]
mod account_copy;
#[cfg(feature = "tui")]
pub mod account_path;
#[cfg(feature = "tui")]
pub mod account_reading;
#[cfg(feature = "tui")]
pub mod accounts;
#[cfg(feature = "tui")]
mod address;
#[cfg(feature = "tui")]
mod address_map;
#[cfg(feature = "tui")]
pub mod all_commands;
#[cfg(feature = "tui")]
pub mod arguments;
pub mod authorities;
#[cfg(feature = "tui")]
mod changes;
#[cfg(feature = "tui")]
pub mod command;
pub mod commands;
#[cfg(feature = "tui")]
pub mod completion;
#[cfg(feature = "tui")]
pub mod confirmation;
pub mod connection_options;
#[cfg(feature = "tui")]
pub mod context;
pub mod core_files;
#[cfg(feature = "tui")]
pub mod demo;
#[cfg(feature = "tui")]
mod destination;
#[cfg(feature = "tui")]
pub mod dry_run;
pub mod exit;
#[cfg(feature = "tui")]
pub mod file_filter;
#[cfg(feature = "tui")]
pub mod file_options;
pub mod format;
#[cfg(feature = "tui")]
pub mod global_options;
#[cfg(feature = "tui")]
pub mod list_file;
pub mod local_command;
#[cfg(feature = "tui")]
pub mod local_store;
#[cfg(feature = "tui")]
pub mod locate;
#[cfg(feature = "tui")]
pub mod log_files;
pub mod logging;
#[cfg(feature = "tui")]
pub mod look_up;
#[cfg(feature = "tui")]
pub mod matches;
#[cfg(feature = "tui")]
pub mod mirror;
#[cfg(feature = "tui")]
pub mod named_job;
#[cfg(feature = "tui")]
mod oauth;
#[cfg(feature = "tui")]
pub mod on_clash;
pub mod open_files;
#[cfg(feature = "tui")]
pub mod opener;
pub mod output;
pub mod parent_process;
#[cfg(feature = "tui")]
pub mod pattern;
#[cfg(feature = "tui")]
pub mod place;
#[cfg(feature = "tui")]
mod program;
#[cfg(feature = "tui")]
pub mod progress;
pub mod ready_file;
#[cfg(feature = "tui")]
pub mod recursion;
#[cfg(feature = "tui")]
pub mod remote;
#[cfg(feature = "tui")]
pub mod row;
#[cfg(feature = "tui")]
pub mod screen_files;
#[cfg(not(feature = "tui"))]
mod service_program;
#[cfg(feature = "tui")]
pub mod session;
#[cfg(feature = "tui")]
pub mod setup;
pub mod shell_request;
#[cfg(feature = "tui")]
pub mod side_path;
#[cfg(feature = "tui")]
mod source_sessions;
#[cfg(feature = "tui")]
pub mod standard_input;
pub mod stderr;
pub mod store_access;
pub mod store_choice;
pub mod store_claim;
#[cfg(any(feature = "postgres", feature = "s3"))]
pub mod store_place;
#[cfg(feature = "tui")]
pub mod sync_lines;
#[cfg(feature = "tui")]
pub mod sync_plan;
#[cfg(feature = "tui")]
pub mod sync_run;
#[cfg(feature = "tui")]
pub mod tally;
pub mod token_argument;
#[cfg(feature = "otlp")]
mod traces;
#[cfg(feature = "tui")]
pub mod tui;
#[cfg(feature = "tui")]
mod typed_word;
#[cfg(feature = "tui")]
pub mod waits;
#[cfg(feature = "tui")]
pub mod watch_run;
#[cfg(feature = "tui")]
pub mod work;

use std::io;
use std::process::ExitCode;
use std::time::Duration;

use exit::Exit;
use format::Format;
#[cfg(not(feature = "tui"))]
use service_program as program;

use crate::config::Environment;
use crate::drawing;
use crate::signals::{Listener, wait_for_holds};

/// The longest that blocking work, such as a read from the local disk, may delay the exit.
const LAST_WAIT: Duration = Duration::from_secs(1);

/// Reads the command line, runs it, and returns the exit code.
pub fn main() -> ExitCode {
    if drawing::is_asked() {
        return drawing::serve();
    }
    if shell_request::is_asked() {
        return program::complete();
    }
    let mut listener = match Listener::start() {
        Ok(listener) => listener,
        Err(error) => {
            return stderr::report_failure(Format::default(), &cannot("listen to signals", error))
                .into();
        }
    };
    let environment = Environment::read();
    if !environment.allow_core
        && let Err(error) = core_files::rule_out()
    {
        let what =
            "rule out core files, which would hold the token; FILEDECK_ALLOW_CORE=1 lets them be";
        return stderr::report_failure(Format::default(), &cannot(what, error)).into();
    }
    let arguments = match program::Arguments::read(std::env::args_os()) {
        Ok(arguments) => arguments,
        Err(error) => {
            stderr::report_usage(&error);
            return u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from);
        }
    };
    let format = arguments.format();
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => return stderr::report_failure(format, &error.into()).into(),
    };
    let result = runtime.block_on(program::run(arguments, environment, &mut listener));
    let exit = result.unwrap_or_else(|error| stderr::report_failure(format, &error));
    wait_for_holds();
    let exit = listener.missed().map_or(exit, Exit::from);
    runtime.shutdown_timeout(LAST_WAIT);
    exit.into()
}

fn cannot(what: &str, error: io::Error) -> anyhow::Error {
    anyhow::Error::from(error).context(format!("cannot {what}"))
}
