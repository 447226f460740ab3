//! The panes of the screen, a folder each, and what they share. Only their data is elsewhere, in
//! `tui::state`, because the tables of a pane read the whole state.

pub mod action_row;
pub mod actions;
pub(crate) mod activity;
pub(crate) mod ask;
pub(crate) mod comparison;
pub(crate) mod component;
pub(crate) mod copy;
pub(crate) mod cursor;
pub(crate) mod details;
pub(crate) mod export;
pub(crate) mod files;
pub(crate) mod focus;
pub(crate) mod frame;
pub(crate) mod glyph;
pub mod hit_target;
pub(crate) mod kept_local_file;
pub(crate) mod keys;
pub(crate) mod layout;
pub(crate) mod limits;
pub(crate) mod list_foot;
pub(crate) mod local;
pub(crate) mod other_account;
pub(crate) mod plan;
pub(crate) mod problem;
pub(crate) mod reading;
pub(crate) mod refuse;
pub(crate) mod remember;
pub(crate) mod submit;
pub(crate) mod table;
pub(crate) mod tasks;
pub(crate) mod tree;
