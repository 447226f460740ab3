//! `filedeck import`: lets the service fetch files from addresses.

use std::ffi::OsStr;
use std::path::Path;

use anyhow::Context as _;
use url::Url;

use crate::api::model::{ImportRequest, UploadOptions};
use crate::api::{Client, Error, Kind};
use crate::cli::changes;
use crate::cli::command::RemoteCommand;
use crate::cli::completion::Completes;
use crate::cli::context::CommandContext;
use crate::cli::destination::destination;
use crate::cli::dry_run::DryRun;
use crate::cli::exit::Exit;
use crate::cli::file_options::{FileOptions, file_name};
use crate::cli::format::Format;
use crate::cli::list_file::{ListFile, ListedArgument};
use crate::cli::named_job::NamedJob;
use crate::cli::on_clash::OnClash;
use crate::cli::place::find_or_create;
use crate::cli::remote::RemoteArgument;
use crate::cli::stderr::InvalidUsage;
use crate::cli::tally::RunTally;
use crate::cli::work::BulkOptions;
use crate::engine::Job;
use crate::engine::message::FolderRef;
use crate::engine::ops::list::ListMemory;
use crate::engine::ops::locate;
use crate::engine::ops::plan_import;
use crate::engine::question::PlanImport;
use crate::engine::sending::IntoFolder;

const EXAMPLES: &str = "\
Examples:
  filedeck import https://example.com/logo.png /marketing/
  filedeck import --from-file addresses.txt /marketing/ --no-wait";

/// Let the service fetch files from addresses
///
/// The service does the work, so the bytes do not pass through this machine. The command waits
/// until all imports have ended, and prints the new paths. With --no-wait it prints the ids of the
/// service's tasks: 'filedeck tasks wait ID' waits for one, 'filedeck tasks retry NO' for all.
///
/// DEST is a folder, which is created if it does not exist. For a single address it can also be the
/// path of the new file, with its extension.
///
/// If the name that an address ends with is taken, nothing is imported and the command exits with
/// 7, unless --on-clash says otherwise: 'replace' deletes the old file, and the new one has another
/// id.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Addresses that begin with http:// or https://, then the remote folder or path
    #[arg(required = true, value_name = "ADDRESS|DEST", add = Completes::Remote)]
    pub words: Vec<String>,

    #[command(flatten)]
    pub list: ListFile,

    /// Name of the new file, for a single address
    #[arg(long, value_parser = file_name)]
    pub name: Option<String>,

    /// Do not wait for the service; print the ids of its tasks
    #[arg(long, conflicts_with = "retry_failed")]
    pub no_wait: bool,

    #[command(flatten)]
    pub options: FileOptions,

    #[command(flatten)]
    pub dry_run: DryRun,

    #[command(flatten)]
    pub bulk: BulkOptions,
}

impl RemoteCommand for Args {
    fn check(&self, _format: Format) -> Result<(), String> {
        let (addresses, dest) = self.parts()?;
        dest.parse::<RemoteArgument>()
            .map_err(|error| format!("{dest}: {error}; the last word is a remote folder"))?;
        addresses
            .iter()
            .try_for_each(|address| check_address(address))
    }

    async fn run(self, context: &CommandContext) -> anyhow::Result<Exit> {
        context
            .session
            .check_writable()
            .context("nothing was imported")?;
        let (given, dest) = self.parts().map_err(InvalidUsage)?;
        let dest: RemoteArgument = dest
            .parse()
            .map_err(|error| InvalidUsage(format!("{dest}: {error}")))?;
        let mut addresses = given.to_vec();
        addresses.extend(listed(&self.list)?);
        if self.name.is_some() && addresses.len() > 1 {
            return Err(InvalidUsage("--name is for a single address".to_owned()).into());
        }
        let what = || format!("cannot import into {dest}");
        let is_single = addresses.len() == 1 && self.list.from_file.is_none();
        let (into, own_name) = destination(
            context.client(),
            &dest,
            |path| {
                let has_extension = Path::new(path.as_str()).extension().is_some();
                path.means_folder() || !is_single || self.name.is_some() || !has_extension
            },
            !self.dry_run.dry_run,
        )
        .await
        .with_context(what)?;
        let into = self
            .place(context.client(), into)
            .await
            .with_context(what)?;
        let name = match self.name.as_deref().or(own_name.as_deref()) {
            Some(name) => Some(self.whole_name(name, addresses.first())?),
            None => None,
        };
        let job = |address: &String| {
            let request = ImportRequest {
                url: address.clone(),
                name: name.clone(),
                folder_path: into.id.is_none().then(|| into.path.clone()),
                folder_id: into.id.clone(),
                options: UploadOptions {
                    overwrite: (self.options.rule() == OnClash::Replace).then_some(true),
                    ..self.options.to_upload()
                },
            };
            Job::Import {
                request: Box::new(request),
                folder: into.path.clone(),
                free_name: None,
            }
        };
        let mut tally = context.tally(addresses.len());
        let jobs = addresses.iter().map(job).collect();
        let jobs = self
            .settled(context.client(), jobs, &into, &mut tally)
            .await
            .context("nothing was imported")?;
        let tasks: Vec<NamedJob> = jobs
            .into_iter()
            .map(|job| NamedJob {
                name: job.origin(),
                job,
            })
            .collect();
        let bulk = BulkOptions {
            leaves_tasks: self.no_wait,
            ..self.bulk.usually(8)
        };
        changes::finish(context, self.dry_run, bulk, tasks, tally).await
    }
}

