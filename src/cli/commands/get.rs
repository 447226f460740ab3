//! `filedeck get`: downloads files, and folders with everything in them.

use std::ffi::OsStr;
use std::path::{self, Path, PathBuf};

use anyhow::Context as _;
use serde::Serialize;

use crate::api::model::{Access, File};
use crate::api::{Error, Kind};
use crate::cli::command::RemoteCommand;
use crate::cli::completion::Completes;
use crate::cli::context::CommandContext;
use crate::cli::dry_run::{self, DryRun};
use crate::cli::exit::Exit;
use crate::cli::locate::{Found, Located, locate_all, matched};
use crate::cli::named_job::NamedJob;
use crate::cli::on_clash::OnClash;
use crate::cli::pattern::{PatternOptions, RemotePattern};
use crate::cli::sync_plan::{TreePatterns, print_left_out};
use crate::cli::tally::{RunTally, note_present};
use crate::cli::work::{BulkOptions, carry_out};
use crate::engine::ops::plan_download::{self, DownloadPlan, LocalTarget};
use crate::engine::plan::{Direction, Existing, PlanChoice, PlanRow, PlanSource};
use crate::engine::{Item, Outcome, ProgressSink};
use crate::tui::widget::figures;

const EXAMPLES: &str = "\
Examples:
  filedeck get /marketing/logo.png
  filedeck get /marketing/q3-launch '/brand/**/*.png' --output downloads";

/// Download files and folders
///
/// A file keeps its name, as far as this machine's disk can hold it; a folder comes with everything
/// in it. With '--output X', a single file becomes X, unless that is a folder or ends with '/'.
///
/// A file that exists with the same content is not downloaded again: you can repeat a run
/// that was cut short. A name that is taken by other content gets a number, as in 'logo (1).png'.
/// Files are reported as they finish, in any order; with --json, each with its localPath.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Paths or ids of files and folders, or patterns of files
    #[arg(required = true, value_name = "REMOTE", add = Completes::Remote)]
    pub remotes: Vec<RemotePattern>,

    /// Folder to put them in, or path of a single file; missing folders are created
    #[arg(short, long, value_name = "PATH", default_value = ".")]
    pub output: PathBuf,

    /// Rule for a name that is taken by other content
    #[arg(long, value_enum, value_name = "RULE", default_value = "keep-both")]
    pub on_clash: OnClash,

    #[command(flatten)]
    pub patterns: PatternOptions,

    #[command(flatten)]
    pub filters: TreePatterns,

    #[command(flatten)]
    pub bulk: BulkOptions,

    #[command(flatten)]
    pub dry_run: DryRun,
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
    async fn run(self, context: &CommandContext) -> anyhow::Result<Exit> {
        let mut tally = RunTally::new(context.format, 0);
        let Some(items) = self.look_up(context, &mut tally).await else {
            return Ok(tally.finish());
        };
        let LocalDest { folder, name } = self.dest(&items);
        // The journal keeps the path, and may be continued from another folder.
        let here = Path::new(".");
        let into = path::absolute(here.join(&folder)).unwrap_or_else(|_| folder.clone());
        let (rules, report) = (self.filters.rules(&Access::Private), ProgressSink::none());
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
            dry_run::print(context, &tasks, &mut tally)?;
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

impl Args {
    fn dest(&self, items: &[Item]) -> LocalDest {
        let output = self.output.clone();
        let is_folder = output.is_dir() || output.to_string_lossy().ends_with(path::is_separator);
        let name = match items {
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

    /// Looks up all items; `None` if the rest need not be tried.
    async fn look_up(&self, context: &CommandContext, tally: &mut RunTally) -> Option<Vec<Item>> {
        let mut items = Vec::new();
        for remote in &self.remotes {
            let client = context.client();
            // A pattern matches only files: those in a folder that it matches would be downloaded
            // twice.
            let found = locate_all(client, remote, self.patterns)
                .await
                .and_then(Found::files_of_a_pattern);
            let found = match (found.map(|found| found.all), "/*".parse()) {
                // The root folder stands for everything in it.
                (Ok(found), Ok(everything)) if found == [Located::Root] => {
                    matched(client, &everything).await
                }
                (found, _) => found,
            };
            match found {
                Ok(found) => items.extend(found.iter().filter_map(Located::item)),
                Err(error) => {
                    tally.also(1);
                    if tally.failed(&format!("cannot download {remote}"), &error) {
                        return None;
                    }
                }
            }
        }
        Some(items)
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
        let (mut tasks, mut present) = (Vec::new(), 0);
        for row in rows {
            // A folder is created for its content, and does not count.
            tally.also(usize::from(row.source != PlanSource::EmptyFolder));
            if let PlanSource::Unfit(why) = &row.source {
                let error = Error::new(Kind::Refused, why.clone());
                tally.failed(&format!("cannot download {}", row.name), &error);
                continue;
            }
            let choice = self.on_clash.choose(&row, &direction)?;
            if let Some(job) = row.job(choice, &direction) {
                let name = job
                    .item()
                    .map_or_else(|| row.name.clone(), |item| item.path.clone());
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
