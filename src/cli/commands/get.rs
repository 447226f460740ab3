//! `filedeck get`: downloads files, and folders with everything in them.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{self, Path, PathBuf};
use std::str::FromStr;

use anyhow::Context as _;
use serde::Serialize;

use super::cat;
use crate::api::model::File;
use crate::api::{Error, Kind};
use crate::cli::account_path::AccountPath;
use crate::cli::command::RemoteCommand;
use crate::cli::completion::Completes;
use crate::cli::context::CommandContext;
use crate::cli::dry_run::{self, DryRun};
use crate::cli::exit::Exit;
use crate::cli::file_filter::{PathPatterns, SizeAndAge};
use crate::cli::format::Format;
use crate::cli::list_file::ListFile;
use crate::cli::locate::{Found, Located, everything, locate_all};
use crate::cli::look_up::collect;
use crate::cli::named_job::NamedJob;
use crate::cli::on_clash::{OnClash, twins};
use crate::cli::pattern::{PatternOptions, RemotePattern};
use crate::cli::remote::RemoteError;
use crate::cli::side_path::{absolute, refuse_local};
use crate::cli::standard_input;
use crate::cli::stderr::InvalidUsage;
use crate::cli::sync_lines::print_left_out;
use crate::cli::tally::{RunTally, note_present};
use crate::cli::work::{BulkOptions, carry_out};
use crate::engine::ops::plan_download::{self, DownloadPlan, LocalTarget};
use crate::engine::plan::{Direction, Existing, PlanChoice, PlanRow};
use crate::engine::tree_filter::TreeRules;
use crate::engine::{Item, Outcome, ProgressSink};
use crate::tui::widget::figures;

const EXAMPLES: &str = "\
Examples:
  filedeck get /marketing/logo.png
  filedeck get /marketing/q3-launch '/brand/**/*.png' --output downloads";

/// Download files and folders
///
/// A file keeps its name, as far as this machine's disk can hold it; a folder comes with everything
/// in it. With 'get /a.txt X' or '--output X', a single file becomes X, unless that is a folder or
/// ends with '/'.
///
/// A file that exists with the same content is not downloaded again: you can repeat a run
/// that was cut short. A name that is taken by other content gets a number, as in 'logo (1).png'.
/// Files are reported as they finish, in any order; with --json, each with its localPath.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Paths or ids of files and folders, or patterns of files; the last one may be a path of this
    /// machine, as in --output; an absolute one has file: before it
    #[arg(required_unless_present = "from_file", value_name = "REMOTE", add = Completes::LocalAndRemote)]
    pub paths: Vec<GetPath>,

    /// Folder to put them in, or path of a single file; missing folders are created. - is standard
    /// output [default: .]
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<PathBuf>,

    /// Rule for a name that is taken by other content
    #[arg(long, value_enum, value_name = "RULE", default_value = "keep-both")]
    pub on_clash: OnClash,

    #[command(flatten)]
    pub list: ListFile,

    #[command(flatten)]
    pub patterns: PatternOptions,

    #[command(flatten)]
    pub files: PathPatterns,

    /// Leave out what .gitignore files in the local folders exclude
    #[arg(long)]
    pub gitignore: bool,

    #[command(flatten)]
    pub size_and_age: SizeAndAge,

    #[command(flatten)]
    pub bulk: BulkOptions,

    #[command(flatten)]
    pub dry_run: DryRun,
}

/// A word of the command line: a remote path, or the place for it on this machine.
#[derive(Debug, Clone)]
pub enum GetPath {
    Remote(RemotePattern),
    Local(PathBuf),
}

impl FromStr for GetPath {
    type Err = RemoteError;

    fn from_str(text: &str) -> Result<Self, RemoteError> {
        match text.strip_prefix("file:") {
            Some(path) => Ok(Self::Local(PathBuf::from(path))),
            None if text.starts_with('/') || text.starts_with("id:") => {
                text.parse().map(Self::Remote)
            }
            None => Ok(Self::Local(PathBuf::from(text))),
        }
    }
}

