//! The account's limits: their keys, answers, requests and drawing.

pub(in crate::tui) mod actions;
pub(in crate::tui) mod answers;
pub(in crate::tui) mod chart;
pub(in crate::tui) mod columns;
pub(in crate::tui) mod corner;
pub(in crate::tui) mod draw;
pub(in crate::tui) mod lines;
pub(in crate::tui) mod lists;
pub(in crate::tui) mod overall;
pub(in crate::tui) mod update;
