//! Looks up everything that a command was given, and reports what could not be found.

use std::collections::HashSet;
use std::fmt::Display;

use super::context::CommandContext;
use super::locate::{Found, Located, locate_all};
use super::pattern::{PatternOptions, RemotePattern};
use super::tally::RunTally;
use crate::api::Error;
use crate::api::model::File;
use crate::engine::message::Target;

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
    let find = async |remote: &RemotePattern| {
        remote.refuse_empty_name()?;
        locate_all(context.client(), remote, options).await
    };
    collect(remotes, tally, command, Located::target, find).await
}

/// Looks up each argument with `find`; otherwise the same as `look_up`. Items with the same
/// `target` are one, however often they are given.
pub async fn collect<A: Display, T>(
    arguments: &[A],
    tally: &mut RunTally,
    command: &str,
    target: impl Fn(&T) -> Option<Target>,
    find: impl AsyncFn(&A) -> Result<Found<T>, Error>,
) -> Option<LookedUp<T>> {
    let (mut all, mut patterns, mut failures) = (Vec::new(), Vec::new(), Vec::new());
    let mut known = HashSet::new();
    tally.also(arguments.len());
    for argument in arguments {
        match find(argument).await {
            Ok(found) => {
                if found.is_pattern {
                    patterns.push(format!("{argument} matches {}", found.all.len()));
                }
                let before = all.len();
                let is_new = |item: &T| target(item).is_none_or(|target| known.insert(target));
                all.extend(found.all.into_iter().filter(is_new));
                tally.instead(1, all.len() - before);
            }
            Err(error) => {
                let meets_all = error.meets_all();
                failures.push((argument.to_string(), error));
                if meets_all {
                    break;
                }
            }
        }
    }
    (!tally.failed_items(command, failures)).then_some(LookedUp { all, patterns })
}

/// Returns the target of a file, for `collect`.
pub fn file_target(file: &File) -> Option<Target> {
    Some(Target::File(file.id.clone()))
}
