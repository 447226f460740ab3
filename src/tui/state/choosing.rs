//! What waits while files of this machine are chosen for a dialog. Plain data.

use super::local_side::LocalSide;
use super::panes::{Pane, Panes, View};
use crate::tui::dialog::Dialog;

/// The dialogs, and the screen as it was.
#[derive(Debug, Clone)]
pub struct Choosing {
    pub dialogs: Vec<Dialog>,
    pub local_side: LocalSide,
    pub panes: Panes,
    pub focus: Pane,
    pub view: View,
}
