//! What a command on an account runs in: the session and the form of the output.

use super::format::{Format, Style};
use super::output::Output;
use super::session::Session;
use crate::api::{Client, Error};
use crate::engine::{BatchId, Journal};

/// For a command on an account.
#[derive(Debug)]
pub struct CommandContext {
    pub session: Session,
    pub format: Format,
    /// The options that lead another command to the account; empty where none are needed.
    pub options: String,
    /// Whether the locale has UTF-8.
    pub utf8: bool,
}

impl CommandContext {
    pub fn client(&self) -> &Client {
        &self.session.client
    }

    /// The command that does what is left of a task.
    pub fn retry_command(&self, task: BatchId) -> String {
        format!("filedeck tasks retry {}{}", task.0, self.options)
    }

    /// Whether a person sees standard output.
    pub fn is_terminal(&self) -> bool {
        self.format.style() == Style::Table
    }

    /// Standard output in the form that was asked for.
    pub fn output(&self) -> Output {
        Output::new(self.format)
    }

    /// The account's journal, or one in memory where it cannot be opened.
    pub async fn journal_or_none(&self) -> Result<Journal, Error> {
        self.session.journal_or_none(self.format).await
    }
}
