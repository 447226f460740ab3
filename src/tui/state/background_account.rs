//! An account that the user has left while it has tasks, or changes that can be undone. It keeps its
//! session and its files pane, and events reach it as if it were on the screen.

use super::account_session::AccountSession;
use super::files_pane::FilesPane;

#[derive(Debug, Clone)]
pub struct BackgroundAccount {
    pub session: AccountSession,
    pub files: FilesPane,
}
