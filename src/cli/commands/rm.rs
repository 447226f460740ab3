//! `filedeck rm`: deletes files and folders, after asking.

use std::collections::HashSet;
use std::io;
use std::time::Duration;

use anyhow::Context as _;
use jiff::Timestamp;
use serde::Serialize;

use crate::api::ids::{FileId, FolderId};
use crate::api::{Client, Error, Kind};
use crate::cli::command::RemoteCommand;
use crate::cli::completion::Completes;
use crate::cli::confirmation::{self, Confirmation};
use crate::cli::context::CommandContext;
use crate::cli::dry_run::{self, DryRun};
use crate::cli::exit::Exit;
use crate::cli::list_file::ListFile;
use crate::cli::locate::{Found, Located, locate_all};
use crate::cli::look_up::{LookedUp, collect};
use crate::cli::named_job::NamedJob;
use crate::cli::output::{Output, OutputError};
use crate::cli::pattern::{PatternOptions, RemotePattern};
use crate::cli::recursion::Recursion;
use crate::cli::remote::RemoteArgument;
use crate::cli::stderr::{InvalidUsage, say};
use crate::cli::work::{BulkOptions, carry_out};
use crate::engine::deletion::Deletion;
use crate::engine::folder_size::{FolderSizes, outermost};
use crate::engine::message::{Entry, Target};
use crate::engine::ops::folder_size::{MOST_REQUESTS, folder_size};
use crate::engine::seen_state::file_state;
use crate::engine::{Item, Job, Outcome};
use crate::tui::widget::figures;

const EXAMPLES: &str = "\
Examples:
  filedeck rm /marketing/old.png /drafts
  filedeck rm id:4711 --permanent --yes";

/// Delete files and folders
///
/// The links of a deleted file stop working at once. The service keeps the bytes as private, but
/// its API cannot restore them. A folder is deleted with everything in it. With --permanent, --json
/// also says when a file will be erased.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Paths, ids or patterns
    #[arg(required_unless_present = "from_file", value_name = "REMOTE", add = Completes::Remote)]
    pub remotes: Vec<RemotePattern>,

    /// Delete files permanently: content and metadata are erased within 7 days
    #[arg(long)]
    pub permanent: bool,

    #[command(flatten)]
    pub list: ListFile,

    #[command(flatten)]
    pub patterns: PatternOptions,

    #[command(flatten)]
    pub recursion: Recursion,

    /// The same as --yes, but still ask before a permanent deletion
    #[arg(short, long)]
    pub force: bool,

    #[command(flatten)]
    pub dry_run: DryRun,

    #[command(flatten)]
    pub confirmation: Confirmation,

    #[command(flatten)]
    pub bulk: BulkOptions,
}

/// The longest that the question waits for the sizes of folders.
const PATIENCE: Duration = Duration::from_secs(5);

impl RemoteCommand for Args {
    async fn run(self, context: &CommandContext) -> anyhow::Result<Exit> {
        let args = self;
        context
            .session
            .check_writable()
            .context("nothing was deleted")?;
        let is_agreed = args.confirmation.yes || (args.force && !args.permanent);
        if !is_agreed && !confirmation::can_ask() && !args.dry_run.dry_run {
            return Err(InvalidUsage(
                "rm asks before it deletes, and there is no terminal; use --yes".to_owned(),
            )
            .into());
        }
        let remotes = args.list.remotes(args.remotes)?;
        let mut tally = context.tally(0);
        let find = async |remote: &RemotePattern| {
            find(context.client(), remote, args.patterns, args.permanent).await
        };
        let target = |found: &FoundItem| Some(found.item.target.clone());
        let Some(mut found) = collect(&remotes, &mut tally, "delete", target, find)
            .await
            .filter(|found| !found.all.is_empty())
        else {
            return Ok(tally.finish());
        };
        let count = found.all.len();
        keep_outermost(&mut found.all);
        tally.instead(count, found.all.len());
        let task = |FoundItem { item, state }: &FoundItem| NamedJob {
            name: item.path.clone(),
            job: Job::Delete {
                item: item.clone(),
                permanent: args.permanent,
                state: state.clone(),
            },
        };
        let tasks: Vec<NamedJob> = found.all.iter().map(task).collect();
        if args.dry_run.dry_run {
            dry_run::print(context, &tasks, &mut tally).await?;
            return Ok(tally.finish());
        }
        if !is_agreed && !is_confirmed(context.client(), &found, args.permanent).await? {
            say("nothing was deleted");
            tally.finish();
            return Ok(Exit::Failed);
        }
        let journal = if args.permanent {
            // The journal keeps the receipts.
            context
                .session
                .journal()
                .await
                .context("nothing was deleted")?
        } else {
            context.journal_or_none().await?
        };
        let mut output = context.output();
        let carried_out = carry_out(
            context,
            journal,
            args.bulk.usually(1),
            tasks,
            &mut tally,
            |tally, path, outcome| match outcome {
                Outcome::Deleted { target, deletion } => {
                    tally.done();
                    let receipt = deletion.filter(|deletion| deletion.gone_by.is_some());
                    print(&mut output, &target, receipt.as_ref(), path)
                }
                _ => Ok(()),
            },
        );
        carried_out.await?;
        Ok(tally.finish())
    }
}

