//! The whole program: the screen, and all commands.

use std::io::{self, IsTerminal as _};
use std::process::ExitCode;

use super::all_commands::Remote;
pub(super) use super::arguments::Arguments;
use super::arguments::Command;
use super::context::CommandContext;
use super::exit::Exit;
use super::local_command::LocalContext;
use super::logging::Logs;
use super::session::Session;
use super::setup::Setup;
use super::source_sessions::SourceSessions;
use super::{
    completion, logging,
    stderr::{self, InvalidUsage},
    tui, waits,
};
use crate::config::{Environment, accounts, quoted};
use crate::signals::Listener;
use crate::tui::input::shell_words::quote;

pub(super) fn complete() -> ExitCode {
    completion::answer(
        <Arguments as clap::CommandFactory>::command,
        Environment::read(),
    )
}

pub(super) async fn run(
    arguments: Arguments,
    environment: Environment,
    listener: &mut Listener,
) -> anyhow::Result<Exit> {
    let mut setup = Setup::read(environment)?;
    if arguments.plain {
        setup.config.plain = true;
        setup.set_by("plain", "true", "--plain");
    }
    let options = arguments.options;
    if let Some(limit) = options.limit_rate {
        setup.config.limit_rate = limit;
        setup.set_by("limit_rate", quoted(&limit.to_string()), "--limit-rate");
    }
    setup.bandwidth.set(setup.config.limit_rate.bytes());
    setup.read_only = options.read_only;
    setup.account = options.account;
    // An added account keeps the path, and is used from other folders too.
    let ca_cert = options.authorities.ca_cert;
    setup.ca_cert = ca_cert.map(std::path::absolute).transpose()?;
    let requests = options.verbose;
    match arguments.command {
        Some(Command::Local(command)) => {
            let _until_it_ends = logging::to_stderr(
                Logs {
                    requests,
                    ..command.logs()
                },
                &setup.environment,
            )?;
            let grammar = <Arguments as clap::CommandFactory>::command;
            let (environment, paths, ca_cert) =
                (&setup.environment, &setup.paths, setup.ca_cert.as_deref());
            command
                .run(LocalContext {
                    environment,
                    paths,
                    setup: &setup,
                    ca_cert,
                    listener,
                    grammar,
                })
                .await
        }
        Some(Command::Remote(command)) => {
            let _until_it_ends = logging::to_stderr(
                Logs {
                    requests,
                    ..Logs::OFF
                },
                &setup.environment,
            )?;
            setup
                .warnings
                .iter()
                .filter(|warning| !warning.is_of_screen)
                .for_each(|warning| stderr::say(&format!("filedeck: {warning}")));
            Box::pin(run_remote(command, &setup, listener)).await
        }
        None => Box::pin(tui::run(setup, arguments.demo, listener)).await,
    }
}

/// Runs a command on an account. A signal drops the command where it is, which removes its
/// temporary files, and then stops the embedded service; a second signal does not wait for that.
async fn run_remote(
    command: Remote,
    setup: &Setup,
    listener: &mut Listener,
) -> anyhow::Result<Exit> {
    let (mut signals, format) = (listener.attend(), command.format());
    let command = match command {
        Remote::Limits(limits) if limits.command.all_accounts => {
            let run = Box::pin(limits.command.run_on_all(setup, format));
            let ended = signals.unless_one_comes(run).await;
            return ended.unwrap_or_else(|signal| Ok(signal.into()));
        }
        command => command,
    };
    let tell = |line: &str| stderr::note(format, line);
    let named = command.account();
    if let Some(flag) = setup
        .account
        .as_ref()
        .filter(|_| !command.uses_chosen_account())
    {
        let what = format!("the paths name their accounts; leave out --account {flag}");
        return Err(InvalidUsage(what).into());
    }
    let of_paths = Setup {
        account: named.map(str::to_owned).or_else(|| setup.account.clone()),
        ..setup.clone()
    };
    let session = match signals
        .unless_one_comes(Session::open(&of_paths, &tell))
        .await
    {
        Ok(session) => session?.reporting(&waits::waits(format)),
        Err(signal) => return Ok(signal.into()),
    };
    // A script whose configuration is missing would work on files other than those it was written
    // for.
    let is_fallback = accounts::is_none_named(
        &setup.config,
        &setup.environment,
        of_paths.account.as_deref(),
    );
    if is_fallback && !io::stdout().is_terminal() {
        stderr::warn(
            format,
            "no account is named: this is the built-in store (--account local)",
        );
    }
    let (options, utf8) = (options_of(setup, &session), setup.environment.utf8);
    let sources = SourceSessions::new(setup, &session, waits::waits(format));
    let context = CommandContext {
        session,
        sources,
        format,
        options,
        utf8,
    };
    let result = signals
        .unless_one_comes(Box::pin(command.run(&context)))
        .await
        .unwrap_or_else(|signal| Ok(signal.into()));
    if matches!(result, Ok(Exit::Ok)) {
        context.session.forget_command().await;
    }
    let closing = async {
        context.sources.close().await;
        context.session.close().await;
    };
    match Box::pin(signals.unless_one_comes(closing)).await {
        Ok(()) => result,
        Err(signal) => Ok(signal.into()),
    }
}

/// Returns the options that another command needs to use the session's account; empty if it needs
/// none.
fn options_of(setup: &Setup, session: &Session) -> String {
    let environment = Environment {
        account: None,
        ..setup.environment.clone()
    };
    let account = match accounts::choose(&setup.config, &environment, None) {
        Ok(source) if source == session.source => String::new(),
        _ => format!(" --account {}", quote(session.source.name())),
    };
    let authorities = setup
        .ca_cert
        .as_ref()
        .map(|file| format!(" --ca-cert {}", quote(&file.to_string_lossy())));
    account + &authorities.unwrap_or_default()
}
