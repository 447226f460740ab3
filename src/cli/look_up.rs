//! Looks up all that a command was given, and tells what could not be found.

use super::context::CommandContext;
use super::locate::{Located, locate_all, locate_files};
use super::pattern::RemotePattern;
use super::tally::RunTally;
use crate::api::Error;
use crate::api::model::File;

/// All that there is of these; `command` is for messages: `cannot delete /a`. None where the rest need not be tried.
pub async fn look_up(
    context: &CommandContext,
    remotes: &[RemotePattern],
    tally: &mut RunTally,
    command: &str,
) -> Option<Vec<Located>> {
    collect(remotes, tally, command, async |remote| locate_all(context.client(), remote).await).await
}

/// The same of files alone; a folder is refused for `why`.
pub async fn look_up_files(
    context: &CommandContext,
    remotes: &[RemotePattern],
    tally: &mut RunTally,
    command: &str,
    why: &str,
) -> Option<Vec<File>> {
    collect(remotes, tally, command, async |remote| locate_files(context.client(), remote, why).await).await
}

async fn collect<T>(
    remotes: &[RemotePattern],
    tally: &mut RunTally,
    command: &str,
    find: impl AsyncFn(&RemotePattern) -> Result<Vec<T>, Error>,
) -> Option<Vec<T>> {
    let mut all = Vec::new();
    for remote in remotes {
        match find(remote).await {
            Ok(found) => {
                tally.also(found.len().saturating_sub(1));
                all.extend(found);
            }
            Err(error) if tally.failed(&format!("cannot {command} {remote}"), &error) => return None,
            Err(_) => {}
        }
    }
    Some(all)
}
