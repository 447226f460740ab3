//! The common parts of all panes: a box with texts in its border, the selected row with the
//! hardware cursor, a scrollbar, and text in place of rows.

use std::borrow::Cow;
use std::ops::Range;

use ratatui::Frame;
use ratatui::layout::{Margin, Rect};
use ratatui::style::Style;
use ratatui::symbols::border;
use ratatui::text::{Line, Span};
use ratatui::widgets::Block;

use crate::tui::state::{Pane, State};
use crate::tui::style::symbols::DANGER;
use crate::tui::style::theme::Theme;
use crate::tui::widget::text::{truncate_start, width, wrap};
use crate::tui::widget::{hints, scroll};

/// Returns `true` if the pane receives keys: it has the focus and no dialog is open.
pub(crate) fn has_keys(state: &State, pane: Pane) -> bool {
    state.dialogs.is_empty() && state.focus == pane
}

/// The label of the pane that fills the screen; the hints name the key that restores the others.
pub(crate) fn zoom(state: &State, pane: Pane) -> &'static str {
    let is_zoomed = state.panes.zoomed && !state.panes.plain && state.focus == pane;
    if is_zoomed { "zoomed" } else { "" }
}

/// A box around a pane. The texts in its border must be safe to display.
#[derive(Debug, Default)]
pub(crate) struct PaneBox<'a> {
    /// Top left: the subject. Its start is cut if space is short.
    pub(crate) title: &'a str,
    /// Set if the pane shows one of two accounts, and this is a production account.
    pub(crate) is_production: bool,
    /// Top right: order, filter, age.
    pub(crate) note: Line<'a>,
    /// Bottom right: position and counts.
    pub(crate) foot: Line<'a>,
    /// Bottom left: a label for a pane that fills the screen.
    pub(crate) zoom: &'static str,
    pub(crate) is_focused: bool,
}

impl PaneBox<'_> {
    /// Draws the box and returns its inside.
    pub(crate) fn draw(self, frame: &mut Frame<'_>, area: Rect, theme: &Theme) -> Rect {
        let border = if self.is_focused {
            theme.focused_border
        } else {
            theme.border
        };
        let title_style = if self.is_focused {
            theme.title
        } else {
            theme.dim
        };
        let mark = if self.is_production {
            format!("{DANGER} ")
        } else {
            String::new()
        };
        let room = usize::from(area.width).saturating_sub(6 + width(&mark));
        let note_room = self.note.width();
        let title = truncate_start(
            self.title,
            room.saturating_sub(if note_room > 0 { note_room + 4 } else { 0 }),
        );
        let lines = if self.is_focused {
            theme.focused_lines()
        } else {
            border::ROUNDED
        };
        let words =
            |line, is_left| on_line(line, Span::styled(lines.horizontal_top, border), is_left);
        let mut block = Block::bordered().border_set(lines).border_style(border);
        if !title.is_empty() {
            let mark = Span::styled(mark, theme.production);
            let title = Line::from(vec![mark, Span::styled(title, title_style)]);
            block = block.title_top(words(title, true));
        }
        if note_room > 0 && note_room <= room {
            block = block.title_top(words(self.note, false).right_aligned());
        }
        if self.foot.width() > 0 && self.foot.width() <= room {
            // A screen without boxes has no corner to align it with.
            let foot = words(self.foot.clone(), theme.is_plain());
            block = block.title_bottom(if theme.is_plain() {
                foot
            } else {
                foot.right_aligned()
            });
        }
        if !self.zoom.is_empty() && self.foot.width() + width(self.zoom) + 4 <= room {
            block = block.title_bottom(words(Line::styled(self.zoom, theme.dim), true));
        }
        frame.render_widget(block, area);
        inner(area)
    }
}

/// Pads a text with one cell on each side, and adds a piece of border towards the corner.
fn on_line<'a>(words: Line<'a>, line: Span<'a>, is_left: bool) -> Line<'a> {
    let (mut spans, style) = (words.spans, words.style);
    for span in &mut spans {
        span.style = style.patch(span.style);
    }
    let (first, last) = if is_left {
        (vec![line, " ".into()], vec![" ".into()])
    } else {
        (vec![" ".into()], vec![" ".into(), line])
    };
    Line::from([first, spans, last].concat())
}

