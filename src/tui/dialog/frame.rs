//! The box around every dialog, and a pen that writes line after line into it.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Widget};

use super::hit_target::{DialogTarget, Drawn};
use crate::api::text::visible;
use crate::tui::input::text_field::TextField;
use crate::tui::style::symbols::{CHOSEN, DANGER, NOT_CHOSEN};
use crate::tui::style::theme::Theme;
use crate::tui::widget::scroll::{self, ListCursor};
use crate::tui::widget::{hints, text};

/// Writes lines from top to bottom; those that do not fit are left out.
pub(super) struct LineWriter<'a> {
    pub(super) area: Rect,
    pub(super) theme: &'a Theme,
    buf: &'a mut Buffer,
    targets: Vec<(Rect, Option<DialogTarget>)>,
    marked: Position,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct DialogFrame<'a> {
    pub(super) title: &'a str,
    /// The note at the right of the title's line; may be empty.
    pub(super) note: &'a str,
    /// The width in cells, if the screen has that many.
    pub(super) width: u16,
    pub(super) lines: usize,
    /// Set for something that cannot be undone.
    pub(super) is_danger: bool,
}

pub(super) const WIDTH: u16 = 76;
/// The cells of the border and the padding on each side.
const SIDE: u16 = 3;

/// Draws the label of a button. Without colors, brackets mark it as one, and show the focus.
pub(super) fn button(label: &str, has_focus: bool, style: Style, theme: &Theme) -> Span<'static> {
    let (open, close) = match (theme.is_mono(), has_focus) {
        (false, _) => (" ", " "),
        (true, false) => ("[", "]"),
        (true, true) => (">", "<"),
    };
    Span::styled(format!("{open} {label} {close}"), style)
}

/// Draws one of a few choices, with a sign that shows whether it is chosen.
pub(super) fn radio(
    words: &'static str,
    is_chosen: bool,
    has_focus: bool,
    theme: &Theme,
) -> [Span<'static>; 2] {
    let sign = match (is_chosen, theme.is_plain()) {
        (true, true) => "(x)",
        (true, false) => CHOSEN,
        (false, true) => "( )",
        (false, false) => NOT_CHOSEN,
    };
    let (sign_style, style) = match (is_chosen, has_focus) {
        (true, true) => (theme.cursor, theme.title),
        (true, false) => (theme.cursor, theme.text),
        (false, _) => (theme.dim, theme.dim),
    };
    [
        Span::styled(format!("{sign} "), sign_style),
        Span::styled(words, style),
    ]
}

pub(super) fn inner_width(screen: Rect) -> usize {
    usize::from(screen.width.min(WIDTH).saturating_sub(2 * SIDE))
}

/// Draws an empty dialog for `lines` lines in the middle of the screen, and returns the pen for its
/// inside.
pub(super) fn open<'a>(
    title: &str,
    lines: usize,
    screen: Rect,
    buf: &'a mut Buffer,
    theme: &'a Theme,
) -> LineWriter<'a> {
    DialogFrame {
        title,
        note: "",
        width: WIDTH,
        lines,
        is_danger: false,
    }
    .open(screen, buf, theme)
}

/// Returns the upper part of the screen in which a dialog of `lines` lines begins where one with
/// `growth` more would.
pub(super) fn room_to_grow(screen: Rect, lines: usize, growth: usize) -> Rect {
    let rows = |lines: usize| u16::try_from(lines).unwrap_or(u16::MAX);
    let least = rows(lines.saturating_add(4)).min(screen.height);
    Rect {
        height: screen.height.saturating_sub(rows(growth)).max(least),
        ..screen
    }
}

impl<'t> DialogFrame<'t> {
    /// Uses this title if the longer one has no room.
    pub(super) fn or_titled(self, short: &'t str, screen: Rect, theme: &Theme) -> Self {
        let fits = text::width(self.title) <= self.title_room(screen.width.min(self.width), theme);
        if fits {
            self
        } else {
            Self {
                title: short,
                ..self
            }
        }
    }

