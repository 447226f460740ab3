//! Everything that changes something or moves bytes: the one list of kinds of jobs, each on one
//! thing. What the screen, the queue, and the journal need to know about a job is derived here, and
//! nowhere else.

mod kind;

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use url::Url;

pub use kind::{JobKind, Pool};

use super::item::{FolderRef, Item, Target};
use super::local_path;
use super::seen_state::LocalState;
use super::sending::Sending;
use super::source::{FileSource, RemoteSource};
use crate::api::Error;
use crate::api::ids::FolderId;
use crate::api::model::{Access, DuplicateStrategy, FileUpdate, ImportRequest};
use crate::api::paths::join;
use crate::api::text::visible;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Job {
    /// Sends a local file, or one of an account. Outcome: `Uploaded`; or, if `present` or `free_at` allows, `Present`:
    /// others stored it.
    Upload {
        #[serde(flatten)]
        source: FileSource,
        into: FolderRef,
        /// `None` for the source's own. Missing folders before it, as in `banners/01.png`, are
        /// created.
        name: Option<String>,
        options: Sending,
        /// Set if the same content under the same name counts as uploaded.
        present: bool,
        /// The time at which the name was free: nothing is sent if another upload of this machine
        /// has taken it since. `None` if the file may be stored beside another one, under a name
        /// with a number.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        free_at: Option<Timestamp>,
    },
    /// Puts the bytes of a source under a file's id and URL. Outcome: `Replaced`.
    Replace {
        #[serde(flatten)]
        source: FileSource,
        file: Item,
        /// The `file_state` when decided, or the MD5 of an edited text's content: refused if it has
        /// changed by then.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seen: Option<String>,
        /// The encoding of a text; if `None`, the service looks at the bytes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        charset: Option<String>,
        /// The new access level; `None` to keep the present one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        access: Option<Access>,
    },
    /// Fetches a file into a local folder. Outcome: `Downloaded`.
    Download {
        file: Item,
        #[serde(with = "local_path")]
        into: PathBuf,
        /// A path below that, as in `banners/01.png`, with missing folders created; `None` for the
        /// own name made safe.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        #[serde(default)]
        room: Room,
    },
    /// Creates an empty folder on this machine, with those above it up to `into`. Outcome:
    /// `LocalFolderCreated`.
    CreateLocalFolder {
        #[serde(with = "local_path")]
        into: PathBuf,
        name: String,
    },
    /// Deletes a local file, and the folders that this leaves empty, up to `up_to`. Outcome:
    /// `LocalFileDeleted`.
    DeleteLocal {
        #[serde(with = "local_path")]
        path: PathBuf,
        /// Its state when this was decided: refused if it has changed by then.
        #[serde(default)]
        state: LocalState,
        /// The outermost folder to delete with it.
        #[serde(with = "local_path::optional")]
        up_to: Option<PathBuf>,
    },
    /// Starts an import and follows it to its end. Outcome: `Imported`.
    Import {
        request: Box<ImportRequest>,
        folder: String,
        /// The name that was free when this was planned: an error if it has another file in the
        /// end. `None` if the file may be stored beside another one, or in its place.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        free_name: Option<String>,
    },
    /// Creates a folder; `a/b/c` creates the missing parents, too. Outcome: `FolderCreated`, the
    /// innermost one.
    CreateFolder { parent: FolderRef, name: String },
    /// Renames or moves a folder, and follows the task of that. Outcome: `FolderUpdated`.
    UpdateFolder {
        folder: FolderId,
        from: String,
        name: Option<String>,
        parent: Option<FolderRef>,
        /// The time of the last change known when this was decided: refused if it was changed
        /// since.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seen: Option<Timestamp>,
    },
    /// Changes a file in place: name, access, expiry, use in content. Outcome: `FileUpdated`.
    Change {
        file: Item,
        update: Box<FileUpdate>,
        /// The same as in `UpdateFolder`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seen: Option<Timestamp>,
    },
    /// Moves a file into another folder. Outcome: `FileUpdated`.
    Move {
        file: Item,
        into: FolderRef,
        /// The same as in `UpdateFolder`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seen: Option<Timestamp>,
    },
    /// Deletes something; `permanent` is the data-protection deletion, for files only. Outcome:
    /// `Deleted`.
    Delete {
        item: Item,
        permanent: bool,
        /// The `file_state` or `folder_state` when decided: refused if changed by then. `None` for
        /// what somebody named.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        state: Option<String>,
    },
}

