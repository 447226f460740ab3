//! Names of pictures among the cells of a frame.

use ratatui::style::Color;

/// A color that names a picture; of 24 bits, as the names are.
pub(super) fn color(id: u32) -> Color {
    let [_, red, green, blue] = id.to_be_bytes();
    Color::Rgb(red, green, blue)
}
