//! `filedeck ls`: a folder's contents, printed page by page.

use anyhow::Context as _;

use super::exit::Exit;
use super::locate::{Located, locate};
use super::output::{Format, Output, OutputError};
use super::remote::RemoteArgument;
use super::row;
use super::session::Session;
use crate::engine::message::{Entry, Sort};
use crate::engine::ops::list::{self, ListMemory};

/// List a folder, or one file
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Path or id
    #[arg(default_value = "/")]
    pub path: RemoteArgument,

    /// Print one JSON object per line, as the service describes it
    #[arg(long)]
    pub json: bool,
}

/// How a listing is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Json,
    /// Columns, for a person.
    Table,
    /// Names alone, for a pipe; folders end with a slash.
    Names,
}

/// Prints rows as their pages arrive.
pub async fn run(args: Args, session: &Session) -> anyhow::Result<Exit> {
    let style = match Format::from_flag(args.json) {
        Format::Json => Style::Json,
        Format::Text if Output::is_terminal() => Style::Table,
        Format::Text => Style::Names,
    };
    let what = || format!("cannot list {}", args.path);
    let mut output = Output::default();
    let located = locate(&session.client, &args.path).await.with_context(what)?;
    if style == Style::Table {
        output.line(&row::header())?;
    }
    if let Located::File(file) = located {
        print(&mut output, style, &Entry::File(*file))?;
    } else if let Some(place) = located.into_place() {
        let (memory, of) = (ListMemory::default(), place.into());
        let mut after = None;
        loop {
            let listing = list::page(&session.client, &memory, &of, Sort::default(), after);
            let listing = listing.await.with_context(what)?;
            for entry in &listing.entries {
                print(&mut output, style, entry)?;
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

fn print(output: &mut Output, style: Style, entry: &Entry) -> Result<(), OutputError> {
    match (style, entry) {
        (Style::Json, Entry::Folder(folder)) => output.json(folder),
        (Style::Json, Entry::File(file)) => output.json(file),
        (Style::Table, Entry::Folder(folder)) => output.line(&row::folder(folder)),
        (Style::Table, Entry::File(file)) => output.line(&row::file(file)),
        (Style::Names, Entry::Folder(folder)) => output.line(&format!("{}/", folder.full_name())),
        (Style::Names, Entry::File(file)) => output.line(&file.full_name()),
    }
}
