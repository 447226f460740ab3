//! The shared parts of `sync` and `diff`: two folders, what is compared, and the steps that make
//! one like the other.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use jiff::Timestamp;

use super::account_path::AccountPath;
use super::completion::Completes;
use super::context::CommandContext;
use super::file_filter::{LocalLinks, SizeAndAge, TreePatterns};
use super::locate::locate;
use super::remote::RemoteArgument;
use super::side_path::{SidePath, absolute, readings, refuse_local};
use super::stderr::InvalidUsage;
use crate::api::model::{Access, UploadOptions};
use crate::api::paths::join;
use crate::api::{Error, Kind};
use crate::engine::ancestors::lies_in;
use crate::engine::folder_comparison::{
    ComparedEntry, EntryHere, FolderComparison, Likeness, RemoteEntry,
};
use crate::engine::left_out::Reason;
use crate::engine::message::FolderRef;
use crate::engine::ops::compare_trees::compare;
use crate::engine::ops::gitignore_rules::GitignoreRules;
use crate::engine::ops::local_tree::{self, LocalTree};
use crate::engine::ops::locate::nearest;
use crate::engine::ops::remote_side::{self, RemoteSide};
use crate::engine::ops::renames::{self, Gone};
use crate::engine::ops::tree_here::TreeHere;
use crate::engine::plan::Direction;
use crate::engine::sync::{SyncAction, SyncStep, steps};
use crate::engine::tree_filter::{FileBounds, HiddenNames, TreeFilter, is_hidden};
use crate::tui::widget::figures;

// No doc comment: it would replace each command's own.
#[derive(Debug, clap::Args)]
pub struct SyncFolders {
    /// Folder to read
    #[arg(add = Completes::EitherSide)]
    pub source: SidePath,

    /// Folder to make like it
    #[arg(add = Completes::EitherSide)]
    pub dest: SidePath,

    #[command(flatten)]
    pub patterns: TreePatterns,

    #[command(flatten)]
    pub size_and_age: SizeAndAge,

    #[command(flatten)]
    pub links: LocalLinks,
}

#[derive(Debug)]
pub struct SyncSides {
    pub here: SideHere,
    pub account: AccountSide,
}

/// The first side: a folder of this machine, or of an account by its name in the journal.
#[derive(Debug)]
pub enum SideHere {
    Disk(LocalTree),
    Account(String, RemoteSide),
}

/// The account's side, as far as it is known.
#[derive(Debug)]
pub struct AccountSide {
    pub there: RemoteSide,
    pub direction: Direction,
    /// The part of the account's folder that is yet to be created.
    pub below: String,
    /// Apply to the source; to the target for what only that has.
    pub bounds: FileBounds,
    pub hidden: HiddenNames,
}

/// A sync that has not begun.
#[derive(Debug)]
pub struct SyncPlan {
    pub steps: Vec<SyncStep>,
    pub found: FolderComparison,
    /// The number of files compared in the source.
    pub source_files: usize,
}

impl SyncFolders {
    /// Refuses two folders of this machine, and paths that may be of either side; `has_access` is
    /// set if an access level is given.
    pub fn check(&self, has_access: bool) -> Result<(), String> {
        if self.links.follow_links && matches!(self.source, SidePath::Remote(_)) {
            return Err("--follow-links is for a SOURCE on this machine".to_owned());
        }
        let (source, dest) = match (&self.source, &self.dest) {
            (SidePath::Local(_), SidePath::Local(_)) => {
                return Err(
                    "both folders are on this machine; a remote path begins with '/'".to_owned(),
                );
            }
            (SidePath::Remote(source), SidePath::Remote(dest)) => (source, dest),
            _ => return Ok(()),
        };
        if let Some(readings) = readings(source, dest) {
            return Err(readings);
        }
        if has_access {
            return Err(
                "between accounts each file keeps its access level; leave out --access".to_owned(),
            );
        }
        if self.patterns.gitignore {
            return Err(
                "--gitignore reads files of this machine; between accounts use --exclude"
                    .to_owned(),
            );
        }
        Ok(())
    }