/// Draws a scrollbar in the right border of a box if not all rows are visible.
pub(crate) fn scrollbar(
    frame: &mut Frame<'_>,
    area: Rect,
    shown: Range<usize>,
    len: usize,
    theme: &Theme,
) {
    let area = area.inner(Margin::new(0, 1));
    scroll::bar(area, frame.buffer_mut(), shown, len, theme);
}

/// The place of a scrollbar: the right border of a box without its corners.
pub(crate) fn track(area: Rect) -> Rect {
    let side = area.inner(Margin::new(0, 1));
    Rect {
        x: side.right().saturating_sub(1),
        width: side.width.min(1),
        ..side
    }
}

pub(crate) fn below(area: Rect, rows: u16) -> Rect {
    let rows = rows.min(area.height);
    Rect {
        y: area.y + rows,
        height: area.height - rows,
        ..area
    }
}

pub(crate) fn padded(area: Rect) -> Rect {
    area.inner(Margin::new(1, 0))
}

pub(crate) fn inner(area: Rect) -> Rect {
    area.inner(Margin::new(1, 1))
}

/// The inside of a box, without the padding at its sides.
pub(crate) fn inside(area: Rect) -> Rect {
    area.inner(Margin::new(2, 1))
}

/// One row of the area, counted from its top; empty if there is no such row.
pub(crate) fn row(area: Rect, at: u16) -> Rect {
    if at < area.height {
        Rect {
            y: area.y + at,
            height: 1,
            ..area
        }
    } else {
        Rect { height: 0, ..area }
    }
}

/// Marks the row under the cursor. In the focused pane it also holds the hardware cursor, for
/// screen readers.
pub(crate) fn select(frame: &mut Frame<'_>, row: Rect, is_focused: bool, theme: &Theme) {
    let style = if is_focused {
        theme.selected
    } else {
        theme.selected_unfocused
    };
    frame.buffer_mut().set_style(row, style);
    if is_focused {
        frame
            .buffer_mut()
            .set_string(row.x, row.y, theme.cursor_sign(), theme.cursor);
        frame.set_cursor_position((row.x.saturating_add(1), row.y));
    } else if let Some(sign) = theme.unfocused_cursor_sign() {
        frame
            .buffer_mut()
            .set_string(row.x, row.y, sign, theme.cursor);
    }
}

/// Paragraphs in place of rows: each text wrapped, in its style, with a margin.
pub(crate) fn say(frame: &mut Frame<'_>, area: Rect, paragraphs: &[(String, Style)]) {
    let area = area.inner(Margin::new(2, 0));
    say_lines(frame, area, wrapped(paragraphs, usize::from(area.width)));
}

/// Like `say`, followed by keys and their actions, one per line.
pub(crate) fn say_with_keys(
    frame: &mut Frame<'_>,
    area: Rect,
    paragraphs: &[(String, Style)],
    keys: &[(String, Cow<'_, str>)],
    theme: &Theme,
) {
    let area = area.inner(Margin::new(2, 0));
    let cells = usize::from(area.width);
    let keys = keys
        .iter()
        .map(|(key, does)| hints::line([(key.as_str(), &**does)], cells, theme.key, theme.dim));
    let gap = std::iter::once(Line::default());
    say_lines(
        frame,
        area,
        wrapped(paragraphs, cells)
            .into_iter()
            .chain(gap)
            .chain(keys),
    );
}

fn say_lines<'a>(frame: &mut Frame<'_>, area: Rect, lines: impl IntoIterator<Item = Line<'a>>) {
    for (at, line) in (1_u16..).zip(lines) {
        frame.render_widget(line, row(area, at));
    }
}

pub(crate) fn wrapped(paragraphs: &[(String, Style)], cells: usize) -> Vec<Line<'static>> {
    let lines = |(text, style): &(String, Style)| {
        wrap(text, cells)
            .into_iter()
            .map(|line| Line::styled(line, *style))
            .collect::<Vec<_>>()
    };
    paragraphs.iter().flat_map(lines).collect()
}
