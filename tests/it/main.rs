//! The program: commands, screen, documents and architecture. The modules below have test binaries
//! of their own.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "a test that cannot go on should panic"
)]

mod architecture;
mod cli;
mod docs;
mod glossary;
mod hostile_previews;
mod matrix;
mod packaging;
mod readme;
mod screen;
mod sessions;
pub mod support;
#[cfg(unix)]
mod terminal;
mod update;
