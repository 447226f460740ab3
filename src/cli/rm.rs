//! `filedeck rm`: deletes files and folders, after asking.

use super::remote::Remote;

/// Delete files and folders
///
/// A deleted file stops resolving at once; the service keeps its bytes privately, and there is no call that restores
/// it. A folder goes with everything in it.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[arg(required = true, value_name = "REMOTE")]
    pub remotes: Vec<Remote>,

    /// Delete files for good: content and metadata are gone within 7 days
    #[arg(long)]
    pub permanent: bool,

    /// Do not ask. Needed where no terminal is there to ask on
    #[arg(short, long)]
    pub yes: bool,

    /// Print what was deleted as one JSON object a line
    #[arg(long)]
    pub json: bool,
}
