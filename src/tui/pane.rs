//! The panes of the screen, a folder each, and what they share. Only their data is elsewhere, in
//! `tui::state`, because the tables of a pane read the whole state.

pub(in crate::tui) mod activity;
pub(in crate::tui) mod ask;
pub mod command;
pub(in crate::tui) mod comparison;
pub(in crate::tui) mod copy;
pub(in crate::tui) mod details;
pub(in crate::tui) mod export;
pub(in crate::tui) mod files;
pub(in crate::tui) mod focus;
pub(in crate::tui) mod frame;
pub(in crate::tui) mod glyph;
pub(in crate::tui) mod kept_local_file;
pub(in crate::tui) mod keys;
pub(in crate::tui) mod layout;
pub(in crate::tui) mod limits;
pub(in crate::tui) mod local;
pub(in crate::tui) mod plan;
pub(in crate::tui) mod problem;
pub(in crate::tui) mod reading;
pub(in crate::tui) mod refuse;
pub(in crate::tui) mod remember;
pub(in crate::tui) mod submit;
pub(in crate::tui) mod tasks;
pub(in crate::tui) mod tree;
