//! What a dialog answers to a key, and what it was opened for. Plain data.

use std::path::PathBuf;

use super::edited_names::Names;
use crate::api::Signing;
use crate::api::ids::FileId;
use crate::config::favorites::{Bookmark, FavoritesChange};
use crate::config::{AccountSource, Draft, Setting};
use crate::engine::batch::BatchId;
use crate::engine::deletion::Deletion;
use crate::engine::message::{FolderRef, Target};
use crate::engine::plan::PlanChoice;
use crate::engine::question::{PlanDownload, PlanImport, PlanUpload};
use crate::engine::text_file::EditedText;
use crate::engine::{Job, Query};
use crate::tui::keymap::Action;

/// A dialog's answer to a key.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// It stays open.
    Open,
    /// It closes, nothing happens.
    Closed,
    /// It closes, and this is to be done.
    Accepted(Intent),
    /// It stays open and wants the names in this local folder, written as typed.
    Complete(String),
    /// It stays open and wants the names in this folder of the account, as typed.
    CompleteThere(String),
    /// It stays open until it is known that this local file can be sent.
    Replace { local: PathBuf, intent: Box<Intent> },
    /// It stays open until it is known what this would do.
    PlanUpload(Box<PlanUpload>),
    /// The same of a download.
    PlanDownload(PlanDownload),
    /// It stays open until it is known which names are taken; then these are skipped, or all stops.
    PlanImport { plan: PlanImport, on_taken: PlanChoice },
    /// It waits while files are chosen in the list of this machine, in this folder; the cursor goes to that name.
    Pick { folder: PathBuf, seek: Option<String> },
    /// It stays open until it is known whether the service takes this account.
    Try(Box<Draft>),
    /// It stays open until this account is kept.
    Keep(Box<Draft>),
    /// It stays open under a list of the files that went with this folder.
    DeletedWith(Box<Deletion>),
    /// It stays open and wants the addresses in this local file.
    ReadAddresses(PathBuf),
    /// It stays open, and this goes to the clipboard.
    Copy(String),
    /// It stays open, and the browser opens this address.
    Browse(String),
    /// It stays open, and this setting gets a value, as TOML.
    Change { setting: Setting, value: String },
    /// It stays open under the list of themes.
    ChooseTheme,
}

/// What a dialog was opened for.
#[derive(Debug, Clone, PartialEq)]
pub enum Intent {
    Quit,
    /// What is asked for at once: one batch.
    Jobs(Vec<Job>),
    /// The same, but some of them delete files that only the changed side has: ask first. Their names and the folder are
    /// safe to show.
    AskDeletions {
        jobs: Vec<Job>,
        names: Vec<String>,
        from: String,
    },
    /// Files that are private now become public: ask first. `private` are their names, safe to show.
    Publish {
        jobs: Vec<Job>,
        private: Vec<String>,
    },
    /// Undo the last change.
    Undo,
    /// Delete permanently what was deleted before, a file or those that went with a folder: ask first.
    Purge(Box<Deletion>),
    /// Edit a text further that was kept.
    GoOnWithText(Box<EditedText>),
    /// Edit the file's own text instead.
    EditAnew(Box<EditedText>),
    /// Discard a text that was kept: ask first.
    AskDiscardText(Box<EditedText>),
    DiscardText(Box<EditedText>),
    /// Give the names to the editor, once more.
    EditNames(Names),
    GoTo(String),
    /// Go to a file or folder by its id.
    GoToId(String),
    /// Open a search that is kept.
    View {
        name: String,
        search: String,
    },
    /// Go where a bookmark leads.
    Jump(Bookmark),
    /// Keep a search or a bookmark, or forget it.
    Keep(FavoritesChange),
    /// Show what a search finds.
    Find(Query),
    /// What a key does.
    Act(Action),
    /// Go to a folder.
    Open(FolderRef),
    /// Go to a row of the open folder.
    Seek(Target),
    /// Find what this line describes, as it was typed.
    FindTyped(String),
    /// Look into the associations from an object type, by its id.
    FromType(String),
    /// Go to another account.
    Switch(AccountSource),
    /// Set up a new account.
    AddAccount,
    /// Change an account.
    EditAccount(AccountSource),
    /// Ask whether an account is to be removed.
    RemoveAccount(AccountSource),
    /// Remove the account of this name.
    ForgetAccount(String),
    /// A signed address; `name` is safe to show.
    Sign {
        file: FileId,
        name: String,
        signing: Signing,
    },
    /// Give up a task in the queue.
    CancelTask(BatchId),
    /// See the state of a task of the service, by its id.
    ServiceTask(String),
    /// Give a setting a value, as TOML.
    Change {
        setting: Setting,
        value: String,
    },
}
