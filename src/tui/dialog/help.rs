//! The keys of a place: first the most used ones, and behind a key all of them, in columns by
//! group. Typing searches all of them, and enter runs the row. What does not fit into a line
//! continues on the next one.

use std::collections::BTreeMap;

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::filtered_list::{FilteredList, ListHead, Searched};
use super::hit_target::{DialogTarget, Drawn};
use super::modal::Modal;
use super::reply::{Intent, Reply};
use crate::tui::clocks::Clocks;
use crate::tui::input::text_field::TextField;
use crate::tui::keymap::{Action, Binding, Context, Key, Keymap, spell};
use crate::tui::style::symbols::BETWEEN;
use crate::tui::style::theme::Theme;
use crate::tui::widget::scroll::ListCursor;
use crate::tui::widget::{matched, text};

#[derive(Debug, Clone)]
pub struct Help {
    list: FilteredList,
    rows: Vec<HelpRow>,
    /// The indices of the rows used most where the help was opened.
    useful: Vec<usize>,
    title: &'static str,
    shows_all: bool,
}

#[derive(Debug, Clone)]
struct HelpRow {
    context: Context,
    action: Action,
    keys: String,
    /// The description of the action, and what it lacks.
    words: String,
    /// The place where the keys mean this; `None` for the list of files.
    place: Option<&'static str>,
    is_grayed: bool,
}

