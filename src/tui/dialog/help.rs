//! All keys in columns by group. Typing narrows the list, enter does the row.

use std::iter::once;

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::filtered_list::{FilteredList, ListHead, Searched};
use super::hit_target::{DialogTarget, Drawn};
use super::list_cursor::ListCursor;
use super::modal::Modal;
use super::reply::{Intent, Reply};
use crate::tui::clocks::Clocks;
use crate::tui::denied_actions::DeniedActions;
use crate::tui::input::text_field::TextField;
use crate::tui::keymap::{Action, Binding, Context, Key, Keymap, spell};
use crate::tui::style::symbols;
use crate::tui::style::theme::Theme;
use crate::tui::widget::{matched, scroll, text};

/// The help.
#[derive(Debug, Clone)]
pub struct Help {
    list: FilteredList,
    rows: Vec<HelpRow>,
}

#[derive(Debug, Clone)]
struct HelpRow {
    context: Context,
    action: Action,
    keys: String,
    /// The scope that the token lacks for it.
    lacks: Option<String>,
}

/// What is in a line of a column.
#[derive(Debug, Clone, Copy)]
enum Cell {
    Blank,
    Group(&'static str),
    /// A place among those that match, and the index of the row.
    Row(usize, usize),
}

/// Cells of a column, with the bar of the cursor: at least, and where there is room.
const COLUMN: u16 = 52;
const WIDE_COLUMN: u16 = 62;
const MOST_COLUMNS: u16 = 3;
/// Cells for keys; more of them are cut.
const KEYS: usize = 14;
/// What the box and its air take.
const SIDES: u16 = 6;

impl Help {
    /// What is denied is grayed.
    pub fn new(keymap: &Keymap, denied: &DeniedActions) -> Self {
        let mut bindings: Vec<&Binding> = keymap.bindings().iter().filter(|it| !it.sequences.is_empty()).collect();
        bindings.sort_by_key(|binding| (binding.action, binding.context));
        bindings.dedup_by(|next, first| next.action == first.action && next.sequences == first.sequences);
        let rows: Vec<HelpRow> = bindings.into_iter().map(|binding| row(binding, denied)).collect();
        Self { list: FilteredList::new(rows.iter().map(searched).collect()), rows }
    }

    /// What is typed.
    pub fn typed(&self) -> &TextField {
        &self.list.typed
    }

    /// What is in the columns, one below the other: under their groups as long as nothing is typed.
    fn cells(&self) -> Vec<Cell> {
        let (mut cells, mut group) = (Vec::new(), None);
        for (at, index) in self.list.found().iter().enumerate() {
            let of = self.rows.get(*index).map(|row| row.action.group());
            if let Some(of) = of.filter(|_| self.typed().is_empty() && of != group) {
                cells.extend(group.map(|_| Cell::Blank).into_iter().chain(once(Cell::Group(of))));
                group = Some(of);
            }
            cells.push(Cell::Row(at, *index));
        }
        cells
    }

    fn cell(&self, cell: Cell, width: usize, keys: usize, theme: &Theme) -> Vec<Span<'_>> {
        match cell {
            Cell::Blank => vec![Span::raw(" ".repeat(width))],
            Cell::Group(name) => vec![Span::styled(text::left(&format!("  {name}"), width), theme.title)],
            Cell::Row(at, index) => {
                let Some(row) = self.rows.get(index) else { return Vec::new() };
                let is_cursor = at == self.list.cursor.at;
                let room = width.saturating_sub(keys + 6);
                let lacks = text::truncate(row.lacks.as_deref().unwrap_or_default(), room);
                let room = room.saturating_sub(text::width(&lacks));
                let description = text::truncate(row.action.description(), room).into_owned();
                let matched = self.list.matched(&description);
                let bar = if is_cursor { symbols::CURSOR } else { " " };
                let mut spans = vec![
                    Span::styled(format!("{bar} "), theme.cursor),
                    Span::styled(format!("{}  ", text::left(&row.keys, keys)), theme.cursor),
                ];
                let rest = " ".repeat(room.saturating_sub(text::width(&description)));
                let style = if row.lacks.is_some() { theme.dim } else { theme.text };
                let description = matched::spans(&description, &matched, style, theme.matched);
                spans.extend(description.into_iter().map(|span| Span::styled(span.content.into_owned(), span.style)));
                spans.push(Span::styled(lacks.into_owned(), theme.dim));
                spans.push(Span::raw(rest));
                if is_cursor {
                    spans = spans.into_iter().map(|span| span.patch_style(theme.selected)).collect();
                }
                spans.push(Span::raw("  "));
                spans
            }
        }
    }
}

