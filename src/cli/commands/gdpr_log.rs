//! `filedeck gdpr-log`: the receipts of permanent deletions.

use anyhow::Context as _;
use jiff::Timestamp;

use crate::cli::command::RemoteCommand;
use crate::cli::context::CommandContext;
use crate::cli::exit::Exit;
use crate::cli::format::Style;
use crate::engine::deletion::{Deletion, Receipt};

const EXAMPLES: &str = "\
Examples:
  filedeck gdpr-log --full
  filedeck gdpr-log --json > receipts.jsonl";

/// List the receipts of permanent deletions
///
/// A receipt says which file this machine has deleted permanently, when, and by when the service
/// has erased it; also its size, its MD5 and the service's answer, where they are known. Receipts
/// are kept forever; the newest come first.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Print every receipt as a text for people, not as a line
    #[arg(long)]
    full: bool,
}

impl RemoteCommand for Args {
    async fn run(self, context: &CommandContext) -> anyhow::Result<Exit> {
        let what = "cannot read the receipts";
        let journal = context.session.journal().await.context(what)?;
        let mut receipts = journal.deletions().await.context(what)?;
        receipts.retain(|deletion| deletion.gone_by.is_some());
        let account = context.session.source.name();
        let of_account = |deletion| Receipt { account, deletion };
        let mut output = context.output();
        if output.style() == Style::Json {
            receipts
                .iter()
                .try_for_each(|receipt| output.json(&of_account(receipt)))?;
        } else if self.full {
            let texts: Vec<String> = receipts.iter().map(|it| of_account(it).text()).collect();
            output.bytes(texts.join("\n").as_bytes())?;
        } else {
            let time =
                |time: Option<Timestamp>| time.map(|time| time.to_string()).unwrap_or_default();
            let row = |receipt: &Deletion| {
                [
                    time(Some(receipt.deleted_at)),
                    time(receipt.gone_by),
                    receipt.target.id().to_owned(),
                    receipt.path.clone(),
                ]
            };
            output.table(
                ["DELETED", "GONE BY", "ID", "PATH"],
                receipts.iter().map(row),
            )?;
        }
        output.flush()?;
        Ok(Exit::Ok)
    }
}