/// An item to delete, and the state in which a file was found.
struct FoundItem {
    item: Item,
    state: Option<String>,
}

/// Finds what to delete. An id that cannot be read is left to the service to judge: it may be that
/// of a file that was deleted before, or that this token cannot read.
async fn find(
    client: &Client,
    remote: &RemotePattern,
    patterns: PatternOptions,
    permanent: bool,
) -> Result<Found<FoundItem>, Error> {
    remote.refuse_empty_name()?;
    let found = match (locate_all(client, remote, patterns).await, remote.exact()) {
        (Err(error), RemoteArgument::Id(id))
            if matches!(error.kind, Kind::NotFound | Kind::Forbidden) =>
        {
            let item = item(Target::File(FileId::new(id)), remote.to_string());
            return Ok(Found {
                all: vec![FoundItem { item, state: None }],
                is_pattern: false,
            });
        }
        // Only files can be deleted permanently.
        (found, _) if permanent => found?.files_of_a_pattern()?,
        (found, _) => found?,
    };
    found.try_map(|located| checked(located, permanent))
}

/// Drops the items in a folder that is to be deleted: they are deleted with it.
fn keep_outermost(all: &mut Vec<FoundItem>) {
    let items: Vec<&Item> = all.iter().map(|found| &found.item).collect();
    let outermost: HashSet<Target> = outermost(&items)
        .iter()
        .map(|item| item.target.clone())
        .collect();
    all.retain(|found| outermost.contains(&found.item.target));
}

fn checked(located: Located, permanent: bool) -> Result<FoundItem, Error> {
    // The path in the question and in the output; a folder's ends with a slash.
    let path = located.to_string();
    match located {
        Located::Root => Err(Error::new(
            Kind::Refused,
            "the root folder cannot be deleted",
        )),
        Located::Entry(Entry::Folder(_)) if permanent => Err(Error::new(
            Kind::Refused,
            "it is a folder, and only files can be deleted permanently",
        )),
        Located::Entry(Entry::Folder(folder)) => Ok(FoundItem {
            item: item(Target::Folder(folder.id), path),
            state: None,
        }),
        Located::Entry(Entry::File(file)) => Ok(FoundItem {
            item: Item::of(&file),
            state: Some(file_state(&file)),
        }),
    }
}

fn item(target: Target, path: String) -> Item {
    Item {
        target,
        name: path.clone(),
        path,
        size: None,
        md5: None,
    }
}

async fn is_confirmed(
    client: &Client,
    found: &LookedUp<FoundItem>,
    permanent: bool,
) -> io::Result<bool> {
    let items: Vec<Item> = found.all.iter().map(|found| found.item.clone()).collect();
    found
        .patterns
        .iter()
        .for_each(|pattern| say(&format!("{pattern}.")));
    let count = if items.len() == 1 {
        "this".to_owned()
    } else {
        format!("these {}", items.len())
    };
    say(&if permanent {
        format!("Permanently delete {count}? Content and metadata are erased within 7 days.")
    } else {
        format!("Delete {count}? The API cannot restore deleted files.")
    });
    let sizes = measure_folders(client, &items).await;
    confirmation::list(
        items
            .iter()
            .map(|item| format!("{}{}", item.path, inside(item, &sizes))),
    );
    confirmation::agrees("delete").await
}

/// Measures the folders among the items; the error says why their sizes are unknown.
async fn measure_folders(client: &Client, items: &[Item]) -> Result<FolderSizes, String> {
    let folders = items
        .iter()
        .filter_map(|item| item.target.folder().cloned());
    let folders: Vec<FolderId> = folders.collect();
    let sizes = folder_size(client, &folders, MOST_REQUESTS, |_| {});
    match tokio::time::timeout(PATIENCE, sizes).await {
        Ok(counted) => counted.map_err(|error| error.message),
        Err(_) => Err("it takes too long".to_owned()),
    }
}

/// Returns the remark on a folder after its path.
fn inside(item: &Item, sizes: &Result<FolderSizes, String>) -> String {
    match (item.target.folder(), sizes) {
        (None, _) => String::new(),
        (Some(_), Err(why)) => format!("  not counted: {why}"),
        (Some(id), Ok(sizes)) => {
            let size = sizes.get(id).copied().map(figures::folder_size);
            format!("  {}", size.unwrap_or_default())
        }
    }
}

/// A deleted item as JSON; if it was deleted permanently, with the data of its receipt.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Removed<'a> {
    id: &'a str,
    path: &'a str,
    archived: bool,
    permanent: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    deleted_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gone_by: Option<Timestamp>,
}

/// Prints a deleted item; `receipt` is that of a permanent deletion.
fn print(
    output: &mut Output,
    target: &Target,
    receipt: Option<&Deletion>,
    path: &str,
) -> Result<(), OutputError> {
    let removed = Removed {
        id: target.id(),
        path: if path.len() > 1 {
            path.trim_end_matches('/')
        } else {
            path
        },
        archived: true,
        permanent: receipt.is_some(),
        deleted_at: receipt.map(|receipt| receipt.deleted_at),
        gone_by: receipt.and_then(|receipt| receipt.gone_by),
    };
    output.item(&removed, || path.to_owned())?;
    output.flush()
}
