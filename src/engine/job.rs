//! Everything that changes something or moves bytes: the one list of verbs. What the screen, the engine and the journal
//! need to know of a job is derived here, and nowhere else.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::item::{Item, Place, Target, what};
use crate::api::ids::{FolderId, TaskId};
use crate::api::model::{DuplicateStrategy, FileUpdate, ImportRequest, UploadOptions};
use crate::api::paths::join;
use crate::api::text::visible;

/// One verb and what it works on.
#[derive(Debug, Clone, PartialEq)]
pub enum Job {
    /// Sends one local file. Outcome: `Uploaded`.
    Upload { local: PathBuf, into: Place, name: Option<String>, options: UploadOptions },
    /// Puts a local file's bytes under a file's id and address. Outcome: `Replaced`.
    Replace { local: PathBuf, file: Item },
    /// Fetches one file into a local folder, under its own name made safe. Outcome: `Downloaded`.
    Download { file: Item, into: PathBuf },
    /// Starts an import and follows it to its end. Outcome: `Imported`.
    Import { request: ImportRequest, folder: String },
    /// Follows an import that an earlier run started. Outcome: `Imported`.
    WatchImport { task: TaskId, url: String, folder: String },
    /// Makes a folder; `a/b/c` makes the missing parents too. Outcome: `FolderCreated`, the innermost one.
    CreateFolder { parent: Place, name: String },
    /// Renames or moves a folder by the asynchronous road and follows it. Outcome: `FolderUpdated`.
    UpdateFolder { folder: FolderId, from: String, name: Option<String>, parent: Option<Place> },
    /// Follows a folder update that an earlier run started. Outcome: `FolderUpdated`.
    WatchFolderUpdate { task: TaskId, folder: FolderId, from: String, to: String },
    /// Changes files in place: name, access, expiry, use in content. Outcome: `FilesUpdated`.
    ChangeFiles { changes: Vec<(Item, FileUpdate)> },
    /// Puts files into another folder. Outcome: `FilesUpdated`.
    MoveFiles { files: Vec<Item>, into: Place },
    /// Deletes; `permanent` is the data-protection deletion and is for files only. Outcome: `Deleted`.
    Delete { items: Vec<Item>, permanent: bool },
}

/// What a job keeps busy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    Edit,
    Upload,
    Download,
    /// Mostly waits between two polls: as many as are asked for.
    Free,
}

/// What all jobs of a verb have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Verb {
    /// At most six characters, for the first column of a task.
    short: &'static str,
    /// For "… failed": what was tried.
    noun: &'static str,
    lane: Lane,
    /// Whether it changes the account.
    changes: bool,
    /// Whether the service does the work on its own, so that stopping here does not stop it there.
    remote: bool,
}

impl Job {
    /// The short words of all verbs, in the order in which counts of them are shown.
    pub const SHORTS: [&str; 9] = ["up", "repl", "down", "import", "move", "mkdir", "change", "delete", "purge"];

    fn verb(&self) -> Verb {
        let verb = |short, noun, lane| Verb { short, noun, lane, changes: true, remote: false };
        match self {
            Self::Upload { .. } => verb("up", "Upload", Lane::Upload),
            Self::Replace { .. } => verb("repl", "Replace", Lane::Upload),
            Self::Download { .. } => Verb { changes: false, ..verb("down", "Download", Lane::Download) },
            Self::Import { .. } => Verb { remote: true, ..verb("import", "Import", Lane::Free) },
            Self::WatchImport { .. } => Verb { changes: false, remote: true, ..verb("import", "Import", Lane::Free) },
            Self::CreateFolder { .. } => verb("mkdir", "New folder", Lane::Edit),
            Self::UpdateFolder { .. } => Verb { remote: true, ..verb("move", "Folder move", Lane::Free) },
            Self::WatchFolderUpdate { .. } => {
                Verb { changes: false, remote: true, ..verb("move", "Folder move", Lane::Free) }
            }
            Self::ChangeFiles { .. } => verb("change", "Change", Lane::Edit),
            Self::MoveFiles { .. } => verb("change", "Move", Lane::Edit),
            Self::Delete { permanent: false, .. } => verb("delete", "Delete", Lane::Edit),
            Self::Delete { permanent: true, .. } => verb("purge", "Permanent delete", Lane::Edit),
        }
    }

