//! `filedeck put`: uploads local files.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::exit::Exit;
use super::file_options::FileOptions;
use super::locate::{file_path, locate};
use super::output::{Form, Output};
use super::progress::Bar;
use super::remote::{Remote, RemotePath};
use super::session::Session;
use super::talk;
use super::tally::{Tally, attempt};
use crate::api::model::{Access, File, UploadOptions};
use crate::api::{Client, Error, Kind};
use crate::engine::message::Place;
use crate::engine::ops::held::Held;
use crate::engine::ops::list::ListMemory;
use crate::engine::ops::upload::Uploaded;
use crate::engine::ops::{edit, upload};

/// Upload files
///
/// DEST is a folder that is there, or one to make when it ends with '/' or several files are given. Otherwise, for a
/// single file, it is the new file's own path. A file that the folder holds already, with the same name and content,
/// counts as uploaded: a run that was cut short can be repeated, and sends what is missing.
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

    /// Send files again that the folder holds already, with the same name and content
    #[arg(long)]
    pub again: bool,

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

/// Finds or makes the folder, looks what it holds, then sends one file after the other.
pub async fn run(args: Args, session: &Session) -> anyhow::Result<Exit> {
    session.check_writable().context("nothing was uploaded")?;
    let client = &session.client;
    let form = Form::from_flag(args.json);
    let what = || format!("cannot upload to {}", args.dest);
    let (into, own_name) = destination(client, &args).await.with_context(what)?;
    let name = args.name.as_deref().or(own_name.as_deref());
    let sizes: Vec<u64> = args.locals.iter().filter_map(|local| size(local)).collect();
    let held = Held::look(client, &ListMemory::default(), &into, sizes).await.with_context(what)?;
    let names = args.locals.iter().filter_map(|local| upload::own_name(local).ok()).map(str::to_owned).collect();
    let options = args.options.to_upload();
    let mut batch = Batch { client, into, held, options, names, again: args.again, form };
    let mut tally = Tally::new(form, args.locals.len());
    let mut output = Output::default();
    for local in &args.locals {
        tally.begin(format!("{}, which may have been stored", local.display()));
        match batch.send(local, name).await {
            Ok(sent) => {
                let file = match &sent {
                    Sent::Now(uploaded) => {
                        tally.done();
                        say_twins(form, uploaded);
                        &uploaded.file
                    }
                    Sent::Before(file) => {
                        tally.present();
                        say_present(form, file, &batch.options.access);
                        file
                    }
                };
                if args.json {
                    output.json(file)?;
                } else {
                    output.line(&file_path(file))?;
                }
                output.flush()?;
            }
            Err(error) => {
                if tally.failed(&attempt("upload", "upload", &local.display(), &error), &error) {
                    break;
                }
            }
        }
    }
    Ok(tally.finish())
}

/// Bytes of a regular file; anything else is told of when its turn comes.
fn size(local: &Path) -> Option<u64> {
    std::fs::metadata(local).ok().filter(std::fs::Metadata::is_file).map(|metadata| metadata.len())
}

fn say_present(form: Form, file: &File, asked: &Access) {
    if form == Form::Text {
        let access = file.access.as_ref().filter(|access| *access != asked);
        let access = access.map(|access| format!(" and is {access}")).unwrap_or_default();
        let path = file_path(file);
        talk::say(&format!("filedeck: {path} is there already with the same content{access}; --again sends it"));
    }
}

fn say_twins(form: Form, uploaded: &Uploaded) {
    for twin in &uploaded.twins {
        let (path, twin) = (file_path(&uploaded.file), file_path(twin));
        talk::warn(form, &format!("the first answer was lost, and {path} was stored again as {twin}"));
    }
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

/// The folder at a path; made, with those above it, if it is not there.
async fn find_or_create(client: &Client, path: &str) -> Result<Place, Error> {
    if path == "/" {
        return Ok(Place::root());
    }
    let folder = match client.folder_by_path(path).await {
        Err(error) if error.kind == Kind::NotFound => match edit::create_folder(client, &Place::root(), path).await {
            // Somebody else made it in the meantime.
            Err(error) if error.kind == Kind::Conflict => client.folder_by_path(path).await?,
            made => made?,
        },
        found => found?,
    };
    Ok(Place { id: Some(folder.id), path: path.to_owned() })
}

/// What all files of a run share.
struct Batch<'a> {
    client: &'a Client,
    into: Place,
    held: Held,
    options: UploadOptions,
    /// Of all files of the run.
    names: HashSet<String>,
    again: bool,
    form: Form,
}

/// What came of one file.
enum Sent {
    Now(Uploaded),
    /// The folder held it already.
    Before(File),
}

impl Batch<'_> {
    async fn send(&mut self, local: &Path, name: Option<&str>) -> Result<Sent, Error> {
        let name = match name {
            Some(name) => name,
            None => upload::own_name(local)?,
        };
        if !self.again
            && let Some(file) = self.held.same(self.client, &self.into, local, name, &self.names).await?
        {
            return Ok(Sent::Before(file.clone()));
        }
        let bar = Bar::new(name, None, self.form);
        let report = bar.report();
        let client = self.client.observed(report.observer());
        let (into, options, held) = (&self.into, &self.options, &self.held);
        let uploaded = upload::upload(&client, local, into, Some(name), options, held, &report).await?;
        self.held.add(&uploaded.file);
        Ok(Sent::Now(uploaded))
    }
}