impl Modal for Help {
    fn on_key(&mut self, key: Key, _: Clocks) -> Reply {
        match key.code {
            KeyCode::Esc => Reply::Closed,
            KeyCode::Enter => {
                let chosen = self.list.selected().and_then(|index| self.rows.get(index));
                chosen.map_or(Reply::Open, |row| Reply::Accepted(Intent::Act(row.action)))
            }
            _ => {
                self.list.on(key);
                Reply::Open
            }
        }
    }

    fn on_paste(&mut self, pasted: &str) {
        self.list.paste(pasted);
    }

    fn draw(&self, screen: Rect, buf: &mut Buffer, theme: &Theme) -> Drawn {
        let room = screen.width.saturating_sub(SIDES);
        let columns = (room / COLUMN).clamp(1, MOST_COLUMNS);
        let width = room.min(columns * WIDE_COLUMN) + SIDES;
        let cells = self.cells();
        let lines = cells.len().div_ceil(usize::from(columns)).max(12) + 4;
        let head = ListHead { title: "Keys", hint: "a word or a key", width, lines };
        let (mut pen, cursor) = self.list.open(head, screen, buf, theme);
        if self.list.found().is_empty() {
            pen.text("No key matches.", theme.dim);
        }
        let (height, width) = (pen.left().saturating_sub(2), pen.width() / usize::from(columns));
        let here = cells.iter().position(|cell| matches!(cell, Cell::Row(at, _) if *at == self.list.cursor.at));
        let first = scroll::window(here.unwrap_or(0), cells.len(), height * usize::from(columns)).start;
        let keys = self.rows.iter().map(|row| text::width(&row.keys)).max().unwrap_or(0).min(KEYS);
        for y in 0..height {
            let mut spans = Vec::new();
            for column in 0..usize::from(columns) {
                let cell = cells.get(first + column * height + y).copied().unwrap_or(Cell::Blank);
                let x = column * width;
                if let Cell::Row(at, _) = cell {
                    pen.target_at(x..x + width, DialogTarget::Row(at));
                    if at == self.list.cursor.at {
                        pen.mark(x);
                    }
                }
                spans.extend(self.cell(cell, width, keys, theme));
            }
            pen.line(Line::from(spans));
        }
        pen.keys(&[("type", "search"), ("↑↓", "move"), ("enter", "do it"), ("esc", "close")]);
        pen.done(cursor)
    }

    fn cursor_mut(&mut self) -> Option<&mut ListCursor> {
        Some(&mut self.list.cursor)
    }
}

fn row(binding: &Binding, denied: &DeniedActions) -> HelpRow {
    let keys = binding.sequences.iter().map(|keys| spell(keys)).collect::<Vec<_>>().join(", ");
    let lacks = denied.for_action(binding.action).map(|scope| format!("  needs {scope}"));
    HelpRow { context: binding.context, action: binding.action, keys, lacks }
}

fn searched(row: &HelpRow) -> Searched {
    let HelpRow { context, action, keys, .. } = row;
    let (words, group) = (action.description(), action.group());
    Searched { text: format!("{words} {keys} {group} {context} {action}"), rank: 0 }
}
