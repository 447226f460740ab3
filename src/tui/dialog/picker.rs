//! Chooses local files and folders: a list of one folder, with marks that stay while others are looked through.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crossterm::event::{KeyCode, KeyModifiers};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::frame;
use super::hit_target::{DialogTarget, Drawn};
use super::list_cursor::ListCursor;
use super::modal::Modal;
use super::reply::Reply;
use crate::api::text::visible;
use crate::engine::question::LocalEntry;
use crate::tui::clocks::Clocks;
use crate::tui::input::text_field::TextField;
use crate::tui::keymap::Key;
use crate::tui::style::symbols;
use crate::tui::style::theme::Theme;
use crate::tui::widget::{distinct, figures, text};

/// Cells between columns.
const GAP: usize = 2;
/// The row that leads to the folder above.
const UP: &str = "../";
/// The box is not lower than this many rows, where the screen has them.
const LEAST_ROWS: usize = 8;
/// Lines of the box besides the rows, and of the screen besides the box: the header and the last line.
const OTHER_LINES: usize = 3;
const OTHER_SCREEN_LINES: usize = 6;

/// A row; names of folders end with `/`.
#[derive(Debug, Clone)]
struct PickerRow {
    name: String,
    size: Option<u64>,
    updated_at: Option<Timestamp>,
}

/// A local folder to choose from.
#[derive(Debug, Clone)]
pub struct Picker {
    folder: PathBuf,
    /// As they were told, after the row that leads up. None while they are waited for.
    entries: Option<Vec<PickerRow>>,
    /// Cells of the widest size and time of change.
    facts: (usize, usize),
    /// For the times of change.
    zone: TimeZone,
    /// Those that are shown, by their place among the entries.
    shown: Vec<usize>,
    cursor: ListCursor,
    /// The name that the cursor goes to once it is there.
    seek: Option<String>,
    marked: BTreeSet<PathBuf>,
    hidden: bool,
    filter: TextField,
    /// Whether letters go into the filter.
    is_filtering: bool,
    pub problem: Option<String>,
}

impl Picker {
    /// Its names have to be asked for; the cursor goes to this one.
    pub fn new(folder: PathBuf, seek: Option<String>, zone: TimeZone) -> Self {
        Self {
            folder,
            entries: None,
            facts: (0, 0),
            zone,
            shown: Vec::new(),
            cursor: ListCursor::new(0),
            seek,
            marked: BTreeSet::new(),
            hidden: false,
            filter: TextField::default(),
            is_filtering: false,
            problem: None,
        }
    }

    fn filter_key(&mut self, key: Key) -> Reply {
        match key.code {
            KeyCode::Esc => {
                self.filter.set("");
                self.is_filtering = false;
            }
            KeyCode::Enter | KeyCode::Tab => self.is_filtering = false,
            KeyCode::Down => self.cursor.step(1),
            KeyCode::Up => self.cursor.step(-1),
            _ => {
                if self.filter.on(key) {
                    self.cursor.go_to(0);
                }
            }
        }
        self.show();
        Reply::Open
    }

    /// Takes what is marked; without marks goes into the folder, or takes the file, under the cursor.
    fn enter(&mut self) -> Reply {
        if !self.marked.is_empty() {
            return Reply::Picked(self.marked.iter().cloned().collect());
        }
        match self.here() {
            Some(name) if name.ends_with('/') => self.go_in(),
            Some(name) => Reply::Picked(vec![self.folder.join(name)]),
            None => Reply::Open,
        }
    }

    fn go_in(&mut self) -> Reply {
        match self.here().filter(|name| name.ends_with('/')) {
            Some(UP) => self.go_up(),
            Some(name) => self.go(self.folder.join(name.trim_end_matches('/')), None),
            None => Reply::Open,
        }
    }

    fn go_up(&mut self) -> Reply {
        let seek = self.folder.file_name().map(|name| name.to_string_lossy().into_owned());
        match self.folder.parent().map(Path::to_owned) {
            Some(parent) => self.go(parent, seek),
            None => Reply::Open,
        }
    }

    fn go(&mut self, folder: PathBuf, seek: Option<String>) -> Reply {
        (self.folder, self.seek, self.entries, self.problem) = (folder, seek, None, None);
        self.filter.set("");
        self.show();
        Reply::List(self.folder.clone())
    }

