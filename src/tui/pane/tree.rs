//! The tree of the account's folders: its keys and drawing.

pub(crate) mod actions;
mod component;
pub(crate) mod draw;

pub(crate) use component::TreeComponent;
