//! `filedeck replace`: a local file's bytes under the id and address of a remote file.

use std::path::PathBuf;

use anyhow::Context as _;

use crate::api::model::Access;
use crate::api::{Error, Kind};
use crate::cli::access;
use crate::cli::command::RemoteCommand;
use crate::cli::completion::Completes;
use crate::cli::context::CommandContext;
use crate::cli::dry_run::{self, DryRun};
use crate::cli::exit::Exit;
use crate::cli::file_options::charset;
use crate::cli::locate::{file_path, locate_files};
use crate::cli::named_job::NamedJob;
use crate::cli::pattern::RemotePattern;
use crate::cli::tally::RunTally;
use crate::cli::work::{BulkOptions, carry_out};
use crate::engine::{Item, Job, Outcome};

const EXAMPLES: &str = "\
Examples:
  filedeck replace logo.png /marketing/logo.png
  filedeck replace terms.pdf id:4711 --access public";

/// Replace the content of a file, which keeps its id and address
///
/// Access and expiry stay unless you change them. The old content is gone. Both must have the same extension.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Local file
    #[arg(value_name = "LOCAL")]
    pub local: PathBuf,

    /// Path or id of the file
    #[arg(value_name = "REMOTE", add = Completes::Remote)]
    pub remote: RemotePattern,

    /// Who may fetch the file's address from then on
    #[arg(long, value_name = "LEVEL", ignore_case = true, value_parser = access::levels())]
    pub access: Option<Access>,

    /// Encoding of a text, as in windows-1252; without it the service guesses
    #[arg(long, value_name = "LABEL", value_parser = charset)]
    pub charset: Option<String>,

    #[command(flatten)]
    pub dry_run: DryRun,
}

impl RemoteCommand for Args {
    /// Looks the file up, then sends the bytes.
    async fn run(self, context: &CommandContext) -> anyhow::Result<Exit> {
        context.session.check_writable().context("nothing was replaced")?;
        let what = || format!("cannot replace {}", self.remote);
        let files = locate_files(context.client(), &self.remote, "it is a folder").await.with_context(what)?;
        let [file] = files.as_slice() else {
            let message = format!("the pattern matches {} files; name one", files.len());
            return Err(Error::new(Kind::Refused, message)).with_context(what);
        };
        let job = Job::Replace {
            // The journal keeps the path, and whoever continues with it may be elsewhere.
            local: std::path::absolute(&self.local).unwrap_or_else(|_| self.local.clone()),
            file: Item::of(file),
            seen: file.file_md5.clone(),
            charset: self.charset.clone(),
            access: self.access.clone(),
        };
        let (tasks, mut tally) = (vec![NamedJob { name: file_path(file), job }], RunTally::new(context.format, 1));
        if self.dry_run.dry_run {
            dry_run::print(context, &tasks, &mut tally)?;
            return Ok(tally.finish());
        }
        let (mut output, journal) = (context.output(), context.journal_or_none().await?);
        let told = carry_out(context, journal, BulkOptions::ONE, tasks, &mut tally, |tally, _, outcome| {
            if let Outcome::Replaced(file) = outcome {
                tally.done();
                output.item(&file, || file_path(&file))?;
            }
            output.flush()
        });
        told.await?;
        Ok(tally.finish())
    }
}