/// The place that a download takes in its folder.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Room {
    /// Its name, or a numbered one if that is taken by other content.
    #[default]
    Numbered,
    /// The same as `Numbered`, but also beside a file of the same content.
    Beside,
    /// Its name, which is free or has the same content. Refused if it is taken by other content.
    Free,
    /// The name of a file that it replaces. Refused if that has another state by then and other
    /// content.
    Over(LocalState),
}

impl Job {
    /// Returns the file of an account that a copy is made from.
    pub(super) fn remote_source(&self) -> Option<&RemoteSource> {
        match self {
            Self::Upload { source, .. } | Self::Replace { source, .. } => match source {
                FileSource::Remote(remote) => Some(remote),
                FileSource::Local(_) => None,
            },
            _ => None,
        }
    }

    pub fn kind(&self) -> JobKind {
        match self {
            Self::Upload {
                source: FileSource::Local(_),
                ..
            } => JobKind::Upload,
            Self::Replace {
                source: FileSource::Local(_),
                ..
            } => JobKind::Replace,
            Self::Upload { .. } | Self::Replace { .. } => JobKind::Copy,
            Self::Download { .. } => JobKind::Download,
            Self::CreateLocalFolder { .. } => JobKind::CreateLocalFolder,
            Self::DeleteLocal { .. } => JobKind::DeleteLocal,
            Self::Import { .. } => JobKind::Import,
            Self::CreateFolder { .. } => JobKind::CreateFolder,
            Self::UpdateFolder {
                name: Some(_),
                parent: None,
                ..
            } => JobKind::RenameFolder,
            Self::UpdateFolder { .. } => JobKind::UpdateFolder,
            Self::Change { update, .. } if is_rename(update) => JobKind::Rename,
            Self::Change { .. } => JobKind::Change,
            Self::Move { .. } => JobKind::Move,
            Self::Delete {
                permanent: false, ..
            } => JobKind::Delete,
            Self::Delete {
                permanent: true, ..
            } => JobKind::Purge,
        }
    }

    /// Describes what it works on, safe to show: `banner.png → /in`, `/in/a.png → /home/ada/work`.
    pub fn label(&self) -> String {
        let into = self
            .destination()
            .map(|to| format!(" → {to}"))
            .unwrap_or_default();
        let from = match self {
            Self::Download { .. } => self.origin(),
            _ => self.subject(),
        };
        format!("{from}{into}")
    }

    /// Returns what it takes, safe to show.
    pub fn subject(&self) -> String {
        match self {
            Self::Upload { source, .. } | Self::Replace { source, .. } => source.shown_name(),
            Self::DeleteLocal { path, .. } => local_path::name(path),
            Self::Download { file, .. } | Self::Change { file, .. } | Self::Move { file, .. } => {
                visible(&file.name).into_owned()
            }
            Self::Import { request, .. } => {
                let address = || bare(&request.url);
                visible(&request.name.clone().unwrap_or_else(address)).into_owned()
            }
            Self::CreateFolder { parent, name } => visible(&join(&parent.path, name)).into_owned(),
            Self::CreateLocalFolder { name, .. } => visible(name).into_owned(),
            Self::UpdateFolder { from, .. } => visible(from).into_owned(),
            Self::Delete { item, .. } => visible(&item.path).into_owned(),
        }
    }

    /// Returns where it takes that from, in full and safe to show.
    pub fn origin(&self) -> String {
        match self {
            Self::Upload { source, .. } | Self::Replace { source, .. } => source.shown(),
            Self::DeleteLocal { path, .. } => visible(&path.to_string_lossy()).into_owned(),
            Self::Import { request, .. } => visible(&bare(&request.url)).into_owned(),
            job => job
                .item()
                .map_or_else(|| job.subject(), |item| visible(&item.path).into_owned()),
        }
    }

