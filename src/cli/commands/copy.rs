//! `filedeck copy`: copies files and folders from one account to another.

use std::collections::HashMap;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::ValueEnum as _;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use jiff::Timestamp;

use crate::api::ids::FileId;
use crate::api::model::{Access, File, UploadOptions};
use crate::api::{Client, Error, Kind};
use crate::cli::account_path::AccountPath;
use crate::cli::address_map::{Accounts, AddressMap};
use crate::cli::command::RemoteCommand;
use crate::cli::completion::Completes;
use crate::cli::context::CommandContext;
use crate::cli::destination::destination;
use crate::cli::dry_run::{self, DryRun};
use crate::cli::exit::Exit;
use crate::cli::format::Format;
use crate::cli::locate::{Located, file_path, locate, matched};
use crate::cli::named_job::NamedJob;
use crate::cli::on_clash::{OnClash, twins};
use crate::cli::output::{Output, OutputError};
use crate::cli::source_sessions::SourceAccount;
use crate::cli::stderr;
use crate::cli::sync_plan::print_left_out;
use crate::cli::tally::{RunTally, note_present};
use crate::cli::work::{BulkOptions, carry_out};
use crate::engine::ancestors::lies_in;
use crate::engine::folder_size::outermost;
use crate::engine::message::Entry;
use crate::engine::ops::plan_copy::{self, CopySource, CopyTarget, PlannedCopies};
use crate::engine::plan::{Direction, Existing, PlanRow, PlanSource};
use crate::engine::tree_filter::TreeRules;
use crate::engine::{Job, Outcome};

const EXAMPLES: &str = "\
Examples:
  filedeck copy @sandbox:/launch @production:/marketing
  filedeck copy @acme:/brand/logo.png @acme:/archive/ --dry-run";

/// Copy files and folders from one account to another, or within one
///
/// The bytes are streamed through this machine, and nothing of them is stored here. A folder comes
/// with everything in it. A file that exists with the same content is not copied again: you can
/// repeat a run that was cut short. Access levels and times of expiry come along; a level that
/// cannot be set becomes private, and is named. Hidden files of the service are not listed, and
/// cannot be copied.
///
/// A path without an account is of the chosen one (--account). Patterns are taken by --include and
/// --exclude only. 'put' and 'get' copy from and to this machine.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Paths or ids of files and folders; '@NAME:' before one names its account
    #[arg(required = true, value_name = "SOURCE", add = Completes::AccountPath)]
    pub sources: Vec<AccountPath>,

    /// Folder or path to copy to; '@NAME:' before it names its account
    #[arg(value_name = "DEST", add = Completes::AccountPath)]
    pub dest: AccountPath,

    /// Rule for a name that is taken by other content; 'stop' then does nothing at all, and exits
    /// with 7
    #[arg(long, value_name = "RULE", default_value = "stop", value_parser = rules())]
    pub on_clash: OnClash,

    /// Copy only files that match, of those in folders; may be repeated
    #[arg(long, value_name = "PATTERN")]
    pub include: Vec<String>,

    /// Leave out files and folders that match, of those in folders; may be repeated
    #[arg(long, value_name = "PATTERN")]
    pub exclude: Vec<String>,

    /// Write the old and the new address of each file to this file, as CSV, or as JSON lines if its
    /// name ends with .jsonl
    #[arg(long, value_name = "FILE", conflicts_with = "dry_run")]
    pub map: Option<PathBuf>,

    #[command(flatten)]
    pub bulk: BulkOptions,

    #[command(flatten)]
    pub dry_run: DryRun,
}

fn rules() -> impl clap::builder::TypedValueParser<Value = OnClash> {
    let values = [
        OnClash::Replace,
        OnClash::KeepBoth,
        OnClash::Skip,
        OnClash::Stop,
    ];
    let names = values.iter().filter_map(OnClash::to_possible_value);
    PossibleValuesParser::new(names).try_map(|name| OnClash::from_str(&name, false))
}

