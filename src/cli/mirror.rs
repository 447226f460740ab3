//! `--delete` and its limit, for the commands that make a folder like another one.

use std::fmt::Display;

use super::sync_plan::SyncPlan;
use crate::api::{Error, Kind};
use crate::engine::sync::SyncAction;

// No doc comment: it would replace each command's own.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct Mirror {
    /// Delete what the source does not have, at the end
    #[arg(long)]
    pub delete: bool,

    /// Do nothing at all if --delete would delete more files and folders than this
    #[arg(long, value_name = "N", default_value = "100", requires = "delete")]
    pub max_delete: usize,

    /// Send a renamed file again and delete the old one, instead of moving it
    #[arg(long, requires = "delete")]
    pub no_renames: bool,
}

impl Mirror {
    /// Refuses too many deletions, and any from a source that is empty, perhaps by mistake.
    pub fn check(&self, plan: &SyncPlan, source: &dyn Display) -> Result<(), Error> {
        let refused = |message: String| Err(Error::new(Kind::Refused, message));
        let deletions = plan
            .steps
            .iter()
            .filter(|step| step.action == SyncAction::Delete);
        let count: usize = deletions.map(|step| step.items).sum();
        if self.delete && count > 0 && plan.source_files == 0 {
            return refused(format!(
                "{source} has no files to compare, and --delete would empty the other side"
            ));
        }
        if count > self.max_delete {
            return refused(format!(
                "{count} files and folders would be deleted; --max-delete {count} allows that"
            ));
        }
        Ok(())
    }
}
