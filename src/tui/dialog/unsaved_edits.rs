//! Edited texts that never replaced their files: a list to continue one, to start again from the
//! file's content, or to discard one.

use crossterm::event::KeyCode;
use jiff::tz::TimeZone;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::frame;
use super::hit_target::Drawn;
use super::modal::Modal;
use super::reply::{Intent, Reply};
use crate::api::text::visible;
use crate::engine::text_file::{EditedText, KEPT_FOR};
use crate::tui::clocks::Clocks;
use crate::tui::keymap::Key;
use crate::tui::style::theme::Theme;
use crate::tui::widget::scroll::ListCursor;
use crate::tui::widget::{figures, text};

#[derive(Debug, Clone, PartialEq)]
pub struct UnsavedEditsDialog {
    rows: Vec<EditedText>,
    cursor: ListCursor,
    zone: TimeZone,
}

impl UnsavedEditsDialog {
    pub fn new(rows: Vec<EditedText>, zone: TimeZone) -> Self {
        Self {
            cursor: ListCursor::new(rows.len()),
            rows,
            zone,
        }
    }

    fn note(&self) -> String {
        let Some(row) = self.rows.get(self.cursor.at()) else {
            return String::new();
        };
        let until = row.at.saturating_add(KEPT_FOR).unwrap_or(row.at);
        let (until, place) = (
            figures::date_time(until, &self.zone),
            row.path.to_string_lossy(),
        );
        format!(
            "This edit was not saved to its file. It is kept until {until} at {}",
            visible(&place)
        )
    }
}

impl Modal for UnsavedEditsDialog {
    fn on_key(&mut self, key: Key, _: Clocks) -> Reply {
        let row = || self.rows.get(self.cursor.at()).cloned().map(Box::new);
        let accepted = |intent: Option<Intent>| intent.map_or(Reply::Closed, Reply::Accepted);
        match key.code {
            KeyCode::Esc | KeyCode::Char('q') => return Reply::Closed,
            KeyCode::Enter => return accepted(row().map(Intent::GoOnWithText)),
            KeyCode::Char('n') => return accepted(row().map(Intent::EditAnew)),
            KeyCode::Char('D') => return accepted(row().map(Intent::AskDiscardText)),
            _ => {
                self.cursor.on_key(key.code);
            }
        }
        Reply::Open
    }

    fn draw(&self, screen: Rect, buf: &mut Buffer, theme: &Theme) -> Drawn {
        let note = text::wrap_without_widow(&self.note(), frame::inner_width(screen));
        let mut pen = frame::open(
            "Edited texts",
            self.rows.len() + note.len() + 3,
            screen,
            buf,
            theme,
        );
        let room = pen.left().saturating_sub(note.len() + 3);
        let width = pen.width();
        pen.list(&self.rows, self.cursor, room, |_, row| {
            let time = figures::date_time(row.at, &self.zone);
            let room = width.saturating_sub(text::width(&time) + 2);
            Line::from(vec![
                Span::styled(format!("{time}  "), theme.dim),
                Span::styled(text::left(&visible(&row.file.path), room), theme.text),
            ])
        });
        pen.text("", theme.text);
        for line in &note {
            pen.text(line, theme.dim);
        }
        pen.keys(&[
            ("enter", "continue"),
            ("n", "start over from the file"),
            ("D", "discard"),
            ("esc", "close"),
        ]);
        pen.done(None)
    }

    fn cursor_mut(&mut self) -> Option<&mut ListCursor> {
        Some(&mut self.cursor)
    }
}
