//! A plan that is being built.

use crate::engine::plan::{Direction, PlanRow};

/// The request, and the rows so far.
#[derive(Debug, Clone)]
pub struct Planning {
    pub direction: Direction,
    pub rows: Vec<PlanRow>,
    /// Set if the plan is for a dialog, which stays open for it.
    pub is_asked_by_dialog: bool,
    /// Set once it is complete and needs no review unless the account has the same content.
    pub awaits_search: bool,
}
