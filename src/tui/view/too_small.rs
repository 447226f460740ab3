//! The message of a screen that is too small for anything else.

use ratatui::Frame;
use ratatui::layout::Size;

use crate::tui::areas::LEAST;
use crate::tui::style::theme::Theme;
use crate::tui::widget::text::wrap;

use crate::tui::pane::frame;

pub(super) fn draw(frame: &mut Frame<'_>, size: Size, theme: &Theme) {
    let text = format!(
        "Too small: {}x{}. filedeck needs {}x{}.",
        size.width, size.height, LEAST.width, LEAST.height
    );
    for (at, line) in (0..).zip(wrap(&text, usize::from(size.width))) {
        let row = frame::row(frame.area(), at);
        frame.render_widget(ratatui::text::Line::styled(line, theme.warn), row);
    }
}