    /// Returns the sign that replaces red lines without colors.
    fn sign(self, theme: &Theme) -> String {
        let has_sign = self.is_danger && theme.is_mono() && !theme.is_plain();
        if has_sign {
            format!(" {DANGER}")
        } else {
            String::new()
        }
    }

    fn title_room(self, width: u16, theme: &Theme) -> usize {
        // Two corners, each with a piece of the border and a cell of padding.
        let note = if self.note.is_empty() {
            0
        } else {
            text::width(self.note) + 3
        };
        usize::from(width.saturating_sub(6)).saturating_sub(text::width(&self.sign(theme)) + note)
    }

    pub(super) fn open<'a>(
        self,
        screen: Rect,
        buf: &'a mut Buffer,
        theme: &'a Theme,
    ) -> LineWriter<'a> {
        let width = screen.width.min(self.width);
        let lines = u16::try_from(self.lines).unwrap_or(u16::MAX);
        // Without enough room, the padding goes first; then the header is covered.
        let air = u16::from(lines.saturating_add(5) <= screen.height);
        let height = lines.saturating_add(2 + 2 * air).min(screen.height);
        let [beside, below] = [screen.width - width, screen.height - height];
        // Without a border, it begins where everything else does.
        let [x, y] = if theme.is_plain() {
            [0, 0]
        } else {
            [beside / 2, below / 2]
        };
        let area = Rect {
            x: screen.x + x,
            y: (screen.y + y).max(below.min(1)),
            width,
            height,
        };
        self.fill(area, air, buf, theme)
    }

    /// Draws the box over a whole area, with `air` padding rows above and below.
    pub(super) fn fill<'a>(
        self,
        area: Rect,
        air: u16,
        buf: &'a mut Buffer,
        theme: &'a Theme,
    ) -> LineWriter<'a> {
        let width = area.width;
        Clear.render(area, buf);
        let border = if self.is_danger {
            theme.danger_border
        } else {
            theme.focused_border
        };
        let sign = self.sign(theme);
        let title = text::truncate_middle(self.title, self.title_room(width, theme));
        let lines = theme.focused_lines();
        let title = Line::from(vec![
            Span::styled(format!("{}{sign}", lines.horizontal_top), border),
            Span::styled(format!(" {title} "), theme.title),
        ]);
        let note = if self.note.is_empty() {
            String::new()
        } else {
            format!(" {} ", self.note)
        };
        let note = Line::styled(note, theme.dim);
        Block::bordered()
            .border_set(lines)
            .style(theme.panel)
            .border_style(border)
            .title(title)
            .title(note.right_aligned())
            .render(area, buf);
        let inside = area.inner(Margin::new(SIDE, 1 + air));
        LineWriter {
            area: inside,
            theme,
            buf,
            targets: vec![(area, None)],
            marked: inside.as_position(),
        }
    }
}

