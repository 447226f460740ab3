//! The account's list: its keys, answers, requests and drawing.

pub(crate) mod actions;
pub(crate) mod answers;
pub(crate) mod browse;
pub(crate) mod columns;
mod component;
pub(crate) mod delete;
pub(crate) mod draw;
pub(crate) mod edit;
pub(crate) mod edit_text;
pub(crate) mod empty;
pub(crate) mod favorites;
pub(crate) mod filter;
pub(crate) mod filter_line;
pub(crate) mod find;
pub(crate) mod folder_names;
pub(crate) mod folder_totals;
pub(crate) mod foot;
pub(crate) mod gallery;
pub(crate) mod gone;
pub(crate) mod grid;
pub(crate) mod hints;
pub(crate) mod link;
pub(crate) mod list_actions;
pub(crate) mod listing;
pub(crate) mod mark;
pub(crate) mod opening;
pub(crate) mod rename;
pub(crate) mod row;
pub(crate) mod shapes;
pub(crate) mod transfer;
pub(crate) mod undo;

pub(crate) use component::FilesComponent;