impl RemoteCommand for Args {
    fn check(&self, _format: Format) -> Result<(), String> {
        match self.sources.as_slice() {
            [first, rest @ ..] if rest.iter().any(|other| other.account != first.account) => {
                Err("the sources are of several accounts; copy from one at a time".to_owned())
            }
            _ => Ok(()),
        }
    }

    fn account(&self) -> Option<&str> {
        self.dest.account.as_deref()
    }

    fn uses_chosen_account(&self) -> bool {
        let mut paths = self.sources.iter().chain([&self.dest]);
        paths.any(|path| path.account.is_none())
    }

    async fn run(self, context: &CommandContext) -> anyhow::Result<Exit> {
        context
            .session
            .check_writable()
            .context("nothing was copied")?;
        let (begun, mut tally) = (Timestamp::now(), RunTally::new(context.format, 0));
        let account = self
            .sources
            .first()
            .and_then(|path| path.account.as_deref());
        let source = context.sources.open(account).await;
        let source = source.context("nothing was copied")?;
        let Some(entries) = self.look_up(&source.client, &mut tally).await else {
            return Ok(tally.finish());
        };
        let journal = context.journal_or_none().await?;
        let rules = TreeRules {
            include: self.include.clone(),
            exclude: self.exclude.clone(),
            ..TreeRules::default()
        };
        let is_same_account = source.account == context.session.account();
        let planned = async {
            let (into, name) = destination(
                context.client(),
                &self.dest.remote,
                |path| path.means_folder() || !matches!(entries.as_slice(), [Entry::File(_)]),
                !self.dry_run.dry_run,
            )
            .await?;
            let target = CopyTarget {
                client: context.client(),
                journal: &journal,
                into,
                name,
            };
            let from = CopySource {
                client: &source.client,
                account: &source.account,
                entries: entries.clone(),
                rules: &rules,
            };
            let planned = plan_copy::plan(from, target).await?;
            if is_same_account {
                refuse_inside(&entries, &planned.into.path)?;
            }
            Ok::<_, Error>(planned)
        };
        let PlannedCopies {
            into,
            rows,
            left_out,
            sources,
            present,
        } = planned
            .await
            .with_context(|| format!("nothing was copied to {}", self.dest))?;
        print_left_out(context, &left_out, &[])?;
        let direction = Direction::Up {
            into,
            options: Box::new(UploadOptions::new(Access::Private).into()),
            asked_at: begun,
        };
        let mut map = self
            .begin_map(context, &source)
            .context("nothing was copied")?;
        let (tasks, ids) = self
            .tasks(context, rows, &direction, &mut tally)
            .context("nothing was copied")?;
        if let Some(map) = &mut map {
            for (id, there) in &present {
                if let Some(file) = sources.get(id) {
                    map.present(file, there);
                }
            }
        }
        if self.dry_run.dry_run {
            dry_run::print(context, &tasks, &mut tally)?;
            return Ok(tally.finish());
        }
        let mut output = context.output();
        let carried_out = carry_out(
            context,
            journal,
            self.bulk,
            tasks,
            &mut tally,
            |tally, origin, outcome| {
                let source = ids.get(origin).and_then(|id| sources.get(id));
                match outcome {
                    Outcome::Uploaded { file, .. } | Outcome::Replaced(file) => {
                        tally.done();
                        if let (Some(map), Some(source)) = (&mut map, source) {
                            map.copied(source, &file);
                        }
                        print(&mut output, &file)
                    }
                    Outcome::Present(file) => {
                        tally.present();
                        if let (Some(map), Some(source)) = (&mut map, source) {
                            map.present(source, &file);
                        }
                        print(&mut output, &file)
                    }
                    _ => Ok(()),
                }
            },
        );
        let carried_out = carried_out.await;
        if let Some(map) = map {
            map.finish()?;
        }
        carried_out?;
        Ok(tally.finish())
    }
}

