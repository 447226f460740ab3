//! The messages of this run: their keys and drawing.

pub(crate) mod actions;
mod component;
pub(crate) mod draw;
pub(crate) mod update;

pub(crate) use component::ActivityComponent;