    pub async fn read(
        &self,
        context: &CommandContext,
        options: UploadOptions,
    ) -> anyhow::Result<SyncSides> {
        // Only uploads are published.
        let is_up = matches!(self.dest, SidePath::Remote(_));
        let mut filter = self.patterns.filter(if is_up {
            &options.access
        } else {
            &Access::Private
        })?;
        filter.follow_links = self.links.follow_links;
        filter.bounds = self.size_and_age.bounds();
        let what = || format!("cannot compare {} with {}", self.source, self.dest);
        match (&self.source, &self.dest) {
            (SidePath::Local(local), SidePath::Remote(remote)) => {
                refuse_local(context, remote, true)
                    .await
                    .with_context(what)?;
                let (local, remote) = (absolute(local), &remote.remote);
                let read = AccountSide::upward(context, &local, remote, &filter, options).await;
                let (tree, account) = read.with_context(what)?;
                let here = SideHere::Disk(tree);
                Ok(SyncSides { here, account })
            }
            (SidePath::Remote(remote), SidePath::Local(local)) => {
                let sides =
                    SyncSides::downward(context, &remote.remote, absolute(local), &filter).await;
                sides.with_context(what)
            }
            (SidePath::Remote(source), SidePath::Remote(dest)) => {
                let sides = SyncSides::between(context, source, &dest.remote, &filter).await;
                sides.with_context(what)
            }
            _ => Err(InvalidUsage(self.check(false).err().unwrap_or_default()).into()),
        }
    }
}

impl SyncFolders {
    /// Returns the account that the jobs run on, if a path names it.
    pub fn account(&self) -> Option<&str> {
        match &self.dest {
            SidePath::Remote(dest) => dest.account.as_deref(),
            SidePath::Local(_) => self.source.account(),
        }
    }

    /// Returns `true` if a path without an account is of the chosen one.
    pub fn uses_chosen_account(&self) -> bool {
        self.source.is_of_chosen_account() || self.dest.is_of_chosen_account()
    }
}

impl SideHere {
    pub fn tree(&self) -> TreeHere<'_> {
        match self {
            Self::Disk(tree) => TreeHere::Disk(tree),
            Self::Account(account, side) => TreeHere::Account(account, side),
        }
    }
}

impl AccountSide {
    /// Reads a local folder and the remote folder that is to be like it.
    pub async fn upward(
        context: &CommandContext,
        local: &Path,
        remote: &RemoteArgument,
        filter: &TreeFilter,
        options: UploadOptions,
    ) -> Result<(LocalTree, Self), Error> {
        let target = target_folder(context, remote).await?;
        let here = local_tree::read(local, filter).await?;
        let account = Self::read(context, target, filter, &here.rules, options).await?;
        Ok((here, account))
    }

    async fn read(
        context: &CommandContext,
        SyncTarget { into, below }: SyncTarget,
        filter: &TreeFilter,
        rules: &GitignoreRules,
        options: UploadOptions,
    ) -> Result<Self, Error> {
        let there = if below.is_empty() {
            remote_side::read(context.client(), &into, filter, rules).await?
        } else {
            RemoteSide::default()
        };
        let direction = Direction::Up {
            into,
            options: Box::new(options.into()),
            asked_at: Timestamp::now(),
        };
        Ok(Self {
            there,
            direction,
            below,
            bounds: filter.bounds,
            hidden: filter.hidden,
        })
    }
}

impl SyncSides {
    /// Reads a folder of an account and the folder, perhaps of another one, that is to be like it.
    async fn between(
        context: &CommandContext,
        source: &AccountPath,
        dest: &RemoteArgument,
        filter: &TreeFilter,
    ) -> anyhow::Result<Self> {
        let from = context.sources.open(source.account.as_deref()).await?;
        let folder = locate(&from.client, &source.remote).await?;
        let folder = folder.into_place().ok_or_else(not_a_folder)?;
        let target = target_folder(context, dest).await?;
        if from.account == context.session.account() {
            refuse_nested(&folder.path, &join(&target.into.path, &target.below))?;
        }
        let (options, rules) = (
            UploadOptions::new(Access::Private),
            GitignoreRules::default(),
        );
        let tree = remote_side::read(&from.client, &folder, filter, &rules).await?;
        let account = AccountSide::read(context, target, filter, &rules, options).await?;
        Ok(Self {
            here: SideHere::Account(from.account, tree),
            account,
        })
    }

