//! `filedeck put`: uploads local files.

use std::path::PathBuf;

use super::file_options::FileOptions;
use super::remote::Remote;

/// Upload files
///
/// DEST is a folder that is there, or one to make when it ends with '/' or several files are given. Otherwise, for a
/// single file, it is the new file's own path.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[arg(required = true, value_name = "LOCAL")]
    pub locals: Vec<PathBuf>,

    #[arg(value_name = "DEST")]
    pub dest: Remote,

    /// Name of the file there, for a single file; DEST is its folder then
    #[arg(long)]
    pub name: Option<String>,

    #[command(flatten)]
    pub options: FileOptions,

    /// Print each new file as one JSON object a line
    #[arg(long)]
    pub json: bool,
}

impl Args {
    /// What the grammar cannot say.
    pub fn check(&self) -> Result<(), &'static str> {
        if self.name.is_some() && self.locals.len() > 1 {
            return Err("--name is for a single file");
        }
        Ok(())
    }
}