    /// Returns the resulting name or place, safe to show; `None` if it is no other one.
    pub fn destination(&self) -> Option<String> {
        let to = match self {
            Self::Upload { into, name, .. } => {
                let above = name.as_deref().and_then(|name| name.rsplit_once('/'));
                above.map_or_else(|| into.path.clone(), |(above, _)| join(&into.path, above))
            }
            Self::Move { into, .. } => into.path.clone(),
            Self::Replace { file, .. } => file.path.clone(),
            Self::Import {
                folder, request, ..
            } => match &request.name {
                Some(name) => join(folder, name),
                None => folder.clone(),
            },
            Self::UpdateFolder { .. } => self.folder_path()?,
            Self::Change { file, update, .. } => {
                let stem = update.name.as_ref()?;
                let extension = Path::new(&file.name)
                    .extension()
                    .map(|extension| extension.to_string_lossy());
                extension.map_or_else(|| stem.clone(), |extension| format!("{stem}.{extension}"))
            }
            Self::Download { into, name, .. } => {
                let above = name.as_deref().and_then(|name| name.rsplit_once('/'));
                let folder = above.map_or_else(|| into.clone(), |(above, _)| into.join(above));
                folder.to_string_lossy().into_owned()
            }
            Self::CreateLocalFolder { .. }
            | Self::DeleteLocal { .. }
            | Self::CreateFolder { .. }
            | Self::Delete { .. } => return None,
        };
        Some(visible(&to).into_owned())
    }

    /// Returns the path that it gives its item, safe to show; the folder alone if the service
    /// chooses the name, and `None` if it is no other path. The folder of a file that gets another
    /// name and another folder is known only by its id.
    pub fn new_path(&self) -> Option<String> {
        let path = match self {
            Self::Move { file, into, .. } => join(&into.path, &file.name),
            Self::Download {
                file, into, name, ..
            } => {
                let name = name.as_ref().unwrap_or(&file.name);
                into.join(name).to_string_lossy().into_owned()
            }
            Self::Change { file, update, .. } => {
                let own = file.path.rsplit_once('/').map_or("", |(above, _)| above);
                let above = update.parent_folder_path.as_deref().unwrap_or(own);
                join(above, &self.destination()?)
            }
            job => job.upload_path().or_else(|| job.destination())?,
        };
        Some(visible(&path).into_owned())
    }

    /// Returns the path that an upload requests; `None` if the service chooses the name.
    pub(super) fn upload_path(&self) -> Option<String> {
        let Self::Upload {
            source,
            into,
            name,
            options,
            ..
        } = self
        else {
            return None;
        };
        let name = name
            .as_deref()
            .or_else(|| source.name())
            .filter(|_| !options.unnamed)?;
        Some(join(&into.path, name))
    }

    /// Returns when the name of an upload was free; `None` if it may be stored beside another file,
    /// or in its place.
    pub(super) fn free_at(&self) -> Option<Timestamp> {
        match self {
            Self::Upload {
                free_at, options, ..
            } if options.options.overwrite != Some(true) && !options.unnamed => *free_at,
            _ => None,
        }
    }

    /// Returns when a plan found the name of an upload free; `None` if another name will do, too.
    pub(super) fn fixed_at(&self) -> Option<Timestamp> {
        self.free_at().filter(|_| !self.returns_existing())
    }

    /// Returns the chosen file or folder that it works on; `None` for what comes from elsewhere.
    pub fn item(&self) -> Option<&Item> {
        match self {
            Self::Replace { file, .. }
            | Self::Download { file, .. }
            | Self::Change { file, .. }
            | Self::Move { file, .. }
            | Self::Delete { item: file, .. } => Some(file),
            Self::Upload { .. }
            | Self::CreateLocalFolder { .. }
            | Self::DeleteLocal { .. }
            | Self::Import { .. }
            | Self::CreateFolder { .. }
            | Self::UpdateFolder { .. } => None,
        }
    }

    /// Returns what it changes, moves, or deletes.
    pub fn target(&self) -> Option<Target> {
        match self {
            Self::UpdateFolder { folder, .. } => Some(Target::Folder(folder.clone())),
            job if job.kind().is_change() => job.item().map(|item| item.target.clone()),
            _ => None,
        }
    }

    /// Returns `true` if it undoes a change: only then are updates and moves refused if something
    /// has changed since.
    pub fn is_undo(&self) -> bool {
        self.seen().is_some()
    }

    /// Returns when its file or folder was last changed, as known when this was decided.
    pub fn seen(&self) -> Option<Timestamp> {
        match self {
            Self::UpdateFolder { seen, .. }
            | Self::Change { seen, .. }
            | Self::Move { seen, .. } => *seen,
            _ => None,
        }
    }

    pub fn see(&mut self, time: Timestamp) {
        if let Self::UpdateFolder { seen, .. }
        | Self::Change { seen, .. }
        | Self::Move { seen, .. } = self
        {
            *seen = Some(time);
        }
    }

    /// Returns the path of a folder after its rename or move.
    pub fn folder_path(&self) -> Option<String> {
        let Self::UpdateFolder {
            from, name, parent, ..
        } = self
        else {
            return None;
        };
        let (above, old) = from.rsplit_once('/').unwrap_or(("", from));
        let above = parent.as_ref().map_or(above, |place| place.path.as_str());
        Some(join(above, name.as_deref().unwrap_or(old)))
    }

