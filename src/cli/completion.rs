//! Completes words of the command line in a shell: paths of the account and names of accounts,
//! promptly or not at all. Errors are not reported.

mod remote_names;
mod shell_line;

use std::ffi::OsStr;
use std::process::ExitCode;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use clap::builder::ArgExt;
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use clap_complete::env::CompleteEnv;

use self::shell_line::{ShellLine, unquoted};
use super::core_files;
use super::setup::Setup;
use super::shell_request;
use crate::config::{Environment, LOCAL_STORE};

/// The time from the first line of `main` to the answer, unless the environment sets another. The
/// rest of 150 ms is for starting the process and printing.
const PATIENCE: Duration = Duration::from_millis(110);

/// The source of the completions of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completes {
    /// Paths of the account.
    Remote,
    /// Paths of the account for a word that begins with a slash, otherwise paths of this machine.
    EitherSide,
    /// Paths of this machine and of the account.
    LocalAndRemote,
    Account,
}

impl ArgExt for Completes {}

/// Prints the completions for a shell. Must be called before any other thread is started.
pub fn answer(grammar: fn() -> clap::Command, environment: Environment) -> ExitCode {
    let deadline = Instant::now() + environment.completion_wait.unwrap_or(PATIENCE);
    if environment.allow_core || core_files::rule_out().is_ok() {
        let (shell, words) = shell_request::line();
        let asked = Arc::new(Asked {
            line: ShellLine::new(&shell, &words),
            environment,
            deadline,
        });
        let shells = CompleteEnv::with_factory(|| with_completers(grammar(), &asked))
            .var(shell_request::ASKED_BY);
        // If a word cannot be completed, the shell gets nothing.
        let _ = shells.try_complete(words, std::env::current_dir().ok().as_deref());
    }
    ExitCode::SUCCESS
}

#[derive(Debug)]
struct Asked {
    line: ShellLine,
    environment: Environment,
    deadline: Instant,
}

struct Completer {
    completes: Completes,
    asked: Arc<Asked>,
}

fn with_completers(command: clap::Command, asked: &Arc<Asked>) -> clap::Command {
    let command = command.mut_args(|arg| match arg.get::<Completes>().copied() {
        Some(completes) => arg.add(ArgValueCompleter::new(Completer {
            completes,
            asked: Arc::clone(asked),
        })),
        None => arg,
    });
    command.mut_subcommands(|subcommand| with_completers(subcommand, asked))
}

impl ValueCompleter for Completer {
    fn complete(&self, current: &OsStr) -> Vec<CompletionCandidate> {
        let Some(typed) = current.to_str().map(unquoted) else {
            return Vec::new();
        };
        let local = || PathCompleter::any().complete(current);
        match self.completes {
            Completes::EitherSide if typed.starts_with('@') => self.named_account(&typed),
            Completes::Remote => self.remote(&typed, None),
            Completes::EitherSide if typed.starts_with('/') => self.remote(&typed, None),
            Completes::LocalAndRemote if typed.starts_with('/') => local()
                .into_iter()
                .chain(self.remote(&typed, None))
                .collect(),
            Completes::EitherSide | Completes::LocalAndRemote => local(),
            Completes::Account => self.candidates(accounts, |name| name.starts_with(&typed)),
        }
    }
}

impl Completer {
    /// Completes the name of an account after an `@`, and then a path of it.
    fn named_account(&self, typed: &str) -> Vec<CompletionCandidate> {
        let rest = typed.strip_prefix('@').unwrap_or(typed);
        let add = |candidates: Vec<CompletionCandidate>, prefix: &str| {
            let prefixed = candidates.into_iter();
            prefixed
                .map(|candidate| candidate.add_prefix(prefix))
                .collect()
        };
        if let Some((account, path)) = rest.split_once(':') {
            return add(self.remote(path, Some(account)), &format!("@{account}:"));
        }
        let names = self.candidates(accounts, |name| name.starts_with(rest));
        let names = names.into_iter().map(|name| {
            CompletionCandidate::new(format!("{}:/", name.get_value().to_string_lossy()))
        });
        add(names.collect(), "@")
    }

    fn remote(&self, typed: &str, account: Option<&str>) -> Vec<CompletionCandidate> {
        let typed = if typed.is_empty() { "/" } else { typed };
        let Some(slash) = typed.rfind('/').filter(|_| typed.starts_with('/')) else {
            return Vec::new();
        };
        let (folder, beginning) = typed.split_at(slash + 1);
        let Ok(path) = folder.parse() else {
            return Vec::new();
        };
        let account = account.map(str::to_owned);
        let names = self.candidates(
            move |setup, line| {
                let account = account.as_deref().or_else(|| line.account_of_path());
                let account = account.or_else(|| line.account());
                remote_names::of_folder(setup, account, &path).unwrap_or_default()
            },
            |name| name.starts_with(beginning),
        );
        names
            .into_iter()
            .map(|candidate| candidate.add_prefix(folder))
            .collect()
    }

    /// Returns what is found before the deadline, minus names that the shell could misread. The
    /// process exits even if the searching thread is still waiting.
    fn candidates(
        &self,
        find: impl FnOnce(&Setup, &ShellLine) -> Vec<String> + Send + 'static,
        fits: impl Fn(&str) -> bool,
    ) -> Vec<CompletionCandidate> {
        let (tell, answers) = mpsc::channel();
        let asked = Arc::clone(&self.asked);
        thread::spawn(move || {
            let found =
                Setup::read(asked.environment.clone()).map(|setup| find(&setup, &asked.line));
            // After the deadline, nobody receives the result.
            let _ = tell.send(found.unwrap_or_default());
        });
        let left = self
            .asked
            .deadline
            .saturating_duration_since(Instant::now());
        let found = answers.recv_timeout(left).unwrap_or_default();
        let can_be_typed = |name: &String| fits(name) && self.asked.line.can_hold(name);
        found
            .into_iter()
            .filter(can_be_typed)
            .map(CompletionCandidate::new)
            .collect()
    }
}

fn accounts(setup: &Setup, _: &ShellLine) -> Vec<String> {
    setup
        .config
        .accounts
        .keys()
        .cloned()
        .chain([LOCAL_STORE.to_owned()])
        .collect()
}