/// A file as the service describes it, with its local path.
#[derive(Serialize)]
struct DownloadedLine<'a> {
    #[serde(flatten)]
    file: &'a File,
    #[serde(rename = "localPath")]
    local_path: &'a Path,
}

impl RemoteCommand for Args {
    fn check(&self, format: Format) -> Result<(), String> {
        let (_, output) = self.sides()?;
        if standard_input::is_meant(&output) {
            if format.json {
                return Err("--output - prints bytes; --json cannot be used with it".to_owned());
            }
            if self.dry_run.dry_run {
                return Err(
                    "--output - writes no file; --dry-run cannot be used with it".to_owned(),
                );
            }
        }
        Ok(())
    }

    async fn run(self, context: &CommandContext) -> anyhow::Result<Exit> {
        let (remotes, output) = self.sides().map_err(InvalidUsage)?;
        let remotes = self.list.remotes(remotes)?;
        // The name of standard output is that of standard input.
        if standard_input::is_meant(&output) {
            let cat = cat::Args {
                remotes,
                force: true,
                patterns: self.patterns,
            };
            return cat.run(context).await;
        }
        if let ([_, .., last], None) = (remotes.as_slice(), &self.output) {
            let last = AccountPath {
                account: None,
                remote: last.exact().clone(),
            };
            refuse_local(context, &last, false)
                .await
                .context("nothing was downloaded")?;
        }
        let mut tally = context.tally(0);
        let Some(found) = self.look_up(context, &remotes, &mut tally).await else {
            return Ok(tally.finish());
        };
        let LocalDest { folder, name } = dest(output, &found);
        let items = found.all;
        // The journal keeps the path, and may be continued from another folder.
        let into = absolute(&Path::new(".").join(&folder));
        let rules = TreeRules {
            bounds: self.size_and_age.bounds(),
            gitignore: self.gitignore,
            ..self.files.rules()
        };
        let report = ProgressSink::none();
        let target = LocalTarget {
            into: &into,
            name: name.as_deref(),
        };
        let planned = plan_download::plan(context.client(), &items, target, &rules, &report).await;
        let DownloadPlan {
            into: there,
            rows,
            left_out,
            room,
        } = planned.context("nothing was downloaded")?;
        print_left_out(context, &left_out, &[])?;
        tally.unread(left_out.unfit());
        let tasks = self
            .tasks(context, rows, &there, &mut tally)
            .context("nothing was downloaded")?;
        check_room(&tasks, room).context("nothing was downloaded")?;
        if self.dry_run.dry_run {
            dry_run::print(context, &tasks, &mut tally).await?;
            return Ok(tally.finish());
        }
        let mut output = context.output();
        let journal = context.journal_or_none().await?;
        let carried_out = carry_out(
            context,
            journal,
            self.bulk,
            tasks,
            &mut tally,
            |tally, _, outcome| match outcome {
                Outcome::Downloaded { file, path, .. } => {
                    tally.done();
                    // The path in the form in which the folder was given.
                    let path = path
                        .strip_prefix(&into)
                        .map_or_else(|_| path.clone(), |path| folder.join(path));
                    let got = DownloadedLine {
                        file: &file,
                        local_path: &path,
                    };
                    output.item(&got, || path.to_string_lossy().into_owned())?;
                    output.flush()
                }
                _ => Ok(()),
            },
        );
        carried_out.await?;
        Ok(tally.finish())
    }
}

/// The local folder, and the name of the only file there if it gets another one.
struct LocalDest {
    folder: PathBuf,
    name: Option<String>,
}

/// Returns the place on this machine for these items.
fn dest(output: PathBuf, found: &Found<Item>) -> LocalDest {
    // A pattern or a list may stand for several files, and so has one kind of result.
    let is_folder = found.is_pattern
        || output.is_dir()
        || output.to_string_lossy().ends_with(path::is_separator);
    let name = match found.all.as_slice() {
        [item] if !is_folder && item.target.file().is_some() => {
            output.file_name().and_then(OsStr::to_str)
        }
        _ => None,
    };
    match (name, output.parent()) {
        (Some(name), Some(folder)) => LocalDest {
            name: Some(name.to_owned()),
            folder: folder.to_owned(),
        },
        _ => LocalDest {
            folder: output,
            name: None,
        },
    }
}

