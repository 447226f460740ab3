//! What a command on an account runs in: the session and the form of the output.

use super::format::{Format, Style};
use super::output::Output;
use super::session::Session;
use crate::api::{Client, Error};
use crate::engine::Journal;

/// For a command on an account.
#[derive(Debug)]
pub struct CommandContext {
    pub session: Session,
    pub format: Format,
    /// Whether the locale has UTF-8.
    pub utf8: bool,
}

impl CommandContext {
    pub fn client(&self) -> &Client {
        &self.session.client
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
