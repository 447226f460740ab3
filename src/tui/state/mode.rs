//! The arrangement of the files view: one list, two, a comparison, or a choice of files.

use super::comparing::Comparing;
use super::local_side::LocalSide;
use super::panes::{Pane, View};
use crate::tui::dialog::Dialog;

#[derive(Debug, Clone, Default)]
pub enum Mode {
    /// The account's list, with the tree beside it.
    #[default]
    Browse,
    /// The local list beside the account's, in place of the tree.
    TwoPanes,
    Comparing(Box<Comparing>),
    /// The local list alone: a dialog waits for the user's choice.
    Choosing(Box<Choosing>),
}

/// The dialogs that wait for a choice of files, and the screen as it was before.
#[derive(Debug, Clone)]
pub struct Choosing {
    pub dialogs: Vec<Dialog>,
    /// The text of the field that asked.
    pub typed: String,
    /// Set if the field is for one path.
    pub is_of_one: bool,
    pub local_side: LocalSide,
    pub mode: Mode,
    pub is_zoomed: bool,
    pub focus: Pane,
    pub view: View,
}

/// A choice of files that was left without one.
#[derive(Debug, Clone)]
pub struct LeftChoice {
    pub typed: String,
    pub list: LocalSide,
}

impl Mode {
    /// The comparison on the screen.
    pub fn comparing(&self) -> Option<&Comparing> {
        match self {
            Self::Comparing(comparing) => Some(comparing),
            Self::Browse | Self::TwoPanes | Self::Choosing(_) => None,
        }
    }

    /// The comparison, even behind a choice of files.
    pub fn comparing_mut(&mut self) -> Option<&mut Comparing> {
        match self {
            Self::Comparing(comparing) => Some(comparing),
            Self::Choosing(choosing) => choosing.mode.comparing_mut(),
            Self::Browse | Self::TwoPanes => None,
        }
    }

    /// Puts the lists back in place of the comparison; returns `false` if there was none.
    pub fn end_comparison(&mut self) -> bool {
        let Self::Comparing(comparing) = self else {
            return false;
        };
        *self = if comparing.is_over_two_panes {
            Self::TwoPanes
        } else {
            Self::Browse
        };
        true
    }

    pub fn is_choosing(&self) -> bool {
        matches!(self, Self::Choosing(_))
    }

    /// Returns `true` if the local list is open, be it behind a comparison.
    pub fn has_local_list(&self) -> bool {
        match self {
            Self::Browse => false,
            Self::TwoPanes | Self::Choosing(_) => true,
            Self::Comparing(comparing) => comparing.is_over_two_panes,
        }
    }
}
