//! The input and output of `update`: plain data, no closures, no handles.

use std::path::PathBuf;

use jiff::Timestamp;

use super::dialog::Names;
use super::input::mouse::Mouse;
use super::keymap::Key;
use super::state::Account;
use super::terminal::editor::Edit;
use crate::api::Error;
use crate::config::favorites::FavoritesChange;
use crate::config::{AccountChange, AccountSource, Changed, Draft, PaneSizes};
use crate::engine::{Event, OpId, Request, SessionId};

/// The input of `update`.
#[derive(Debug, Clone, PartialEq)]
pub enum Msg {
    /// The first message of a run: requests the data of the first screen.
    Start,
    /// The current time. Comes before the message that it belongs to, and when [`State::next_wake`] is due.
    ///
    /// [`State::next_wake`]: super::state::State::next_wake
    Clock(Timestamp),
    Key(Key),
    Mouse(Mouse),
    /// Text from a bracketed paste, or a file dropped on the terminal; unchanged, may have several lines.
    Paste(String),
    Resize {
        cols: u16,
        rows: u16,
    },
    Engine(SessionId, Event),
    /// The result of `Effect::Connect`; the error is a message that says what to do.
    Connected(SessionId, Result<Connected, String>),
    /// The result of `Effect::TryAccount`.
    AccountTried(Box<Draft>, Result<(), Error>),
    /// The result of `Effect::ChangeAccounts`; the error says why nothing was changed.
    AccountsChanged(Box<AccountChange>, Result<Changed, String>),
    /// The end of the editor: `true` if the text was changed, or the failure.
    Edited(Edit, Result<bool, String>),
    /// The end of the editor on names, with the edited text or the failure.
    NamesEdited(Names, Result<String, String>),
    /// The result of opening a URL in the browser.
    BrowserOpened(String, Result<(), String>),
    /// The reason why a file could not be saved.
    SaveFailed(String),
    /// The text was too long for the clipboard.
    CopyFailed,
    /// The engine's queue was full: the request was not sent.
    Refused(OpId),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connected {
    pub account: Account,
    pub warnings: Vec<String>,
}

/// The output of `update`, performed by the event loop before it waits again. Every message triggers a draw anyway.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    Submit(OpId, Request),
    Cancel(OpId),
    /// Open this account as the given session. Cannot be cancelled.
    Connect(SessionId, AccountSource),
    /// Check that the service accepts this account.
    TryAccount(Box<Draft>),
    /// Save or remove an account.
    ChangeAccounts(Box<AccountChange>),
    /// Shut a session down: it accepts no more requests.
    Close(SessionId),
    /// Save the favorites of this session's account.
    SaveFavorites(SessionId, FavoritesChange),
    SavePaneSizes(PaneSizes),
    /// Save a setting's value, as TOML, under its name.
    KeepSetting(&'static str, String),
    RememberAccount(AccountSource),
    /// Copy to the terminal's clipboard (OSC 52).
    Copy(String),
    OpenBrowser(String),
    /// Open this text in the user's editor.
    Edit(Edit),
    EditNames(Names),
    /// Remove a text that was edited.
    Discard(PathBuf),
    /// Notify a user who looks elsewhere. Safe to show.
    Notify(String),
    /// Clear the terminal and draw everything again.
    Redraw,
    /// Restore the terminal and stop, as Ctrl-Z does.
    Suspend,
    Quit,
}
