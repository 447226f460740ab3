//! `filedeck put`: uploads local files.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use jiff::Timestamp;

use crate::api::model::{File, UploadOptions};
use crate::api::paths::join;
use crate::api::{Client, Error, Kind};
use crate::cli::command::RemoteCommand;
use crate::cli::context::CommandContext;
use crate::cli::exit::Exit;
use crate::cli::file_options::{FileOptions, charset, file_name};
use crate::cli::format::Format;
use crate::cli::locate::{file_path, locate};
use crate::cli::named_job::NamedJob;
use crate::cli::output::{Output, OutputError};
use crate::cli::place::find_or_create;
use crate::cli::remote::{RemoteArgument, RemotePath};
use crate::cli::stderr::{self, InvalidUsage};
use crate::cli::tally::{RunTally, attempt};
use crate::cli::work::{self, carry_out};
use crate::engine::message::FolderRef;
use crate::engine::ops::collect_files::gather;
use crate::engine::sending::Sending;
use crate::engine::typed_paths::TypedPaths;
use crate::engine::{Job, Outcome, ProgressSink};

const EXAMPLES: &str = "\
Examples:
  filedeck put logo.png /marketing/
  filedeck put site/ report.pdf /public --access public --jobs 8";

/// Upload files and folders
///
/// DEST is a folder that exists. It is a new folder if it ends with '/', or if you give several files or a folder. For
/// a single file it can also be the path of the new file.
///
/// A folder is uploaded into DEST under its own name, with everything in it. Links in it are not followed and count as
/// failed.
///
/// A file that exists in the folder with the same name and content counts as uploaded: you can repeat a run that was
/// cut short, and it sends what is missing. Files are reported as they finish, in any order.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Local files and folders
    #[arg(required = true, value_name = "LOCAL")]
    pub locals: Vec<PathBuf>,

    /// Remote folder or path
    #[arg(value_name = "DEST")]
    pub dest: RemoteArgument,

    /// Name of the new file, for a single file; DEST is its folder then
    #[arg(long, value_parser = file_name)]
    pub name: Option<String>,

    /// Also send files that exist in the folder with the same name and content
    #[arg(long)]
    pub again: bool,

    /// Let the service choose the name, which it makes from the content
    #[arg(long, conflicts_with = "name")]
    pub unnamed: bool,

    /// Encoding of text files, as in windows-1252; without it the service guesses
    #[arg(long, value_name = "LABEL", value_parser = charset)]
    pub charset: Option<String>,

    #[command(flatten)]
    pub options: FileOptions,

    /// How many to send at once, up to 32
    #[arg(long, value_name = "N", default_value = "3", value_parser = work::at_once)]
    pub jobs: NonZeroUsize,
}

impl Args {
    /// Whether a destination that is not there is to be a folder.
    fn means_folder(&self, dest: &RemotePath) -> bool {
        dest.means_folder()
            || self.locals.len() > 1
            || self.name.is_some()
            || self.unnamed
            || self.locals.iter().any(|local| local.is_dir())
    }
}

impl RemoteCommand for Args {
    fn check(&self, _format: Format) -> Result<(), String> {
        if self.name.is_some() && (self.locals.len() > 1 || self.locals.iter().any(|local| local.is_dir())) {
            return Err("--name is for a single file".to_owned());
        }
        Ok(())
    }

