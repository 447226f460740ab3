//! `filedeck du`: the bytes and files in folders.

use std::collections::HashSet;

use anyhow::Context as _;
use futures::TryStreamExt as _;
use serde::Serialize;

use crate::api::ids::FolderId;
use crate::api::paths::join;
use crate::api::{Client, Error};
use crate::cli::command::RemoteCommand;
use crate::cli::completion::Completes;
use crate::cli::context::CommandContext;
use crate::cli::exit::Exit;
use crate::cli::format::Style;
use crate::cli::locate::{Located, file_path, locate_all};
use crate::cli::output::size;
use crate::cli::pattern::{PatternOptions, RemotePattern};
use crate::cli::place;
use crate::cli::recursion::Recursion;
use crate::engine::message::{Entry, FolderRef, Sort};
use crate::engine::ops::folder_size::folder_size;
use crate::engine::ops::list;

const EXAMPLES: &str = "\
Examples:
  filedeck du /marketing
  filedeck du / --depth 2 --json";

/// Show how many bytes and files folders hold
///
/// A folder's totals include everything below it, and come after those of the folders in it. On a
/// terminal, sizes have units; elsewhere, they are bytes.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Paths, ids or patterns
    #[arg(default_value = "/", value_name = "REMOTE", add = Completes::Remote)]
    pub remotes: Vec<RemotePattern>,

    /// Number of levels to list below each folder; 0 prints only the totals
    #[arg(short, long, value_name = "N", default_value = "1")]
    pub depth: u16,

    #[command(flatten)]
    pub patterns: PatternOptions,

    #[command(flatten)]
    pub recursion: Recursion,
}

#[derive(Debug, Clone, Serialize)]
struct SizeRow {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    path: String,
    size: u64,
    files: usize,
}

impl SizeRow {
    fn of(folder: FolderRef, size: u64, files: usize) -> Self {
        Self {
            id: folder.id.map(|id| id.to_string()),
            path: folder.path,
            size,
            files,
        }
    }
}

impl RemoteCommand for Args {
    async fn run(self, context: &CommandContext) -> anyhow::Result<Exit> {
        let (mut output, mut rows) = (context.output(), Vec::new());
        for remote in &self.remotes {
            let what = || format!("cannot measure {remote}");
            for located in locate_all(context.client(), remote, self.patterns)
                .await
                .with_context(what)?
                .all
            {
                if let Located::Entry(Entry::File(file)) = &located {
                    let (id, path) = (Some(file.id.to_string()), file_path(file));
                    rows.push(SizeRow {
                        id,
                        path,
                        size: file.size.unwrap_or(0),
                        files: 1,
                    });
                } else if let Some(place) = located.into_place() {
                    let mut opened = place.id.iter().cloned().collect();
                    let measured =
                        measure(context.client(), place, self.depth, &mut opened, &mut rows);
                    measured.await.with_context(what)?;
                }
            }
        }
        if output.style() == Style::Json {
            rows.iter().try_for_each(|row| output.json(row))?;
        } else {
            let bytes = |bytes| {
                if context.is_terminal() {
                    size(bytes)
                } else {
                    bytes.to_string()
                }
            };
            let cells = |row: &SizeRow| [bytes(row.size), row.files.to_string(), row.path.clone()];
            output.table(["SIZE", "FILES", "PATH"], rows.iter().map(cells))?;
        }
        output.flush()?;
        Ok(Exit::Ok)
    }
}

/// Measures a folder, and adds its row after those of the folders down to `depth`; returns its
/// bytes and files.
async fn measure(
    client: &Client,
    place: FolderRef,
    depth: u16,
    opened: &mut HashSet<FolderId>,
    rows: &mut Vec<SizeRow>,
) -> Result<(u64, usize), Error> {
    let (mut bytes, mut files) = (0_u64, 0);
    let mut add = |more: (u64, usize)| {
        bytes = bytes.saturating_add(more.0);
        files += more.1;
    };
    let (mut folders, own) = read(client, &place).await?;
    // A service may put a folder into itself.
    folders.retain(|folder| {
        folder
            .id
            .as_ref()
            .is_none_or(|id| opened.insert(id.clone()))
    });
    add(own);
    if depth > 1 {
        for folder in folders {
            add(Box::pin(measure(client, folder, depth - 1, opened, rows)).await?);
        }
    } else {
        // One call for all of them takes few requests.
        let ids: Vec<FolderId> = folders
            .iter()
            .filter_map(|folder| folder.id.clone())
            .collect();
        let sizes = folder_size(client, &ids, usize::MAX, |_| {}).await?;
        for folder in folders {
            let below = folder
                .id
                .as_ref()
                .and_then(|id| sizes.get(id))
                .copied()
                .unwrap_or_default();
            add((below.bytes, below.files));
            if depth == 1 {
                rows.push(SizeRow::of(folder, below.bytes, below.files));
            }
        }
    }
    rows.push(SizeRow::of(place, bytes, files));
    Ok((bytes, files))
}

/// Returns the folders in a folder, and the size and number of its own files.
async fn read(client: &Client, place: &FolderRef) -> Result<(Vec<FolderRef>, (u64, usize)), Error> {
    let of = place.clone().into();
    let (mut pages, mut folders, mut own) = (
        list::pages(client, &of, Sort::default()),
        Vec::new(),
        (0_u64, 0),
    );
    while let Some(entries) = pages.try_next().await? {
        for entry in entries {
            match entry {
                Entry::Folder(folder) => {
                    let path = join(&place.path, &folder.full_name());
                    folders.push(place::of(folder, &path));
                }
                Entry::File(file) => {
                    own = (own.0.saturating_add(file.size.unwrap_or(0)), own.1 + 1);
                }
            }
        }
    }
    Ok((folders, own))
}
