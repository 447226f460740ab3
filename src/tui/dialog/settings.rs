//! The settings as they are in this run: what each is, where it comes from and what may stand there. Typing narrows the
//! list, enter copies the line for the file, which filedeck never writes.

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::filtered_list::{FilteredList, Searched};
use super::frame::DialogFrame;
use super::hit_target::{DialogTarget, Drawn};
use super::reply::Reply;
use crate::api::text::visible;
use crate::config::InForce;
use crate::tui::keymap::Key;
use crate::tui::style::symbols;
use crate::tui::style::theme::Theme;
use crate::tui::widget::{figures, matched, scroll, text};

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

    pub fn on(&mut self, key: Key) -> Reply {
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

    /// A click puts the cursor on a row, the second one copies its line.
    pub fn click(&mut self, row: usize, is_double: bool) -> Reply {
        self.list.cursor = row;
        if is_double { self.on(Key::plain(KeyCode::Enter)) } else { Reply::Open }
    }

    pub fn paste(&mut self, pasted: &str) {
        self.list.paste(pasted);
    }

    pub fn draw(&self, screen: Rect, buf: &mut Buffer, theme: &Theme) -> Drawn {
        let found = self.list.found();
        let note = format!("{} of {}", figures::number(found.len()), figures::number(self.list.len()));
        let lines = self.list.len() + 2 + BELOW;
        let frame = DialogFrame { title: "Settings", note: &note, width: WIDTH, lines, is_danger: false };
        let mut pen = frame.open(screen, buf, theme);
        let prompt = Line::styled(format!("{} ", symbols::CRUMB), theme.cursor);
        let cursor = pen.field(&prompt, &self.list.typed, "part of a setting", true);
        pen.rule();
        let widest = |of: fn(&InForce) -> usize| self.rows.iter().map(of).max().unwrap_or(0);
        let (names, from) = (widest(|it| text::width(it.setting.name)), widest(|it| text::width(&it.from)));
        let values = pen.width().saturating_sub(names + from + 4);
        let room = pen.left().saturating_sub(BELOW);
        let window = scroll::window(self.list.cursor, found.len(), room);
        if found.is_empty() {
            pen.text("No setting matches.", theme.dim);
        }
        for (at, index) in found.iter().enumerate().skip(window.start).take(window.len()) {
            let Some(it) = self.rows.get(*index) else { continue };
            let is_cursor = at == self.list.cursor;
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