    /// Reads a remote folder and the local folder that is to be like it.
    async fn downward(
        context: &CommandContext,
        remote: &RemoteArgument,
        local: PathBuf,
        filter: &TreeFilter,
    ) -> Result<Self, Error> {
        let folder = locate(context.client(), remote)
            .await?
            .into_place()
            .ok_or_else(not_a_folder)?;
        let unreadable = |error| Error::local(&format!("Cannot read {}", local.display()), &error);
        // The comparison refuses anything there that is not a folder.
        let is_there = local.try_exists().map_err(unreadable)?;
        let here = if is_there {
            local_tree::read(&local, filter).await?
        } else {
            LocalTree::default()
        };
        let there = remote_side::read(context.client(), &folder, filter, &here.rules).await?;
        let account = AccountSide {
            there,
            direction: Direction::Down {
                into: local,
                numbered: false,
            },
            below: String::new(),
            bounds: filter.bounds,
            hidden: filter.hidden,
        };
        let here = SideHere::Disk(here);
        Ok(Self { here, account })
    }
}

impl AccountSide {
    /// Looks for the remote folder again if it did not exist.
    pub async fn find_target(
        &mut self,
        context: &CommandContext,
        remote: &RemoteArgument,
    ) -> Result<(), Error> {
        if let Direction::Up { into, .. } = &mut self.direction
            && !self.below.is_empty()
        {
            SyncTarget {
                into: *into,
                below: self.below,
            } = target_folder(context, remote).await?;
        }
        Ok(())
    }

    /// Leaves alone the files that are outside the bounds, and hidden ones whose new content anybody
    /// could read.
    fn leave_out(&self, found: &mut FolderComparison) {
        let is_up = matches!(self.direction, Direction::Up { .. });
        let reason = |path: &str, entry: &ComparedEntry| {
            let (here, there) = (entry.here.as_ref(), entry.there.as_ref());
            let is_public = |there: &RemoteEntry| {
                let access = there.access.as_ref();
                access.is_some_and(Access::is_public)
            };
            if is_up
                && self.hidden != HiddenNames::Published
                && is_hidden(path)
                && here.is_some()
                && there.is_some_and(is_public)
                && entry.likeness == Likeness::Differs
            {
                return Some(Reason::Hidden);
            }
            let here = here.map(|here| (here.size(), here.updated_at()));
            let there = there.map(|there| (there.item.size, there.updated_at));
            let (size, changed_at) = if is_up {
                here.or(there)
            } else {
                there.or(here)
            }?;
            self.bounds.leaves_out(size, changed_at)
        };
        let files = found.entries.iter().filter(|(_, entry)| !entry.is_folder);
        let left: Vec<(String, Reason)> = files
            .filter_map(|(path, entry)| Some((path.clone(), reason(path, entry)?)))
            .collect();
        for (path, reason) in left {
            found.entries.remove(&path);
            found.left_out.add(path, reason);
        }
    }

    /// Plans the steps that make the target like the source. Nothing counts as renamed while
    /// something could not be read: it may be there.
    pub async fn plan(&self, here: TreeHere<'_>, delete: bool, finds_renames: bool) -> SyncPlan {
        let mut found = compare(here, &self.there).await;
        let is_up = matches!(self.direction, Direction::Up { .. });
        self.leave_out(&mut found);
        if delete && finds_renames && is_up && found.left_out.is_readable() {
            renames::take(&mut found, Gone::Unique).await;
        }
        SyncPlan::of(found, self, delete)
    }
}

fn refuse_nested(source: &str, target: &str) -> Result<(), Error> {
    let message = if source.trim_end_matches('/') == target.trim_end_matches('/') {
        format!("{source} is on both sides; name another folder")
    } else if lies_in(source, target) || lies_in(target, source) {
        format!("{source} and {target} lie in one another; name another folder")
    } else {
        return Ok(());
    };
    Err(Error::new(Kind::Refused, message))
}

