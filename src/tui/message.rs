//! The input of `update`: plain data, no closures, no handles.

use jiff::Timestamp;

use super::dialog::Names;
use super::input::mouse::Mouse;
use super::keymap::Key;
use super::state::Account;
use super::state::limits::AccountReading;
use super::terminal::editor::Edit;
use crate::api::Error;
use crate::config::{AccountChange, Changed, Draft};
use crate::engine::{Event, OpId, SessionId};

/// The input of `update`.
#[derive(Debug, Clone, PartialEq)]
pub enum Msg {
    /// The first message of a run: requests the data of the first screen.
    Start,
    /// The current time. Comes before the message that it belongs to, and when [`State::next_wake`]
    /// is due.
    ///
    /// [`State::next_wake`]: super::state::State::next_wake
    Clock(Timestamp),
    Key(Key),
    Mouse(Mouse),
    /// Text from a bracketed paste, or a file dropped on the terminal; unchanged, may have several
    /// lines.
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
    /// One of the results of `Effect::ReadAccounts`.
    AccountRead(Box<AccountReading>),
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
