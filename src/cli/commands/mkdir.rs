//! `filedeck mkdir`: creates folders.

use std::fmt;
use std::str::FromStr;

use anyhow::Context as _;

use crate::api::model::Folder;
use crate::api::{Client, Error, Kind};
use crate::cli::changes;
use crate::cli::command::RemoteCommand;
use crate::cli::completion::Completes;
use crate::cli::context::CommandContext;
use crate::cli::dry_run::DryRun;
use crate::cli::exit::Exit;
use crate::cli::locate::{folder_path, locate};
use crate::cli::named_job::NamedJob;
use crate::cli::output::{Output, OutputError};
use crate::cli::place;
use crate::cli::remote::{RemoteArgument, RemoteError, RemotePath};
use crate::cli::work::BulkOptions;
use crate::engine::Job;
use crate::engine::message::FolderRef;
use crate::engine::ops::locate::folder_at;

const EXAMPLES: &str = "\
Examples:
  filedeck mkdir /marketing/q4
  filedeck mkdir --parents /exports/2026/11 /exports/2026/12";

/// Make folders
///
/// Without --parents, the parent folder must exist, and the new one must not: if it does, the
/// command exits with 7.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Paths of the new folders; id:123/new is below the folder with that id
    #[arg(required = true, value_name = "PATH", add = Completes::Remote)]
    pub paths: Vec<NewFolder>,

    /// Also create missing parent folders; a folder that exists is no error
    #[arg(short, long)]
    pub parents: bool,

    #[command(flatten)]
    pub dry_run: DryRun,
}

/// The path of a new folder, absolute or from a folder with an id.
#[derive(Debug, Clone)]
pub struct NewFolder {
    above: Option<RemoteArgument>,
    path: RemotePath,
}

impl FromStr for NewFolder {
    type Err = RemoteError;

    fn from_str(text: &str) -> Result<Self, RemoteError> {
        let below_id = text.strip_prefix("id:").and_then(|rest| rest.find('/'));
        let (above, path) = match below_id {
            Some(end) => text.split_at("id:".len() + end),
            None => ("", text),
        };
        Ok(Self {
            above: (!above.is_empty()).then(|| above.parse()).transpose()?,
            path: path.parse()?,
        })
    }
}

impl NewFolder {
    /// Returns the absolute path.
    async fn resolve(&self, client: &Client) -> Result<RemotePath, Error> {
        let Some(above) = &self.above else {
            return Ok(self.path.clone());
        };
        let not_a_folder = || Error::new(Kind::Refused, format!("{above} is not a folder"));
        let folder = locate(client, above).await?.into_place();
        let folder = folder.ok_or_else(not_a_folder)?;
        let path = format!(
            "{}{}",
            folder.path.trim_end_matches('/'),
            self.path.as_str()
        );
        path.parse().map_err(|_| not_a_folder())
    }
}

impl fmt::Display for NewFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(above) = &self.above {
            above.fmt(f)?;
        }
        f.write_str(self.path.as_str())
    }
}

impl RemoteCommand for Args {
    async fn run(self, context: &CommandContext) -> anyhow::Result<Exit> {
        context
            .session
            .check_writable()
            .context("no folder was made")?;
        let (mut output, mut tally) = (context.output(), context.tally(self.paths.len()));
        let mut tasks = Vec::new();
        for path in &self.paths {
            match self.plan(context.client(), path).await {
                Ok(Wanted::Missing(job)) => tasks.push(NamedJob {
                    name: path.to_string(),
                    job,
                }),
                Ok(Wanted::Present(folder)) => {
                    tally.present();
                    print(&mut output, &folder)?;
                }
                Err(error) => {
                    if tally.failed(&format!("cannot create {path}"), &error) {
                        return Ok(tally.finish());
                    }
                }
            }
        }
        changes::finish(context, self.dry_run, BulkOptions::ONE, tasks, tally).await
    }
}

enum Wanted {
    Missing(Job),
    Present(Folder),
}

impl Args {
    async fn plan(&self, client: &Client, folder: &NewFolder) -> Result<Wanted, Error> {
        let path = folder.resolve(client).await?;
        let there = Error::new(Kind::Conflict, "it is there already");
        let Some((parent, name)) = path.split() else {
            return Err(there);
        };
        if self.parents {
            return match folder_at(client, path.as_str()).await {
                Ok(folder) => Ok(Wanted::Present(folder)),
                Err(error) if error.kind == Kind::NotFound => {
                    Ok(Wanted::Missing(Job::CreateFolder {
                        parent: FolderRef::root(),
                        name: path.as_str().trim_start_matches('/').to_owned(),
                    }))
                }
                Err(error) => Err(error),
            };
        }
        let parent = match place::find(client, parent).await {
            Err(error) if error.kind == Kind::NotFound => {
                let message =
                    format!("there is no {parent}; --parents makes the folders above, too");
                return Err(Error { message, ..error });
            }
            found => found?,
        };
        Ok(Wanted::Missing(Job::CreateFolder {
            parent,
            name: name.to_owned(),
        }))
    }
}

fn print(output: &mut Output, folder: &Folder) -> Result<(), OutputError> {
    output.item(folder, || folder_path(folder))?;
    output.flush()
}
