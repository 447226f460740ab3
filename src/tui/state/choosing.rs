//! The state that is set aside while the user chooses local files for a dialog.

use super::local_side::LocalSide;
use super::panes::{Pane, Panes, View};
use crate::tui::dialog::Dialog;

/// The dialogs, and the screen as it was before.
#[derive(Debug, Clone)]
pub struct Choosing {
    pub dialogs: Vec<Dialog>,
    pub local_side: LocalSide,
    pub panes: Panes,
    pub focus: Pane,
    pub view: View,
}
