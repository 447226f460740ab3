//! The rules of actions: whether a key applies here, and why not. Keys, hints, the help, the palette,
//! menus and refusals are derived from them. Performs nothing.

mod browsing;
mod hints;
mod screen;
mod tables;

#[cfg(test)]
mod tests;

pub use crate::tui::pane::command::{Availability, Refusal};
pub use hints::{hints, opens_preview, useful, usual};
pub(in crate::tui) use tables::command;
pub use tables::{available, available_in, home, is_on_rows, refusal};