impl Args {
    /// Looks up the sources; `None` if the rest need not be tried.
    async fn look_up(&self, client: &Client, tally: &mut RunTally) -> Option<Vec<Entry>> {
        let mut found: Vec<Located> = Vec::new();
        for path in &self.sources {
            let located = match (locate(client, &path.remote).await, "/*".parse()) {
                // The root folder stands for everything in it.
                (Ok(Located::Root), Ok(everything)) => matched(client, &everything).await,
                (located, _) => located.map(|located| vec![located]),
            };
            match located {
                Ok(located) => found.extend(located),
                Err(error) => {
                    tally.also(1);
                    if tally.failed(&format!("cannot copy {path}"), &error) {
                        return None;
                    }
                }
            }
        }
        let items: Vec<_> = found.iter().filter_map(Located::item).collect();
        let outermost = outermost(&items.iter().collect::<Vec<_>>());
        let is_outermost =
            |entry: &Entry| outermost.iter().any(|item| item.target == entry.target());
        let entries = found.into_iter().filter_map(Located::into_entry);
        Some(entries.filter(is_outermost).collect())
    }

    fn begin_map(
        &self,
        context: &CommandContext,
        source: &SourceAccount,
    ) -> Result<Option<AddressMap>, Error> {
        let name = |account: &str| account.split(' ').next().unwrap_or_default().to_owned();
        let accounts = || Accounts {
            source: name(&source.account),
            target: context.session.source.name().to_owned(),
        };
        let begin = |path: &PathBuf| AddressMap::begin(path, accounts());
        self.map.as_ref().map(begin).transpose()
    }

    /// Turns the rows of the plan into tasks; also returns the ids of their sources, by name.
    fn tasks(
        &self,
        context: &CommandContext,
        rows: Vec<PlanRow>,
        direction: &Direction,
        tally: &mut RunTally,
    ) -> Result<(Vec<NamedJob>, HashMap<String, FileId>), Error> {
        let (mut tasks, mut names, mut present) = (Vec::new(), HashMap::new(), 0);
        let mut ids = HashMap::new();
        for row in rows {
            // A folder is created for its content, and does not count.
            tally.also(usize::from(row.source != PlanSource::EmptyFolder));
            if let PlanSource::Unfit(why) = &row.source {
                let error = Error::new(Kind::Refused, why.clone());
                tally.failed(&format!("cannot copy {}", row.name), &error);
                continue;
            }
            let choice = self.on_clash.choose(&row, direction)?;
            if let PlanSource::Copy(copy) = &row.source {
                let path = copy.source.file.path.clone();
                if let Some(first) = names.insert(row.name.clone(), path.clone())
                    && self.on_clash != OnClash::KeepBoth
                {
                    return Err(twins(&first, &path));
                }
            }
            let Some(mut job) = row.job(choice, direction) else {
                present += usize::from(matches!(row.there, Existing::Same(_)));
                tally.present();
                continue;
            };
            if let Some(warning) = &row.warning {
                stderr::warn(context.format, &format!("{}: {warning}", row.name));
            }
            if let Job::Upload {
                present, free_at, ..
            } = &mut job
            {
                // What an earlier run has stored under a number counts.
                *present = true;
                *free_at = free_at.filter(|_| self.on_clash != OnClash::KeepBoth);
            }
            let name = job.origin();
            if let PlanSource::Copy(copy) = &row.source
                && let Some(id) = copy.source.file.target.file()
            {
                ids.insert(name.clone(), id.clone());
            }
            tasks.push(NamedJob { name, job });
        }
        note_present(context.format, present);
        Ok((tasks, ids))
    }
}

fn refuse_inside(entries: &[Entry], into: &str) -> Result<(), Error> {
    for entry in entries {
        if let Entry::Folder(folder) = entry
            && let Some(path) = &folder.path
            && lies_in(into, path)
        {
            let message = format!("{path} cannot be copied into itself; name another folder");
            return Err(Error::new(Kind::Refused, message));
        }
    }
    Ok(())
}

fn print(output: &mut Output, file: &File) -> Result<(), OutputError> {
    output.item(file, || file_path(file))?;
    output.flush()
}
