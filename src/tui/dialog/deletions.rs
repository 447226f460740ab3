//! What was deleted, newest first: files of the last days, which can be deleted for good by their ids, and the receipts of
//! those that are.

use crossterm::event::KeyCode;
use jiff::tz::TimeZone;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::frame;
use super::reply::{Intent, Reply};
use super::spot::{Drawn, Spot};
use crate::api::text::visible;
use crate::engine::Item;
use crate::engine::deletion::Deletion;
use crate::engine::message::Target;
use crate::tui::clipboard;
use crate::tui::keymap::Key;
use crate::tui::theme::Theme;
use crate::tui::widget::{figures, scroll, text};

/// The list.
#[derive(Debug, Clone, PartialEq)]
pub struct Deletions {
    rows: Vec<Deletion>,
    cursor: usize,
    zone: TimeZone,
    /// What the last key came to.
    said: Option<String>,
}

/// A folder's deletion is one call, and its answer names nothing.
const NOT_LISTED: &str = "Files that went with a folder are not listed: nobody told their ids.";

impl Deletions {
    pub fn new(rows: Vec<Deletion>, zone: TimeZone) -> Self {
        Self { rows, cursor: 0, zone, said: None }
    }

    pub fn on(&mut self, key: Key) -> Reply {
        self.said = None;
        let row = self.rows.get(self.cursor);
        match key.code {
            KeyCode::Esc | KeyCode::Char('q') => return Reply::Closed,
            KeyCode::Down | KeyCode::Char('j') => {
                self.cursor = (self.cursor + 1).min(self.rows.len().saturating_sub(1));
            }
            KeyCode::Up | KeyCode::Char('k') => self.cursor = self.cursor.saturating_sub(1),
            KeyCode::Char('D') => match row {
                Some(row) if row.gone_by.is_none() => return Reply::Accepted(Intent::Purge(item(row))),
                _ => self.said = Some("It is deleted for good already.".to_owned()),
            },
            KeyCode::Char('y') => {
                if let Some(text) = row.and_then(clipboard::json) {
                    self.said = Some("Copied as JSON.".to_owned());
                    return Reply::Copy(text);
                }
            }
            KeyCode::Char('Y') => {
                let receipts = self.rows.iter().filter(|row| row.gone_by.is_some());
                let texts: Vec<String> = receipts.filter_map(clipboard::json).collect();
                if texts.is_empty() {
                    self.said = Some("None of these is deleted for good: there is no receipt.".to_owned());
                    return Reply::Open;
                }
                self.said = Some(format!("{} copied, a JSON object a line.", figures::count(texts.len(), "receipt")));
                return Reply::Copy(texts.join("\n"));
            }
            _ => {}
        }
        Reply::Open
    }

    /// The receipts were too long for the clipboard.
    pub fn not_copied(&mut self) {
        self.said = Some("Too long for the terminal's clipboard: nothing was copied.".to_owned());
    }

    pub fn click(&mut self, row: usize) {
        self.cursor = row.min(self.rows.len().saturating_sub(1));
        self.said = None;
    }

    pub fn draw(&self, screen: Rect, buf: &mut Buffer, theme: &Theme) -> Drawn {
        let said = [&self.said(), NOT_LISTED].map(|said| text::wrap(said, frame::inner_width(screen))).concat();
        let mut pen = frame::open("Deleted", self.rows.len() + said.len() + 3, screen, buf, theme);
        let room = pen.left().saturating_sub(said.len() + 3);
        let window = scroll::window(self.cursor, self.rows.len(), room);
        for (at, row) in self.rows.iter().enumerate().skip(window.start).take(window.len()) {
            let time = figures::date_time(row.deleted_at, &self.zone);
            let state = if row.gone_by.is_some() { "for good" } else { "" };
            let room = pen.width().saturating_sub(text::width(&time) + 2 + 10);
            let path = visible(&row.path);
            pen.spot(Spot::Row(at));
            pen.row(
                Line::from(vec![
                    Span::styled(format!("{time}  "), theme.dim),
                    Span::styled(text::left(&text::truncate_middle(&path, room), room), theme.text),
                    Span::styled(format!("  {state}"), theme.dim),
                ]),
                at == self.cursor,
            );
        }
        pen.text("", theme.text);
        for line in &said {
            pen.text(line, theme.dim);
        }
        let can_purge = self.rows.get(self.cursor).is_some_and(|row| row.gone_by.is_none());
        let mut keys = vec![("y", "copy as JSON"), ("Y", "all receipts"), ("esc", "close")];
        if can_purge {
            keys.insert(0, ("D", "delete for good"));
        }
        pen.keys(&keys);
        pen.done(None)
    }

    fn said(&self) -> String {
        let about = |row: &Deletion| {
            let id = visible(row.file.as_str());
            match row.gone_by {
                Some(by) => {
                    format!("Id {id}. Content and metadata are gone by {}.", figures::date_time(by, &self.zone))
                }
                None => format!("Id {id}. The service keeps the bytes, private."),
            }
        };
        self.said.clone().or_else(|| self.rows.get(self.cursor).map(about)).unwrap_or_default()
    }
}

fn item(row: &Deletion) -> Item {
    let name = row.path.rsplit('/').next().unwrap_or(&row.path).to_owned();
    Item { target: Target::File(row.file.clone()), path: row.path.clone(), name, size: None }
}