    fn mark(&mut self) {
        if let Some(name) = self.here().filter(|name| *name != UP) {
            let path = self.folder.join(name.trim_end_matches('/'));
            if !self.marked.remove(&path) {
                self.marked.insert(path);
            }
            self.cursor.step(1);
        }
    }

    fn entry(&self, place: usize) -> Option<&PickerRow> {
        self.entries.as_ref()?.get(*self.shown.get(place)?)
    }

    fn here(&self) -> Option<&str> {
        self.entry(self.cursor.at).map(|entry| entry.name.as_str())
    }

    /// Chooses the names that are shown: folders first. What is filtered is not above.
    fn show(&mut self) {
        let wanted = self.filter.text().to_lowercase();
        let is_shown = |name: &str| match name {
            UP => wanted.is_empty(),
            _ => (self.hidden || !name.starts_with('.')) && name.to_lowercase().contains(&wanted),
        };
        let entries = self.entries.as_deref().unwrap_or_default();
        let (folders, files): (Vec<usize>, Vec<usize>) = entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| is_shown(&entry.name))
            .map(|(at, _)| at)
            .partition(|at| entries.get(*at).is_some_and(|entry| entry.name.ends_with('/')));
        self.shown = [folders, files].concat();
        self.cursor.set_len(self.shown.len());
    }

    /// A row; `cut` is its name as far as there is room for it.
    fn row(&self, place: usize, cut: &str, cells: usize, theme: &Theme) -> Line<'static> {
        let Some(PickerRow { name, size, updated_at }) = self.entry(place) else { return Line::default() };
        let is_marked = self.marked.contains(&self.folder.join(name.trim_end_matches('/')));
        let signs = if is_marked { format!("{} ", symbols::MARKED) } else { "  ".to_owned() };
        let style = match name {
            _ if is_marked => theme.marked,
            name if name.ends_with('/') => theme.folder,
            _ => theme.text,
        };
        let name = text::left(&format!("{signs}{cut}"), self.name_cells(cells));
        let (size, time) = self.facts_of(*size, *updated_at);
        let (sizes, times) = self.facts;
        let column = |text: &str, cells: usize| {
            if cells > 0 { format!("{:GAP$}{}", "", text::right(text, cells)) } else { String::new() }
        };
        let facts = column(&size, sizes) + &column(&time, times);
        Line::from(vec![Span::styled(name, style), Span::styled(facts, theme.dim)])
    }

    /// Cells of a name and its signs, in rows of so many.
    fn name_cells(&self, cells: usize) -> usize {
        let (sizes, times) = self.facts;
        let column = |cells: usize| if cells > 0 { GAP + cells } else { 0 };
        cells.saturating_sub(column(sizes) + column(times))
    }

    fn facts_of(&self, size: Option<u64>, updated_at: Option<Timestamp>) -> (String, String) {
        let time = updated_at.map(|at| figures::date_time(at, &self.zone));
        (size.map(figures::size).unwrap_or_default(), time.unwrap_or_default())
    }

    /// Rows of the box: enough for all names, so that it keeps its height while they are filtered.
    fn rows(&self, screen: Rect) -> usize {
        let entries = self.entries.as_deref().unwrap_or_default();
        let listed = entries.iter().filter(|entry| entry.name == UP || self.hidden || !entry.name.starts_with('.'));
        let most = usize::from(screen.height).saturating_sub(OTHER_LINES + OTHER_SCREEN_LINES).max(OTHER_LINES);
        listed.count().max(LEAST_ROWS).min(most)
    }
}

impl Modal for Picker {
    fn on_key(&mut self, key: Key, _: Clocks) -> Reply {
        if self.is_filtering {
            return self.filter_key(key);
        }
        let plain = matches!(key.modifiers, KeyModifiers::NONE | KeyModifiers::SHIFT);
        match key.code {
            KeyCode::Esc if !self.filter.is_empty() => {
                self.filter.set("");
                self.show();
            }
            KeyCode::Esc => return Reply::Closed,
            KeyCode::Enter if plain => return self.enter(),
            KeyCode::Right | KeyCode::Char('l') if plain => return self.go_in(),
            KeyCode::Left | KeyCode::Backspace | KeyCode::Char('h') if plain => return self.go_up(),
            KeyCode::Char(' ') if plain => self.mark(),
            KeyCode::Char('.') if plain => {
                self.hidden = !self.hidden;
                self.show();
            }
            KeyCode::Char('/') if plain => self.is_filtering = true,
            _ => {
                self.cursor.on_key(key);
            }
        }
        Reply::Open
    }

