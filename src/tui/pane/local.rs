//! The list of this computer's files: its keys, answers, requests and drawing.

pub(in crate::tui) mod actions;
pub(in crate::tui) mod choosing;
pub(in crate::tui) mod draw;
pub(in crate::tui) mod update;
