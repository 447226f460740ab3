//! `filedeck set`: changes access, expiry and use of files.

use anyhow::Context as _;
use clap::ArgGroup;

use crate::api::ServiceTime;
use crate::api::model::{Access, FileUpdate};
use crate::cli::access;
use crate::cli::changes;
use crate::cli::command::RemoteCommand;
use crate::cli::completion::Completes;
use crate::cli::confirmation::Confirmation;
use crate::cli::context::CommandContext;
use crate::cli::dry_run::DryRun;
use crate::cli::exit::Exit;
use crate::cli::file_options::own_time;
use crate::cli::format::Format;
use crate::cli::list_file::ListFile;
use crate::cli::locate::{file_path, locate_files};
use crate::cli::look_up::{LookedUp, collect, file_target};
use crate::cli::named_job::NamedJob;
use crate::cli::pattern::{PatternOptions, RemotePattern};
use crate::cli::stderr::{self, InvalidUsage};
use crate::cli::work::BulkOptions;
use crate::engine::tree_filter::is_hidden;
use crate::engine::{Item, Job};
use crate::tui::input::expiry::{self, Expiry};

const EXAMPLES: &str = "\
Examples:
  filedeck set --access public '/marketing/**/*.png' --yes
  filedeck set --expires 30d --usable no /drafts/offer.pdf";

/// Change access, expiry and use of files
///
/// Properties that you do not name stay as they are. A pattern matches files only.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("change").required(true).multiple(true))]
pub struct Args {
    /// Paths, ids or patterns of files
    #[arg(required_unless_present = "from_file", value_name = "REMOTE", add = Completes::Remote)]
    pub remotes: Vec<RemotePattern>,

    /// Access level: who may fetch the file's address
    #[arg(long, group = "change", value_name = "LEVEL", ignore_case = true, value_parser = access::levels())]
    pub access: Option<Access>,

    /// Time of deletion by the service: 30d, 2w, 3m or 1y from now, a date, or never
    #[arg(long, group = "change", value_name = "TIME")]
    pub expires: Option<String>,

    /// Allow pages and emails of the account to use it, or not
    #[arg(long, group = "change", value_name = "YES|NO", value_parser = yes_or_no)]
    pub usable: Option<bool>,

    #[command(flatten)]
    pub list: ListFile,

    /// Also publish names that begin with a dot; without this, a pattern leaves them out
    #[arg(long)]
    pub hidden: bool,

    #[command(flatten)]
    pub patterns: PatternOptions,

    #[command(flatten)]
    pub confirmation: Confirmation,

    #[command(flatten)]
    pub dry_run: DryRun,

    #[command(flatten)]
    pub bulk: BulkOptions,
}

impl RemoteCommand for Args {
    fn check(&self, _format: Format) -> Result<(), String> {
        self.update(own_time()).map(drop)
    }

    async fn run(self, context: &CommandContext) -> anyhow::Result<Exit> {
        context
            .session
            .check_writable()
            .context("nothing was changed")?;
        // A period begins at the service's time.
        let now = match &self.expires {
            Some(_) => context
                .client()
                .service_time()
                .await
                .context("nothing was changed")?,
            None => own_time(),
        };
        let update = self.update(now).map_err(InvalidUsage)?;
        let remotes = self.list.remotes(self.remotes)?;
        let mut tally = context.tally(0);
        let why = "it is a folder, and only files have access and expiry";
        let publishes = self.access.as_ref().is_some_and(Access::is_public) && !self.hidden;
        let find = async |remote: &RemotePattern| {
            let mut found = locate_files(context.client(), remote, self.patterns, why).await?;
            if publishes && found.is_pattern && !is_hidden(&remote.to_string()) {
                found.all.retain(|file| {
                    let path = file_path(file);
                    let is_left_out = is_hidden(&path);
                    if is_left_out {
                        let why = "hidden, and would be public; --hidden changes it, too";
                        stderr::warn(context.format, &format!("{path}: {why}"));
                    }
                    !is_left_out
                });
            }
            Ok(found)
        };
        let found = collect(&remotes, &mut tally, "change", file_target, find).await;
        let Some(LookedUp {
            all: files,
            patterns,
        }) = found
        else {
            return Ok(tally.finish());
        };
        let task = |file| NamedJob {
            name: file_path(file),
            job: Job::Change {
                file: Item::of(file),
                update: Box::new(update.clone()),
                seen: None,
            },
        };
        let tasks: Vec<NamedJob> = files.iter().map(task).collect();
        if !self.dry_run.dry_run
            && !self
                .confirmation
                .of_patterns(&patterns, &tasks, "change")
                .await?
        {
            return Ok(Exit::Failed);
        }
        changes::finish(context, self.dry_run, self.bulk, tasks, tally).await
    }
}

impl Args {
    fn update(&self, now: ServiceTime) -> Result<FileUpdate, String> {
        if self
            .expires
            .as_deref()
            .is_some_and(|text| text.trim().is_empty())
        {
            return Err("--expires is empty: give a period, a date or never".to_owned());
        }
        let expiry = expiry::read(self.expires.as_deref().unwrap_or_default(), now)
            .map_err(|problem| format!("--expires: {problem}"))?;
        Ok(FileUpdate {
            access: self.access.clone(),
            is_usable_in_content: self.usable,
            expires_at: if let Expiry::At(time) = expiry {
                Some(time)
            } else {
                None
            },
            clear_expires: (expiry == Expiry::Never).then_some(true),
            ..FileUpdate::default()
        })
    }
}

fn yes_or_no(text: &str) -> Result<bool, &'static str> {
    match text.to_ascii_lowercase().as_str() {
        "yes" | "true" => Ok(true),
        "no" | "false" => Ok(false),
        _ => Err("say yes or no"),
    }
}
