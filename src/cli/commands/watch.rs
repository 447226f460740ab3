//! `filedeck watch`: keeps a remote folder like a local one, until it is stopped.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use tokio::time::{Instant, sleep_until};

use crate::api;
use crate::api::model::{Access, UploadOptions};
use crate::cli::command::RemoteCommand;
use crate::cli::completion::Completes;
use crate::cli::context::CommandContext;
use crate::cli::dry_run::DryRun;
use crate::cli::exit::Exit;
use crate::cli::file_filter::TreePatterns;
use crate::cli::mirror::Mirror;
use crate::cli::remote::RemoteArgument;
use crate::cli::side_path::absolute;
use crate::cli::stderr::InvalidUsage;
use crate::cli::sync_lines::print_all;
use crate::cli::watch_run::{PassEnd, WatchOptions, WatchRun};
use crate::cli::work::{self, BulkOptions};
use crate::cli::{access, stderr};
use crate::engine::ancestors::ancestors;
use crate::engine::local_watch::{LocalChanges, LocalWatch};
use crate::engine::tree_filter::TreeFilter;

const EXAMPLES: &str = "\
Examples:
  filedeck watch ./site /web --access public --delete
  filedeck watch /mnt/share/brand /brand --exclude '*.psd' --poll 60";

/// The first wait before everything is compared again after a failure.
const FIRST_WAIT: Duration = Duration::from_secs(5);

/// The longest wait; each failure doubles it up to this one.
const LONGEST_WAIT: Duration = Duration::from_mins(5);

/// Keep a remote folder like a local one
///
/// Does what 'sync' does, then sends each change half a second after the disk has become quiet,
/// until Ctrl-C ends it. Renamed files and folders are moved on the service and keep their ids, if
/// their bytes are the same. With --delete, what is deleted in LOCAL is deleted in REMOTE, too.
///
/// Failures are retried. More deletions at once than --max-delete allows end the command. Links are
/// not followed. A pattern without a slash applies to names at any depth.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Folder of this machine
    pub local: PathBuf,

    /// Remote folder to make like it
    #[arg(add = Completes::Remote)]
    pub remote: RemoteArgument,

    #[command(flatten)]
    pub patterns: TreePatterns,

    #[command(flatten)]
    pub mirror: Mirror,

    /// Read LOCAL at this interval, for network disks, whose changes the system does not report
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub poll: Option<u64>,

    /// Access level of new remote files
    #[arg(long, value_name = "LEVEL", ignore_case = true, default_value = "private", value_parser = access::levels())]
    pub access: Access,

    /// Number of items to send at once, up to 32
    #[arg(long, value_name = "N", default_value = "3", value_parser = work::at_once)]
    pub jobs: NonZeroUsize,

    #[command(flatten)]
    pub dry_run: DryRun,
}

impl RemoteCommand for Args {
    async fn run(self, context: &CommandContext) -> anyhow::Result<Exit> {
        let options = WatchOptions {
            local: absolute(&self.local),
            remote: self.remote,
            filter: self.patterns.filter(&self.access)?,
            upload: UploadOptions::new(self.access),
            mirror: self.mirror,
            bulk: BulkOptions {
                jobs: Some(self.jobs),
                ..BulkOptions::default()
            },
        };
        check_own_folders(
            &options.local,
            &options.filter,
            &context.session.own_folders,
        )?;
        if self.dry_run.dry_run {
            let (here, side) = options.read(context).await?;
            let plan = options.plan(&here, &side).await;
            stderr::note(context.format, &plan.summary());
            print_all(context, &plan.steps)?;
            options
                .mirror
                .check(&plan, &self.local.display())
                .context("nothing was changed")?;
            return Ok(Exit::Ok);
        }
        context
            .session
            .check_writable()
            .context("nothing was changed")?;
        // Started before the first pass, so that no change is missed in between.
        let poll = self.poll.map(Duration::from_secs);
        let watch = options.watch(poll)?;
        let (run, end) = WatchRun::start(context, options).await?;
        stderr::note(
            context.format,
            &format!("watching {}", self.local.display()),
        );
        follow(context, watch, poll, run, end).await
    }
}

