//! The filter line below a list, with the cursor while the user types.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::api::text::visible;
use crate::tui::state::ListFilter;
use crate::tui::style::theme::Theme;
use crate::tui::widget::text::{fitting_start, left, truncate};

pub(crate) fn draw(frame: &mut Frame<'_>, area: Rect, filter: &ListFilter, theme: &Theme) {
    let room = usize::from(area.width).saturating_sub(5);
    let scroll = filter.input.scroll(room);
    let typed = visible(filter.input.text());
    let skipped = fitting_start(&typed, scroll).len();
    let shown = truncate(typed.get(skipped..).unwrap_or_default(), room).into_owned();
    let style = if filter.editing {
        theme.input_focused
    } else {
        theme.matched
    };
    let shown = if filter.editing {
        left(&shown, room)
    } else {
        shown
    };
    let line = Line::from(vec![
        Span::styled(" / ", theme.cursor),
        Span::styled(shown, style),
    ]);
    frame.render_widget(line, area);
    if filter.editing {
        let before = filter.input.cursor_cells().saturating_sub(scroll).min(room);
        let x = area
            .x
            .saturating_add(3)
            .saturating_add(u16::try_from(before).unwrap_or(0));
        frame.set_cursor_position((x, area.y));
    }
}