    /// At most six characters, for the first column of a task.
    pub fn short(&self) -> &'static str {
        self.verb().short
    }

    /// For "… failed": what was tried.
    pub fn noun(&self) -> &'static str {
        self.verb().noun
    }

    pub fn lane(&self) -> Lane {
        self.verb().lane
    }

    /// Whether an account that is for reading only refuses it.
    pub fn is_change(&self) -> bool {
        self.verb().changes
    }

    /// Whether the service does the work on its own, so that stopping here does not stop it there.
    pub fn is_remote(&self) -> bool {
        self.verb().remote
    }

    /// What it works on, safe to show: `banner.png`, `/legal -> /ops/legal`, `3 files`.
    pub fn label(&self) -> String {
        match self {
            Self::Upload { local, into, .. } => format!("{} -> {}", local_name(local), visible(&into.path)),
            Self::Replace { local, file } => format!("{} -> {}", local_name(local), visible(&file.path)),
            Self::Download { file, .. } => visible(&file.name).into_owned(),
            Self::Import { request, folder } => {
                format!("{} -> {}", visible(request.name.as_deref().unwrap_or(&request.url)), visible(folder))
            }
            Self::WatchImport { url, folder, .. } => format!("{} -> {}", visible(url), visible(folder)),
            Self::CreateFolder { parent, name } => visible(&join(&parent.path, name)).into_owned(),
            Self::UpdateFolder { from, .. } => {
                format!("{} -> {}", visible(from), visible(&self.folder_path().unwrap_or_default()))
            }
            Self::WatchFolderUpdate { from, to, .. } => format!("{} -> {}", visible(from), visible(to)),
            Self::ChangeFiles { changes } => match changes.as_slice() {
                [(item, FileUpdate { name: Some(stem), .. })] => {
                    let name = Path::new(&item.name).extension().map(|extension| extension.to_string_lossy());
                    let name = name.map_or_else(|| stem.clone(), |extension| format!("{stem}.{extension}"));
                    format!("{} -> {}", visible(&item.name), visible(&name))
                }
                changes => what(changes.iter().map(|(item, _)| item)),
            },
            Self::MoveFiles { files, into } => format!("{} -> {}", what(files), visible(&into.path)),
            Self::Delete { items, .. } => match items.as_slice() {
                [item] => visible(&item.path).into_owned(),
                items => what(items),
            },
        }
    }

    /// What it changes, moves or deletes.
    pub fn targets(&self) -> BTreeSet<Target> {
        match self {
            Self::Replace { file, .. } => [file.target.clone()].into(),
            Self::UpdateFolder { folder, .. } | Self::WatchFolderUpdate { folder, .. } => {
                [Target::Folder(folder.clone())].into()
            }
            Self::ChangeFiles { changes } => changes.iter().map(|(item, _)| item.target.clone()).collect(),
            Self::MoveFiles { files: items, .. } | Self::Delete { items, .. } => {
                items.iter().map(|item| item.target.clone()).collect()
            }
            Self::Upload { .. }
            | Self::Download { .. }
            | Self::Import { .. }
            | Self::WatchImport { .. }
            | Self::CreateFolder { .. } => BTreeSet::new(),
        }
    }

    /// The same job for these of its targets, as after a partial failure.
    #[must_use]
    pub fn only(&self, targets: &BTreeSet<Target>) -> Self {
        let mut rest = self.clone();
        match &mut rest {
            Self::ChangeFiles { changes } => changes.retain(|(item, _)| targets.contains(&item.target)),
            Self::MoveFiles { files: items, .. } | Self::Delete { items, .. } => {
                items.retain(|item| targets.contains(&item.target));
            }
            _ => {}
        }
        rest
    }

    /// How many things it works on.
    pub fn count(&self) -> usize {
        self.targets().len().max(1)
    }

    /// For a folder's rename or move: its path afterwards.
    pub fn folder_path(&self) -> Option<String> {
        match self {
            Self::UpdateFolder { from, name, parent, .. } => {
                let (above, old) = from.rsplit_once('/').unwrap_or(("", from));
                let above = parent.as_ref().map_or(above, |place| place.path.as_str());
                Some(join(above, name.as_deref().unwrap_or(old)))
            }
            Self::WatchFolderUpdate { to, .. } => Some(to.clone()),
            _ => None,
        }
    }

    /// What to know of the items that were done before a cancellation; begins with a space, or is empty.
    pub fn after_cancelling(&self) -> &'static str {
        match self {
            Self::Delete { permanent: true, .. } => " What is deleted for good stays deleted.",
            Self::Delete { .. } => " What is deleted stays deleted: the API has no call that restores it.",
            _ => " What is changed stays changed.",
        }
    }

    /// Whether a file that is there already may be the answer.
    pub fn returns_existing(&self) -> bool {
        let options = match self {
            Self::Upload { options, .. } => Some(options),
            Self::Import { request, .. } => Some(&request.options),
            _ => None,
        };
        options.is_some_and(|options| options.duplicate_validation_strategy == Some(DuplicateStrategy::ReturnExisting))
    }

    /// For a transfer: what it is called should it be cut short, and the local folder of a download.
    pub(super) fn transfer(&self) -> Option<(String, Option<&Path>)> {
        match self {
            Self::Upload { local, into, .. } => {
                Some((format!("Upload of {} into {}", local.display(), into.path), None))
            }
            Self::Replace { local, file } => Some((format!("Replace of {} by {}", file.path, local.display()), None)),
            Self::Download { file, into } => {
                Some((format!("Download of {} into {}", file.name, into.display()), Some(into)))
            }
            _ => None,
        }
    }
}

