//! `filedeck tree`: a folder and what is below it, drawn as a tree.

use std::collections::HashSet;

use anyhow::Context as _;
use futures::TryStreamExt as _;

use crate::api::Error;
use crate::api::ids::FolderId;
use crate::api::paths::join;
use crate::cli::command::RemoteCommand;
use crate::cli::completion::Completes;
use crate::cli::context::CommandContext;
use crate::cli::exit::Exit;
use crate::cli::format::Style;
use crate::cli::locate::locate_all;
use crate::cli::output::{Output, OutputError};
use crate::cli::pattern::{PatternOptions, RemotePattern};
use crate::engine::completion_names::MOST_NAMES;
use crate::engine::message::{Entry, FolderRef, Sort};
use crate::engine::ops::list::{self, ListMemory};
use crate::tui::widget::figures::count;

const EXAMPLES: &str = "\
Examples:
  filedeck tree /marketing
  filedeck tree / --depth 2 --dirs-only";

/// Draw a folder and everything below it as a tree
///
/// Folders come before files; a line at the end counts both. With --json, each is one object per
/// line, as the service describes it, without the counts.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Paths, ids or patterns of folders
    #[arg(default_value = "/", value_name = "REMOTE", add = Completes::Remote)]
    pub remotes: Vec<RemotePattern>,

    /// Number of levels to go down
    #[arg(short = 'L', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub depth: Option<u16>,

    /// Leave files out
    #[arg(short, long)]
    pub dirs_only: bool,

    #[command(flatten)]
    pub patterns: PatternOptions,
}

/// The strokes before a name.
#[derive(Debug, Clone, Copy)]
struct Strokes {
    entry: &'static str,
    last: &'static str,
    below: &'static str,
    below_last: &'static str,
}

const LINES: Strokes = Strokes {
    entry: "├── ",
    last: "└── ",
    below: "│   ",
    below_last: "    ",
};
const ASCII: Strokes = Strokes {
    entry: "|-- ",
    last: "`-- ",
    below: "|   ",
    below_last: "    ",
};

/// The most folders whose names are kept for shell completion.
const MOST_FOLDERS: usize = 100;

/// The rest of a folder that is being printed.
struct Level {
    path: String,
    /// The prefix of each of its lines.
    indent: String,
    entries: std::vec::IntoIter<Entry>,
}

impl RemoteCommand for Args {
    /// Prints a folder line by line, and descends into each folder at its line.
    async fn run(self, context: &CommandContext) -> anyhow::Result<Exit> {
        let strokes = if context.utf8 { LINES } else { ASCII };
        let (mut output, mut folders, mut files) = (context.output(), 0, 0);
        let mut names = Vec::new();
        for remote in &self.remotes {
            let what = || format!("cannot draw {remote}");
            for located in locate_all(context.client(), remote, self.patterns)
                .await
                .with_context(what)?
                .all
            {
                let shown = located.to_string();
                if output.style() != Style::Json {
                    output.line(&shown)?;
                }
                let Some(place) = located.into_place() else {
                    files += 1;
                    continue;
                };
                // A service may put a folder into itself.
                let mut opened: HashSet<FolderId> = place.id.iter().cloned().collect();
                let mut levels = vec![
                    self.read(context, &place, String::new(), &mut names)
                        .await
                        .with_context(what)?,
                ];
                while let Some(level) = levels.last_mut() {
                    let Some(entry) = level.entries.next() else {
                        levels.pop();
                        continue;
                    };
                    let (stroke, below) = if level.entries.len() == 0 {
                        (strokes.last, strokes.below_last)
                    } else {
                        (strokes.entry, strokes.below)
                    };
                    print(&mut output, &level.indent, stroke, &entry)?;
                    let Entry::Folder(folder) = entry else {
                        files += 1;
                        continue;
                    };
                    folders += 1;
                    let (indent, path) = (
                        format!("{}{below}", level.indent),
                        join(&level.path, &folder.full_name()),
                    );
                    let is_shallow = self
                        .depth
                        .is_none_or(|most| levels.len() < usize::from(most));
                    if is_shallow && opened.insert(folder.id.clone()) {
                        let place = FolderRef {
                            id: Some(folder.id),
                            path,
                        };
                        levels.push(
                            self.read(context, &place, indent, &mut names)
                                .await
                                .with_context(what)?,
                        );
                    }
                }
            }
        }
        context.session.keep_names(names);
        if output.style() != Style::Json {
            let of_files = if self.dirs_only {
                String::new()
            } else {
                format!(", {}", count(files, "file"))
            };
            output.line("")?;
            output.line(&format!("{}{of_files}", count(folders, "folder")))?;
        }
        output.flush()?;
        Ok(Exit::Ok)
    }
}

impl Args {
    /// Reads a folder to its end, because the last entry is drawn differently; adds its names to
    /// `names`.
    async fn read(
        &self,
        context: &CommandContext,
        place: &FolderRef,
        indent: String,
        names: &mut Vec<(String, Vec<String>)>,
    ) -> Result<Level, Error> {
        let client = context.client();
        let entries: Vec<Entry> = if self.dirs_only {
            let folders = list::folders(client, &ListMemory::default(), place).await?;
            folders.into_iter().map(Entry::Folder).collect()
        } else {
            list::pages(client, &place.clone().into(), Sort::default())
                .try_concat()
                .await?
        };
        if !self.dirs_only && names.len() < MOST_FOLDERS && entries.len() <= MOST_NAMES {
            names.push((
                place.path.clone(),
                entries.iter().map(Entry::name_in_path).collect(),
            ));
        }
        Ok(Level {
            path: place.path.clone(),
            indent,
            entries: entries.into_iter(),
        })
    }
}

fn print(
    output: &mut Output,
    indent: &str,
    stroke: &str,
    entry: &Entry,
) -> Result<(), OutputError> {
    output.item(entry, || {
        format!("{indent}{stroke}{}", entry.name_in_path())
    })?;
    output.flush()
}