fn not_a_folder() -> Error {
    Error::new(
        Kind::Refused,
        "the remote path is a file, and only folders can be compared",
    )
}

/// The folder to change, and the part of its path that does not exist yet.
struct SyncTarget {
    into: FolderRef,
    below: String,
}

async fn target_folder(
    context: &CommandContext,
    remote: &RemoteArgument,
) -> Result<SyncTarget, Error> {
    match (locate(context.client(), remote).await, remote) {
        (Ok(located), _) => Ok(SyncTarget {
            into: located.into_place().ok_or_else(not_a_folder)?,
            below: String::new(),
        }),
        (Err(error), RemoteArgument::Path(path)) if error.kind == Kind::NotFound => {
            let (into, below) = nearest(context.client(), path.as_str()).await?;
            Ok(SyncTarget { into, below })
        }
        (Err(error), _) => Err(error),
    }
}

/// The word of a summary that is there even if no file is equal.
const EQUAL: &str = "equal";

impl SyncPlan {
    /// Creates the plan of a comparison of these sides, or of a part of them.
    pub fn of(found: FolderComparison, side: &AccountSide, delete: bool) -> Self {
        let source_files = match side.direction {
            Direction::Up { .. } => found.files_here() + found.renames.len(),
            Direction::Down { .. } => found.files_there(),
        };
        Self {
            steps: steps(&found, &side.direction, &side.below, delete),
            found,
            source_files,
        }
    }

    /// Removes the deletions if something cannot be compared, or sent because of its name: it may
    /// be what seems to be gone. Returns `true` if there were any.
    pub fn withhold_deletions(&mut self, direction: &Direction) -> bool {
        let before = self.steps.len();
        let is_up = matches!(direction, Direction::Up { .. });
        let mut refused = self.steps.iter().filter(|step| step.refusal().is_some());
        if refused.next().is_some() || (is_up && self.found.left_out.unfit() > 0) {
            self.steps.retain(|step| step.action != SyncAction::Delete);
        }
        self.steps.len() < before
    }

    /// Returns the number of remote files that are on both sides and have another access level than
    /// new ones get: that of their source, or `level`.
    pub fn of_other_level(&self, level: &Access) -> usize {
        let both = self.found.entries.values().filter_map(|entry| {
            let expected = match entry.here.as_ref()? {
                EntryHere::Account(here) => here.access.as_ref(),
                EntryHere::Disk(_) => Some(level),
            };
            let access = entry.there.as_ref()?.access.as_ref();
            Some(access.is_some() && access != expected)
        });
        both.filter(|is_other| *is_other).count()
    }

    pub fn deletes(&self) -> bool {
        self.steps
            .iter()
            .any(|step| step.action == SyncAction::Delete)
    }

    /// Returns a summary such as `2 to create, 12 equal, 3 left out by filters`, with remarks on
    /// the comparison.
    pub fn summary(&self) -> String {
        let FolderComparison {
            by_size, left_out, ..
        } = &self.found;
        let named = left_out.named().count();
        let count = |actions: &[SyncAction]| -> usize {
            let steps = self.steps.iter();
            let steps = steps.filter(|step| actions.contains(&step.action));
            steps.map(|step| step.items).sum()
        };
        let counts = [
            (
                count(&[SyncAction::Create, SyncAction::CreateFolder]),
                "to create",
            ),
            (count(&[SyncAction::Replace]), "to replace"),
            (count(&[SyncAction::Move]), "to move to a new address"),
            (count(&[SyncAction::Delete]), "to delete"),
            (count(&[SyncAction::Clash]), "that cannot be compared"),
            (self.found.same(), EQUAL),
            (*by_size, "of them by size alone"),
            (left_out.paths.len() - named, "left out by filters"),
            (named, "not compared"),
        ];
        let shown_counts = counts
            .iter()
            .filter(|(count, words)| *count > 0 || *words == EQUAL);
        let parts: Vec<String> = shown_counts
            .map(|(count, words)| format!("{} {words}", figures::number(*count)))
            .collect();
        parts.join(", ")
    }
}
