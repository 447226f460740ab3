//! Placeholder rows until the first names arrive.

use ratatui::Frame;
use ratatui::layout::Rect;

use super::columns::{FileColumns, SIGNS};
use crate::tui::pane::frame;
use crate::tui::style::theme::Theme;

/// Name lengths that make the placeholders look like rows.
const LENGTHS: [usize; 7] = [18, 12, 22, 15, 9, 20, 14];

pub(crate) fn draw(frame: &mut Frame<'_>, area: Rect, columns: &FileColumns, theme: &Theme) {
    let style = theme.track;
    let shape = if theme.is_mono() { "░" } else { " " };
    for (at, length) in (0..area.height).zip(LENGTHS) {
        let row = frame::row(area, at);
        let name = length.min(columns.name);
        frame.buffer_mut().set_string(
            row.x + u16::try_from(SIGNS).unwrap_or(0),
            row.y,
            shape.repeat(name),
            style,
        );
    }
}
