//! What `sync` and `diff` share: the two folders, what of them is compared, and the steps that make one like the other.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::Context as _;
use jiff::Timestamp;
use serde::Serialize;

use super::context::CommandContext;
use super::locate::{Located, locate};
use super::output::{Output, OutputError};
use super::remote::RemoteArgument;
use super::stderr::InvalidUsage;
use crate::api::model::UploadOptions;
use crate::api::{Error, Kind};
use crate::engine::message::FolderRef;
use crate::engine::ops::compare_trees::{Naming, compare};
use crate::engine::sync::{ComparedTrees, StepWork, SyncAction, SyncStep, SyncTarget, steps};
use crate::engine::tree_filter::TreeFilter;
use crate::tui::widget::figures;

/// A folder of either side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SyncSide {
    Local(PathBuf),
    Remote(RemoteArgument),
}

impl FromStr for SyncSide {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_prefix("local:") {
            Some(path) => Ok(Self::Local(path.into())),
            None if text.starts_with('/') || text.starts_with("id:") => {
                text.parse().map(Self::Remote).map_err(|error: super::remote::RemoteError| error.to_string())
            }
            None if text.is_empty() => Err("it is empty".to_owned()),
            None => Ok(Self::Local(text.into())),
        }
    }
}

impl fmt::Display for SyncSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Local(path) => path.display().fmt(f),
            Self::Remote(remote) => remote.fmt(f),
        }
    }
}

// Without a doc comment, which would take the place of each command's own.
#[derive(Debug, clap::Args)]
pub struct SyncFolders {
    /// Folder to read
    pub source: SyncSide,

    /// Folder that is to be like it
    pub dest: SyncSide,

    /// Compare only files that match; may be repeated
    #[arg(long, value_name = "PATTERN")]
    pub include: Vec<String>,

    /// Leave out files and folders that match, on both sides; may be repeated
    #[arg(long, value_name = "PATTERN")]
    pub exclude: Vec<String>,

    /// Leave out what .gitignore files say, on both sides
    #[arg(long)]
    pub gitignore: bool,
}

/// A sync that was not begun.
#[derive(Debug)]
pub struct SyncPlan {
    pub steps: Vec<SyncStep>,
    pub trees: ComparedTrees,
    pub target: SyncTarget,
    /// How many files of the source are compared.
    pub source_files: usize,
}

impl SyncFolders {
    /// Refuses folders of one side only.
    pub fn check(&self) -> Result<(), String> {
        match (&self.source, &self.dest) {
            (SyncSide::Local(_), SyncSide::Local(_)) => {
                Err("both folders are on this machine; a remote path begins with '/'".to_owned())
            }
            (SyncSide::Remote(_), SyncSide::Remote(_)) => {
                let hint = "write the one of this machine as a relative path, or as in local:/home/ada/site";
                Err(format!("both folders are remote; {hint}"))
            }
            _ => Ok(()),
        }
    }

    /// Reads both sides and finds out what is to be done.
    pub async fn plan(
        &self,
        context: &CommandContext,
        options: UploadOptions,
        delete: bool,
    ) -> anyhow::Result<SyncPlan> {
        let usage = |error: Error| InvalidUsage(error.message);
        let filter = TreeFilter::new(&self.include, &self.exclude, self.gitignore).map_err(usage)?;
        let what = || format!("cannot compare {} with {}", self.source, self.dest);
        let (trees, target, source_files) = match (&self.source, &self.dest) {
            (SyncSide::Local(local), SyncSide::Remote(remote)) => {
                let (into, below) = target_folder(context, remote).await.with_context(what)?;
                let there = below.is_empty().then_some(&into);
                let local = std::path::absolute(local).unwrap_or_else(|_| local.clone());
                let trees = compare(context.client(), Some(&local), there, &filter, Naming::Remote);
                let trees = trees.await.with_context(what)?;
                let options = Box::new(options.into());
                let files = trees.local_files;
                (trees, SyncTarget::Remote { into, below, options, asked_at: Timestamp::now() }, files)
            }
            (SyncSide::Remote(remote), SyncSide::Local(local)) => {
                let found = locate(context.client(), remote).await.with_context(what)?;
                let folder = found.into_place().ok_or_else(not_a_folder).with_context(what)?;
                let local = std::path::absolute(local).unwrap_or_else(|_| local.clone());
                // The comparison refuses what is there and is no folder.
                let here = local.exists().then_some(local.as_path());
                let trees = compare(context.client(), here, Some(&folder), &filter, Naming::OnDisk);
                let trees = trees.await.with_context(what)?;
                let files = trees.remote_files;
                (trees, SyncTarget::Local(local), files)
            }
            _ => return Err(InvalidUsage(self.check().err().unwrap_or_default()).into()),
        };
        Ok(SyncPlan { steps: steps(&trees, &target, delete), trees, target, source_files })
    }
}

