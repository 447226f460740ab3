//! `filedeck diff`: prints what a sync would do, and does nothing else.

use crate::api::model::{Access, UploadOptions};
use crate::cli::command::RemoteCommand;
use crate::cli::context::CommandContext;
use crate::cli::exit::Exit;
use crate::cli::format::Format;
use crate::cli::sync_lines::{print_all, print_left_out, warn_of};
use crate::cli::sync_plan::{SyncFolders, SyncSides};
use crate::cli::{access, stderr};

const EXAMPLES: &str = "\
Examples:
  filedeck diff ./site /web
  filedeck diff /brand ./brand --exclude '*.psd' --json";

/// Compare two folders
///
/// Prints what a mirroring 'sync' would do to DEST: + creates, ~ replaces, - deletes, ! cannot be
/// done. Exits with 0 if the folders are equal, and with 9 if they differ. Files are compared by
/// size, then by MD5.
///
/// A path that begins with '/' is remote, any other is on this machine; put 'file:' before an
/// absolute one, and '@NAME:' before a path of another account. Both may be of accounts.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    pub folders: SyncFolders,

    /// The access level that 'sync' would give to new remote files [default: private]
    #[arg(long, value_name = "LEVEL", ignore_case = true, value_parser = access::levels())]
    pub access: Option<Access>,
}

impl RemoteCommand for Args {
    fn check(&self, _format: Format) -> Result<(), String> {
        self.folders.check(self.access.is_some())
    }

    fn account(&self) -> Option<&str> {
        self.folders.account()
    }

    fn uses_chosen_account(&self) -> bool {
        self.folders.uses_chosen_account()
    }

    async fn run(self, context: &CommandContext) -> anyhow::Result<Exit> {
        let options = UploadOptions::new(self.access.unwrap_or(Access::Private));
        let SyncSides { here, account } = self.folders.read(context, options).await?;
        let plan = account.plan(here.tree(), true, true).await;
        print_all(context, &plan.steps)?;
        warn_of(context, &plan.steps);
        print_left_out(context, &plan.found.left_out, &plan.found.warnings)?;
        stderr::note(context.format, &plan.summary());
        Ok(match plan.steps.as_slice() {
            _ if plan.found.left_out.unfit() > 0 => Exit::SomeFailed,
            [] => Exit::Ok,
            _ => Exit::Differences,
        })
    }
}
