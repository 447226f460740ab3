//! `filedeck get`: downloads files.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde::Serialize;

use super::exit::Exit;
use super::locate::{Located, locate};
use super::output::{Form, Output};
use super::progress::Bar;
use super::remote::Remote;
use super::session::Session;
use super::tally::Tally;
use crate::api::model::File;
use crate::api::{Client, Error, Kind};
use crate::engine::ops::download;

/// Download files
///
/// A file keeps its name, made safe for this machine. A file that is there already is never
/// replaced: the new one gets a number, as in 'logo (1).png'.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Paths or ids of files
    #[arg(required = true, value_name = "REMOTE")]
    pub remotes: Vec<Remote>,

    /// Local folder to put them in
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    pub output: PathBuf,

    /// Print each file as one JSON object a line, with its localPath
    #[arg(long)]
    pub json: bool,
}

/// A file as the service describes it, and where it is now.
#[derive(Serialize)]
struct Downloaded<'a> {
    #[serde(flatten)]
    file: &'a File,
    #[serde(rename = "localPath")]
    local_path: &'a Path,
}

/// Fetches one file after the other.
pub async fn run(args: Args, session: &Session) -> anyhow::Result<Exit> {
    if !args.output.is_dir() {
        let message = format!("{} is not a folder of this machine", args.output.display());
        return Err(Error::new(Kind::Local, message)).context("nothing was downloaded");
    }
    let form = Form::from_flag(args.json);
    let mut tally = Tally::new(form, args.remotes.len());
    let mut output = Output::default();
    for remote in &args.remotes {
        tally.begin(remote.to_string());
        match fetch(&session.client, remote, &args.output, form).await {
            Ok((file, local_path)) => {
                tally.done();
                if args.json {
                    output.json(&Downloaded { file: &file, local_path: &local_path })?;
                } else {
                    output.line(&local_path.to_string_lossy())?;
                }
                output.flush()?;
            }
            Err(error) => {
                if tally.failed(&format!("cannot download {remote}"), &error) {
                    break;
                }
            }
        }
    }
    Ok(tally.finish())
}

async fn fetch(client: &Client, remote: &Remote, into: &Path, form: Form) -> Result<(File, PathBuf), Error> {
    let Located::File(file) = locate(client, remote).await? else {
        return Err(Error::new(Kind::Refused, "it is a folder; name the files in it"));
    };
    let bar = Bar::new(&file.full_name(), file.size, form);
    let report = bar.report();
    let downloaded = download::download(&client.observed(report.observer()), &file, into, &report).await?;
    Ok((*file, downloaded.path))
}
