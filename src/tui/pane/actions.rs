//! The rules of actions: whether a key applies here, and why not. Keys, hints, the help, the palette,
//! menus and refusals are derived from them. Performs nothing.

mod browsing;
mod hints;
mod screen;
mod tables;

#[cfg(test)]
mod tests;

pub use crate::tui::pane::action_row::{Availability, Refusal};
pub use hints::{hints, useful};
pub(in crate::tui) use tables::row;
pub use tables::{available, available_in, home, is_on_rows, refusal, usual};
