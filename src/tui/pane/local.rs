//! The list of this computer's files: its keys, answers, requests and drawing.

pub(crate) mod actions;
pub(crate) mod choosing;
mod component;
pub(crate) mod draw;
pub(crate) mod update;

pub(crate) use component::LocalComponent;
