//! The context of a command on an account: the session and the form of the output.

use std::sync::Arc;

use super::format::{Format, Style};
use super::output::Output;
use super::session::Session;
use super::source_sessions::SourceSessions;
use super::tally::RunTally;
use crate::api::{Client, Error};
use crate::engine::{BatchId, Journal};

#[derive(Debug)]
pub struct CommandContext {
    pub session: Session,
    /// Other accounts, as sources of copies.
    pub sources: Arc<SourceSessions>,
    pub format: Format,
    /// The options that another command needs to use the same account; empty if it needs none.
    pub options: String,
    /// Set if the locale uses UTF-8.
    pub utf8: bool,
}

impl CommandContext {
    pub fn client(&self) -> &Client {
        &self.session.client
    }

    pub fn retry_command(&self, task: BatchId) -> String {
        format!("filedeck tasks retry {}{}", task.0, self.options)
    }

    /// Returns `true` if standard output shows columns for a person.
    pub fn is_terminal(&self) -> bool {
        self.format.style() == Style::Table
    }

    pub fn output(&self) -> Output {
        Output::new(self.format)
    }

    /// Returns the counts of a run on this many items.
    pub fn tally(&self, asked: usize) -> RunTally {
        RunTally::new(self.format, asked)
    }

    /// Returns the account's journal, or one in memory if it cannot be opened.
    pub async fn journal_or_none(&self) -> Result<Journal, Error> {
        self.session.journal_or_none(self.format).await
    }
}
