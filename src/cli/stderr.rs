//! Standard error: what the program says besides its data. Remote text in it is made safe to show.

use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};
use std::time::Duration;

use anyhow::Error;
use jiff::Timestamp;

use super::exit::Exit;
use super::format::Format;
use super::output::{OutputError, to_json_line};
use crate::api::model::problem::{Problem, ProblemDetail};
use crate::api::{self, text};
use crate::config::{AccountError, SecretFileError};
use crate::engine::ProgressSink;
use crate::engine::message::{Progress, WaitReason};

/// An error of the command line that clap cannot see; exits with 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct InvalidUsage(pub String);

/// Shorter waits are not worth a line.
const WORTH_A_LINE: Duration = Duration::from_secs(1);

/// So much of a wait may be over when it is seen.
const SEEN_LATE: Duration = Duration::from_millis(300);

/// Says one line.
pub fn say(line: &str) {
    // Without standard error there is no place to report it.
    let _ = writeln!(io::stderr(), "{}", text::visible(line));
}

/// Says what a person may want to know; nothing in the form that is for programs, or where that is unwanted.
pub fn note(format: Format, line: &str) {
    if format.is_talkative() {
        say(&format!("filedeck: {line}"));
    }
}

/// Whether a person sees standard error.
pub fn is_terminal() -> bool {
    io::stderr().is_terminal()
}

/// Says each wait that is worth a line; nothing in the form that is for programs.
pub fn waits(format: Format) -> ProgressSink {
    ProgressSink::new(move |progress| {
        if let Progress::Waiting { wait, reason } = progress
            && wait >= WORTH_A_LINE
        {
            say_wait(format, wait, reason);
        }
    })
}

fn say_wait(format: Format, wait: Duration, reason: WaitReason) {
    note(format, &reason.in_words(seconds(wait)));
}

/// Says waits that are seen again and again, each once.
#[derive(Debug)]
pub struct Waits {
    format: Format,
    said: Vec<(Timestamp, WaitReason)>,
}

impl Waits {
    pub fn new(format: Format) -> Self {
        Self { format, said: Vec::new() }
    }

    /// Several that end at about the same time for the same reason are one.
    pub fn see(&mut self, (until, reason): (Timestamp, WaitReason), now: Timestamp) {
        let is_said = |(said, why): &(Timestamp, WaitReason)| *why == reason && left(until, *said) < WORTH_A_LINE;
        let wait = left(until, now);
        if wait + SEEN_LATE >= WORTH_A_LINE && !self.said.iter().any(is_said) {
            self.said.retain(|(_, why)| *why != reason);
            self.said.push((until, reason));
            say_wait(self.format, wait, reason);
        }
    }
}

/// How long it is until then.
pub fn left(until: Timestamp, now: Timestamp) -> Duration {
    Duration::try_from(until.duration_since(now)).unwrap_or_default()
}

/// Whole seconds, rounded up.
pub fn seconds(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}

/// Says what a script has to know, too: a line, or one JSON object in the form of the API's errors with `--json`.
pub fn warn(format: Format, text: &str) {
    if format.json {
        say_problem(&Problem {
            status: Some("error".to_owned()),
            message: Some(text.to_owned()),
            ..Problem::default()
        });
    } else {
        say(&format!("filedeck: {text}"));
    }
}

fn say_problem(problem: &Problem) {
    if let Ok(line) = to_json_line(problem) {
        // Without standard error there is no place to report it.
        let _ = io::stderr().write_all(&line);
    }
}

/// Says what failed, why, and what to do next; as one JSON object in the form of the API's errors with `--json`.
pub fn report(format: Format, what: &dyn Display, error: &api::Error) {
    if format.json {
        return say_problem(&Problem {
            status: Some("error".to_owned()),
            message: Some(format!("{what}: {}", error.message)),
            category: error.category.clone(),
            correlation_id: error.correlation_id.clone(),
            errors: error.details.iter().cloned().map(ProblemDetail::Text).collect(),
            ..Problem::default()
        });
    }
    let status = error.status.map(|status| format!(" (HTTP {status})")).unwrap_or_default();
    say(&format!("filedeck: {what}: {}{status}", error.message));
    for detail in &error.details {
        say(&format!("  {detail}"));
    }
    say(&format!("  {}", error.advice()));
    if let Some(id) = &error.correlation_id {
        say(&format!("  correlation id: {id}"));
    }
}

/// Says why the whole run failed, and gives its exit code. A closed standard output is success where there was only to show.
pub fn report_failure(format: Format, error: &Error) -> Exit {
    if error.downcast_ref::<OutputError>().is_some_and(OutputError::is_closed) {
        return Exit::Ok;
    }
    if let Some(cause) = error.downcast_ref::<api::Error>() {
        let what = error.to_string();
        if what == cause.message {
            report(format, &"it failed", cause);
        } else {
            report(format, &what, cause);
        }
        return cause.kind.into();
    }
    if format.json {
        report(format, &"filedeck", &api::Error::new(api::Kind::Local, format!("{error:#}")));
    } else {
        say(&format!("filedeck: {error:#}"));
    }
    let to_correct = error
        .chain()
        .any(|cause| cause.is::<InvalidUsage>() || cause.is::<AccountError>() || cause.is::<SecretFileError>());
    if to_correct { Exit::Usage } else { Exit::Failed }
}
