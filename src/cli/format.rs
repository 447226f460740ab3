//! The form of the output that the user asked for: options that every command with data has.

use std::io::{self, IsTerminal as _};

// Without a doc comment, which would take the place of each command's own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::Args)]
pub struct Format {
    /// Print one JSON object per line, with the API's field names
    #[arg(long, global = true)]
    pub json: bool,

    /// Print errors and warnings only
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

/// How data is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    Json,
    /// Columns, for a person.
    Table,
    /// A line for each thing, for a pipe.
    Lines,
}

impl Format {
    /// Columns are for a terminal.
    pub fn style(self) -> Style {
        match self {
            Self { json: true, .. } => Style::Json,
            _ if io::stdout().is_terminal() => Style::Table,
            _ => Style::Lines,
        }
    }

    /// Whether what is no error may be said on standard error: programs read data there, or nothing.
    pub fn is_talkative(self) -> bool {
        !self.json && !self.quiet
    }
}
