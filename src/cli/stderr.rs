//! Standard error: what the program says besides its data. Remote text in it is made safe to show.

use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};

use anyhow::Error;

use super::exit::Exit;
use super::format::Format;
use super::output::{OutputError, to_json_line};
use crate::api::model::problem::{Problem, ProblemDetail};
use crate::api::{self, text};
use crate::config::{AccountError, SecretFileError};

/// An error of the command line that clap cannot see; exits with 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct InvalidUsage(pub String);

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
