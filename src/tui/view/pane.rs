//! What all panes share: a heading that shows the focus, the selected row with the hardware cursor, words where rows
//! would be.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::tui::state::{Pane, State};
use crate::tui::theme::{LineStyle, Theme};
use crate::tui::widget::text::{truncate, width, wrap};

/// Whether keys go to this pane: it has the focus and no dialog lies over it.
pub(super) fn has_keys(state: &State, pane: Pane) -> bool {
    state.dialogs.is_empty() && state.focus == pane
}

/// Draws the heading and returns what is left below it.
pub(super) fn heading(frame: &mut Frame<'_>, area: Rect, title: &str, is_focused: bool, theme: &Theme) -> Rect {
    let style = if is_focused { theme.title } else { theme.dim };
    let title = truncate(title, usize::from(area.width.saturating_sub(1))).into_owned();
    let line = Line::from(vec![Span::raw(" "), Span::styled(title, style)]);
    frame.render_widget(line, Rect { height: area.height.min(1), ..area });
    below(area, 1)
}

/// The area without its first rows.
pub(super) fn below(area: Rect, rows: u16) -> Rect {
    let rows = rows.min(area.height);
    Rect { y: area.y + rows, height: area.height - rows, ..area }
}

/// One row of the area, counted from its top; empty when it has no such row.
pub(super) fn row(area: Rect, at: u16) -> Rect {
    if at < area.height { Rect { y: area.y + at, height: 1, ..area } } else { Rect { height: 0, ..area } }
}

/// Styles the row under the cursor; in the focused pane the hardware cursor stands there too, for screen readers.
pub(super) fn select(frame: &mut Frame<'_>, row: Rect, is_focused: bool, theme: &Theme) {
    let style = if is_focused { theme.selected } else { theme.selected_unfocused };
    frame.buffer_mut().set_style(row, style);
    if is_focused {
        frame.set_cursor_position((row.x.saturating_add(1), row.y));
    }
}

/// A vertical line.
pub(super) fn divider(frame: &mut Frame<'_>, area: Rect, theme: &Theme) {
    let symbol = match theme.lines {
        LineStyle::Light => "│",
        LineStyle::Ascii => "|",
    };
    for y in area.top()..area.bottom() {
        frame.render_widget(Span::styled(symbol, theme.border), Rect { y, height: 1, ..area });
    }
}

/// A horizontal line with a title near its start; the title may be empty.
pub(super) fn rule(frame: &mut Frame<'_>, area: Rect, title: &str, is_focused: bool, theme: &Theme) {
    let symbol = match theme.lines {
        LineStyle::Light => "─",
        LineStyle::Ascii => "-",
    };
    let cells = usize::from(area.width);
    let title = truncate(title, cells.saturating_sub(6));
    let line = if title.is_empty() {
        Line::styled(symbol.repeat(cells), theme.border)
    } else {
        let rest = cells.saturating_sub(4 + width(&title));
        let style = if is_focused { theme.title } else { theme.text };
        Line::from(vec![
            Span::styled(symbol.repeat(2), theme.border),
            Span::styled(format!(" {title} "), style),
            Span::styled(symbol.repeat(rest), theme.border),
        ])
    };
    frame.render_widget(line, Rect { height: area.height.min(1), ..area });
}

/// Paragraphs in words, where rows would be: each text wrapped, in its style, with a margin.
pub(super) fn say(frame: &mut Frame<'_>, area: Rect, paragraphs: &[(String, Style)]) {
    let cells = usize::from(area.width.saturating_sub(4));
    let lines = paragraphs
        .iter()
        .flat_map(|(text, style)| wrap(text, cells).into_iter().map(|line| Line::styled(line, *style)));
    for (at, line) in (1_u16..).zip(lines) {
        let row = row(area, at);
        frame.render_widget(line, Rect { x: row.x + 3.min(row.width), width: row.width.saturating_sub(3), ..row });
    }
}
