//! The requested form of the output: options of every command that prints data.

use std::io::{self, IsTerminal as _};

// No doc comment: it would replace each command's own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::Args)]
pub struct Format {
    /// Print one JSON object per line, with the API's field names
    #[arg(long, global = true)]
    pub json: bool,

    /// Print errors and warnings only
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    Json,
    /// Columns, for a person.
    Table,
    /// One line per item, for a pipe.
    Lines,
}

impl Format {
    /// Returns the style; columns are only for a terminal.
    pub fn style(self) -> Style {
        match self {
            Self { json: true, .. } => Style::Json,
            _ if io::stdout().is_terminal() => Style::Table,
            _ => Style::Lines,
        }
    }

    /// Returns `true` if standard error may carry more than errors: with `--json`, programs read
    /// data there.
    pub fn is_talkative(self) -> bool {
        !self.json && !self.quiet
    }
}
