//! A plan that is being built.

use crate::engine::plan::{Direction, PlanRow};

/// The request, and the rows so far.
#[derive(Debug, Clone)]
pub struct Planning {
    pub direction: Direction,
    /// The account that is copied from, safe to show; `None` for a transfer with this machine.
    pub source: Option<String>,
    pub rows: Vec<PlanRow>,
    /// Set if the plan is for a dialog, which stays open for it.
    pub is_asked_by_dialog: bool,
    /// Set once it is complete and needs no review unless the account has the same content.
    pub awaits_search: bool,
}

impl Planning {
    pub fn new(direction: Direction) -> Self {
        Self {
            direction,
            source: None,
            rows: Vec::new(),
            is_asked_by_dialog: false,
            awaits_search: false,
        }
    }

    /// Says that the plan came to nothing, and names the account that is copied from.
    pub fn nothing_done(&self) -> String {
        match (&self.source, &self.direction) {
            (Some(source), _) => format!("Nothing was copied from {source}"),
            (None, Direction::Up { .. }) => "Nothing was uploaded".to_owned(),
            (None, Direction::Down { .. }) => "Nothing was downloaded".to_owned(),
        }
    }
}
