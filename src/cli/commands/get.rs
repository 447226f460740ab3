//! `filedeck get`: downloads files.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::pin::pin;

use anyhow::Context as _;
use futures::stream::{self, StreamExt as _};
use serde::Serialize;

use crate::api::model::File;
use crate::api::{Error, Kind};
use crate::cli::command::RemoteCommand;
use crate::cli::context::CommandContext;
use crate::cli::exit::Exit;
use crate::cli::locate::{file_path, locate_files};
use crate::cli::named_job::NamedJob;
use crate::cli::pattern::RemotePattern;
use crate::cli::tally::RunTally;
use crate::cli::work::{self, carry_out};
use crate::engine::{Item, Job, Outcome};

const EXAMPLES: &str = "\
Examples:
  filedeck get /marketing/logo.png
  filedeck get '/marketing/**/*.png' id:4711 --output downloads";

/// Download files
///
/// A file keeps its name, made safe for this machine. An existing file is never replaced: the new one gets a number, as
/// in 'logo (1).png'. Files are reported as they finish, in any order; with --json each with its localPath.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Paths, ids or patterns of files
    #[arg(required = true, value_name = "REMOTE")]
    pub remotes: Vec<RemotePattern>,

    /// Local folder to put them in
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    pub output: PathBuf,

    /// How many to fetch at once, up to 32
    #[arg(long, value_name = "N", default_value = "3", value_parser = work::at_once)]
    pub jobs: NonZeroUsize,
}

/// A file as the service describes it, and where it is now.
#[derive(Serialize)]
struct DownloadedLine<'a> {
    #[serde(flatten)]
    file: &'a File,
    #[serde(rename = "localPath")]
    local_path: &'a Path,
}

impl RemoteCommand for Args {
    /// Looks the files up, then fetches them.
    async fn run(self, context: &CommandContext) -> anyhow::Result<Exit> {
        if !self.output.is_dir() {
            let message = format!("{} is not a folder of this machine", self.output.display());
            return Err(Error::new(Kind::Local, message)).context("nothing was downloaded");
        }
        // The journal keeps the path, and whoever continues with it may be elsewhere.
        let into = std::path::absolute(&self.output).unwrap_or_else(|_| self.output.clone());
        let mut tally = RunTally::new(context.format, self.remotes.len());
        let mut tasks = Vec::new();
        let looks = self.remotes.iter().map(async |remote| {
            (remote, locate_files(context.client(), remote, "it is a folder; name the files in it").await)
        });
        let mut found = pin!(stream::iter(looks).buffered(self.jobs.get()));
        while let Some((remote, found)) = found.next().await {
            match found {
                Ok(files) => {
                    tally.also(files.len().saturating_sub(1));
                    tasks.extend(files.iter().map(|file| NamedJob {
                        name: file_path(file),
                        job: Job::Download { file: Item::of(file), into: into.clone(), name: None, over: false },
                    }));
                }
                Err(error) => {
                    if tally.failed(&format!("cannot download {remote}"), &error) {
                        return Ok(tally.finish());
                    }
                }
            }
        }
        let mut output = context.output();
        let journal = context.journal_or_none().await?;
        let told = carry_out(context, journal, self.jobs, tasks, &mut tally, |tally, name, result| match result {
            Ok(Outcome::Downloaded { file, path, .. }) => {
                tally.done();
                // As the folder was given.
                let path = path.file_name().map_or_else(|| path.clone(), |name| self.output.join(name));
                let got = DownloadedLine { file: &file, local_path: &path };
                output.item(&got, || path.to_string_lossy().into_owned())?;
                output.flush()
            }
            Ok(_) => Ok(()),
            Err(error) => {
                tally.failed(&format!("cannot download {name}"), &error);
                Ok(())
            }
        });
        told.await?;
        Ok(tally.finish())
    }
}
