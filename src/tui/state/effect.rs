//! The output of `update`: plain data, no closures, no handles.

use std::path::PathBuf;

use crate::config::favorites::FavoritesChange;
use crate::config::{AccountChange, AccountSource, Draft, PaneSizes};
use crate::engine::{OpId, Request, SessionId};
use crate::tui::dialog::Names;
use crate::tui::terminal::editor::Edit;

/// An instruction to the event loop, performed before it waits again. Every message triggers a draw
/// anyway.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    Submit(OpId, Request),
    Cancel(OpId),
    /// Opens the account as this session. Cannot be canceled.
    Connect(SessionId, AccountSource),
    TryAccount(Box<Draft>),
    /// Reads the limits of these configured accounts, in place of earlier ones still to be read.
    ReadAccounts(Vec<String>),
    ChangeAccounts(Box<AccountChange>),
    /// Shuts the session down: it accepts no more requests.
    Close(SessionId),
    SaveFavorites(SessionId, FavoritesChange),
    SavePaneSizes(PaneSizes),
    /// Saves a setting's value, as TOML, under its name.
    KeepSetting(&'static str, String),
    RememberAccount(AccountSource),
    /// Copies to the terminal's clipboard (OSC 52).
    Copy(String),
    OpenBrowser(String),
    Edit(Edit),
    EditNames(Names),
    /// Removes the local copy of an edited text.
    Discard(PathBuf),
    /// Notifies a user who is looking elsewhere. Safe to show.
    Notify(String),
    Redraw,
    /// Restores the terminal and stops the process, as Ctrl-Z does.
    Suspend,
    Quit,
}