#[derive(Debug, Clone, Copy)]
enum Cell {
    Blank,
    Group(&'static str),
    /// The group's name repeated in the next column.
    GroupAgain(&'static str),
    /// The position among the matching rows, the index of the row, and the line within the row.
    Row(usize, usize, usize),
}

/// The layout of a column, in cells.
#[derive(Debug, Clone, Copy)]
struct HelpColumn {
    width: usize,
    keys: usize,
    /// The most cells for the keys of a row, unless the first of them needs more.
    most_keys: usize,
}

/// The minimum width of a column in cells, including the cursor bar, and the width if there is
/// room.
const COLUMN: u16 = 52;
const WIDE_COLUMN: u16 = 62;
const ONLY_COLUMN: u16 = 74;
const MOST_COLUMNS: u16 = 3;
/// The most cells for keys, in the only column and in one of several; narrower columns show only
/// the first key.
const KEYS: usize = 20;
const KEYS_OF_SEVERAL: usize = 9;
const ALL_KEYS_FROM: usize = 56;
const SIDES: u16 = 6;
/// The fewest cells of the screen to leave visible beside the box; fewer are covered.
const LEAST_SIDES: u16 = 24;
/// The fewest lines of a group before it continues in the next column.
const LEAST_PART: usize = 6;
/// The fewest rows of a group in the next column.
const LEAST_REST: usize = 3;
const GAP: &str = "  ";

impl HelpColumn {
    /// Returns as many keys as there is room for.
    fn keys_of(self, row: &HelpRow) -> &str {
        let ends = row
            .keys
            .match_indices(", ")
            .map(|(at, _)| at)
            .chain([row.keys.len()]);
        let mut shown = ends.filter_map(|end| row.keys.get(..end));
        let first = shown.next().unwrap_or_default();
        shown
            .take_while(|keys| text::width(keys) <= self.most_keys)
            .last()
            .unwrap_or(first)
    }

    fn room(self) -> usize {
        self.width.saturating_sub(self.keys + 6)
    }
}

/// The actions that the help shows first, the words of those that have others here, and what some
/// lack, in a few words.
#[derive(Debug, Clone, Default)]
pub struct UsefulKeys {
    pub actions: Vec<Action>,
    pub words: BTreeMap<Action, String>,
    pub lacks: BTreeMap<Action, String>,
}

impl Help {
    /// Creates the help for keys in this place. Actions that lack something are grayed.
    pub fn new(keymap: &Keymap, context: Context, keys: &UsefulKeys) -> Self {
        let mut bindings: Vec<&Binding> = keymap
            .bindings()
            .iter()
            .filter(|it| !it.sequences.is_empty())
            .collect();
        bindings.sort_by_key(|binding| (binding.action, binding.context));
        bindings.dedup_by(|next, first| {
            next.action == first.action && next.sequences == first.sequences
        });
        // The same action by fewer keys in another place says nothing new.
        let is_told = |binding: &&Binding| {
            let tells = |other: &&Binding| {
                let has_all = binding
                    .sequences
                    .iter()
                    .all(|keys| other.sequences.contains(keys));
                other.action == binding.action && place(other.context).is_none() && has_all
            };
            binding.context != context
                && place(binding.context).is_some()
                && bindings.iter().any(tells)
        };
        let rows: Vec<HelpRow> = bindings
            .iter()
            .copied()
            .filter(|it| !is_told(it))
            .map(|binding| row(binding, keys))
            .collect();
        let index = |action: &Action| {
            let key = keymap.key_of(context, *action)?;
            rows.iter().position(|row| {
                row.action == *action && row.keys.split(", ").next() == Some(key.as_str())
            })
        };
        let useful: Vec<usize> = keys.actions.iter().filter_map(index).collect();
        let mut list = FilteredList::new(rows.iter().map(searched).collect());
        list.show_first(useful.clone());
        Self {
            list,
            rows,
            useful,
            title: title(context),
            shows_all: false,
        }
    }

    pub fn typed(&self) -> &TextField {
        &self.list.typed
    }

    /// Toggles between all keys and the most used ones.
    fn toggle(&mut self) {
        self.shows_all = !self.shows_all;
        let shown = if self.shows_all {
            (0..self.rows.len()).collect()
        } else {
            self.useful.clone()
        };
        self.list.show_first(shown);
    }

    /// Describes the action of a row; among the keys of other places, with the place.
    fn words(&self, row: &HelpRow) -> String {
        match row
            .place
            .filter(|_| self.shows_all || !self.typed().is_empty())
        {
            Some(place) => format!("{} {BETWEEN} {place}", row.words),
            None => row.words.clone(),
        }
    }

    /// Returns the lines of the columns, one below the other: under groups if all keys are listed.
    /// No row is split between columns of `height` lines; a group is, if a good part of it fits.
    fn cells(&self, column: HelpColumn, height: Option<usize>) -> Vec<Cell> {
        let has_groups = self.shows_all && self.typed().is_empty();
        let rows: Vec<_> = self
            .list
            .found()
            .iter()
            .filter_map(|index| Some((*index, self.rows.get(*index)?)))
            .collect();
        let rows: Vec<_> = rows.into_iter().enumerate().collect();
        let lines = |row: &HelpRow| {
            text::wrap(&self.words(row), column.room())
                .len()
                .max(text::wrap(column.keys_of(row), column.keys).len())
        };
        let left =
            |cells: &Vec<Cell>| height.map_or(usize::MAX, |height| height - cells.len() % height);
        let is_at_top = |cells: &Vec<Cell>| {
            height.map_or(cells.is_empty(), |height| {
                cells.len().is_multiple_of(height)
            })
        };
        let mut cells = Vec::new();
        for group in rows.chunk_by(|(_, (_, row)), (_, (_, next))| {
            !has_groups || row.action.group() == next.action.group()
        }) {
            let name = group
                .first()
                .filter(|_| has_groups)
                .map(|(_, (_, row))| row.action.group());
            let len = group.iter().map(|(_, (_, row))| lines(row)).sum::<usize>() + 2;
            if name.is_some() && !is_at_top(&cells) && left(&cells) < len.min(LEAST_PART) {
                cells.extend(std::iter::repeat_n(Cell::Blank, left(&cells)));
            }
            // A group at the top of a column needs no gap.
            if name.is_some() && !is_at_top(&cells) {
                cells.push(Cell::Blank);
            }
            cells.extend(name.map(Cell::Group));
            for (nth, (at, (index, row))) in group.iter().enumerate() {
                // The last few rows stay together.
                let together = if group.len() - nth == LEAST_REST {
                    group.get(nth..).unwrap_or_default()
                } else {
                    &[]
                };
                let needed = together
                    .iter()
                    .map(|(_, (_, row))| lines(row))
                    .sum::<usize>()
                    .max(lines(row));
                if needed > left(&cells) {
                    cells.extend(std::iter::repeat_n(Cell::Blank, left(&cells)));
                }
                if is_at_top(&cells) {
                    cells.extend(name.map(Cell::GroupAgain));
                }
                cells.extend((0..lines(row)).map(|line| Cell::Row(*at, *index, line)));
            }
        }
        cells
    }

    fn lines(&self, column: HelpColumn, columns: usize) -> usize {
        let least = self.cells(column, None).len().div_ceil(columns).max(12);
        let fits = |height: &usize| {
            self.cells(column, (columns > 1).then_some(*height)).len() <= columns * height
        };
        (least..2 * least).find(fits).unwrap_or(least)
    }

    /// Draws a cell. The cursor bar extends over what comes after it.
    fn cell(&self, cell: Cell, column: HelpColumn, after: &str, theme: &Theme) -> Vec<Span<'_>> {
        match cell {
            Cell::Blank => vec![Span::raw(" ".repeat(column.width))],
            Cell::Group(name) => vec![Span::styled(
                text::left(&format!("  {name}"), column.width),
                theme.title,
            )],
            Cell::GroupAgain(name) => {
                let rest = text::left(
                    ", continued",
                    column.width.saturating_sub(text::width(name) + 2),
                );
                vec![
                    Span::styled(format!("  {name}"), theme.title),
                    Span::styled(rest, theme.dim),
                ]
            }
            Cell::Row(at, index, line) => {
                let Some(row) = self.rows.get(index) else {
                    return Vec::new();
                };
                let is_cursor = at == self.list.cursor.at();
                let nth = |content: &str, cells| {
                    text::wrap(content, cells)
                        .into_iter()
                        .nth(line)
                        .unwrap_or_default()
                };
                let (keys, words) = (
                    nth(column.keys_of(row), column.keys),
                    nth(&self.words(row), column.room()),
                );
                let bar = if is_cursor {
                    theme.dialog_cursor_sign()
                } else {
                    " "
                };
                let mut spans = vec![
                    Span::styled(format!("{bar} "), theme.cursor),
                    Span::styled(
                        format!("{}  ", text::left(&keys, column.keys)),
                        theme.cursor,
                    ),
                ];
                let style = if row.is_grayed { theme.dim } else { theme.text };
                let matched = self.list.matched(&words);
                spans.extend(matched::spans(&words, &matched, style, theme.matched));
                spans.push(Span::raw(
                    " ".repeat(column.room().saturating_sub(text::width(&words))),
                ));
                spans.push(Span::raw(after.to_owned()));
                if is_cursor {
                    spans = spans
                        .into_iter()
                        .map(|span| span.patch_style(theme.selected))
                        .collect();
                }
                spans.push(Span::raw(GAP.get(after.len()..).unwrap_or_default()));
                spans
            }
        }
    }
}

impl Modal for Help {
    fn on_key(&mut self, key: Key, _: Clocks) -> Reply {
        match key.code {
            KeyCode::Esc => return Reply::Closed,
            KeyCode::Enter => {
                let chosen = self.list.selected().and_then(|index| self.rows.get(index));
                return chosen.map_or(Reply::Open, |row| Reply::Accepted(Intent::Act(row.action)));
            }
            KeyCode::Tab => self.toggle(),
            _ => self.list.on(key),
        }
        Reply::Open
    }