    /// A click puts the cursor on a name, the second one takes it or goes into it.
    fn on_click(&mut self, target: DialogTarget, is_double: bool, _: Clocks) -> Reply {
        let DialogTarget::Row(row) = target else { return Reply::Open };
        self.is_filtering = false;
        self.cursor.go_to(row);
        match self.here() {
            Some(name) if is_double && name.ends_with('/') => self.go_in(),
            Some(_) if is_double => self.enter(),
            _ => Reply::Open,
        }
    }

    /// Letters of a paste go into the filter.
    fn on_paste(&mut self, pasted: &str) {
        if self.is_filtering {
            self.filter.insert(pasted);
            self.show();
        }
    }

    fn take_entries(&mut self, folder: &Path, entries: Vec<LocalEntry>) {
        if folder != self.folder {
            return;
        }
        let entries: Vec<PickerRow> = entries
            .into_iter()
            .filter_map(|entry| {
                Some(PickerRow { name: entry.typed()?, size: entry.size, updated_at: entry.updated_at })
            })
            .collect();
        let facts = entries.iter().map(|entry| self.facts_of(entry.size, entry.updated_at));
        self.facts = facts.fold((0, 0), |(sizes, times), (size, time)| {
            (sizes.max(text::width(&size)), times.max(text::width(&time)))
        });
        let up = PickerRow { name: UP.to_owned(), size: None, updated_at: None };
        let up = folder.parent().map(|_| up);
        let first = usize::from(up.is_some());
        self.entries = Some(up.into_iter().chain(entries).collect());
        self.problem = None;
        self.show();
        let seek = self.seek.take().unwrap_or_default();
        let is_sought = |entry: &PickerRow| !seek.is_empty() && entry.name.trim_end_matches('/') == seek;
        let sought = (0..self.shown.len()).find(|place| self.entry(*place).is_some_and(is_sought));
        self.cursor.go_to(sought.unwrap_or(first));
    }

    fn draw(&self, screen: Rect, buf: &mut Buffer, theme: &Theme) -> Drawn {
        let title = format!("Choose files to upload — {}", visible(&self.folder.to_string_lossy()));
        let mut pen = frame::open(&title, self.rows(screen) + OTHER_LINES, screen, buf, theme);
        let rows = pen.left().saturating_sub(OTHER_LINES);
        let said = match (&self.problem, &self.entries) {
            (Some(problem), _) => Some((problem.clone(), theme.error)),
            (None, None) => Some(("Reading the folder".to_owned(), theme.dim)),
            (None, Some(_)) if self.here().is_none_or(|name| name == UP) && self.shown.len() <= 1 => {
                Some(("Nothing to show here".to_owned(), theme.dim))
            }
            _ => None,
        };
        let window = self.cursor.visible(rows);
        pen.scrollbar(&window, self.shown.len());
        let names: Vec<_> = window.clone().filter_map(|place| Some(visible(&self.entry(place)?.name))).collect();
        let names = distinct::cut(&names, self.name_cells(pen.width()).saturating_sub(2));
        for (place, name) in window.clone().zip(names) {
            pen.target(DialogTarget::Row(place));
            pen.row(self.row(place, &name, pen.width(), theme), place == self.cursor.at);
        }
        if let Some((said, style)) = &said {
            pen.text(said, *style);
        }
        for _blank in (window.len() + usize::from(said.is_some()))..rows {
            pen.text("", theme.text);
        }
        let marked = match self.marked.len() {
            0 => String::new(),
            count => format!("{} marked", figures::number(count)),
        };
        let label = Line::from(vec![Span::styled("Filter ", theme.dim)]);
        let cursor = if self.is_filtering || !self.filter.is_empty() {
            pen.field(&label, &self.filter, "part of a name", self.is_filtering)
        } else {
            pen.text(&marked, theme.marked);
            None
        };
        let take = match self.entry(self.cursor.at) {
            _ if !self.marked.is_empty() => "choose the marked",
            Some(entry) if entry.name.ends_with('/') => "open",
            _ => "choose",
        };
        pen.keys(&[
            ("enter", take),
            ("space", "mark file or folder"),
            ("left", "up"),
            (".", "hidden"),
            ("/", "filter"),
            ("esc", "back"),
        ]);
        pen.done(cursor)
    }

    fn on_wheel(&mut self, by: isize) {
        self.cursor.step(by);
    }

    fn say_wrong(&mut self, problem: String) -> bool {
        self.problem = Some(problem);
        true
    }
}
