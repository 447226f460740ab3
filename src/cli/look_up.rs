//! Looks up everything that a command was given, and reports what could not be found.

use super::context::CommandContext;
use super::locate::{Found, Located, locate_all, locate_files};
use super::pattern::{PatternOptions, RemotePattern};
use super::tally::RunTally;
use crate::api::model::File;
use crate::api::{Error, Kind};

#[derive(Debug)]
pub struct LookedUp<T> {
    pub all: Vec<T>,
    /// The numbers of matches of the patterns to confirm, as in `/a/* matches 12`.
    pub patterns: Vec<String>,
}

/// Looks up the arguments; `command` is for messages such as `cannot delete /a`. `None` if the rest
/// need not be tried.
pub async fn look_up(
    context: &CommandContext,
    remotes: &[RemotePattern],
    options: PatternOptions,
    tally: &mut RunTally,
    command: &str,
) -> Option<LookedUp<Located>> {
    let client = context.client();
    collect(remotes, tally, command, async |remote| {
        locate_all(client, remote, options).await
    })
    .await
}

/// Looks up each argument with `find`; otherwise the same as `look_up`.
pub async fn collect<T>(
    remotes: &[RemotePattern],
    tally: &mut RunTally,
    command: &str,
    find: impl AsyncFn(&RemotePattern) -> Result<Found<T>, Error>,
) -> Option<LookedUp<T>> {
    let mut looked_up = LookedUp {
        all: Vec::new(),
        patterns: Vec::new(),
    };
    for remote in remotes {
        let found = if remote.has_empty_name() {
            let message = "there is an empty name in the path, perhaps from an empty variable";
            Err(Error::new(Kind::Refused, message))
        } else {
            find(remote).await
        };
        match found {
            Ok(found) => {
                tally.also(found.all.len().saturating_sub(1));
                if found.is_pattern {
                    looked_up
                        .patterns
                        .push(format!("{remote} matches {}", found.all.len()));
                }
                looked_up.all.extend(found.all);
            }
            Err(error) if tally.failed(&format!("cannot {command} {remote}"), &error) => {
                return None;
            }
            Err(_) => {}
        }
    }
    Some(looked_up)
}

/// Looks up files only; a folder is refused with the reason `why`.
pub async fn look_up_files(
    context: &CommandContext,
    remotes: &[RemotePattern],
    options: PatternOptions,
    tally: &mut RunTally,
    (command, why): (&str, &str),
) -> Option<LookedUp<File>> {
    let client = context.client();
    collect(remotes, tally, command, async |remote| {
        locate_files(client, remote, options, why).await
    })
    .await
}
