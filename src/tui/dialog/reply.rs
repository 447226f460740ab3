//! The replies of a dialog to a key, and the intents that it was opened for. Plain data.

use std::path::PathBuf;

use super::edited_names::Names;
use super::field::PathKind;
use crate::api::SignedUrlOptions;
use crate::api::model::File;
use crate::config::favorites::{Bookmark, FavoritesChange};
use crate::config::{AccountSource, Draft, Setting};
use crate::engine::batch::BatchId;
use crate::engine::deletion::Deletion;
use crate::engine::message::{FolderRef, Target};
use crate::engine::plan::PlanChoice;
use crate::engine::question::{PlanDownload, PlanImport, PlanUpload};
use crate::engine::text_file::EditedText;
use crate::engine::{Job, Query, SessionId};
use crate::tui::keymap::Action;

#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// Stays open.
    Open,
    /// Closes, and nothing happens.
    Closed,
    /// Closes, and this is to be done.
    Accepted(Intent),
    /// Stays open and requests the names in this local folder, written as typed.
    Complete(String),
    /// Stays open and requests the names in this folder of the account, as typed.
    CompleteThere(String),
    /// Stays open until this local file is known to be ready to send.
    Replace { local: PathBuf, intent: Box<Intent> },
    /// Stays open until the effects of this upload are known.
    PlanUpload(Box<PlanUpload>),
    /// Stays open until the effects of this download are known.
    PlanDownload(PlanDownload),
    /// Stays open until the taken names are known; then these are skipped, or everything stops.
    PlanImport {
        plan: PlanImport,
        on_taken: PlanChoice,
    },
    /// Waits while files are chosen in the list of this machine, at the typed path.
    Browse { typed: String, of: PathKind },
    /// Stays open until the service has accepted or rejected this account.
    Try(Box<Draft>),
    /// Stays open until this account is saved.
    Keep(Box<Draft>),
    /// Stays open under a list of the files deleted with this folder.
    DeletedWith(Box<Deletion>),
    /// Stays open under the receipt of this deletion.
    ShowReceipt(Box<Deletion>),
    /// Stays open, and this text is written into a new file of the local folder.
    Save { name: String, text: String },
    /// Stays open and requests the addresses in this local file.
    ReadAddresses(PathBuf),
    /// Stays open, and this goes to the clipboard.
    Copy(String),
    /// Stays open, and the browser opens this address.
    OpenBrowser(String),
    /// Stays open, and this setting gets a value, as TOML.
    Change { setting: Setting, value: String },
    /// Stays open under the list of themes.
    ChooseTheme,
}

/// The jobs of an accepted plan. All texts are safe to show.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedJobs {
    /// The session of the account that the plan was made for.
    pub session: SessionId,
    pub jobs: Vec<Job>,
    /// The names that are deleted because only the changed side has them.
    pub deleted: Vec<String>,
    /// The folder that is changed.
    pub place: String,
    /// The other side, at the start of a sentence.
    pub source: String,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Intent {
    Quit,
    /// Starts jobs as one batch.
    Jobs(Vec<Job>),
    /// Starts the jobs of a plan; asks first if some of them delete.
    CarryOut(PlannedJobs),
    /// Starts jobs that make private files public, after asking. `private` are their names, safe to
    /// show.
    Publish {
        jobs: Vec<Job>,
        private: Vec<String>,
    },
    Undo,
    /// Deletes permanently what was deleted before, a file or those deleted with a folder, after
    /// asking.
    Purge(Box<Deletion>),
    /// Continues to edit an unsaved text.
    GoOnWithText(Box<EditedText>),
    /// Edits the file's current text instead.
    EditAnew(Box<EditedText>),
    /// Asks whether to discard an unsaved text.
    AskDiscardText(Box<EditedText>),
    DiscardText(Box<EditedText>),
    /// Gives the names to the editor again.
    EditNames(Names),
    GoTo(String),
    GoToId(String),
    View {
        name: String,
        search: String,
    },
    /// Goes to the place of a bookmark.
    Jump(Bookmark),
    /// Saves a search or a bookmark, or forgets it.
    Keep(FavoritesChange),
    Find(Query),
    Act(Action),
    Open(FolderRef),
    /// Goes to a row of the open folder.
    Seek(Target),
    /// Searches for what this line describes, as it was typed.
    FindTyped(String),
    FromType(String),
    Switch(AccountSource),
    /// Shows the list of an account beside that of the one on the screen.
    ShowBeside(AccountSource),
    /// Goes to the limits of an account.
    OpenLimits(AccountSource),
    AddAccount,
    EditAccount(AccountSource),
    /// Asks whether to remove an account.
    RemoveAccount(AccountSource),
    ForgetAccount(String),
    /// Creates a signed address; `name` is safe to show.
    Sign {
        files: Vec<File>,
        signing: SignedUrlOptions,
    },
    CancelTask(BatchId),
    ServiceTask(String),
    /// Sets a setting to a value, as TOML.
    Change {
        setting: Setting,
        value: String,
    },
    /// Opens the settings at one of them.
    ShowSetting(Setting),
}
