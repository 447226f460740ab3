//! The details and the preview of the row under the cursor: their requests and drawing.

pub(in crate::tui) mod draw;
pub(in crate::tui) mod fields;
pub(in crate::tui) mod local;
pub(in crate::tui) mod peek;
pub(in crate::tui) mod preview;
pub(in crate::tui) mod update;
