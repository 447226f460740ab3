//! Copies of files and folders of one account into another, or within one.

use std::collections::HashMap;
use std::path::PathBuf;

use anyhow::Context as _;
use jiff::Timestamp;

use super::account_path::AccountPath;
use super::address_map::{Accounts, AddressMap};
use super::changes::print_file;
use super::context::CommandContext;
use super::destination::destination;
use super::dry_run::{self, DryRun};
use super::exit::Exit;
use super::locate::{Found, Located, everything, locate};
use super::look_up::{LookedUp, collect};
use super::named_job::NamedJob;
use super::on_clash::{OnClash, twins};
use super::source_sessions::SourceAccount;
use super::stderr;
use super::sync_lines::print_left_out;
use super::tally::{RunTally, note_present};
use super::work::{BulkOptions, carry_out};
use crate::api::ids::FileId;
use crate::api::model::{Access, UploadOptions};
use crate::api::{Error, Kind};
use crate::engine::address_map::{ComparedBy, CopyState, StoredCopy};
use crate::engine::ancestors::lies_in;
use crate::engine::message::Entry;
use crate::engine::ops::plan_copy::{self, CopySource, CopyTarget, PlannedCopies};
use crate::engine::plan::{Direction, Existing, PlanRow, PlanSource};
use crate::engine::source::account_name;
use crate::engine::tree_filter::TreeRules;
use crate::engine::{Item, Job, Outcome, ProgressSink};
use crate::tui::widget::figures;

#[derive(Debug)]
pub(super) struct AccountCopy {
    /// Paths of one account.
    pub(super) sources: Vec<AccountPath>,
    pub(super) dest: AccountPath,
    pub(super) on_clash: OnClash,
    pub(super) rules: TreeRules,
    /// The file for the old and the new addresses.
    pub(super) map: Option<PathBuf>,
    pub(super) bulk: BulkOptions,
    pub(super) dry_run: DryRun,
}

impl AccountCopy {
    pub(super) async fn run(self, context: &CommandContext) -> anyhow::Result<Exit> {
        context
            .session
            .check_writable()
            .context("nothing was copied")?;
        let (begun, mut tally) = (Timestamp::now(), context.tally(0));
        let account = self
            .sources
            .first()
            .and_then(|path| path.account.as_deref());
        let source = context.sources.open(account).await;
        let source = source.context("nothing was copied")?;
        let find = async |path: &AccountPath| {
            let located = locate(&source.client, &path.remote).await?;
            Ok(Found {
                all: everything(&source.client, vec![located]).await?,
                is_pattern: false,
            })
        };
        let found = collect(&self.sources, &mut tally, "copy", Located::target, find).await;
        let Some(LookedUp { all: found, .. }) = found else {
            return Ok(tally.finish());
        };
        // The plan counts the files in them.
        tally.instead(found.len(), 0);
        let entries: Vec<Entry> = found.iter().filter_map(Located::entry).cloned().collect();
        let journal = context.journal_or_none().await?;
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
                rules: &self.rules,
            };
            let planned = plan_copy::plan(from, target, &ProgressSink::none()).await?;
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
                    let stored = StoredCopy::new(&Item::of(file), there, CopyState::AlreadyThere);
                    map.add(file, there, &stored);
                }
            }
        }
        if self.dry_run.dry_run {
            dry_run::print(context, &tasks, &mut tally).await?;
            return Ok(tally.finish());
        }
        let (mut output, mut by_size) = (context.output(), 0);
        let carried_out = carry_out(
            context,
            journal,
            self.bulk,
            tasks,
            &mut tally,
            |tally, origin, outcome| {
                let source = ids.get(origin).and_then(|id| sources.get(id));
                let file = match &outcome {
                    Outcome::Uploaded { file, .. } | Outcome::Replaced(file) => {
                        tally.done();
                        file
                    }
                    Outcome::Present(file) => {
                        tally.present();
                        file
                    }
                    _ => return Ok(()),
                };
                let stored = source.and_then(|source| outcome.stored_copy(&Item::of(source)));
                if let (Some(source), Some(stored)) = (source, stored) {
                    by_size += usize::from(stored.compared_by == ComparedBy::Size);
                    if let Some(map) = &mut map {
                        map.add(source, file, &stored);
                    }
                }
                print_file(&mut output, file)
            },
        );
        let carried_out = carried_out.await;
        if let Some(map) = map {
            map.finish()?;
        }
        if by_size > 0 {
            let files = figures::count(by_size, "file");
            let note = format!("{files} compared by size only: the service gives no MD5");
            stderr::note(context.format, &note);
        }
        carried_out?;
        Ok(tally.finish())
    }

    fn begin_map(
        &self,
        context: &CommandContext,
        source: &SourceAccount,
    ) -> Result<Option<AddressMap>, Error> {
        let name = |account: &str| account_name(account).to_owned();
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
            let Some(row) = tally.fit(row, "copy") else {
                continue;
            };
            let choice = self.on_clash.choose(&row, direction)?;
            if let PlanSource::Copy(copy) = &row.source {
                let path = copy.source.file.path.clone();
                if let Some(first) = names.insert(row.name.clone(), path.clone())
                    && self.on_clash != OnClash::KeepBoth
                {
                    return Err(twins(&first, &path));
                }
            }
            if let Some(warning) = &row.warning {
                stderr::warn(context.format, &format!("{}: {warning}", row.name));
            }
            let Some(mut job) = row.job(choice, direction) else {
                present += usize::from(matches!(row.there, Existing::Same(_)));
                tally.present();
                continue;
            };
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