    fn on_paste(&mut self, pasted: &str) {
        self.list.paste(pasted);
    }

    fn draw(&self, screen: Rect, buf: &mut Buffer, theme: &Theme) -> Drawn {
        let (room, is_all) = (
            screen.width.saturating_sub(SIDES),
            self.shows_all || !self.typed().is_empty(),
        );
        let columns = if is_all {
            (room / COLUMN).clamp(1, MOST_COLUMNS)
        } else {
            1
        };
        let wanted = if columns == 1 {
            ONLY_COLUMN
        } else {
            columns * WIDE_COLUMN
        };
        // Strips of the screen at the sides are covered if they would show no whole word.
        let width = if room.saturating_sub(wanted) < LEAST_SIDES {
            room
        } else {
            wanted
        } + SIDES;
        let columns = usize::from(columns);
        let shown = self
            .list
            .found()
            .iter()
            .filter_map(|index| self.rows.get(*index));
        let cells = usize::from(width.saturating_sub(SIDES)) / columns;
        let most_keys = match columns {
            _ if cells < ALL_KEYS_FROM => 0,
            1 => KEYS,
            _ => KEYS_OF_SEVERAL,
        };
        let mut column = HelpColumn {
            width: cells,
            keys: 0,
            most_keys,
        };
        column.keys = shown
            .map(|row| text::width(column.keys_of(row)))
            .max()
            .unwrap_or(0)
            .min(KEYS);
        let lines = self.lines(column, columns) + 4;
        let title = if is_all { "All keys" } else { self.title };
        let head = ListHead {
            title,
            noun: "key",
            hint: "a word or a key",
            width,
            lines,
        };
        let (mut pen, cursor) = self.list.open(head, screen, buf, theme);
        if self.list.found().is_empty() {
            pen.text("No key matches.", theme.dim);
        }
        let height = pen.left().saturating_sub(2).max(1);
        let cells = self.cells(column, (columns > 1).then_some(height));
        let here = cells
            .iter()
            .rposition(|cell| matches!(cell, Cell::Row(at, ..) if *at == self.list.cursor.at()));
        let here = ListCursor::default().on(here.unwrap_or(0), cells.len());
        let first = if columns > 1 {
            here.page(height * columns).start
        } else {
            here.window(height).start
        };
        // Columns side by side scroll together, each by the same number of lines.
        let top = first / columns;
        pen.scrollbar(&(top..top + height), cells.len().div_ceil(columns));
        for y in 0..height.min(pen.left().saturating_sub(2)) {
            let mut spans = Vec::new();
            for nth in 0..columns {
                let cell = cells
                    .get(first + nth * height + y)
                    .copied()
                    .unwrap_or(Cell::Blank);
                let x = nth * column.width;
                if let Cell::Row(at, _, line) = cell {
                    pen.target_at(x..x + column.width, DialogTarget::Row(at));
                    if at == self.list.cursor.at() && line == 0 {
                        pen.mark(x);
                    }
                }
                // The bar of the last column ends with the line.
                let rest = pen.width().saturating_sub(columns * column.width) + GAP.len();
                let after = if nth + 1 == columns {
                    " ".repeat(rest)
                } else {
                    String::new()
                };
                spans.extend(self.cell(cell, column, &after, theme));
            }
            pen.line(Line::from(spans));
        }
        let more = if self.shows_all { "fewer" } else { "all keys" };
        pen.keys(&[
            ("enter", "run"),
            ("type", "search all"),
            ("tab", more),
            ("↑↓", "move"),
            ("esc", "close"),
        ]);
        pen.done(cursor)
    }

