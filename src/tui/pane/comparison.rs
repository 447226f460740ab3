//! The comparison of a local folder with the open one: its keys, answers and drawing.

pub(crate) mod actions;
mod component;
pub(crate) mod draw;
pub(crate) mod summary;
pub(crate) mod update;

pub(crate) use component::ComparisonComponent;
