//! `filedeck put`: uploads local files.

use std::collections::HashMap;
use std::path::PathBuf;
use std::slice;

use anyhow::Context as _;
use jiff::Timestamp;
use tempfile::NamedTempFile;

use crate::api::model::{File, UploadOptions};
use crate::api::{Error, Kind};
use crate::cli::changes::print_file;
use crate::cli::command::RemoteCommand;
use crate::cli::completion::Completes;
use crate::cli::context::CommandContext;
use crate::cli::destination::destination;
use crate::cli::dry_run::{self, DryRun};
use crate::cli::exit::Exit;
use crate::cli::file_filter::{LocalLinks, SizeAndAge, TreePatterns};
use crate::cli::file_options::{FileOptions, charset, file_name};
use crate::cli::format::Format;
use crate::cli::list_file::ListFile;
use crate::cli::locate::file_path;
use crate::cli::named_job::NamedJob;
use crate::cli::on_clash::{OnClash, twins};
use crate::cli::remote::{RemoteArgument, RemotePath};
use crate::cli::side_path::absolute;
use crate::cli::sync_lines::print_left_out;
use crate::cli::tally::RunTally;
use crate::cli::work::{BulkOptions, carry_out};
use crate::cli::{standard_input, stderr};
use crate::engine::journal::RecordedBatch;
use crate::engine::ops::list::ListMemory;
use crate::engine::ops::plan_upload::{self, UploadPlan};
use crate::engine::plan::{Direction, Existing, PlanChoice, PlanRow, PlanSource};
use crate::engine::question::PlanUpload;
use crate::engine::sending::Sending;
use crate::engine::source::FileSource;
use crate::engine::tree_filter::TreeRules;
use crate::engine::typed_paths::TypedPaths;
use crate::engine::{Job, JobKind, Outcome, ProgressSink};
use crate::tui::widget::figures;

const EXAMPLES: &str = "\
Examples:
  filedeck put logo.png /marketing/
  filedeck put site/ report.pdf /public --access public --jobs 8";

/// Upload files and folders
///
/// DEST is a folder that exists. It is a new folder if it ends with '/', or if you give several
/// files or a folder. For a single file it can also be the path of the new file.
///
/// A folder is uploaded into DEST under its own name, with everything in it except the folders of
/// git, hg and svn and the desktop's own files. Links in it are listed and not followed. Hidden
/// names in it are published only with --hidden.
///
/// A file that exists in the folder with the same name and content counts as uploaded: you can
/// repeat a run that was cut short, and it sends what is missing. If a name is taken by other
/// content, nothing is sent and the command exits with 7, unless --on-clash says otherwise:
/// 'replace' keeps id and links of the remote file. Files are reported as they finish, in any
/// order.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, allow_missing_positional = true)]
pub struct Args {
    /// Local files and folders; - is standard input
    #[arg(required_unless_present = "from_file", value_name = "LOCAL", add = Completes::LocalAndRemote)]
    pub locals: Vec<PathBuf>,

    /// Remote folder or path
    #[arg(value_name = "DEST", add = Completes::Remote)]
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

    /// Do not ask: hidden names are then published only with --hidden
    #[arg(short, long)]
    pub yes: bool,

    #[command(flatten)]
    pub list: ListFile,

    #[command(flatten)]
    pub patterns: TreePatterns,

    #[command(flatten)]
    pub size_and_age: SizeAndAge,

    #[command(flatten)]
    pub links: LocalLinks,

    #[command(flatten)]
    pub options: FileOptions,

    #[command(flatten)]
    pub bulk: BulkOptions,

    #[command(flatten)]
    pub dry_run: DryRun,
}

impl Args {
    /// Returns `true` if a destination that does not exist is meant as a folder.
    fn means_folder(&self, dest: &RemotePath) -> bool {
        dest.means_folder()
            || self.locals.len() > 1
            || self.list.from_file.is_some()
            || self.name.is_some()
            || self.unnamed
            || self.locals.iter().any(|local| local.is_dir())
    }

    fn reads_stdin(&self) -> bool {
        self.locals
            .iter()
            .any(|local| standard_input::is_meant(local))
    }
}

impl RemoteCommand for Args {
    fn check(&self, _format: Format) -> Result<(), String> {
        if self.name.is_some()
            && (self.locals.len() > 1
                || self.list.from_file.is_some()
                || self.locals.iter().any(|local| local.is_dir()))
        {
            return Err("--name is for a single file".to_owned());
        }
        if self.reads_stdin() && (self.locals.len() > 1 || self.list.from_file.is_some()) {
            return Err("- is for standard input alone".to_owned());
        }
        Ok(())
    }

