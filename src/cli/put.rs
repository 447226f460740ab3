//! `filedeck put`: uploads local files.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::exit::Exit;
use super::file_options::FileOptions;
use super::locate::{file_path, locate};
use super::output::{Form, Output};
use super::progress::Bar;
use super::remote::{Remote, RemotePath};
use super::session::Session;
use super::tally::Tally;
use crate::api::model::{File, UploadOptions};
use crate::api::{Client, Error, Kind};
use crate::engine::message::Place;
use crate::engine::ops::{edit, upload};

/// Upload files
///
/// DEST is a folder that is there, or one to make when it ends with '/' or several files are given. Otherwise, for a
/// single file, it is the new file's own path.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Local files
    #[arg(required = true, value_name = "LOCAL")]
    pub locals: Vec<PathBuf>,

    /// Remote folder or path
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

    /// Whether a destination that is not there is to be a folder.
    fn means_folder(&self, dest: &RemotePath) -> bool {
        dest.means_folder() || self.locals.len() > 1 || self.name.is_some()
    }
}

/// Finds or makes the folder, then sends one file after the other.
pub async fn run(args: Args, session: &Session) -> anyhow::Result<Exit> {
    session.check_writable().context("nothing was uploaded")?;
    let client = &session.client;
    let what = || format!("cannot upload to {}", args.dest);
    let (into, own_name) = destination(client, &args).await.with_context(what)?;
    let name = args.name.as_deref().or(own_name.as_deref());
    let options = args.options.to_upload();
    let mut tally = Tally::new(Form::from_flag(args.json), args.locals.len());
    let mut output = Output::default();
    for local in &args.locals {
        match send(client, local, &into, name, &options).await {
            Ok(file) => {
                tally.done();
                if args.json {
                    output.json(&file)?;
                } else {
                    output.line(&file_path(&file))?;
                }
                output.flush()?;
            }
            Err(error) => {
                if tally.failed(&format!("cannot upload {}", local.display()), &error) {
                    break;
                }
            }
        }
    }
    Ok(tally.finish())
}

/// The folder to upload into, made if it is not there, and the file's name where the destination gives one.
async fn destination(client: &Client, args: &Args) -> Result<(Place, Option<String>), Error> {
    let missing = match locate(client, &args.dest).await {
        Ok(located) => {
            let message = format!("{located} is a file; name its folder, and --overwrite to delete it first");
            let place = located.into_place().ok_or_else(|| Error::new(Kind::Conflict, message))?;
            return Ok((place, None));
        }
        Err(error) => error,
    };
    match &args.dest {
        Remote::Path(path) if missing.kind == Kind::NotFound => match path.split() {
            Some((parent, name)) if !args.means_folder(path) => {
                Ok((find_or_create(client, parent).await?, Some(name.to_owned())))
            }
            _ => Ok((find_or_create(client, path.as_str()).await?, None)),
        },
        _ => Err(missing),
    }
}

async fn find_or_create(client: &Client, path: &str) -> Result<Place, Error> {
    if path == "/" {
        return Ok(Place::root());
    }
    let folder = match client.folder_by_path(path).await {
        Err(error) if error.kind == Kind::NotFound => edit::create_folder(client, &Place::root(), path).await?,
        found => found?,
    };
    Ok(Place { id: Some(folder.id), path: path.to_owned() })
}

async fn send(
    client: &Client,
    local: &Path,
    into: &Place,
    name: Option<&str>,
    options: &UploadOptions,
) -> Result<File, Error> {
    if local.is_dir() {
        return Err(Error::new(Kind::Local, "it is a folder; name the files in it"));
    }
    let shown = name.map_or_else(|| local.to_string_lossy(), Into::into);
    let bar = Bar::new(&shown, None);
    upload::upload(client, local, into, name, options, &bar.report()).await
}
