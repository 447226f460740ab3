//! The tree of the account's folders: its keys and drawing.

pub(in crate::tui) mod actions;
pub(in crate::tui) mod draw;