/// Whether a local file can be put in the place of a file of this name: an extension cannot be changed (`wire.md` §7).
pub fn can_replace(local: &Path, name: &str) -> bool {
    let extension = |path: &Path| path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    extension(local) == extension(Path::new(name))
}

fn local_name(local: &Path) -> String {
    let name = local.file_name().unwrap_or(local.as_os_str());
    visible(&name.to_string_lossy()).into_owned()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::api::ids::FileId;
    use crate::api::model::Access;

    fn file(name: &str) -> Item {
        Item { target: Target::File(FileId::new(name)), path: format!("/in/{name}"), name: name.to_owned(), size: None }
    }

    fn renamed(name: &str, stem: &str) -> Job {
        let update = FileUpdate { name: Some(stem.to_owned()), ..FileUpdate::default() };
        Job::ChangeFiles { changes: vec![(file(name), update)] }
    }

    fn moved(name: Option<&str>, parent: Option<&str>) -> Job {
        let parent = parent.map(|path| Place { id: None, path: path.to_owned() });
        Job::UpdateFolder { folder: FolderId::new("9"), from: "/a/b".to_owned(), name: name.map(str::to_owned), parent }
    }

    #[rstest]
    #[case::upload(
        Job::Upload { local: "/tmp/a.txt".into(), into: Place::root(), name: None, options: UploadOptions::new(Access::Private) },
        "a.txt -> /"
    )]
    #[case::replacement(Job::Replace { local: "/tmp/a.txt".into(), file: file("b.txt") }, "a.txt -> /in/b.txt")]
    #[case::rename(renamed("a.txt", "z"), "a.txt -> z.txt")]
    #[case::rename_without_extension(renamed("README", "NOTES"), "README -> NOTES")]
    #[case::folder_rename(moved(Some("c"), None), "/a/b -> /a/c")]
    #[case::folder_move(moved(None, Some("/x")), "/a/b -> /x/b")]
    #[case::folder_move_to_the_root(moved(None, Some("/")), "/a/b -> /b")]
    #[case::one_deletion(Job::Delete { items: vec![file("a.txt")], permanent: false }, "/in/a.txt")]
    #[case::deletions(Job::Delete { items: vec![file("a"), file("b")], permanent: true }, "2 files")]
    #[case::a_name_that_acts(Job::Download { file: file("a\u{1b}[2J"), into: "/tmp".into() }, "a\\u{1b}[2J")]
    fn a_job_says_what_it_works_on(#[case] job: Job, #[case] label: &str) {
        assert_eq!(job.label(), label);
    }

    #[test]
    fn every_verb_is_among_those_that_are_counted() {
        let jobs = [
            renamed("a", "b"),
            moved(Some("c"), None),
            Job::Replace { local: "/a".into(), file: file("a") },
            Job::Delete { items: Vec::new(), permanent: false },
            Job::Delete { items: Vec::new(), permanent: true },
            Job::Download { file: file("a"), into: "/".into() },
        ];
        for job in jobs {
            assert!(Job::SHORTS.contains(&job.short()) && job.short().len() <= 6, "{}", job.short());
        }
    }

    #[test]
    fn what_is_left_after_a_failure_is_the_same_job_for_fewer() {
        let job = Job::MoveFiles { files: vec![file("a"), file("b")], into: Place::root() };
        let failed = [file("b").target].into();
        assert_eq!(job.only(&failed), Job::MoveFiles { files: vec![file("b")], into: Place::root() });
        assert_eq!((job.count(), job.only(&failed).count()), (2, 1));
    }

    #[test]
    fn watching_and_fetching_change_nothing() {
        let watch = Job::WatchImport { task: TaskId::new("t"), url: String::new(), folder: String::new() };
        assert!(!watch.is_change() && watch.is_remote());
        assert!(!Job::Download { file: file("a"), into: "/".into() }.is_change());
        assert!(Job::Delete { items: vec![file("a")], permanent: false }.is_change());
    }
}
