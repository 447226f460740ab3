//! `filedeck ls`: a folder's contents, printed page by page.

use anyhow::Context as _;

use crate::cli::command::RemoteCommand;
use crate::cli::context::CommandContext;
use crate::cli::exit::Exit;
use crate::cli::format::Style;
use crate::cli::locate::{Located, locate};
use crate::cli::output::{Output, OutputError};
use crate::cli::remote::RemoteArgument;
use crate::cli::row;
use crate::engine::message::{Entry, Sort};
use crate::engine::ops::list::{self, ListMemory};

const EXAMPLES: &str = "\
Examples:
  filedeck ls /marketing
  filedeck ls /marketing/logo.png --json";

/// List a folder, or one file
///
/// On a terminal: access, size, the time of the last change and the expiry. In a pipe: one name a line; a folder's ends
/// with a slash.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Path or id
    #[arg(default_value = "/")]
    pub path: RemoteArgument,
}

impl RemoteCommand for Args {
    /// Prints rows as their pages arrive.
    async fn run(self, context: &CommandContext) -> anyhow::Result<Exit> {
        let what = || format!("cannot list {}", self.path);
        let mut output = context.output();
        let located = locate(context.client(), &self.path).await.with_context(what)?;
        if output.style() == Style::Table {
            output.line(&row::header())?;
        }
        if let Located::File(file) = located {
            print(&mut output, &Entry::File(*file))?;
        } else if let Some(place) = located.into_place() {
            let (memory, of) = (ListMemory::default(), place.into());
            let mut after = None;
            loop {
                let listing = list::page(context.client(), &memory, &of, Sort::default(), after);
                let listing = listing.await.with_context(what)?;
                for entry in &listing.entries {
                    print(&mut output, entry)?;
                }
                output.flush()?;
                match listing.next {
                    None => break,
                    next => after = next,
                }
            }
        }
        output.flush()?;
        Ok(Exit::Ok)
    }
}

fn print(output: &mut Output, entry: &Entry) -> Result<(), OutputError> {
    match (output.style(), entry) {
        (Style::Json, Entry::Folder(folder)) => output.json(folder),
        (Style::Json, Entry::File(file)) => output.json(file),
        (Style::Table, Entry::Folder(folder)) => output.line(&row::folder(folder)),
        (Style::Table, Entry::File(file)) => output.line(&row::file(file)),
        (Style::Lines, Entry::Folder(folder)) => output.line(&format!("{}/", folder.full_name())),
        (Style::Lines, Entry::File(file)) => output.line(&file.full_name()),
    }
}
