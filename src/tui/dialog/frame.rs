//! The box around every dialog, and a pen that writes line after line into it.

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Widget};

use crate::api::text::visible;
use crate::tui::text_field::TextField;
use crate::tui::theme::Theme;
use crate::tui::widget::{hints, text};

/// Writes lines from top to bottom; what does not fit is left out.
pub(super) struct Pen<'a> {
    pub(super) area: Rect,
    pub(super) theme: &'a Theme,
    buf: &'a mut Buffer,
}

/// The widest a dialog gets that does not ask for more.
const WIDTH: u16 = 76;

/// Cells inside a dialog on a screen of this width.
pub(super) fn inner_width(screen: Rect) -> usize {
    usize::from(screen.width.min(WIDTH).saturating_sub(4))
}

/// Draws an empty dialog for `lines` lines in the middle of the screen, and gives the pen for its inside.
pub(super) fn open<'a>(title: &str, lines: usize, screen: Rect, buf: &'a mut Buffer, theme: &'a Theme) -> Pen<'a> {
    open_wide(title, WIDTH, lines, screen, buf, theme)
}

/// The same with another width at most.
pub(super) fn open_wide<'a>(
    title: &str,
    width: u16,
    lines: usize,
    screen: Rect,
    buf: &'a mut Buffer,
    theme: &'a Theme,
) -> Pen<'a> {
    let width = screen.width.min(width);
    let height = u16::try_from(lines).unwrap_or(u16::MAX).saturating_add(2).min(screen.height);
    let area =
        Rect { x: screen.x + (screen.width - width) / 2, y: screen.y + (screen.height - height) / 2, width, height };
    Clear.render(area, buf);
    let title = text::truncate_middle(title, usize::from(width.saturating_sub(4)));
    Block::bordered()
        .border_set(theme.border_set())
        .border_style(theme.focused_border)
        .title(Span::styled(format!(" {title} "), theme.title))
        .style(theme.text)
        .render(area, buf);
    Pen { area: area.inner(Margin::new(2, 1)), theme, buf }
}

impl Pen<'_> {
    /// Cells in a line.
    pub(super) fn width(&self) -> usize {
        usize::from(self.area.width)
    }

    /// Lines that are left.
    pub(super) fn left(&self) -> usize {
        usize::from(self.area.height)
    }

    pub(super) fn line<'l>(&mut self, line: impl Into<Line<'l>>) {
        if self.area.height > 0 {
            self.buf.set_line(self.area.x, self.area.y, &line.into(), self.area.width);
            self.area.y += 1;
            self.area.height -= 1;
        }
    }

    pub(super) fn text(&mut self, content: &str, style: Style) {
        self.line(Span::styled(content.to_owned(), style));
    }

    /// A text field that fills the rest of the line after `label`; gives where the cursor stands if it has the focus.
    pub(super) fn field(&mut self, label: &Line<'_>, field: &TextField, focused: bool) -> Option<Position> {
        if self.left() == 0 {
            return None;
        }
        let start = u16::try_from(label.width()).unwrap_or(0).min(self.area.width);
        let cells = self.area.width - start;
        let style = if focused { self.theme.input_focused } else { self.theme.input };
        self.buf.set_line(self.area.x, self.area.y, label, self.area.width);
        let spot = Rect { x: self.area.x + start, y: self.area.y, width: cells, height: 1 };
        self.buf.set_style(spot, style);
        // One cell is kept free, so that the cursor can stand behind the last character.
        let room = usize::from(cells.saturating_sub(1));
        let skipped = field.scroll(room);
        let safe = visible(field.text());
        let shown = text::take(skip(&safe, skipped), room).to_owned();
        self.buf.set_stringn(spot.x, spot.y, &shown, room, style);
        let cursor =
            u16::try_from(field.cursor_cells().saturating_sub(skipped)).unwrap_or(0).min(cells.saturating_sub(1));
        self.area.y += 1;
        self.area.height -= 1;
        focused.then_some(Position { x: spot.x + cursor, y: spot.y })
    }

    /// Writes keys and what they do into the last line.
    pub(super) fn keys(&mut self, pairs: &[(&str, &str)]) {
        let last = self.area.height.saturating_sub(1);
        self.area.y += last;
        self.area.height -= last;
        let line = hints::line(pairs.iter().copied(), self.width(), self.theme.key, self.theme.dim);
        self.line(line);
    }
}

/// The text without its first `cells` cells.
fn skip(content: &str, cells: usize) -> &str {
    let head = text::take(content, cells);
    content.get(head.len()..).unwrap_or_default()
}
