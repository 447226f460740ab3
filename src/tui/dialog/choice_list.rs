//! A list of places to choose from: saved views, bookmarks, search results. A character chooses its
//! row, or becomes the new bookmark.

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::frame;
use super::hit_target::Drawn;
use super::modal::Modal;
use super::reply::{Intent, Reply};
use crate::api::text::visible;
use crate::config::favorites::{Bookmark, FavoritesChange};
use crate::tui::clocks::Clocks;
use crate::tui::keymap::Key;
use crate::tui::style::theme::Theme;
use crate::tui::widget::scroll::ListCursor;
use crate::tui::widget::text;

#[derive(Debug, Clone, PartialEq)]
pub struct ChoiceList {
    title: String,
    rows: Vec<ChoiceRow>,
    cursor: ListCursor,
    /// The place that the next character is to be a bookmark for.
    new: Option<Bookmark>,
    note: String,
}

/// A row, with texts that are safe to show.
#[derive(Debug, Clone, PartialEq)]
pub struct ChoiceRow {
    pub key: Option<char>,
    pub name: String,
    pub about: String,
    pub intent: Intent,
    /// The change that removes it from the list, if the user can.
    pub removal: Option<FavoritesChange>,
}

/// The most cells of a name if a row says what it is about.
const NAME: usize = 28;

impl ChoiceList {
    /// Creates a list to choose from; `if_empty` is the note for an empty one.
    pub fn choose(title: &str, rows: Vec<ChoiceRow>, if_empty: &str) -> Self {
        let note = if rows.is_empty() {
            if_empty.to_owned()
        } else {
            String::new()
        };
        Self::found(title.to_owned(), rows, note)
    }

    /// Creates a list of results, with a note below. Both texts are safe to show.
    pub fn found(title: String, rows: Vec<ChoiceRow>, note: String) -> Self {
        Self {
            title,
            cursor: ListCursor::new(rows.len()),
            rows,
            new: None,
            note,
        }
    }

    /// Creates a dialog to set a bookmark; `rows` are the existing ones. The title is safe to show.
    pub fn set(title: String, rows: Vec<ChoiceRow>, new: Bookmark) -> Self {
        let note = "Press any character for the bookmark; an existing one is replaced.".to_owned();
        Self {
            new: Some(new),
            ..Self::found(title, rows, note)
        }
    }
}

impl Modal for ChoiceList {
    fn on_key(&mut self, key: Key, _: Clocks) -> Reply {
        let chosen = self.rows.get(self.cursor.at());
        match (key.code, &self.new) {
            (KeyCode::Esc, _) => return Reply::Closed,
            (KeyCode::Delete, _) => {
                let removal = chosen.and_then(|row| row.removal.clone());
                return removal.map_or(Reply::Open, |removal| {
                    Reply::Accepted(Intent::Keep(removal))
                });
            }
            (KeyCode::Enter, None) => {
                return chosen.map_or(Reply::Closed, |row| Reply::Accepted(row.intent.clone()));
            }
            (KeyCode::Char(c), Some(new)) if key.modifiers.is_empty() => {
                return Reply::Accepted(Intent::Keep(FavoritesChange::Bookmark {
                    key: c,
                    to: Some(new.clone()),
                }));
            }
            (KeyCode::Char(c), None)
                if key.modifiers.is_empty() && self.rows.iter().any(|row| row.key.is_some()) =>
            {
                let row = self.rows.iter().find(|row| row.key == Some(c));
                if let Some(row) = row {
                    return Reply::Accepted(row.intent.clone());
                }
                self.note = format!("No bookmark {}.", visible(&c.to_string()));
            }
            _ => {
                self.cursor.on_key(key.code);
            }
        }
        Reply::Open
    }

    fn draw(&self, screen: Rect, buf: &mut Buffer, theme: &Theme) -> Drawn {
        let note = text::wrap_without_widow(&self.note, frame::inner_width(screen));
        let gap = usize::from(!self.rows.is_empty() && !self.note.is_empty());
        let mut pen = frame::open(
            &self.title,
            self.rows.len() + note.len() + gap + 2,
            screen,
            buf,
            theme,
        );
        let widest = |of: fn(&ChoiceRow) -> usize| self.rows.iter().map(of).max().unwrap_or(0);
        let abouts = widest(|row| text::width(&row.about));
        let names = widest(|row| text::width(&row.name))
            .min(NAME.max(pen.width().saturating_sub(abouts + 6)));
        let room = pen.left().saturating_sub(note.len() + gap + 2);
        let cells = pen.width().saturating_sub(names + 6);
        pen.list(&self.rows, self.cursor, room, |at, row| {
            let key = row.key.map_or_else(
                || "   ".to_owned(),
                |key| text::left(&visible(&key.to_string()), 3),
            );
            Line::from(vec![
                Span::styled(key, theme.cursor),
                Span::styled(
                    text::left(&row.name, names),
                    if at == self.cursor.at() {
                        theme.title
                    } else {
                        theme.text
                    },
                ),
                Span::raw("  "),
                Span::styled(text::left(&row.about, cells), theme.dim),
            ])
        });
        if gap > 0 {
            pen.text("", theme.text);
        }
        for line in &note {
            pen.text(line, theme.dim);
        }
        let mut keys = if self.new.is_some() {
            vec![("a character", "set it")]
        } else {
            Vec::new()
        };
        if self.new.is_none() && !self.rows.is_empty() {
            keys.extend([("enter", "go there"), ("up/down", "move")]);
        }
        if self.rows.iter().any(|row| row.removal.is_some()) {
            keys.push(("delete", "remove"));
        }
        keys.push((
            "esc",
            if self.new.is_some() {
                "cancel"
            } else {
                "close"
            },
        ));
        pen.keys(&keys);
        pen.done(None)
    }

    fn cursor_mut(&mut self) -> Option<&mut ListCursor> {
        Some(&mut self.cursor)
    }
}