impl Args {
    /// Returns the remote paths, and the place for them.
    fn sides(&self) -> Result<(Vec<RemotePattern>, PathBuf), String> {
        let (mut remotes, mut output) = (Vec::new(), self.output.clone());
        for (path, left) in self.paths.iter().zip((0..self.paths.len()).rev()) {
            match path {
                GetPath::Remote(remote) => remotes.push(remote.clone()),
                GetPath::Local(local) if left == 0 && output.is_none() => {
                    output = Some(local.clone());
                }
                GetPath::Local(local) => {
                    return Err(format!("{}: {}", local.display(), RemoteError::NotAbsolute));
                }
            }
        }
        if remotes.is_empty() && self.list.from_file.is_none() {
            return Err(format!(
                "name a file or folder: {}",
                RemoteError::NotAbsolute
            ));
        }
        Ok((remotes, output.unwrap_or_else(|| PathBuf::from("."))))
    }

    /// Looks up all items; `None` if the rest need not be tried.
    async fn look_up(
        &self,
        context: &CommandContext,
        remotes: &[RemotePattern],
        tally: &mut RunTally,
    ) -> Option<Found<Item>> {
        let client = context.client();
        let find = async |remote: &RemotePattern| {
            remote.refuse_empty_name()?;
            // A pattern matches only files: those in a folder that it matches would be downloaded
            // twice.
            let found = locate_all(client, remote, self.patterns).await?;
            let Found { all, is_pattern } = found.files_of_a_pattern()?;
            let all = everything(client, all).await?;
            Ok(Found { all, is_pattern })
        };
        let found = collect(remotes, tally, "download", Located::target, find).await?;
        // The plan counts the files in them.
        tally.instead(found.all.len(), 0);
        Some(Found {
            all: found.all.iter().filter_map(Located::item).collect(),
            is_pattern: self.list.from_file.is_some() || !found.patterns.is_empty(),
        })
    }

    /// Turns the rows of the plan into tasks. Items that this machine cannot store count as failed.
    fn tasks(
        &self,
        context: &CommandContext,
        rows: Vec<PlanRow>,
        into: &Path,
        tally: &mut RunTally,
    ) -> Result<Vec<NamedJob>, Error> {
        let direction = Direction::Down {
            into: into.to_owned(),
            numbered: self.on_clash == OnClash::KeepBoth,
        };
        let (mut tasks, mut present, mut names) = (Vec::new(), 0, HashMap::new());
        for row in rows {
            let Some(row) = tally.fit(row, "download") else {
                continue;
            };
            let choice = self.on_clash.choose(&row, &direction)?;
            if let Some(job) = row.job(choice, &direction) {
                let name = job
                    .item()
                    .map_or_else(|| row.name.clone(), |item| item.path.clone());
                if let Some(first) = names.insert(row.name.clone(), name.clone())
                    && self.on_clash != OnClash::KeepBoth
                {
                    return Err(twins(&first, &name));
                }
                tasks.push(NamedJob { name, job });
            } else {
                present += usize::from(
                    matches!(row.there, Existing::Same(_)) || choice == PlanChoice::UseExisting,
                );
                tally.present();
            }
        }
        note_present(context.format, present);
        Ok(tasks)
    }
}

fn check_room(tasks: &[NamedJob], room: Option<u64>) -> Result<(), Error> {
    let needed: u64 = tasks.iter().filter_map(|task| task.job.item()?.size).sum();
    match room {
        Some(room) if needed > room => {
            let (needed, room) = (figures::size(needed), figures::size(room));
            Err(Error::new(
                Kind::DiskFull,
                format!("these need {needed}, and the disk has {room} free"),
            ))
        }
        _ => Ok(()),
    }
}
