//! The settings as they are in this run: what each is, where it comes from and what is allowed there. Typing narrows
//! the list, enter copies the line for the file, which filedeck never writes.

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::filtered_list::{FilteredList, ListHead, Searched};
use super::hit_target::{DialogTarget, Drawn};
use super::list_cursor::ListCursor;
use super::modal::Modal;
use super::reply::Reply;
use crate::api::text::visible;
use crate::config::InForce;
use crate::tui::clocks::Clocks;
use crate::tui::keymap::Key;
use crate::tui::style::theme::Theme;
use crate::tui::widget::{matched, text};

/// The page.
#[derive(Debug, Clone)]
pub struct Settings {
    list: FilteredList,
    rows: Vec<InForce>,
    /// The last line that was copied.
    copied: Option<String>,
}

const WIDTH: u16 = 104;
/// Below the list: a rule, what is said of a setting, the keys.
const BELOW: usize = 6;
/// What is said of a setting, in lines.
const SAID: usize = 3;

impl Settings {
    pub fn new(settings: &[InForce]) -> Self {
        let searched = |it: &InForce| Searched {
            text: format!("{} {} {} {}", it.setting.name, it.setting.about, it.value.as_deref().unwrap_or(""), it.from),
            rank: 0,
        };
        Self { list: FilteredList::new(settings.iter().map(searched).collect()), rows: settings.to_vec(), copied: None }
    }

    fn selected(&self) -> Option<&InForce> {
        self.list.selected().and_then(|index| self.rows.get(index))
    }

    fn said(&self) -> String {
        let Some(it) = self.selected() else { return String::new() };
        match &self.copied {
            Some(line) => format!(
                "Copied: {}. Paste it into config.toml, above the first table. filedeck reads it at the next start.",
                visible(line)
            ),
            None => format!("{}: {}.", it.setting.about, it.may),
        }
    }
}

impl Modal for Settings {
    fn on_key(&mut self, key: Key, _: Clocks) -> Reply {
        self.copied = None;
        match key.code {
            KeyCode::Esc => return Reply::Closed,
            KeyCode::Enter => {
                if let Some(line) = self.selected().map(|it| it.line.clone()) {
                    self.copied = Some(line.clone());
                    return Reply::Copy(line);
                }
            }
            _ => self.list.on(key),
        }
        Reply::Open
    }

    fn on_paste(&mut self, pasted: &str) {
        self.list.paste(pasted);
    }

    fn draw(&self, screen: Rect, buf: &mut Buffer, theme: &Theme) -> Drawn {
        let lines = self.list.len() + 2 + BELOW;
        let head = ListHead { title: "Settings", hint: "part of a setting", width: WIDTH, lines };
        let (mut pen, cursor) = self.list.open(head, screen, buf, theme);
        let widest = |of: fn(&InForce) -> usize| self.rows.iter().map(of).max().unwrap_or(0);
        let (names, from) = (widest(|it| text::width(it.setting.name)), widest(|it| text::width(&it.from)));
        let values = pen.width().saturating_sub(names + from + 4);
        let room = pen.left().saturating_sub(BELOW);
        if self.list.found().is_empty() {
            pen.text("No setting matches.", theme.dim);
        }
        for (at, index) in self.list.visible(room) {
            let Some(it) = self.rows.get(index) else { continue };
            let is_cursor = at == self.list.cursor.at;
            let style = if is_cursor { theme.title } else { theme.text };
            let value = visible(it.value.as_deref().unwrap_or("not set"));
            let name = it.setting.name;
            let mut spans = matched::spans(name, &self.list.matched(name), style, theme.matched);
            spans.push(Span::raw(" ".repeat(names.saturating_sub(text::width(name)) + 2)));
            let value_style = if it.value.is_some() { theme.text } else { theme.dim };
            spans.push(Span::styled(text::left(&text::truncate_middle(&value, values), values), value_style));
            spans.push(Span::styled(format!("  {}", text::right(&it.from, from)), theme.dim));
            pen.target(DialogTarget::Row(at));
            pen.row(Line::from(spans), is_cursor);
        }
        while pen.left() > BELOW {
            pen.text("", theme.text);
        }
        pen.rule();
        let said = text::wrap(&self.said(), pen.width());
        for at in 0..SAID {
            pen.text(said.get(at).map_or("", String::as_str), theme.dim);
        }
        pen.text("", theme.text);
        pen.keys(&[("type", "search"), ("↑↓", "move"), ("enter", "copy its line"), ("esc", "close")]);
        pen.done(cursor)
    }

    fn cursor_mut(&mut self) -> Option<&mut ListCursor> {
        Some(&mut self.list.cursor)
    }
}