    async fn run(mut self, context: &CommandContext) -> anyhow::Result<Exit> {
        context
            .session
            .check_writable()
            .context("nothing was uploaded")?;
        let (format, begun) = (context.format, Timestamp::now());
        let listed = self.list.entries()?.into_iter();
        self.locals.extend(listed.map(|entry| entry.text.into()));
        let what = || format!("cannot upload to {}", self.dest);
        let (into, own_name) = destination(
            context.client(),
            &self.dest,
            |path| self.means_folder(path),
            !self.dry_run.dry_run,
        )
        .await
        .with_context(what)?;
        let name = self.name.clone().or(own_name);
        // Removed when dropped, at the end.
        let spooled = if self.reads_stdin() {
            Some(spool(name.as_deref(), self.unnamed).await?)
        } else {
            None
        };
        let mut tally = context.tally(0);
        let typed = match &spooled {
            Some(file) => vec![TypedPaths {
                whole: file.path().to_owned(),
                words: Vec::new(),
            }],
            None => self.readable(&mut tally),
        };
        if typed.is_empty() {
            return Ok(tally.finish());
        }
        let journal = context.journal_or_none().await?;
        let (memory, report) = (ListMemory::default(), ProgressSink::none());
        let rules = self.rules();
        let wanted = PlanUpload {
            typed,
            into,
            name,
            unnamed: self.unnamed,
            rules,
        };
        let planned =
            plan_upload::plan(context.client(), &journal, &memory, wanted.clone(), &report).await;
        let mut planned = planned.with_context(what)?;
        if !self.yes && self.patterns.asks_for_hidden(&planned.left_out).await? {
            self.patterns.hidden = true;
            let wanted = PlanUpload {
                rules: self.rules(),
                ..wanted
            };
            planned = plan_upload::plan(context.client(), &journal, &memory, wanted, &report)
                .await
                .with_context(what)?;
        }
        let options = Sending {
            charset: self.charset.clone(),
            unnamed: self.unnamed,
            ..self.options.to_upload().into()
        };
        print_left_out(context, &planned.left_out, &planned.warnings)?;
        tally.unread(planned.left_out.unfit());
        let direction = Direction::Up {
            into: planned.into.clone(),
            options: Box::new(options.clone()),
            asked_at: begun,
        };
        // What unfinished tasks have left is known to be done only by jobs.
        let recorded = journal.list_batches().await?;
        let has_unfinished = recorded.iter().any(RecordedBatch::can_retry);
        let PutWork { jobs, present } = self
            .work(planned, &direction, has_unfinished, &mut tally)
            .context("nothing was uploaded")?;
        say_present(format, &present, &options.options);
        if self.dry_run.dry_run {
            dry_run::print(context, &jobs, &mut tally).await?;
            return Ok(tally.finish());
        }
        let replaced = jobs.iter().map(|task| task.job.kind());
        let replaced = replaced.filter(|kind| *kind == JobKind::Replace).count();
        if self.options.expires.is_some() && replaced > 0 {
            let message = format!(
                "{replaced} of the files are there already, and replacements keep the time of expiry; 'filedeck set --expires' changes it"
            );
            stderr::warn(format, &message);
        }
        let mut output = context.output();
        let mut print = |file: &File| print_file(&mut output, file);
        present.iter().try_for_each(&mut print)?;
        let carried_out = carry_out(
            context,
            journal,
            self.bulk,
            jobs,
            &mut tally,
            |tally, _, outcome| match outcome {
                Outcome::Uploaded { file, .. } | Outcome::Replaced(file) => {
                    tally.done();
                    print(&file)
                }
                Outcome::Present(file) => {
                    tally.present();
                    say_present(format, slice::from_ref(&*file), &options.options);
                    print(&file)
                }
                _ => Ok(()),
            },
        );
        carried_out.await?;
        Ok(tally.finish())
    }
}

impl Args {
    fn rules(&self) -> TreeRules {
        TreeRules {
            follow_links: self.links.follow_links,
            bounds: self.size_and_age.bounds(),
            ..self.patterns.rules(&self.options.access())
        }
    }

    /// Returns the files and folders that can be read; the others count as failed.
    fn readable(&self, tally: &mut RunTally) -> Vec<TypedPaths> {
        let (mut typed, mut failures) = (Vec::new(), Vec::new());
        for local in &self.locals {
            let failure = match local.metadata() {
                Ok(metadata) if metadata.is_file() || metadata.is_dir() => {
                    typed.push(TypedPaths {
                        whole: local.clone(),
                        words: Vec::new(),
                    });
                    continue;
                }
                Ok(_) => Error::new(Kind::Refused, "it is a pipe, a device or a socket"),
                Err(error) => Error::local("Cannot read it", &error),
            };
            failures.push((local.display().to_string(), failure));
        }
        tally.also(failures.len());
        tally.failed_items("upload", failures);
        typed
    }