fn not_a_folder() -> Error {
    Error::new(Kind::Refused, "the remote path is a file, and only folders can be compared")
}

/// The folder to make like another one; what is not there is to be made below the root folder.
async fn target_folder(context: &CommandContext, remote: &RemoteArgument) -> Result<(FolderRef, String), Error> {
    match (locate(context.client(), remote).await, remote) {
        (Ok(located @ (Located::Root | Located::Folder(_))), _) => {
            Ok((located.into_place().ok_or_else(not_a_folder)?, String::new()))
        }
        (Ok(Located::File(_)), _) => Err(not_a_folder()),
        (Err(error), RemoteArgument::Path(path)) if error.kind == Kind::NotFound => {
            Ok((FolderRef::root(), path.as_str().trim_start_matches('/').to_owned()))
        }
        (Err(error), _) => Err(error),
    }
}

/// A step as JSON.
#[derive(Debug, Serialize)]
struct StepLine<'a> {
    action: SyncAction,
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
}

/// Prints a step: `+ a/b.png`; a step that cannot be done with why.
pub fn print(output: &mut Output, step: &SyncStep) -> Result<(), OutputError> {
    let message = if let StepWork::Refused(why) = &step.does { Some(why.as_str()) } else { None };
    let line = StepLine { action: step.action, path: &step.path, size: step.size, message };
    output.item(&line, || {
        let why = message.map(|why| format!(": {why}")).unwrap_or_default();
        format!("{} {}{why}", sign(step.action), step.path)
    })
}

/// What stands before a path.
pub fn sign(action: SyncAction) -> char {
    match action {
        SyncAction::Create | SyncAction::CreateFolder => '+',
        SyncAction::Replace => '~',
        SyncAction::Delete => '-',
        SyncAction::Clash => '!',
    }
}

impl SyncPlan {
    /// `2 to create, 12 equal, 3 left out by patterns`, and what else is to be known of what was compared.
    pub fn summary(&self) -> String {
        let ComparedTrees { same, by_size, filtered, left_out, .. } = &self.trees;
        let actions = [
            ("to create", &[SyncAction::Create, SyncAction::CreateFolder][..]),
            ("to replace", &[SyncAction::Replace]),
            ("to delete", &[SyncAction::Delete]),
            ("that cannot be compared", &[SyncAction::Clash]),
        ];
        let count = |actions: &[SyncAction]| -> usize {
            self.steps.iter().filter(|step| actions.contains(&step.action)).map(|step| step.items).sum()
        };
        let counts = actions.map(|(words, actions)| (count(actions), words));
        let mut parts: Vec<String> = counts
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, words)| format!("{} {words}", figures::number(count)))
            .collect();
        parts.push(format!("{} equal", figures::number(*same)));
        if *by_size > 0 {
            parts.push(format!("{} of them by size alone", figures::number(*by_size)));
        }
        if *filtered > 0 {
            parts.push(format!("{} left out by patterns", figures::number(*filtered)));
        }
        if !left_out.is_empty() {
            parts.push(format!("{} not compared", figures::number(left_out.len())));
        }
        parts.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::relative("site", true)]
    #[case::dot("./site", true)]
    #[case::marked("local:/home/ada/site", true)]
    #[case::absolute("/web", false)]
    #[case::id("id:12", false)]
    fn a_slash_at_its_start_makes_a_folder_remote(#[case] text: &str, #[case] is_local: bool) {
        assert_eq!(matches!(text.parse(), Ok(SyncSide::Local(_))), is_local, "{text}");
    }
}
