//! Colors of cells that identify pictures.

use ratatui::style::Color;

/// Returns the color that identifies a picture: the lower 24 bits of its id.
pub(super) fn color(id: u32) -> Color {
    let [_, red, green, blue] = id.to_be_bytes();
    Color::Rgb(red, green, blue)
}