    /// Turns the rows of the plan into jobs. Items that cannot be sent count as failed.
    fn work(
        &self,
        UploadPlan {
            rows, mut present, ..
        }: UploadPlan,
        direction: &Direction,
        has_unfinished: bool,
        tally: &mut RunTally,
    ) -> Result<PutWork, Error> {
        let (rule, mut names, mut work) = (self.options.rule(), HashMap::new(), PutWork::default());
        for row in rows {
            let Some(row) = tally.fit(row, "upload") else {
                continue;
            };
            if row.publishes_hidden(direction) && !self.patterns.hidden {
                let why = "hidden, and public there; 'filedeck put --hidden' sends its new content";
                stderr::warn(tally.format(), &format!("{}: {why}", row.name));
                tally.present();
                continue;
            }
            let name = match &row.source {
                PlanSource::Local(local) if !self.reads_stdin() => local.display().to_string(),
                _ => row.name.clone(),
            };
            if let Some(first) = names.insert(row.name.clone(), name.clone())
                && rule != OnClash::KeepBoth
                && !self.unnamed
            {
                return Err(twins(&first, &name));
            }
            // With keep-both, two files of one name each count for one of the account.
            let is_present = matches!(row.there, Existing::Same(_))
                && !self.again
                && !has_unfinished
                && rule != OnClash::KeepBoth;
            match self.job(&row, rule, direction)? {
                Some(job) if !is_present => work.jobs.push(NamedJob { name, job }),
                _ => {
                    tally.present();
                    let file = present.remove(&row.name).filter(|_| is_present);
                    work.present.extend(file);
                }
            }
        }
        Ok(work)
    }

    fn job(
        &self,
        row: &PlanRow,
        rule: OnClash,
        direction: &Direction,
    ) -> Result<Option<Job>, Error> {
        let choice = match (&row.source, &row.there) {
            // The job compares again, and returns the file that has the same content.
            (PlanSource::Local(_), Existing::Same(_)) if !self.again => PlanChoice::Go,
            (PlanSource::Local(_), Existing::Same(_)) => PlanChoice::KeepBoth,
            // It is in the plan because the user asked for it.
            (_, Existing::Nothing { .. }) if row.publishes_hidden(direction) => PlanChoice::Go,
            _ => rule.choose(row, direction)?,
        };
        let Some(mut job) = row.job(choice, direction) else {
            return Ok(None);
        };
        match &mut job {
            Job::Upload {
                source: FileSource::Local(local),
                present,
                free_at,
                ..
            } => {
                *local = absolute(local);
                *present = !self.again;
                *free_at = free_at.filter(|_| rule != OnClash::KeepBoth);
                if let Existing::Same(_) = row.there {
                    // It is not free now, so that the folder is listed before it is sent.
                    *free_at = free_at.map(|_| Timestamp::UNIX_EPOCH);
                }
            }
            Job::Replace {
                source: FileSource::Local(local),
                access,
                ..
            } => {
                *local = absolute(local);
                access.clone_from(&self.options.access);
            }
            _ => {}
        }
        Ok(Some(job))
    }
}

#[derive(Default)]
struct PutWork {
    jobs: Vec<NamedJob>,
    /// The files of the account that have name and content of a local one.
    present: Vec<File>,
}

/// Stores standard input in a file; without a name for it, nothing is read.
async fn spool(name: Option<&str>, unnamed: bool) -> anyhow::Result<NamedTempFile> {
    if name.is_none() && !unnamed {
        let message =
            "standard input has no name; give it one in DEST, or with 'filedeck put --name'";
        return Err(Error::new(Kind::Refused, message)).context("nothing was uploaded");
    }
    standard_input::spool().await
}

/// Reports files that were there already. Scripts and quiet runs get only those that differ from
/// their request.
fn say_present(format: Format, present: &[File], asked: &UploadOptions) {
    let mut equal = Vec::new();
    for file in present {
        let access = file
            .access
            .as_ref()
            .filter(|access| **access != asked.access)
            .map(|access| format!(" and is {access}"));
        let end = asked.ttl.as_ref().map(|_| match file.expires_at {
            Some(end) => format!(" and expires at {end}"),
            None => " and does not expire".to_owned(),
        });
        if access.is_none() && end.is_none() {
            equal.push(file);
            continue;
        }
        let (access, end, path) = (
            access.unwrap_or_default(),
            end.unwrap_or_default(),
            file_path(file),
        );
        stderr::warn(
            format,
            &format!(
                "{path} already has the same content{access}{end}; 'filedeck put --again' uploads it"
            ),
        );
    }
    let message = match equal.as_slice() {
        [file] => {
            let path = file_path(file);
            format!("{path} already has the same content; 'filedeck put --again' uploads it")
        }
        files => {
            let files = figures::count(files.len(), "file");
            format!("{files} already have the same content; 'filedeck put --again' uploads them")
        }
    };
    if format.is_talkative() && !equal.is_empty() {
        stderr::warn(format, &message);
    }
}
