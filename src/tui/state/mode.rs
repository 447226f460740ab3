//! The arrangement of the files view: the lists, a comparison, or a choice of files.

use super::beside::{Beside, OtherAccount};
use super::comparing::Comparing;
use super::local_side::LocalSide;
use super::panes::{Pane, View};
use crate::tui::dialog::Dialog;

#[derive(Debug, Clone)]
pub enum Mode {
    /// The account's list, and what is beside it.
    Lists(Beside),
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

impl Default for Mode {
    fn default() -> Self {
        Self::Lists(Beside::Nothing)
    }
}

impl Mode {
    /// The comparison on the screen.
    pub fn comparing(&self) -> Option<&Comparing> {
        match self {
            Self::Comparing(comparing) => Some(comparing),
            Self::Lists(_) | Self::Choosing(_) => None,
        }
    }

    /// The comparison, even behind a choice of files.
    pub fn comparing_mut(&mut self) -> Option<&mut Comparing> {
        match self {
            Self::Comparing(comparing) => Some(comparing),
            Self::Choosing(choosing) => choosing.mode.comparing_mut(),
            Self::Lists(_) => None,
        }
    }

    /// Puts the lists back in place of the comparison; returns `false` if there was none.
    pub fn end_comparison(&mut self) -> bool {
        let Self::Comparing(comparing) = self else {
            return false;
        };
        *self = Self::Lists(comparing.over);
        true
    }

    pub fn is_choosing(&self) -> bool {
        matches!(self, Self::Choosing(_))
    }

    /// Returns `true` if the local list is open, be it behind a comparison.
    pub fn has_local_list(&self) -> bool {
        self.is_choosing() || self.beside() == Beside::ThisMachine
    }

    /// Returns `true` if another list is open beside the account's, be it behind a comparison.
    pub fn has_two_lists(&self) -> bool {
        self.is_choosing() || self.beside() != Beside::Nothing
    }

    /// The list beside the account's, be it behind a comparison.
    pub fn beside(&self) -> Beside {
        match self {
            Self::Lists(beside) => *beside,
            Self::Comparing(comparing) => comparing.over,
            Self::Choosing(_) => Beside::Nothing,
        }
    }

    /// The account beside, be it behind a comparison or a choice of files.
    pub fn other_account(&self) -> Option<OtherAccount> {
        match self {
            Self::Choosing(choosing) => choosing.mode.other_account(),
            _ => match self.beside() {
                Beside::Account(other) => Some(other),
                Beside::Nothing | Beside::ThisMachine => None,
            },
        }
    }

    /// Opens another list beside the account's, be it behind a comparison or a choice of files.
    pub fn set_beside(&mut self, beside: Beside) {
        match self {
            Self::Lists(present) => *present = beside,
            Self::Comparing(comparing) => comparing.over = beside,
            Self::Choosing(choosing) => choosing.mode.set_beside(beside),
        }
    }
}