/// Refuses a folder in which filedeck itself writes: each batch would trigger the next one.
fn check_own_folders(
    local: &Path,
    filter: &TreeFilter,
    own: &[PathBuf],
) -> Result<(), InvalidUsage> {
    let Ok(top) = local.canonicalize() else {
        return Ok(());
    };
    let mut inside = own.iter().filter_map(|folder| {
        let folder = folder.canonicalize().ok()?;
        let below = folder.strip_prefix(&top).ok()?;
        Some(
            below
                .iter()
                .map(|name| name.to_string_lossy())
                .collect::<Vec<_>>()
                .join("/"),
        )
    });
    let is_watched = |below: &String| {
        let mut folders = ancestors(below).chain([&**below]);
        folders.all(|folder| folder.is_empty() || filter.leaves_out(folder, true).is_none())
    };
    match inside.find(is_watched) {
        Some(below) if below.is_empty() => Err(InvalidUsage(
            "filedeck writes to this folder itself".to_owned(),
        )),
        Some(below) => {
            let message = format!(
                "filedeck itself writes to {below} in this folder; add --exclude '{below}'"
            );
            Err(InvalidUsage(message))
        }
        None => Ok(()),
    }
}

/// The schedule of full comparisons after failures.
struct Retry {
    wait: Duration,
    due: Option<Instant>,
    /// Set if changes wait for it, too.
    holds_all: bool,
}

/// Runs one pass after the other, until a failure that waiting cannot fix.
async fn follow(
    context: &CommandContext,
    mut watch: LocalWatch,
    poll: Option<Duration>,
    mut run: WatchRun<'_>,
    mut end: PassEnd,
) -> anyhow::Result<Exit> {
    let mut retry = Retry::FIRST;
    let mut was_over_all = true;
    loop {
        if let Some(trouble) = watch.take_trouble() {
            stderr::warn(context.format, &trouble);
        }
        match end {
            PassEnd::NotAuthorized => return Ok(Exit::NotAuthorized),
            PassEnd::Failed { meets_all } => retry.after_failure(context, meets_all),
            PassEnd::Alike if was_over_all => retry = Retry::FIRST,
            PassEnd::Alike => {}
        }
        let mut changes = retry.next(&mut watch).await;
        end = loop {
            was_over_all = changes == LocalChanges::Missed;
            match run.pass(changes).await {
                _ if run.is_gone() => {
                    watch = run.until_back(poll).await?;
                    changes = LocalChanges::Missed;
                }
                Err(error) if passes(&error) => {
                    stderr::report_failure(context.format, &error);
                    break PassEnd::Failed { meets_all: true };
                }
                end => break end?,
            }
        };
    }
}

impl Retry {
    const FIRST: Self = Self {
        wait: FIRST_WAIT,
        due: None,
        holds_all: false,
    };

    fn after_failure(&mut self, context: &CommandContext, meets_all: bool) {
        self.holds_all |= meets_all;
        if self.due.is_none() {
            let seconds = self.wait.as_secs();
            stderr::note(
                context.format,
                &format!("trying again what failed in {seconds} seconds"),
            );
            self.due = Some(Instant::now() + self.wait);
            self.wait = (self.wait * 2).min(LONGEST_WAIT);
        }
    }

    /// Returns the next changes, or everything once it is time to retry.
    async fn next(&mut self, watch: &mut LocalWatch) -> LocalChanges {
        let Some(due) = self.due else {
            return watch.next().await;
        };
        let holds_all = self.holds_all;
        let changes = async {
            if holds_all {
                std::future::pending::<()>().await;
            }
            watch.next().await
        };
        let changes = tokio::select! {
            changes = changes => changes,
            () = sleep_until(due) => LocalChanges::Missed,
        };
        if changes == LocalChanges::Missed {
            (self.due, self.holds_all) = (None, false);
        }
        changes
    }
}

/// Returns `true` if the same may succeed later without anyone's help.
fn passes(error: &anyhow::Error) -> bool {
    let cause = error.downcast_ref::<api::Error>();
    cause.is_some_and(|error| {
        (error.kind.passes() || error.meets_all()) && Exit::from(error.kind) != Exit::NotAuthorized
    })
}
