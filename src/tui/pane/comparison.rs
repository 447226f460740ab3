//! The comparison of a local folder with the open one: its keys, answers and drawing.

pub(in crate::tui) mod actions;
pub(in crate::tui) mod draw;
pub(in crate::tui) mod summary;
pub(in crate::tui) mod update;