    fn cursor_mut(&mut self) -> Option<&mut ListCursor> {
        Some(&mut self.list.cursor)
    }
}

fn title(context: Context) -> &'static str {
    match context {
        Context::Global | Context::Files | Context::List => "Keys of the list",
        Context::Grid => "Keys of the grid",
        Context::Local => "Keys of this machine's list",
        Context::Compare => "Keys of the comparison",
        Context::Choose => "Keys of the choice of files",
        Context::Tree => "Keys of the folders",
        Context::Details => "Keys of the details",
        Context::Tasks => "Keys of the tasks",
        Context::Limits => "Keys of the limits",
        Context::Activity => "Keys of the activity",
    }
}

/// Returns the name of a place whose keys differ from those of the list of files.
fn place(context: Context) -> Option<&'static str> {
    let is_of_files = matches!(
        context,
        Context::Global | Context::Files | Context::List | Context::Tree | Context::Details
    );
    (!is_of_files).then(|| context.place())
}

fn row(binding: &Binding, keys: &UsefulKeys) -> HelpRow {
    let typed = binding
        .sequences
        .iter()
        .map(|keys| spell(keys))
        .collect::<Vec<_>>()
        .join(", ");
    let lacks = keys.lacks.get(&binding.action);
    let words = keys.words.get(&binding.action).map(String::as_str);
    let words = words.unwrap_or(binding.action.description());
    let words = lacks.map_or_else(|| words.to_owned(), |lack| format!("{words} ({lack})"));
    let place = place(binding.context).filter(|place| !binding.action.group().contains(place));
    HelpRow {
        context: binding.context,
        action: binding.action,
        keys: typed,
        words,
        place,
        is_grayed: lacks.is_some(),
    }
}

fn searched(row: &HelpRow) -> Searched {
    let HelpRow {
        context,
        action,
        keys,
        words,
        ..
    } = row;
    let group = action.group();
    Searched {
        text: format!("{words} {keys} {group} {context} {action}"),
        synonyms: action.synonyms(),
        rank: u8::from(action.moves_cursor()),
    }
}
