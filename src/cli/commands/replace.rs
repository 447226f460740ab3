//! `filedeck replace`: uploads a local file's bytes under the id and address of a remote file.

use std::path::PathBuf;

use anyhow::Context as _;
use tempfile::NamedTempFile;

use crate::api::model::Access;
use crate::api::{Error, Kind, sendable};
use crate::cli::access;
use crate::cli::changes;
use crate::cli::command::RemoteCommand;
use crate::cli::completion::Completes;
use crate::cli::context::CommandContext;
use crate::cli::dry_run::DryRun;
use crate::cli::exit::Exit;
use crate::cli::file_options::charset;
use crate::cli::locate::{file_path, locate_files};
use crate::cli::named_job::NamedJob;
use crate::cli::pattern::{PatternOptions, RemotePattern};
use crate::cli::side_path::absolute;
use crate::cli::standard_input;
use crate::cli::work::BulkOptions;
use crate::engine::job::can_replace;
use crate::engine::seen_state::file_state;
use crate::engine::source::FileSource;
use crate::engine::{Item, Job};
use crate::regular_file::Links;
use crate::tui::widget::figures::count;

const EXAMPLES: &str = "\
Examples:
  filedeck replace logo.png /marketing/logo.png
  filedeck replace terms.pdf id:4711 --access public";

/// Replace the content of a file, which keeps its id and address
///
/// Access and expiry stay unless you change them. The old content is gone. Both must have the same
/// extension.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Local file; - is standard input
    #[arg(value_name = "LOCAL")]
    pub local: PathBuf,

    /// Path or id of the file
    #[arg(value_name = "REMOTE", add = Completes::Remote)]
    pub remote: RemotePattern,

    /// New access level: who may fetch the file's address
    #[arg(long, value_name = "LEVEL", ignore_case = true, value_parser = access::levels())]
    pub access: Option<Access>,

    /// Encoding of a text, as in windows-1252; without it the service guesses
    #[arg(long, value_name = "LABEL", value_parser = charset)]
    pub charset: Option<String>,

    #[command(flatten)]
    pub patterns: PatternOptions,

    #[command(flatten)]
    pub dry_run: DryRun,
}

impl RemoteCommand for Args {
    async fn run(self, context: &CommandContext) -> anyhow::Result<Exit> {
        context
            .session
            .check_writable()
            .context("nothing was replaced")?;
        let what = || format!("cannot replace {}", self.remote);
        let found = locate_files(
            context.client(),
            &self.remote,
            self.patterns,
            "it is a folder",
        )
        .await;
        let found = found.with_context(what)?;
        let ([file], false) = (found.all.as_slice(), found.is_pattern) else {
            let message = format!(
                "the pattern matches {}; name one file",
                count(found.all.len(), "file")
            );
            return Err(Error::new(Kind::Refused, message)).with_context(what);
        };
        // Removed when dropped, at the end.
        let spooled = if standard_input::is_meant(&self.local) {
            Some(standard_input::spool().await?)
        } else {
            sendable(&self.local, Links::Followed)
                .await
                .with_context(what)?;
            if !can_replace(&self.local, &file.full_name()) {
                let message = format!(
                    "{} has another extension, which a file keeps",
                    self.local.display()
                );
                return Err(Error::new(Kind::Refused, message)).with_context(what);
            }
            None
        };
        let local = spooled
            .as_ref()
            .map_or(self.local.as_path(), NamedTempFile::path);
        let job = Job::Replace {
            source: FileSource::Local(absolute(local)),
            file: Item::of(file),
            seen: Some(file_state(file)),
            charset: self.charset.clone(),
            access: self.access.clone(),
        };
        let tasks = vec![NamedJob {
            name: file_path(file),
            job,
        }];
        changes::finish(
            context,
            self.dry_run,
            BulkOptions::ONE,
            tasks,
            context.tally(1),
        )
        .await
    }
}
