//! `filedeck get`: downloads files.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::pin::pin;

use anyhow::Context as _;
use futures::stream::{self, StreamExt as _};
use serde::Serialize;

use super::exit::Exit;
use super::locate::{Located, locate};
use super::named_job::NamedJob;
use super::output::{Format, Output, OutputError};
use super::remote::RemoteArgument;
use super::session::Session;
use super::tally::RunTally;
use super::work::{self, carry_out};
use crate::api::model::File;
use crate::api::{Client, Error, Kind};
use crate::engine::{Item, Job, Outcome};

/// Download files
///
/// A file keeps its name, made safe for this machine. An existing file is never replaced: the new one gets a number, as
/// in 'logo (1).png'. Files are reported as they finish, in any order.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Paths or ids of files
    #[arg(required = true, value_name = "REMOTE")]
    pub remotes: Vec<RemoteArgument>,

    /// Local folder to put them in
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    pub output: PathBuf,

    /// How many to fetch at once, up to 32
    #[arg(long, value_name = "N", default_value = "3", value_parser = work::at_once)]
    pub jobs: NonZeroUsize,

    /// Print each file as one JSON object per line, with its localPath
    #[arg(long)]
    pub json: bool,
}

/// A file as the service describes it, and where it is now.
#[derive(Serialize)]
struct DownloadedLine<'a> {
    #[serde(flatten)]
    file: &'a File,
    #[serde(rename = "localPath")]
    local_path: &'a Path,
}

/// Looks the files up, then fetches them.
pub async fn run(args: Args, session: &Session) -> anyhow::Result<Exit> {
    if !args.output.is_dir() {
        let message = format!("{} is not a folder of this machine", args.output.display());
        return Err(Error::new(Kind::Local, message)).context("nothing was downloaded");
    }
    let format = Format::from_flag(args.json);
    // The journal keeps the path, and whoever continues with it may be elsewhere.
    let into = std::path::absolute(&args.output).unwrap_or_else(|_| args.output.clone());
    let mut tally = RunTally::new(format, args.remotes.len());
    let mut tasks = Vec::new();
    let looks = args.remotes.iter().map(async |remote| (remote, find(&session.client, remote).await));
    let mut found = pin!(stream::iter(looks).buffered(args.jobs.get()));
    while let Some((remote, found)) = found.next().await {
        match found {
            Ok(file) => tasks.push(NamedJob {
                name: remote.to_string(),
                job: Job::Download { file: Item::of(&file), into: into.clone(), name: None, over: false },
            }),
            Err(error) => {
                if tally.failed(&format!("cannot download {remote}"), &error) {
                    return Ok(tally.finish());
                }
            }
        }
    }
    let mut output = Output::default();
    let journal = session.journal_or_none(format).await?;
    let told = carry_out(session, journal, args.jobs, tasks, &mut tally, |tally, name, result| match result {
        Ok(Outcome::Downloaded { file, path, .. }) => {
            tally.done();
            // As the folder was given.
            let path = path.file_name().map_or_else(|| path.clone(), |name| args.output.join(name));
            print(&mut output, format, &DownloadedLine { file: &file, local_path: &path })
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

async fn find(client: &Client, remote: &RemoteArgument) -> Result<File, Error> {
    match locate(client, remote).await? {
        Located::File(file) => Ok(*file),
        Located::Root | Located::Folder(_) => Err(Error::new(Kind::Refused, "it is a folder; name the files in it")),
    }
}

fn print(output: &mut Output, format: Format, got: &DownloadedLine<'_>) -> Result<(), OutputError> {
    match format {
        Format::Json => output.json(got)?,
        Format::Text => output.line(&got.local_path.to_string_lossy())?,
    }
    output.flush()
}