    /// Finds or makes the folder, then sends the files into it.
    async fn run(self, context: &CommandContext) -> anyhow::Result<Exit> {
        let args = self;
        context.session.check_writable().context("nothing was uploaded")?;
        let (format, begun) = (context.format, Timestamp::now());
        let what = || format!("cannot upload to {}", args.dest);
        let (into, own_name) = destination(context.client(), &args).await.with_context(what)?;
        let name = args.name.clone().or(own_name);
        let options =
            Sending { options: args.options.to_upload(), charset: args.charset.clone(), unnamed: args.unnamed };
        let task = |local: &Path, name: Option<String>| NamedJob {
            name: local.display().to_string(),
            job: Job::Upload {
                local: absolute(local),
                into: into.clone(),
                name,
                options: options.clone(),
                present: !args.again,
                free_at: (!args.again).then_some(begun),
            },
        };
        let (mut tasks, mut left_out) = (Vec::new(), Vec::new());
        for local in &args.locals {
            if !local.is_dir() {
                tasks.push(task(local, name.clone()));
                continue;
            }
            let what = || format!("cannot look through {}", local.display());
            let typed = TypedPaths { whole: local.clone(), words: Vec::new() };
            let folder = gather(vec![typed], &ProgressSink::none()).await.with_context(what)?;
            for name in &folder.empty {
                let path = join(&into.path, name);
                find_or_create(context.client(), &path).await.with_context(|| format!("cannot create {path}"))?;
            }
            tasks.extend(folder.files.into_iter().map(|file| task(&file.local, Some(file.name))));
            left_out.extend(folder.left_out);
        }
        if args.options.overwrite && !args.unnamed {
            check_distinct(&tasks)?;
        }
        let mut tally = RunTally::new(format, tasks.len() + left_out.len());
        for (shown, why) in left_out {
            let error = Error::new(Kind::Refused, why);
            tally.failed(&attempt("upload", "upload", &shown, &error), &error);
        }
        let mut output = context.output();
        let journal = context.journal_or_none().await?;
        let told = carry_out(context, journal, args.jobs, tasks, &mut tally, |tally, name, result| match result {
            Ok(Outcome::Uploaded { file, twins }) => {
                tally.done();
                for twin in &twins {
                    say_twin(format, &file, twin);
                }
                print(&mut output, &file)
            }
            Ok(Outcome::Present(file)) => {
                tally.present();
                say_present(format, &file, &options.options);
                print(&mut output, &file)
            }
            Ok(_) => Ok(()),
            Err(error) => {
                tally.failed(&attempt("upload", "upload", &name, &error), &error);
                Ok(())
            }
        });
        told.await?;
        Ok(tally.finish())
    }
}

/// Files of one run that were to have the same name would delete each other.
fn check_distinct(tasks: &[NamedJob]) -> Result<(), InvalidUsage> {
    let mut first_of: HashMap<&OsStr, &str> = HashMap::new();
    for task in tasks {
        let Job::Upload { local, name, .. } = &task.job else { continue };
        let Some(name) = name.as_deref().map(OsStr::new).or_else(|| local.file_name()) else { continue };
        if let Some(first) = first_of.insert(name, &task.name) {
            let message = format!(
                "{first} and {} would have the same name, and with --overwrite one would delete the other; nothing was uploaded",
                task.name
            );
            return Err(InvalidUsage(message));
        }
    }
    Ok(())
}

/// The journal keeps the path, and whoever continues with it may be elsewhere.
fn absolute(local: &Path) -> PathBuf {
    std::path::absolute(local).unwrap_or_else(|_| local.to_owned())
}

fn print(output: &mut Output, file: &File) -> Result<(), OutputError> {
    output.item(file, || file_path(file))?;
    output.flush()
}

fn say_present(format: Format, file: &File, asked: &UploadOptions) {
    let access =
        file.access.as_ref().filter(|access| **access != asked.access).map(|access| format!(" and is {access}"));
    let end = asked.ttl.as_ref().map(|_| match file.expires_at {
        Some(end) => format!(" and expires at {end}"),
        None => " and does not expire".to_owned(),
    });
    // To a script, and where little is to be said, only what is not as it asked for.
    if format.is_talkative() || access.is_some() || end.is_some() {
        let (access, end, path) = (access.unwrap_or_default(), end.unwrap_or_default(), file_path(file));
        stderr::warn(format, &format!("{path} already has the same content{access}{end}; --again uploads it"));
    }
}

fn say_twin(format: Format, file: &File, twin: &File) {
    let named = |file: &File| format!("{} (id {})", file_path(file), file.id);
    let (kept, twin) = (named(file), named(twin));
    stderr::warn(format, &format!("an answer was lost, and the file was stored twice: {kept} and {twin}"));
}

/// The folder to upload into, made if it is not there, and the file's name where the destination gives one.
async fn destination(client: &Client, args: &Args) -> Result<(FolderRef, Option<String>), Error> {
    let missing = match locate(client, &args.dest).await {
        Ok(located) => {
            let message = format!("{located} is a file; name its folder, and use --overwrite to replace it");
            let place = located.into_place().ok_or_else(|| Error::new(Kind::Conflict, message))?;
            return Ok((place, None));
        }
        Err(error) => error,
    };
    match &args.dest {
        RemoteArgument::Path(path) if missing.kind == Kind::NotFound => match path.split() {
            Some((parent, name)) if !args.means_folder(path) => {
                Ok((find_or_create(client, parent).await?, Some(name.to_owned())))
            }
            _ => Ok((find_or_create(client, path.as_str()).await?, None)),
        },
        _ => Err(missing),
    }
}
