//! The changes that a command has found: carried out with the result of each printed, or only
//! printed with `--dry-run`.

use super::context::CommandContext;
use super::dry_run::{self, DryRun};
use super::exit::Exit;
use super::locate::{file_path, folder_path};
use super::named_job::NamedJob;
use super::output::{Output, OutputError};
use super::tally::RunTally;
use super::work::{BulkOptions, LeftTask, carry_out};
use crate::api::model::File;
use crate::engine::{JobKind, Outcome};

/// Prints the path of a file, or the file as JSON.
pub(super) fn print_file(output: &mut Output, file: &File) -> Result<(), OutputError> {
    output.item(file, || file_path(file))?;
    output.flush()
}

/// Ends a command with its changes, each with the file or folder that it leaves.
pub(super) async fn finish(
    context: &CommandContext,
    DryRun { dry_run }: DryRun,
    bulk: BulkOptions,
    tasks: Vec<NamedJob>,
    mut tally: RunTally,
) -> anyhow::Result<Exit> {
    if dry_run {
        dry_run::print(context, &tasks, &mut tally).await?;
        return Ok(tally.finish());
    }
    let (mut output, journal) = (context.output(), context.journal_or_none().await?);
    let carried_out = carry_out(
        context,
        journal,
        bulk,
        tasks,
        &mut tally,
        |tally, _, outcome| {
            match outcome {
                Outcome::FileUpdated(file) | Outcome::Imported(file) | Outcome::Replaced(file) => {
                    print_file(&mut output, &file)?;
                }
                Outcome::FolderCreated(folder) => output.item(&folder, || folder_path(&folder))?,
                Outcome::FolderUpdated(folder) => {
                    output.item(&folder, || format!("{}/", folder_path(&folder)))?;
                }
                _ => return Ok(()),
            }
            tally.done();
            output.flush()
        },
    );
    for LeftTask { job, id } in carried_out.await? {
        let key = if job.job.kind() == JobKind::Import {
            "url"
        } else {
            "path"
        };
        let left = serde_json::json!({ "id": id, key: job.name });
        output.item(&left, || id.to_string())?;
    }
    output.flush()?;
    Ok(tally.finish())
}
