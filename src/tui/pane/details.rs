//! The details and the preview of the row under the cursor: their requests and drawing.

mod component;
pub(crate) mod draw;
pub(crate) mod fields;
pub(crate) mod hints;
pub(crate) mod local;
pub(crate) mod peek;
pub(crate) mod preview;
pub(crate) mod update;
mod wanted;

pub(crate) use component::DetailsComponent;
