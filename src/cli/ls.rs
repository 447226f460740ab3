//! `filedeck ls`: a folder's contents, printed page by page.

use super::remote::Remote;

/// List a folder, or one file
#[derive(Debug, clap::Args)]
pub struct Args {
    #[arg(default_value = "/")]
    pub path: Remote,

    /// One JSON object a line, as the service describes it
    #[arg(long)]
    pub json: bool,
}
