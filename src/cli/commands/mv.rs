//! `filedeck mv`: renames and moves files and folders.

use anyhow::Context as _;

use crate::api::{Client, Error, Kind};
use crate::cli::changes;
use crate::cli::command::RemoteCommand;
use crate::cli::completion::Completes;
use crate::cli::confirmation::Confirmation;
use crate::cli::context::CommandContext;
use crate::cli::dry_run::DryRun;
use crate::cli::exit::Exit;
use crate::cli::list_file::ListFile;
use crate::cli::locate::{Located, locate};
use crate::cli::look_up::{LookedUp, look_up};
use crate::cli::named_job::NamedJob;
use crate::cli::pattern::{PatternOptions, RemotePattern};
use crate::cli::place;
use crate::cli::recursion::Recursion;
use crate::cli::remote::{RemoteArgument, RemotePath};
use crate::cli::work::BulkOptions;
use crate::engine::folder_size::outermost;
use crate::engine::message::FolderRef;
use crate::engine::relocation::relocation;
use crate::engine::{Item, Job};

const EXAMPLES: &str = "\
Examples:
  filedeck mv /drafts/logo.png /marketing/logo-2026.png
  filedeck mv '/drafts/*.png' /old /archive/ --yes";

/// Rename and move files and folders
///
/// If DEST is a folder, everything goes into it. Otherwise it is the new path of the single SOURCE.
/// Ids do not change. A folder moves with everything in it; the command waits until the service has
/// moved it, unless --no-wait is given: 'filedeck tasks wait ID' waits later. The extension of a file cannot be changed.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, allow_missing_positional = true)]
pub struct Args {
    /// Paths, ids or patterns
    #[arg(required_unless_present = "from_file", value_name = "SOURCE", add = Completes::Remote)]
    pub sources: Vec<RemotePattern>,

    /// Remote folder, or the new path
    #[arg(value_name = "DEST", add = Completes::Remote)]
    pub dest: RemoteArgument,

    #[command(flatten)]
    pub list: ListFile,

    #[command(flatten)]
    pub patterns: PatternOptions,

    #[command(flatten)]
    pub recursion: Recursion,

    /// Do not wait for the service to move folders; print the ids of its tasks
    #[arg(long, conflicts_with = "retry_failed")]
    pub no_wait: bool,

    #[command(flatten)]
    pub confirmation: Confirmation,

    #[command(flatten)]
    pub dry_run: DryRun,

    #[command(flatten)]
    pub bulk: BulkOptions,
}

struct MoveTarget {
    into: FolderRef,
    name: Option<String>,
}

impl RemoteCommand for Args {
    async fn run(self, context: &CommandContext) -> anyhow::Result<Exit> {
        context
            .session
            .check_writable()
            .context("nothing was moved")?;
        let sources = self.list.remotes(self.sources)?;
        let mut tally = context.tally(0);
        let Some(LookedUp {
            all: found,
            patterns,
        }) = look_up(context, &sources, self.patterns, &mut tally, "move").await
        else {
            return Ok(tally.finish());
        };
        let is_many = sources.len() > 1 || found.len() > 1;
        let what = || format!("cannot move to {}", self.dest);
        let to = destination(context.client(), &self.dest, is_many)
            .await
            .with_context(what)?;
        let items: Vec<Option<Item>> = found.iter().map(Located::item).collect();
        let outermost = outermost(&items.iter().flatten().collect::<Vec<_>>());
        let mut tasks = Vec::new();
        for (located, item) in found.iter().zip(&items) {
            match item {
                // It moves along with the folder that contains it.
                Some(item) if !outermost.contains(&item) => tally.present(),
                _ => match job(item.as_ref(), &to) {
                    Ok(job) => tasks.push(NamedJob {
                        name: located.to_string(),
                        job,
                    }),
                    Err(error) => drop(tally.failed(&format!("cannot move {located}"), &error)),
                },
            }
        }
        if !self.dry_run.dry_run
            && !self
                .confirmation
                .of_patterns(&patterns, &tasks, "move")
                .await?
        {
            return Ok(Exit::Failed);
        }
        let bulk = BulkOptions {
            leaves_tasks: self.no_wait,
            ..self.bulk
        };
        changes::finish(context, self.dry_run, bulk, tasks, tally).await
    }
}

/// Returns an existing folder, or the new path of a single item.
async fn destination(
    client: &Client,
    dest: &RemoteArgument,
    is_many: bool,
) -> Result<MoveTarget, Error> {
    let missing = match locate(client, dest).await {
        Ok(located) => {
            let message = format!("{located} is a file; mv replaces nothing");
            let into = located
                .into_place()
                .ok_or_else(|| Error::new(Kind::Conflict, message))?;
            return Ok(MoveTarget { into, name: None });
        }
        Err(error) => error,
    };
    match dest {
        RemoteArgument::Path(path)
            if missing.kind == Kind::NotFound && !is_many && !path.means_folder() =>
        {
            new_path(client, path, missing).await
        }
        RemoteArgument::Path(_) if missing.kind == Kind::NotFound => {
            let message = "there is no such folder; 'filedeck mkdir' makes one".to_owned();
            Err(Error { message, ..missing })
        }
        _ => Err(missing),
    }
}

async fn new_path(client: &Client, path: &RemotePath, missing: Error) -> Result<MoveTarget, Error> {
    let Some((parent, name)) = path.split() else {
        return Err(missing);
    };
    Ok(MoveTarget {
        into: place::find(client, parent).await?,
        name: Some(name.to_owned()),
    })
}

/// Returns the job that moves an item; `None` stands for the root folder.
fn job(item: Option<&Item>, to: &MoveTarget) -> Result<Job, Error> {
    let item = item.ok_or_else(|| Error::new(Kind::Refused, "the root folder cannot be moved"))?;
    relocation(item, &to.into, to.name.as_deref())
}
