//! The rules of actions: whether a key applies here, and why not. Keys, hints, the help, the palette,
//! menus and refusals are derived from them. Performs nothing.

mod always;
mod browsing;
mod everywhere;
mod hints;
mod tables;

#[cfg(test)]
mod tests;

pub use crate::tui::pane::rule::{Availability, Refusal};
pub use hints::{hints, opens_preview, useful, usual};
pub use tables::{Part, available, available_in, home, is_on_rows, part, refusal};
