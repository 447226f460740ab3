//! New names for several items at once, from the editor: what would be renamed to what, and what
//! prevents it.

mod conflicts;

use std::collections::BTreeSet;

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::edited_names::Names;
use super::frame;
use super::hit_target::Drawn;
use super::modal::Modal;
use super::reply::{Intent, Reply};
use crate::api::text::visible;
use crate::tui::clocks::Clocks;
use crate::tui::keymap::Key;
use crate::tui::style::symbols::MOVE;
use crate::tui::style::theme::Theme;
use crate::tui::widget::{figures, text};
use conflicts::Renamed;

#[derive(Debug, Clone, PartialEq)]
pub struct Renames {
    names: Names,
    /// The renames, impossible ones first; or the problem with the lines.
    rows: Result<Vec<Renamed>, String>,
    problems: usize,
    widest: usize,
    /// Set if everything in the folder is known.
    is_whole: bool,
    scroll: usize,
}

impl Renames {
    /// Creates the question for names from the editor. `taken` are the wanted paths that are in
    /// use, as far as known: all of them if `is_whole`.
    pub fn new(names: Names, taken: &BTreeSet<String>, is_whole: bool) -> Self {
        let rows = names.read().map(|new| {
            let mut rows = conflicts::renamed(&names.all, new, taken);
            rows.sort_by_key(|row| row.problem.is_none());
            rows
        });
        let problems = rows.as_ref().map_or(1, |rows| {
            rows.iter().filter(|row| row.problem.is_some()).count()
        });
        let old = |row: &Renamed| text::width(&visible(&row.named.item.name));
        let widest = rows.iter().flatten().map(old).max().unwrap_or(0);
        Self {
            names,
            rows,
            problems,
            widest,
            is_whole,
            scroll: 0,
        }
    }

    /// Returns `true` if all names are unchanged.
    pub fn is_idle(&self) -> bool {
        self.rows.as_ref().is_ok_and(Vec::is_empty)
    }

    fn note(&self) -> String {
        match (&self.rows, self.problems) {
            (Err(problem), _) => problem.clone(),
            (Ok(_), 0) if self.is_whole => "Links to the old names stop working.".to_owned(),
            (Ok(_), 0) => {
                "Links to the old names stop working. The folder was not read completely: the service refuses names \
                 that exist."
                    .to_owned()
            }
            (Ok(_), 1) => "One name is not possible: nothing is renamed.".to_owned(),
            (Ok(_), problems) => format!("{} names are not possible: nothing is renamed.", figures::number(problems)),
        }
    }

    /// Returns a line for a changed name, and below it the reason if it is impossible.
    fn lines(&self, row: &Renamed, width: usize, theme: &Theme) -> Vec<Line<'static>> {
        let widest = self.widest.min(width / 2);
        let (from, to) = (visible(&row.named.item.name), visible(&row.to));
        let style = if row.problem.is_some() {
            theme.error
        } else {
            theme.title
        };
        let line = Line::from(vec![
            Span::styled(text::left(&from, widest), theme.text),
            Span::styled(format!("  {MOVE} "), theme.dim),
            Span::styled(
                text::truncate_middle(&to, width.saturating_sub(widest + 4)).into_owned(),
                style,
            ),
        ]);
        let problem = problem(row, width)
            .into_iter()
            .map(|line| Line::styled(format!("    {line}"), theme.error));
        [line].into_iter().chain(problem).collect()
    }
}

impl Modal for Renames {
    fn on_key(&mut self, key: Key, _: Clocks) -> Reply {
        match (key.code, &self.rows) {
            (KeyCode::Esc, _) => return Reply::Closed,
            (KeyCode::Char('e'), _) => {
                return Reply::Accepted(Intent::EditNames(self.names.clone()));
            }
            (KeyCode::Enter, Ok(rows)) if self.problems == 0 => {
                return Reply::Accepted(Intent::Jobs(rows.iter().map(Renamed::job).collect()));
            }
            (KeyCode::Char('j') | KeyCode::Down, Ok(rows)) => {
                self.scroll = (self.scroll + 1).min(rows.len().saturating_sub(1));
            }
            (KeyCode::Char('k') | KeyCode::Up, _) => self.scroll = self.scroll.saturating_sub(1),
            _ => {}
        }
        Reply::Open
    }

    fn draw(&self, screen: Rect, buf: &mut Buffer, theme: &Theme) -> Drawn {
        let width = frame::inner_width(screen);
        let note = text::wrap_without_widow(&self.note(), width);
        let rows = self.rows.as_deref().unwrap_or_default();
        // At most a screen's worth of them is measured.
        let most = usize::from(screen.height);
        let heights = || rows.iter().map(|row| 1 + problem(row, width).len());
        let lines = sum_to(most, heights()).1.min(most);
        let gap = usize::from(lines > 0);
        let title = match &self.rows {
            Ok(rows) => format!(
                "Rename {} of {}",
                figures::number(rows.len()),
                figures::number(self.names.all.len())
            ),
            Err(_) => format!("Rename {}", figures::number(self.names.all.len())),
        };
        let mut pen = frame::open(&title, lines + gap + note.len() + 2, screen, buf, theme);
        let room = pen.left().saturating_sub(gap + note.len() + 2);
        let scrolls = lines > room;
        // The last ones stay at the bottom.
        let last = if scrolls {
            rows.len()
                .saturating_sub(sum_to(room, heights().rev()).0.max(1))
        } else {
            0
        };
        let shown = rows
            .iter()
            .skip(self.scroll.min(last))
            .flat_map(|row| self.lines(row, width, theme));
        let blank = std::iter::repeat_with(Line::default);
        for line in shown.chain(blank).take(lines.min(room)) {
            pen.line(line);
        }
        if gap > 0 {
            pen.text("", theme.text);
        }
        let is_refused = self.problems > 0;
        for line in &note {
            pen.text(line, if is_refused { theme.error } else { theme.dim });
        }
        let mut keys = vec![("e", "edit again"), ("esc", "cancel")];
        if !is_refused {
            keys.insert(0, ("enter", "rename"));
        }
        if scrolls {
            keys.push(("j k", "scroll"));
        }
        pen.keys(&keys);
        pen.done(None)
    }

    fn on_wheel(&mut self, by: isize) {
        let last = self.rows.as_ref().map_or(0, Vec::len).saturating_sub(1);
        self.scroll = self.scroll.saturating_add_signed(by).min(last);
    }
}

fn problem(row: &Renamed, width: usize) -> Vec<String> {
    row.problem
        .as_ref()
        .map(|problem| text::wrap(problem, width.saturating_sub(4)))
        .unwrap_or_default()
}

/// Adds up heights while they fit into `room` lines. Returns their number, and the sum with the
/// first that does not.
fn sum_to(room: usize, heights: impl Iterator<Item = usize>) -> (usize, usize) {
    let mut sum = 0;
    for (count, height) in heights.enumerate() {
        sum += height;
        if sum > room {
            return (count, sum);
        }
    }
    (usize::MAX, sum)
}