impl Args {
    fn parts(&self) -> Result<(&[String], &str), String> {
        match self.words.split_last() {
            Some((dest, addresses)) if !addresses.is_empty() || self.list.from_file.is_some() => {
                Ok((addresses, dest))
            }
            _ => Err(
                "name an address and a remote folder; --from-file reads addresses from a list"
                    .to_owned(),
            ),
        }
    }
}

impl Args {
    /// Returns the name with the extension that the file will have: the service adds one to a name
    /// that has none, and the rule for taken names needs the whole one.
    fn whole_name(&self, name: &str, address: Option<&String>) -> Result<String, InvalidUsage> {
        if Path::new(name).extension().is_some() || self.options.rule() == OnClash::KeepBoth {
            return Ok(name.to_owned());
        }
        let url = address.and_then(|address| Url::parse(address).ok());
        let extension = url
            .as_ref()
            .and_then(|url| Path::new(url.path()).extension());
        match extension.and_then(OsStr::to_str) {
            Some(extension) => Ok(format!("{name}.{extension}")),
            None => Err(InvalidUsage(format!(
                "--name {name}: add the extension; otherwise the service does, and a name that is taken would not be noticed"
            ))),
        }
    }

    /// Returns the folder to import into; a dry run does not create it.
    async fn place(&self, client: &Client, into: IntoFolder) -> Result<FolderRef, Error> {
        match into {
            IntoFolder::Place(place) => Ok(place),
            IntoFolder::Id(id) => locate::folder(client, id).await,
            IntoFolder::Path(path) if self.dry_run.dry_run => Ok(FolderRef { id: None, path }),
            IntoFolder::Path(path) => find_or_create(client, &path).await,
        }
    }

    /// Returns the imports to carry out under the rule for names that are taken.
    async fn settled(
        &self,
        client: &Client,
        jobs: Vec<Job>,
        into: &FolderRef,
        tally: &mut RunTally,
    ) -> Result<Vec<Job>, Error> {
        let rule = self.options.rule();
        if !matches!(rule, OnClash::Skip | OnClash::Stop) {
            return Ok(jobs);
        }
        // In a dry run, the folder may not exist.
        let into = match into.id {
            Some(_) => IntoFolder::Place(into.clone()),
            None => IntoFolder::Path(into.path.clone()),
        };
        let planned =
            plan_import::plan(client, &ListMemory::default(), PlanImport { jobs, into }).await?;
        match planned.taken.first() {
            Some(name) if rule == OnClash::Stop => Err(Error::new(
                Kind::Conflict,
                format!("{name}: the name is taken; --on-clash says what to do"),
            )),
            _ => {
                planned.taken.iter().for_each(|_| tally.present());
                Ok(planned.free)
            }
        }
    }
}

/// Returns the addresses of a list, without lines that begin with #.
fn listed(list: &ListFile) -> anyhow::Result<Vec<String>> {
    let mut addresses = Vec::new();
    for ListedArgument { text, place } in list.entries()? {
        let text = text.to_string_lossy();
        let address = text.trim();
        if !address.is_empty() && !address.starts_with('#') {
            check_address(address).map_err(|error| InvalidUsage(format!("{place}: {error}")))?;
            addresses.push(address.to_owned());
        }
    }
    Ok(addresses)
}

/// Checks an address without repeating it in the error, because it may contain a signature.
fn check_address(text: &str) -> Result<(), String> {
    let is_address = Url::parse(text)
        .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    if is_address {
        Ok(())
    } else {
        Err("an address begins with http:// or https://".to_owned())
    }
}
