//! The messages of this run: their keys and drawing.

pub(in crate::tui) mod actions;
pub(in crate::tui) mod draw;
pub(in crate::tui) mod update;
