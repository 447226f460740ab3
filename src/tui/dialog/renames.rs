//! New names for several at once, as they came from the editor: what would be renamed to what, and what stands against it.

mod clash;
mod named;
pub(super) mod names;
mod sheet;

use std::collections::BTreeSet;

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::frame;
use super::reply::{Intent, Reply};
use super::spot::Drawn;
use crate::api::text::visible;
use crate::tui::keymap::Key;
use crate::tui::symbols::MOVE;
use crate::tui::theme::Theme;
use crate::tui::widget::{figures, text};
use clash::Renamed;
pub use named::Named;
pub use names::Names;

/// The question before several are renamed.
#[derive(Debug, Clone, PartialEq)]
pub struct Renames {
    names: Names,
    /// What changes, what cannot be first; or what is wrong with the lines.
    rows: Result<Vec<Renamed>, String>,
    /// Whether all is known that is in the folder.
    is_whole: bool,
    scroll: usize,
}

impl Renames {
    /// Of names that come from the editor. `taken` are those of the wanted paths that something has, as far as
    /// that is known: all of them if `is_whole`.
    pub fn new(names: Names, taken: &BTreeSet<String>, is_whole: bool) -> Self {
        let rows = names.read().map(|new| {
            let mut rows = clash::renamed(&names.all, new, taken);
            rows.sort_by_key(|row| row.problem.is_none());
            rows
        });
        Self { names, rows, is_whole, scroll: 0 }
    }

    /// Whether all names are as they were.
    pub fn is_idle(&self) -> bool {
        self.rows.as_ref().is_ok_and(Vec::is_empty)
    }

    fn problems(&self) -> usize {
        self.rows.as_ref().map_or(1, |rows| rows.iter().filter(|row| row.problem.is_some()).count())
    }

    pub fn on(&mut self, key: Key) -> Reply {
        match (key.code, &self.rows) {
            (KeyCode::Esc, _) => return Reply::Closed,
            (KeyCode::Char('e'), _) => return Reply::Accepted(Intent::EditNames(self.names.clone())),
            (KeyCode::Enter, Ok(rows)) if self.problems() == 0 => {
                return Reply::Accepted(Intent::Jobs(rows.iter().map(Renamed::job).collect()));
            }
            (KeyCode::Char('j') | KeyCode::Down, Ok(rows)) => {
                self.scroll = (self.scroll + 1).min(rows.len() + self.problems());
            }
            (KeyCode::Char('k') | KeyCode::Up, _) => self.scroll = self.scroll.saturating_sub(1),
            _ => {}
        }
        Reply::Open
    }

    pub fn draw(&self, screen: Rect, buf: &mut Buffer, theme: &Theme) -> Drawn {
        let width = frame::inner_width(screen);
        let said = text::wrap(&self.said(), width);
        let lines = self.lines(width, theme);
        let gap = usize::from(!lines.is_empty());
        let title = match &self.rows {
            Ok(rows) => format!("Rename {} of {}", figures::number(rows.len()), figures::number(self.names.all.len())),
            Err(_) => format!("Rename {}", figures::number(self.names.all.len())),
        };
        let mut pen = frame::open(&title, lines.len() + gap + said.len() + 2, screen, buf, theme);
        let room = pen.left().saturating_sub(gap + said.len() + 2);
        let skipped = self.scroll.min(lines.len().saturating_sub(room));
        let scrolls = lines.len() > room;
        for line in lines.into_iter().skip(skipped).take(room) {
            pen.line(line);
        }
        if gap > 0 {
            pen.text("", theme.text);
        }
        let is_refused = self.problems() > 0;
        for line in &said {
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

    /// What stands below the names.
    fn said(&self) -> String {
        match (&self.rows, self.problems()) {
            (Err(problem), _) => problem.clone(),
            (Ok(_), 0) if self.is_whole => "The addresses change with the names.".to_owned(),
            (Ok(_), 0) => {
                "The addresses change with the names. A name that is taken where not all was read is refused \
                           by the service, and stays as it is."
                    .to_owned()
            }
            (Ok(_), 1) => "One of them cannot be: nothing is renamed.".to_owned(),
            (Ok(_), problems) => format!("{} of them cannot be: nothing is renamed.", figures::number(problems)),
        }
    }

    /// A line for each name that changes, and one below it for what stands against it.
    fn lines(&self, width: usize, theme: &Theme) -> Vec<Line<'static>> {
        let rows = self.rows.as_deref().unwrap_or_default();
        let safe: Vec<(String, String)> = rows
            .iter()
            .map(|row| (visible(&row.named.item.name).into_owned(), visible(&row.to).into_owned()))
            .collect();
        let widest = safe.iter().map(|(from, _)| text::width(from)).max().unwrap_or(0).min(width / 2);
        let mut lines = Vec::new();
        for (row, (from, to)) in rows.iter().zip(safe) {
            let room = width.saturating_sub(widest + 4);
            let style = if row.problem.is_some() { theme.error } else { theme.title };
            lines.push(Line::from(vec![
                Span::styled(text::left(&text::truncate_middle(&from, widest), widest), theme.text),
                Span::styled(format!("  {MOVE} "), theme.dim),
                Span::styled(text::truncate_middle(&to, room).into_owned(), style),
            ]));
            let problem = row.problem.as_ref().map(|problem| text::wrap(problem, width.saturating_sub(4)));
            for line in problem.into_iter().flatten() {
                lines.push(Line::styled(format!("    {line}"), theme.error));
            }
        }
        lines
    }
}