    /// Returns what may be stored of the job, if not all. A URL may hold a password, or a signature
    /// in its query.
    pub(super) fn without_secrets(&self) -> Option<Self> {
        let Self::Import {
            request,
            folder,
            free_name,
        } = self
        else {
            return None;
        };
        let bare = bare(&request.url);
        (bare != request.url).then(|| {
            let request = Box::new(ImportRequest {
                url: bare,
                ..(**request).clone()
            });
            Self::Import {
                request,
                folder: folder.clone(),
                free_name: free_name.clone(),
            }
        })
    }

    /// Makes an error of this job fit to be stored: a service may repeat the URL that it was given.
    pub(super) fn hide_secrets(&self, error: Error) -> Error {
        match self {
            Self::Import { request, .. } if !request.url.is_empty() => {
                without_address(error, &request.url)
            }
            _ => error,
        }
    }

    /// Returns `true` if a file that already exists may be the result.
    pub fn returns_existing(&self) -> bool {
        let options = match self {
            Self::Upload { options, .. } => Some(&options.options),
            Self::Import { request, .. } => Some(&request.options),
            _ => None,
        };
        options.is_some_and(|options| {
            options.duplicate_validation_strategy == Some(DuplicateStrategy::ReturnExisting)
        })
    }
}

/// Returns `true` if an update changes the name and nothing else.
fn is_rename(update: &FileUpdate) -> bool {
    matches!(
        update,
        FileUpdate {
            name: Some(_),
            access: None,
            is_usable_in_content: None,
            parent_folder_id: None,
            parent_folder_path: None,
            expires_at: None,
            clear_expires: None,
        }
    )
}

/// Replaces an address in the words of an error by its parts that are not secret.
pub(super) fn without_address(mut error: Error, address: &str) -> Error {
    for text in error.details.iter_mut().chain([&mut error.message]) {
        *text = text.replace(address, &bare(address));
    }
    error
}

/// Returns a URL without the parts that may be secret.
fn bare(address: &str) -> String {
    let Ok(mut url) = Url::parse(address) else {
        return String::new();
    };
    url.set_query(None);
    url.set_fragment(None);
    // Neither can fail for a URL with a host; one without holds no password.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.into()
}

