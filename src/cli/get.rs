//! `filedeck get`: downloads files.

use std::path::PathBuf;

use super::remote::Remote;

/// Download files
///
/// A file keeps its name, made safe for this machine. A file that is there already is never replaced.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[arg(required = true, value_name = "REMOTE")]
    pub remotes: Vec<Remote>,

    /// Local folder to put them in
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    pub output: PathBuf,

    /// Print each file as one JSON object a line, with its localPath
    #[arg(long)]
    pub json: bool,
}
