//! What goes into `update` and what comes out of it: plain data, no closures, no handles.

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

/// Into `update`.
#[derive(Debug, Clone, PartialEq)]
pub enum Msg {
    /// The first message of a run: asks for what the first screen needs.
    Start,
    /// What time it is. Comes before the message that it belongs to, and when [`State::next_wake`] is due.
    ///
    /// [`State::next_wake`]: super::state::State::next_wake
    Clock(Timestamp),
    Key(Key),
    Mouse(Mouse),
    /// Text pasted in brackets, or a file dropped on the terminal; as it came, several lines or not.
    Paste(String),
    Resize {
        cols: u16,
        rows: u16,
    },
    /// From the engine of that session.
    Engine(SessionId, Event),
    /// The result of `Effect::Connect`; an error is in words that say what to do.
    Connected(SessionId, Result<Connected, String>),
    /// An account was tried: whether the service takes its token.
    AccountTried(Box<Draft>, Result<(), Error>),
    /// The result of `Effect::ChangeAccounts`, or why nothing was changed.
    AccountsChanged(Box<AccountChange>, Result<Changed, String>),
    /// The editor has ended: whether the text was changed, or what went wrong.
    Edited(Edit, Result<bool, String>),
    /// The editor has ended on names: with the text as it is now, or with what went wrong.
    NamesEdited(Names, Result<String, String>),
    /// An address was to be opened in the browser: what stood in the way, if anything.
    BrowserOpened(String, Result<(), String>),
    /// What was to be kept was not written: why.
    SaveFailed(String),
    /// The text was too long for the clipboard.
    CopyFailed,
    /// The engine's queue was full: nothing resulted from the request.
    Refused(OpId),
}

/// An account that was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connected {
    pub account: Account,
    /// What is odd about it; to be shown.
    pub warnings: Vec<String>,
}

/// Out of `update`: what the loop does before it waits again. It draws after every message anyway.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    Submit(OpId, Request),
    Cancel(OpId),
    /// Open this account, as the session of that name. Nothing stops it on the way.
    Connect(SessionId, AccountSource),
    /// Ask the service whether it takes this account.
    TryAccount(Box<Draft>),
    /// Write an account down, or remove it.
    ChangeAccounts(Box<AccountChange>),
    /// Shut a session down: it gets no more questions.
    Close(SessionId),
    /// Write down what the user keeps of this session's account.
    SaveFavorites(SessionId, FavoritesChange),
    /// Remember the sizes of panes as they were dragged.
    SavePaneSizes(PaneSizes),
    /// Remember the value, as TOML, of the setting of that name.
    KeepSetting(&'static str, String),
    /// Remember that this account is on the screen.
    RememberAccount(AccountSource),
    /// To the terminal's clipboard (OSC 52).
    Copy(String),
    /// Open a web address in the user's browser.
    OpenBrowser(String),
    /// Give the terminal to the user's editor, on this text.
    Edit(Edit),
    /// Give the terminal to the user's editor, on names.
    EditNames(Names),
    /// Remove a text that was edited.
    Discard(PathBuf),
    /// Tell a user who looks elsewhere. Safe to show.
    Notify(String),
    /// Clear the terminal and draw everything again.
    Redraw,
    /// Give the terminal back and stop, as Ctrl-Z does.
    Suspend,
    Quit,
}