impl LineWriter<'_> {
    pub(super) fn width(&self) -> usize {
        usize::from(self.area.width)
    }

    pub(super) fn left(&self) -> usize {
        usize::from(self.area.height)
    }

    /// Marks the next line, from this cell on.
    pub(super) fn mark(&mut self, cell: usize) {
        let x = self
            .area
            .x
            .saturating_add(u16::try_from(cell).unwrap_or(u16::MAX));
        self.marked = Position {
            x: x.min(self.area.right()),
            y: self.area.y,
        };
    }

    /// Makes the next line clickable.
    pub(super) fn target(&mut self, target: DialogTarget) {
        self.target_at(0..self.width(), target);
    }

    /// Makes these cells of the next line clickable.
    pub(super) fn target_at(&mut self, cells: Range<usize>, target: DialogTarget) {
        if self.area.height > 0 {
            let cell = |cells: usize| u16::try_from(cells).unwrap_or(u16::MAX);
            let x = self.area.x.saturating_add(cell(cells.start));
            let area = Rect {
                x,
                width: cell(cells.len()),
                height: 1,
                ..self.area
            };
            self.targets
                .push((area.intersection(self.area), Some(target)));
        }
    }

    pub(super) fn done(self, cursor: Option<Position>) -> Drawn {
        Drawn {
            cursor: cursor.unwrap_or(self.marked),
            is_typing: cursor.is_some(),
            targets: self.targets,
        }
    }

    /// Draws a scrollbar in the border, beside the lines that follow, if these rows of `len` are
    /// not all.
    pub(super) fn scrollbar(&mut self, rows: &Range<usize>, len: usize) {
        let shown = rows.len().min(self.left());
        let height = u16::try_from(shown).unwrap_or(u16::MAX);
        let area = Rect {
            width: self.area.width + SIDE,
            height,
            ..self.area
        };
        let rows = rows.start..rows.start.saturating_add(shown);
        scroll::bar(area, self.buf, rows, len, self.theme);
    }

    /// Writes at the end of the previous line.
    pub(super) fn end_line(&mut self, words: &str) {
        let area = Rect {
            y: self.area.y.saturating_sub(1),
            height: 1,
            ..self.area
        };
        // A style on the line would apply to the whole row.
        Line::from(Span::styled(words, self.theme.dim))
            .right_aligned()
            .render(area, self.buf);
    }

    pub(super) fn line<'l>(&mut self, line: impl Into<Line<'l>>) {
        if self.area.height > 0 {
            self.buf
                .set_line(self.area.x, self.area.y, &line.into(), self.area.width);
            self.area.y += 1;
            self.area.height -= 1;
        }
    }

    pub(super) fn rule(&mut self) {
        self.line(Span::styled("─".repeat(self.width()), self.theme.border));
    }

    pub(super) fn titled_rule(&mut self, words: &str) {
        if self.theme.is_plain() {
            return self.text(&format!("{words}:"), self.theme.dim);
        }
        let words = text::truncate_middle(words, self.width().saturating_sub(4)).into_owned();
        let rest = self.width().saturating_sub(text::width(&words) + 3);
        self.line(Line::from(vec![
            Span::styled("─ ", self.theme.border),
            Span::styled(words, self.theme.dim),
            Span::styled(format!(" {}", "─".repeat(rest)), self.theme.border),
        ]));
    }

    pub(super) fn text(&mut self, content: &str, style: Style) {
        self.line(Span::styled(content.to_owned(), style));
    }

    /// Writes a line that may be under the cursor, and then is highlighted from border to border.
    pub(super) fn row<'l>(&mut self, line: impl Into<Line<'l>>, is_cursor: bool) {
        if is_cursor && self.area.height > 0 {
            self.mark(0);
            let row = Rect {
                x: self.area.x - 2,
                width: self.area.width + 4,
                height: 1,
                ..self.area
            };
            self.buf.set_style(row, self.theme.selected);
            self.buf.set_string(
                row.x,
                row.y,
                self.theme.dialog_cursor_sign(),
                self.theme.cursor,
            );
        }
        self.line(line);
    }

    /// Writes two buttons side by side, each with its target, and marks the focused one.
    pub(super) fn buttons(&mut self, buttons: [(DialogTarget, Span<'_>, bool); 2]) {
        const GAP: &str = "   ";
        let (mut line, mut start) = (Line::default(), 0);
        for (target, button, has_focus) in buttons {
            let end = start + button.width();
            if has_focus {
                self.mark(start + 2);
            }
            self.target_at(start..end, target);
            line.extend([button, Span::raw(GAP)]);
            start = end + GAP.len();
        }
        self.line(line);
    }

    /// Writes the rows around the cursor into the next `room` lines, with a scrollbar if these are
    /// not all. `line` takes the index of a row and the row.
    pub(super) fn list<'l, T>(
        &mut self,
        rows: &[T],
        cursor: ListCursor,
        room: usize,
        line: impl Fn(usize, &T) -> Line<'l>,
    ) {
        let window = cursor.window(room);
        self.scrollbar(&window, rows.len());
        let shown = rows.iter().enumerate().skip(window.start);
        for (at, row) in shown.take(window.len()) {
            self.target(DialogTarget::Row(at));
            self.row(line(at, row), at == cursor.at());
        }
    }

    /// Draws a text field that fills the rest of the line after `label`; an empty one shows the
    /// placeholder. Returns the cursor's position if it has the focus.
    pub(super) fn field(
        &mut self,
        label: &Line<'_>,
        field: &TextField,
        placeholder: &str,
        focused: bool,
    ) -> Option<Position> {
        if self.left() == 0 {
            return None;
        }
        let cells_of = |width: usize| u16::try_from(width).unwrap_or(u16::MAX);
        let start = cells_of(label.width()).min(self.area.width);
        let cells = self.area.width - start;
        let style = if focused {
            self.theme.input_focused
        } else {
            self.theme.input
        };
        self.buf
            .set_line(self.area.x, self.area.y, label, self.area.width);
        let target = Rect {
            x: self.area.x + start,
            y: self.area.y,
            width: cells,
            height: 1,
        };
        self.buf.set_style(target, style);
        // One cell stays free on each side, so that the cursor fits behind the last character.
        let room = usize::from(cells.saturating_sub(2));
        let skipped = field.scroll(room);
        let safe = visible(field.text());
        let shown = text::fitting_start(skip(&safe, skipped), room).to_owned();
        let x = target.x + 1.min(cells);
        if shown.is_empty() {
            // The cursor hides no letter of the placeholder.
            let aside = u16::from(focused);
            let room = room.saturating_sub(usize::from(aside));
            self.buf.set_stringn(
                x + aside,
                target.y,
                placeholder,
                room,
                style.patch(self.theme.placeholder),
            );
        } else {
            self.buf.set_stringn(x, target.y, &shown, room, style);
        }
        let cursor = u16::try_from(field.cursor_cells().saturating_sub(skipped))
            .unwrap_or(0)
            .min(cells.saturating_sub(2));
        self.area.y += 1;
        self.area.height -= 1;
        focused.then_some(Position {
            x: x + cursor,
            y: target.y,
        })
    }

    /// Writes keys and their actions into the next line, as many as fit.
    pub(super) fn key_line(&mut self, pairs: &[(&str, &str)]) {
        let pairs: Vec<_> = pairs
            .iter()
            .map(|(name, does)| (self.theme.spoken(name), *does))
            .collect();
        for (cells, name, _) in hints::places(pairs.iter().copied(), self.width()) {
            if let Ok(key) = name.parse() {
                self.target_at(cells, DialogTarget::Key(key));
            }
        }
        let line = hints::line(
            pairs.iter().copied(),
            self.width(),
            self.theme.key,
            self.theme.dim,
        );
        self.line(line);
    }

    /// Writes keys and their actions into the last line. Those before `esc` give way to it if not
    /// all fit.
    pub(super) fn keys(&mut self, pairs: &[(&str, &str)]) {
        let pairs: Vec<_> = pairs
            .iter()
            .map(|(name, does)| (self.theme.spoken(name), *does))
            .collect();
        let last = self.area.height.saturating_sub(1);
        self.area.y += last;
        self.area.height -= last;
        let (others, from_way_out) = pairs.split_at(
            pairs
                .iter()
                .position(|(name, _)| *name == "esc")
                .unwrap_or(0),
        );
        let way_out = from_way_out
            .first()
            .map_or(0, |(name, text)| hints::GAP + hints::width(name, text));
        let fitting = hints::places(others.iter().copied(), self.width().saturating_sub(way_out));
        let pairs: Vec<_> = fitting
            .map(|(_, name, text)| (name, text))
            .chain(from_way_out.iter().copied())
            .collect();
        self.key_line(&pairs);
    }
}

/// Returns the text without its first `cells` cells.
fn skip(content: &str, cells: usize) -> &str {
    let head = text::fitting_start(content, cells);
    content.get(head.len()..).unwrap_or_default()
}