/// Returns `true` if a local file can replace one of this name: its extension stays
/// (`contract.md#replacements`).
pub fn can_replace(local: &Path, name: &str) -> bool {
    let extension = |path: &Path| {
        path.extension()
            .map(|extension| extension.to_string_lossy().to_lowercase())
    };
    extension(local) == extension(Path::new(name))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::api::Kind;
    use crate::api::ids::FileId;
    use crate::api::model::UploadOptions;

    fn file(name: &str) -> Item {
        Item {
            target: Target::File(FileId::new(name)),
            path: format!("/in/{name}"),
            name: name.to_owned(),
            size: None,
            md5: None,
        }
    }

    fn renamed(name: &str, stem: &str) -> Job {
        let update = FileUpdate {
            name: Some(stem.to_owned()),
            ..FileUpdate::default()
        };
        Job::Change {
            file: file(name),
            update: Box::new(update),
            seen: None,
        }
    }

    fn changed(stem: Option<&str>) -> Job {
        let update = FileUpdate {
            name: stem.map(str::to_owned),
            access: Some(Access::Private),
            ..FileUpdate::default()
        };
        Job::Change {
            file: file("a.txt"),
            update: Box::new(update),
            seen: None,
        }
    }

    fn moved(name: Option<&str>, parent: Option<&str>) -> Job {
        let parent = parent.map(|path| FolderRef {
            id: None,
            path: path.to_owned(),
        });
        Job::UpdateFolder {
            folder: FolderId::new("9"),
            from: "/a/b".to_owned(),
            name: name.map(str::to_owned),
            parent,
            seen: None,
        }
    }

    fn upload(local: &str) -> Job {
        let options = UploadOptions::new(Access::Private).into();
        Job::Upload {
            source: FileSource::Local(local.into()),
            into: FolderRef::root(),
            name: None,
            options,
            present: false,
            free_at: None,
        }
    }

    #[rstest]
    #[case::upload(upload("/tmp/a.txt"), "a.txt → /")]
    #[case::replacement(Job::Replace { source: FileSource::Local("/tmp/a.txt".into()), file: file("b.txt"), seen: None, charset: None, access: None }, "a.txt → /in/b.txt")]
    #[case::rename(renamed("a.txt", "z"), "a.txt → z.txt")]
    #[case::rename_without_extension(renamed("README", "NOTES"), "README → NOTES")]
    #[case::folder_rename(moved(Some("c"), None), "/a/b → /a/c")]
    #[case::folder_move(moved(None, Some("/x")), "/a/b → /x/b")]
    #[case::folder_move_to_the_root(moved(None, Some("/")), "/a/b → /b")]
    #[case::deletion(Job::Delete { item: file("a.txt"), permanent: false, state: None }, "/in/a.txt")]
    #[case::a_name_that_acts(Job::Download { file: file("a\u{1b}[2J"), into: "/tmp".into(), name: None, room: Room::Beside }, "/in/a\\u{1b}[2J → /tmp")]
    #[case::download_below(Job::Download { file: file("a.txt"), into: "/tmp".into(), name: Some("x/a.txt".to_owned()), room: Room::Beside }, "/in/a.txt → /tmp/x")]
    fn a_job_says_what_it_works_on(#[case] job: Job, #[case] label: &str) {
        assert_eq!(job.label(), label);
    }

    #[rstest]
    #[case::rename(renamed("a.txt", "z"), JobKind::Rename)]
    #[case::change(changed(None), JobKind::Change)]
    #[case::name_and_access(changed(Some("z")), JobKind::Change)]
    #[case::folder_rename(moved(Some("c"), None), JobKind::RenameFolder)]
    #[case::folder_move(moved(None, Some("/x")), JobKind::UpdateFolder)]
    #[case::folder_move_to_another_name(moved(Some("c"), Some("/x")), JobKind::UpdateFolder)]
    fn a_change_of_the_name_alone_is_a_rename(#[case] job: Job, #[case] kind: JobKind) {
        assert_eq!(job.kind(), kind);
    }

    #[test]
    fn a_job_comes_back_from_text_as_it_was() {
        for job in [
            upload("/tmp/a b.txt"),
            renamed("a", "b"),
            moved(None, Some("/")),
        ] {
            let text = serde_json::to_string(&job).unwrap();
            assert_eq!(serde_json::from_str::<Job>(&text).unwrap(), job, "{text}");
        }
    }

    #[rstest]
    #[case::plain("https://example.com/a.png", None)]
    #[case::signed(
        "https://example.com/a.png?sig=canary#x",
        Some("https://example.com/a.png")
    )]
    #[case::with_a_password(
        "https://u:canary@example.com/a.png",
        Some("https://example.com/a.png")
    )]
    fn what_an_address_may_hold_is_not_written_down(#[case] url: &str, #[case] kept: Option<&str>) {
        let options = UploadOptions::new(Access::Private);
        let request = ImportRequest {
            url: url.to_owned(),
            name: None,
            folder_id: None,
            folder_path: None,
            options,
        };
        let bare = Job::Import {
            request: Box::new(request),
            folder: "/".to_owned(),
            free_name: None,
        }
        .without_secrets();
        let bare = bare.map(|job| {
            if let Job::Import { request, .. } = job {
                request.url
            } else {
                String::new()
            }
        });
        assert_eq!(bare.as_deref(), kept);
    }

    #[test]
    fn what_a_service_repeats_of_an_address_is_not_written_down() {
        let options = UploadOptions::new(Access::Private);
        let url = "https://u:canary@example.com/a.png?sig=canary".to_owned();
        let message = format!("{url} answered 404");
        let request = ImportRequest {
            url,
            name: None,
            folder_id: None,
            folder_path: None,
            options,
        };
        let job = Job::Import {
            request: Box::new(request),
            folder: "/".to_owned(),
            free_name: None,
        };
        let error = Error {
            details: vec![message.clone()],
            ..Error::new(Kind::TaskFailed, message)
        };
        let hidden = job.hide_secrets(error);
        assert_eq!(hidden.message, "https://example.com/a.png answered 404");
        assert_eq!(hidden.details, [hidden.message]);
    }

    #[test]
    fn fetching_changes_nothing() {
        let download = Job::Download {
            file: file("a"),
            into: "/".into(),
            name: None,
            room: Room::Beside,
        };
        assert_eq!(
            (download.kind().is_change(), download.target()),
            (false, None)
        );
        assert!(
            Job::Delete {
                item: file("a"),
                permanent: false,
                state: None
            }
            .kind()
            .is_change()
        );
    }
}
