//! A plan that is being made.

use crate::engine::plan::{Direction, PlanRow};

/// What was asked for, and what is known of it.
#[derive(Debug, Clone)]
pub struct Planning {
    pub direction: Direction,
    pub rows: Vec<PlanRow>,
    /// Whether a dialog asked, which stays open for it.
    pub is_asked_by_dialog: bool,
}
