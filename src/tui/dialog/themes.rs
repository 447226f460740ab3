//! The themes, beside a screen that shows the one under the cursor. Enter saves it, esc restores
//! the previous one.

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::frame::DialogFrame;
use super::hit_target::Drawn;
use super::modal::Modal;
use super::reply::{Intent, Reply};
use crate::api::text::visible;
use crate::config::Setting;
use crate::tui::clocks::Clocks;
use crate::tui::keymap::Key;
use crate::tui::style::symbols::SWATCH;
use crate::tui::style::theme::{Depth, Theme};
use crate::tui::widget::scroll::ListCursor;
use crate::tui::widget::text;

#[derive(Debug, Clone)]
pub struct Themes {
    setting: Setting,
    names: Vec<String>,
    swatches: Vec<Vec<Style>>,
    /// The index of the previous theme.
    before: usize,
    cursor: ListCursor,
    /// The text below: how long a choice lasts, and why it may show nothing.
    note: String,
}

const KEYS: [(&str, &str); 3] = [("↑↓", "try"), ("enter", "save"), ("esc", "cancel")];

impl Themes {
    /// Creates the list for a setting; `now` names the theme in use, and `depth` is the terminal's
    /// color depth.
    pub fn new(
        setting: Setting,
        names: Vec<String>,
        now: &str,
        depth: Depth,
        note: String,
    ) -> Self {
        let swatches = names
            .iter()
            .map(|name| Theme::swatch(name, depth))
            .collect();
        let before = names.iter().position(|name| name == now).unwrap_or(0);
        let cursor = ListCursor::default().on(before, names.len());
        Self {
            setting,
            names,
            swatches,
            before,
            cursor,
            note,
        }
    }

    pub fn chosen(&self) -> &str {
        self.names.get(self.cursor.at()).map_or("", String::as_str)
    }
}

impl Modal for Themes {
    fn on_key(&mut self, key: Key, _: Clocks) -> Reply {
        match key.code {
            KeyCode::Esc => return Reply::Closed,
            KeyCode::Enter => {
                let value = toml::Value::from(self.chosen()).to_string();
                return Reply::Accepted(Intent::Change {
                    setting: self.setting,
                    value,
                });
            }
            _ => self.cursor.on_key(key.code),
        };
        Reply::Open
    }

    fn draw(&self, screen: Rect, buf: &mut Buffer, theme: &Theme) -> Drawn {
        let frame = DialogFrame {
            title: "Themes",
            note: "",
            width: 0,
            lines: 0,
            is_danger: false,
        };
        let mut pen = frame.fill(screen, 1, buf, theme);
        let note = text::wrap_without_widow(&self.note, pen.width());
        // On the plain screen, the list is alone: there is no line of keys below it.
        let key_lines = if theme.is_plain() { 2 } else { 0 };
        let note_lines = if pen.left() > 2 * (note.len() + key_lines) {
            note.len() + 1
        } else {
            0
        };
        let (width, room) = (
            pen.width(),
            pen.left().saturating_sub(note_lines + key_lines),
        );
        pen.list(&self.names, self.cursor, room, |at, name| {
            let about = if at == self.before { " now" } else { "" };
            let cells = width.saturating_sub(text::width(about));
            let colors = self
                .swatches
                .get(at)
                .filter(|_| !theme.is_mono())
                .into_iter()
                .flatten();
            let swatch: Line = colors
                .flat_map(|style| [Span::raw(" "), Span::styled(SWATCH, *style)])
                .collect();
            // The name takes precedence over the swatch.
            let swatch = if text::width(name) + swatch.width() > cells {
                Line::default()
            } else {
                swatch
            };
            let cells = cells - swatch.width();
            let style = if at == self.cursor.at() {
                theme.title
            } else {
                theme.text
            };
            let mut line = Line::from(Span::styled(text::left(&visible(name), cells), style));
            line.push_span(Span::styled(about, theme.dim));
            line.extend(swatch);
            line
        });
        if note_lines > 0 {
            pen.text("", theme.text);
            for line in &note {
                pen.text(line, theme.dim);
            }
        }
        if key_lines > 0 {
            pen.keys(&KEYS);
        }
        pen.done(None)
    }

    fn is_beside(&self) -> bool {
        true
    }

    fn foot_keys(&self) -> &'static [(&'static str, &'static str)] {
        &KEYS
    }

    fn cursor_mut(&mut self) -> Option<&mut ListCursor> {
        Some(&mut self.cursor)
    }
}
