//! `filedeck ls`: a folder's contents, printed page by page.

use anyhow::Context as _;
use futures::TryStreamExt as _;

use crate::cli::command::RemoteCommand;
use crate::cli::completion::Completes;
use crate::cli::context::CommandContext;
use crate::cli::exit::Exit;
use crate::cli::format::Style;
use crate::cli::locate::{Located, entry_path, locate_all, no_match, read};
use crate::cli::matches::Matches;
use crate::cli::output::{Output, OutputError};
use crate::cli::pattern::{PatternOptions, RemoteMeaning, RemotePattern};
use crate::cli::row;
use crate::engine::completion_names::MOST_NAMES;
use crate::engine::message::{Entry, Sort};
use crate::engine::ops::list;

const EXAMPLES: &str = "\
Examples:
  filedeck ls /marketing
  filedeck ls '/marketing/**/*.png' --json";

/// List a folder, one file, or what a pattern matches
///
/// On a terminal: access, size, the time of the last change and the expiry. In a pipe: one name per
/// line; a folder's ends with a slash. The matches of a pattern such as '/marketing/*.png' are
/// printed with their paths; quote the pattern for the shell.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Path, id or pattern
    #[arg(default_value = "/", add = Completes::Remote)]
    pub path: RemotePattern,

    /// Print the columns of a terminal in a pipe, too
    #[arg(short, long)]
    pub long: bool,

    /// List everything, as is done without this option, too
    #[arg(short, long, hide_short_help = true)]
    pub all: bool,

    #[command(flatten)]
    pub patterns: PatternOptions,
}

impl RemoteCommand for Args {
    async fn run(self, context: &CommandContext) -> anyhow::Result<Exit> {
        let what = || format!("cannot list {}", self.path);
        let mut output = context.output();
        if self.long {
            output.prefer_table();
        }
        let meaning = read(context.client(), &self.path, self.patterns)
            .await
            .with_context(what)?;
        if let RemoteMeaning::Many(glob) = &meaning {
            let mut matches = Matches::begin(context.client(), glob)
                .await
                .with_context(what)?;
            let mut is_first = true;
            while let Some(entries) = matches.next().await.with_context(what)? {
                if std::mem::take(&mut is_first) && output.style() == Style::Table {
                    output.line(&row::header())?;
                }
                entries
                    .iter()
                    .try_for_each(|entry| print_found(&mut output, entry))?;
                output.flush()?;
            }
            return if is_first {
                Err(no_match()).with_context(what)
            } else {
                Ok(Exit::Ok)
            };
        }
        let located = locate_all(context.client(), &self.path, self.patterns)
            .await
            .with_context(what)?
            .all;
        if output.style() == Style::Table {
            output.line(&row::header())?;
        }
        for located in located {
            match located {
                Located::Entry(entry @ Entry::File(_)) => print(&mut output, &entry)?,
                folder => print_folder(context, &mut output, folder)
                    .await
                    .with_context(what)?,
            }
        }
        output.flush()?;
        Ok(Exit::Ok)
    }
}

async fn print_folder(
    context: &CommandContext,
    output: &mut Output,
    folder: Located,
) -> anyhow::Result<()> {
    let Some(place) = folder.into_place() else {
        return Ok(());
    };
    let (path, of, mut names) = (place.path.clone(), place.into(), Vec::new());
    let mut pages = list::pages(context.client(), &of, Sort::default());
    while let Some(entries) = pages.try_next().await? {
        entries.iter().try_for_each(|entry| print(output, entry))?;
        output.flush()?;
        if names.len() <= MOST_NAMES {
            names.extend(entries.iter().map(Entry::name_in_path));
        }
    }
    context.session.keep_names(vec![(path, names)]);
    Ok(())
}

/// Prints an entry with its path, because matches may be in several folders.
fn print_found(output: &mut Output, entry: &Entry) -> Result<(), OutputError> {
    match output.style() {
        Style::Json => print(output, entry),
        Style::Table => output.line(&row::found(entry)),
        Style::Lines => output.line(&entry_path(entry)),
    }
}

fn print(output: &mut Output, entry: &Entry) -> Result<(), OutputError> {
    match output.style() {
        Style::Json => output.json(entry),
        Style::Table => output.line(&row::named(entry, &entry.name_in_path())),
        Style::Lines => output.line(&entry.name_in_path()),
    }
}
