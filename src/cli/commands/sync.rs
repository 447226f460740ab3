//! `filedeck sync`: makes one folder like another, in one direction.

use anyhow::Context as _;

use crate::api::model::{Access, UploadOptions};
use crate::cli::command::RemoteCommand;
use crate::cli::context::CommandContext;
use crate::cli::dry_run::DryRun;
use crate::cli::exit::Exit;
use crate::cli::format::Format;
use crate::cli::mirror::Mirror;
use crate::cli::sync_plan::{SyncFolders, SyncSide, print_all};
use crate::cli::sync_run::carry_out_plan;
use crate::cli::tally::RunTally;
use crate::cli::work::BulkOptions;
use crate::cli::{access, stderr};

const EXAMPLES: &str = "\
Examples:
  filedeck sync ./site /web --access public --delete
  filedeck sync /brand ./brand --exclude '*.psd' --dry-run";

/// Make a folder like another one, in one direction
///
/// Sends or fetches what is missing or differs, by size and MD5. A remote file that differs is replaced in place: its id
/// and links stay. With --delete, what only DEST has is deleted at the end, and only if all before that went well.
///
/// A path that begins with '/' is remote, any other is of this machine; 'local:' begins an absolute one. Links
/// are not followed. A pattern without a slash holds for names at any depth.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    pub folders: SyncFolders,

    #[command(flatten)]
    pub mirror: Mirror,

    /// Who may fetch the addresses of new remote files
    #[arg(long, value_name = "LEVEL", ignore_case = true, default_value = "private", value_parser = access::levels())]
    pub access: Access,

    #[command(flatten)]
    pub bulk: BulkOptions,

    #[command(flatten)]
    pub dry_run: DryRun,
}

impl RemoteCommand for Args {
    fn check(&self, _format: Format) -> Result<(), String> {
        self.folders.check()
    }

    /// Compares, then carries the steps out, deletions last.
    async fn run(self, context: &CommandContext) -> anyhow::Result<Exit> {
        if matches!(self.folders.dest, SyncSide::Remote(_)) && !self.dry_run.dry_run {
            context.session.check_writable().context("nothing was changed")?;
        }
        let plan =
            self.folders.read(context, UploadOptions::new(self.access.clone())).await?.plan(self.mirror.delete).await;
        self.mirror.check(&plan, &self.folders.source).context("nothing was changed")?;
        for (path, why) in &plan.trees.left_out {
            stderr::warn(context.format, &format!("{path}: {why}"));
        }
        stderr::note(context.format, &plan.summary());
        if self.dry_run.dry_run {
            print_all(context, &plan.steps)?;
            return Ok(Exit::Ok);
        }
        let mut tally = RunTally::new(context.format, plan.steps.len());
        let journal = context.journal_or_none().await?;
        carry_out_plan(context, journal, plan, self.bulk, &mut tally, |_, _| {}).await?;
        Ok(tally.finish())
    }
}
