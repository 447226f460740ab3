//! Messages on standard error: what the program says besides its data. Remote text in them is made
//! safe to display.

use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};

use anyhow::Error;

use super::exit::Exit;
use super::format::Format;
use super::output::{OutputError, to_json_line};
use crate::api::model::problem::{Problem, ProblemDetail};
use crate::api::{self, text};
use crate::config::AccountError;
use crate::secret_file::SecretFileError;
use crate::service::CredentialError;

/// A usage error that clap cannot detect; exits with 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct InvalidUsage(pub String);

pub fn say(line: &str) {
    // Without standard error there is nowhere to report this.
    let _ = writeln!(io::stderr(), "{}", text::visible(line));
}

/// Prints a message for a person, unless `--json` or `--quiet` is given.
pub fn note(format: Format, line: &str) {
    if format.is_talkative() {
        say(&format!("filedeck: {line}"));
    }
}

/// Prints help, or a mistake in the command line with the prefix of all errors.
pub fn report_usage(error: &clap::Error) {
    let text = error.render().to_string();
    // A range is named as in Rust: "0 is not in 1..=100".
    let text = match text.split_once("..=") {
        Some((start, end)) => format!("{} and {end}", start.replace("not in", "not between")),
        None => text,
    };
    match text.strip_prefix("error: ") {
        Some(mistake) => {
            // Without standard error there is nowhere to report this.
            let _ = write!(io::stderr(), "filedeck: {mistake}");
        }
        None => {
            // Help that cannot be printed is not a failure.
            let _ = error.print();
        }
    }
}

pub fn is_terminal() -> bool {
    io::stderr().is_terminal()
}

/// Prints a warning that scripts need too: a line, or with `--json` one object in the form of the
/// API's errors.
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
        // Without standard error there is nowhere to report this.
        let _ = io::stderr().write_all(&line);
    }
}

/// Prints what failed, why, and what to do next; with `--json`, one object in the form of the API's
/// errors.
pub fn report(format: Format, what: &dyn Display, error: &api::Error) {
    if format.json {
        return say_problem(&Problem {
            status: Some("error".to_owned()),
            message: Some(format!("{what}: {}", error.message)),
            category: error.category.clone(),
            correlation_id: error.correlation_id.clone(),
            errors: error
                .details
                .iter()
                .cloned()
                .map(ProblemDetail::Text)
                .collect(),
            ..Problem::default()
        });
    }
    let status = error
        .status
        .map(|status| format!(" (HTTP {status})"))
        .unwrap_or_default();
    say(&format!("filedeck: {what}: {}{status}", error.message));
    for detail in &error.details {
        say(&format!("  {detail}"));
    }
    if let Some(advice) = error.advice(api::AdvicePlace::Command) {
        say(&format!("  {advice}"));
    }
    if let Some(id) = &error.correlation_id {
        say(&format!("  correlation id: {id}"));
    }
}

/// Prints why the run failed, and returns its exit code. A closed standard output is a success:
/// only output is lost.
pub fn report_failure(format: Format, error: &Error) -> Exit {
    if error
        .downcast_ref::<OutputError>()
        .is_some_and(OutputError::is_closed)
    {
        return Exit::Ok;
    }
    if let Some(cause) = error.downcast_ref::<api::Error>() {
        let what = Some(error.to_string()).filter(|what| *what != cause.message);
        report(format, &what.as_deref().unwrap_or("it failed"), cause);
        return cause.kind.into();
    }
    if format.json {
        report(
            format,
            &"filedeck",
            &api::Error::new(api::Kind::Local, format!("{error:#}")),
        );
    } else {
        say(&format!("filedeck: {error:#}"));
    }
    let to_correct = error.chain().any(|cause| {
        cause.is::<InvalidUsage>()
            || cause.is::<AccountError>()
            || cause.is::<SecretFileError>()
            || cause.is::<CredentialError>()
    });
    if to_correct {
        Exit::Usage
    } else {
        Exit::Failed
    }
}
