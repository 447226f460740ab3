//! The rules of actions: whether a key applies here, and why not. Keys, hints, the help, the palette,
//! menus and refusals are derived from them. Performs nothing.

mod activity;
mod always;
mod browsing;
mod comparison;
mod everywhere;
mod files;
mod hints;
mod limits;
mod list;
mod local;
mod rule;
mod tables;
mod tasks;
mod tree;

#[cfg(test)]
mod tests;

pub use hints::{hints, opens_preview, useful, usual};
pub use rule::{Availability, Refusal};
pub use tables::{Part, available, available_in, home, is_on_rows, part, refusal};
