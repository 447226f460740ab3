//! `filedeck sync`: makes one folder like another, in one direction.

use anyhow::Context as _;
use clap::ValueEnum as _;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};

use crate::api::model::{Access, UploadOptions};
use crate::api::{Error, Kind};
use crate::cli::command::RemoteCommand;
use crate::cli::context::CommandContext;
use crate::cli::dry_run::DryRun;
use crate::cli::exit::Exit;
use crate::cli::format::Format;
use crate::cli::mirror::Mirror;
use crate::cli::on_clash::OnClash;
use crate::cli::side_path::SidePath;
use crate::cli::sync_lines::{print_all, print_left_out, warn_of};
use crate::cli::sync_plan::{SideHere, SyncFolders, SyncPlan, SyncSides};
use crate::cli::sync_run::{SyncRun, is_refused};
use crate::cli::work::BulkOptions;
use crate::cli::{access, stderr};
use crate::engine::sync::SyncAction;
use crate::tui::widget::figures;

const EXAMPLES: &str = "\
Examples:
  filedeck sync ./site /web --access public --delete
  filedeck sync /brand ./brand --exclude '*.psd' --dry-run";

/// Make a folder like another one, in one direction
///
/// Sends or fetches what is missing or differs, by size and MD5. A remote file that differs is
/// replaced in place: its id and links stay. With --delete, what only DEST has is deleted at the
/// end, and only if all before that went well; a remote file that was renamed here is moved, keeps
/// its id and gets a new address.
///
/// A path that begins with '/' is remote, any other is on this machine; put 'file:' before an
/// absolute one, and '@NAME:' before a path of another account. Both may be of accounts: then new
/// files get the access levels and times of expiry of their sources, and what the service hides in
/// SOURCE counts as missing, since it is not listed. Links are not followed. A pattern without a
/// slash applies to names at any depth.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    pub folders: SyncFolders,

    /// Do not ask: hidden names are then published only with --hidden
    #[arg(short, long)]
    pub yes: bool,

    #[command(flatten)]
    pub mirror: Mirror,

    /// Rule for files that differ; 'stop' then does nothing at all, and exits with 7
    #[arg(long, value_name = "RULE", default_value = "replace", value_parser = rules())]
    pub on_clash: OnClash,

    /// Access level of new remote files; existing ones keep theirs, and are counted [default:
    /// private]
    #[arg(long, value_name = "LEVEL", ignore_case = true, value_parser = access::levels())]
    pub access: Option<Access>,

    #[command(flatten)]
    pub bulk: BulkOptions,

    #[command(flatten)]
    pub dry_run: DryRun,
}

impl RemoteCommand for Args {
    fn check(&self, _format: Format) -> Result<(), String> {
        self.folders.check(self.access.is_some())
    }

    fn account(&self) -> Option<&str> {
        self.folders.account()
    }

    fn uses_chosen_account(&self) -> bool {
        self.folders.uses_chosen_account()
    }

    async fn run(mut self, context: &CommandContext) -> anyhow::Result<Exit> {
        let is_up = matches!(self.folders.dest, SidePath::Remote(_));
        if is_up && !self.dry_run.dry_run {
            context
                .session
                .check_writable()
                .context("nothing was changed")?;
        }
        let level = self.access.clone().unwrap_or(Access::Private);
        let options = UploadOptions::new(level.clone());
        let mut sides = self.folders.read(context, options.clone()).await?;
        if !self.yes
            && self
                .folders
                .patterns
                .asks_for_hidden(sides.here.tree().left_out())
                .await?
        {
            self.folders.patterns.hidden = true;
            sides = self.folders.read(context, options).await?;
        }
        let SyncSides { here, account } = sides;
        let mut plan = account
            .plan(here.tree(), self.mirror.delete, !self.mirror.no_renames)
            .await;
        let keeps_levels = matches!(here, SideHere::Account(..));
        let others = if is_up && (self.access.is_some() || keeps_levels) {
            plan.of_other_level(&level)
        } else {
            0
        };
        let skipped = settle(&mut plan, self.on_clash).context("nothing was changed")?;
        let withholds = plan.withhold_deletions(&account.direction);
        print_left_out(context, &plan.found.left_out, &plan.found.warnings)?;
        let skipped = if skipped > 0 {
            format!(", {skipped} differ and are skipped")
        } else {
            String::new()
        };
        stderr::note(context.format, &format!("{}{skipped}", plan.summary()));
        if withholds {
            let was = if self.dry_run.dry_run {
                "would be"
            } else {
                "was"
            };
            let message = format!("nothing {was} deleted, because not everything can be compared");
            stderr::warn(context.format, &message);
        }
        if keeps_levels && plan.deletes() {
            let note =
                "files that the service hides are not listed, and count as missing in the source";
            stderr::note(context.format, note);
        }
        if others > 0 {
            let hint = "'filedeck set --access' changes that";
            let than = if keeps_levels {
                "their sources"
            } else {
                level.word()
            };
            stderr::warn(
                context.format,
                &format!(
                    "{} {} another level than {than}; {hint}",
                    figures::count(others, "existing file"),
                    if others == 1 { "has" } else { "have" }
                ),
            );
        }
        warn_of(context, &plan.steps);
        let mut tally = context.tally(plan.steps.len());
        tally.unread(plan.found.left_out.unfit());
        if self.dry_run.dry_run {
            print_all(context, &plan.steps)?;
            for step in &plan.steps {
                is_refused(step, &mut tally);
            }
        }
        self.mirror
            .check(&plan, &self.folders.source)
            .context("nothing was changed")?;
        if self.dry_run.dry_run {
            return Ok(tally.finish());
        }
        let journal = context.journal_or_none().await?;
        let mut run = SyncRun {
            context,
            journal,
            bulk: self.bulk,
            side: account,
        };
        run.carry_out(plan.steps, &mut tally, |_, _| {}).await?;
        Ok(tally.finish())
    }
}

/// Returns the rules that make sense if one side is to be like the other.
fn rules() -> impl clap::builder::TypedValueParser<Value = OnClash> {
    let values = [OnClash::Replace, OnClash::Skip, OnClash::Stop];
    let names = values.iter().filter_map(OnClash::to_possible_value);
    PossibleValuesParser::new(names).try_map(|name| OnClash::from_str(&name, false))
}

/// Applies the rule: removes the files that differ from the plan, or refuses it. Returns the number
/// removed.
fn settle(plan: &mut SyncPlan, rule: OnClash) -> Result<usize, Error> {
    let before = plan.steps.len();
    if rule == OnClash::Skip {
        plan.steps.retain(|step| step.action != SyncAction::Replace);
    }
    match plan
        .steps
        .iter()
        .find(|step| step.action == SyncAction::Replace)
    {
        Some(step) if rule == OnClash::Stop => {
            let message = format!(
                "{} differs on both sides; --on-clash says what to do",
                step.path
            );
            Err(Error::new(Kind::Conflict, message))
        }
        _ => Ok(before - plan.steps.len()),
    }
}
