//! The output of `update`: plain data, no closures, no handles.

use std::path::PathBuf;

use super::dialog::Names;
use super::terminal::editor::Edit;
use crate::config::favorites::FavoritesChange;
use crate::config::{AccountChange, AccountSource, Draft, PaneSizes};
use crate::engine::{OpId, Request, SessionId};

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
