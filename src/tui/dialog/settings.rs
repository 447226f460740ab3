//! The settings in this run: what each is, where it comes from and what is allowed. Those that can
//! be changed here come first; those that only the file sets follow below a line. Typing narrows
//! the list. Enter changes what the running program reads; of the others it copies the line for the
//! file, which filedeck never writes.

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::filtered_list::{FilteredList, ListHead, Searched};
use super::hit_target::{DialogTarget, Drawn};
use super::modal::Modal;
use super::reply::Reply;
use crate::api::text::visible;
use crate::config::{CHOSEN_HERE, InForce, Setting};
use crate::tui::clocks::Clocks;
use crate::tui::keymap::Key;
use crate::tui::style::theme::Theme;
use crate::tui::widget::scroll::ListCursor;
use crate::tui::widget::{matched, text};

#[derive(Debug, Clone)]
pub struct Settings {
    list: FilteredList,
    rows: Vec<InForce>,
    /// The path of `config.toml`, safe to show.
    file: String,
}

const WIDTH: u16 = 120;
/// The lines below the list: a rule, the description of a setting, the keys.
const BELOW: usize = 6;
const SAID: usize = 3;
/// The most cells of a value beside the description of its setting.
const WIDEST_VALUE: usize = 22;
const LEAST_ABOUT: usize = 44;
const NOT_SET: &str = "not set";
const SIZED_HERE: &str =
    "Set with keys or the mouse, which goes before the file until the sizes are reset.";
const ONLY_AT_THE_START: &str = "Only the file changes it, with a line above its first [section]; filedeck reads it at its start.";

impl Settings {
    /// Creates the page; `file` is the path of `config.toml`, safe to show.
    pub fn new(settings: &[InForce], file: String, at: Option<Setting>) -> Self {
        let rows = settings.to_vec();
        let searched = |it: &InForce| Searched {
            text: format!(
                "{} {} {} {} {}",
                it.setting.title(),
                it.setting.name,
                it.setting.about,
                it.value.as_deref().unwrap_or(""),
                source(it)
            ),
            synonyms: "",
            rank: u8::from(!it.setting.is_live()),
        };
        let mut list = FilteredList::new(rows.iter().map(searched).collect());
        let is_there = |index: &usize| rows.get(*index).map(|row| row.setting) == at;
        list.cursor
            .go_to(list.found().iter().position(is_there).unwrap_or(0));
        Self { list, rows, file }
    }

    pub fn set_rows(&mut self, settings: &[InForce]) {
        self.rows = settings.to_vec();
    }

    /// Changes the setting under the cursor if the running program reads it; otherwise copies its
    /// line.
    fn change(&self) -> Reply {
        let Some(it) = self.selected() else {
            return Reply::Open;
        };
        if it.setting.is_theme() {
            return Reply::ChooseTheme;
        }
        let choices = it.setting.choices();
        let now = choices
            .iter()
            .position(|choice| Some(choice) == it.value.as_ref());
        match choices.get(now.map_or(0, |at| (at + 1) % choices.len())) {
            Some(value) => Reply::Change {
                setting: it.setting,
                value: value.clone(),
            },
            None => self.copy(),
        }
    }

    fn copy(&self) -> Reply {
        let line = self.selected().map(|it| it.line.clone());
        line.map_or(Reply::Open, Reply::Copy)
    }

    fn selected(&self) -> Option<&InForce> {
        self.list.selected().and_then(|index| self.rows.get(index))
    }

    fn explanation(&self) -> String {
        let Some(it) = self.selected() else {
            return String::new();
        };
        let lasting = match it.setting.is_live() {
            true => it.lasting(),
            false if it.from == CHOSEN_HERE => SIZED_HERE.to_owned(),
            false => ONLY_AT_THE_START.to_owned(),
        };
        let may = if it.setting.is_theme() {
            ": enter lists them".to_owned()
        } else {
            format!(": {}", it.may)
        };
        format!(
            "{} ({} in config.toml){may}. {lasting}",
            it.setting.about, it.setting.name
        )
    }
}

/// Returns the source of a value, if that is not the default.
fn source(it: &InForce) -> &str {
    it.origin().unwrap_or_default()
}

impl Modal for Settings {
    fn on_key(&mut self, key: Key, _: Clocks) -> Reply {
        match key.code {
            KeyCode::Esc => Reply::Closed,
            KeyCode::Enter => self.change(),
            KeyCode::Tab => self.copy(),
            _ => {
                self.list.on(key);
                Reply::Open
            }
        }
    }

    fn on_paste(&mut self, pasted: &str) {
        self.list.paste(pasted);
    }

    fn draw(&self, screen: Rect, buf: &mut Buffer, theme: &Theme) -> Drawn {
        // Includes the line between the two kinds, and a blank line above it.
        let lines = self.list.len() + 2 + 2 + BELOW;
        let head = ListHead {
            title: "Settings",
            noun: "setting",
            hint: "part of a setting",
            width: WIDTH,
            lines,
        };
        let (mut pen, cursor) = self.list.open(head, screen, buf, theme);
        let widest = |of: fn(&InForce) -> usize| self.rows.iter().map(of).max().unwrap_or(0);
        let (names, sources) = (
            widest(|it| text::width(&it.setting.title())),
            widest(|it| text::width(source(it))),
        );
        let room = pen.width().saturating_sub(names + sources + 4);
        // The description is beside the value if both have room.
        let values =
            widest(|it| text::width(it.words().as_deref().unwrap_or(NOT_SET))).min(WIDEST_VALUE);
        let values = if values + LEAST_ABOUT <= room {
            values
        } else {
            room
        };
        let about = room - values;
        let is_live = |index: &usize| self.rows.get(*index).is_some_and(|it| it.setting.is_live());
        let has_others = !self.list.found().iter().all(is_live);
        let above =
            usize::from(theme.is_plain() || pen.left() >= self.list.found().len() + 2 + BELOW);
        let room = pen
            .left()
            .saturating_sub(BELOW + usize::from(has_others) * (1 + above));
        let mut is_named = false;
        if self.list.found().is_empty() {
            pen.text("No setting matches.", theme.dim);
        }
        for (at, index) in self.list.visible(room, &mut pen) {
            let Some(it) = self.rows.get(index) else {
                continue;
            };
            if !it.setting.is_live() && !is_named {
                is_named = true;
                for _ in 0..above {
                    pen.text("", theme.text);
                }
                pen.titled_rule(&format!("only in {}", self.file));
            }
            let is_cursor = at == self.list.cursor.at();
            // Settings that are read only at the start are dim, as the text below explains.
            let style = if it.setting.is_live() {
                theme.text
            } else {
                theme.dim
            };
            let style = if is_cursor { theme.title } else { style };
            let words = it.words();
            let value = visible(words.as_deref().unwrap_or(NOT_SET));
            let name = it.setting.title();
            let mut spans = matched::spans(&name, &self.list.matched(&name), style, theme.matched);
            spans.push(Span::raw(
                " ".repeat(names.saturating_sub(text::width(&name)) + 2),
            ));
            let value_style = if words.is_some() && it.setting.is_live() {
                theme.text
            } else {
                theme.dim
            };
            spans.push(Span::styled(text::left(&value, values), value_style));
            let description = if about > 0 { it.setting.about } else { "" };
            // The description continues if no source is shown.
            let source = if source(it).is_empty() {
                String::new()
            } else {
                format!("  {}", source(it))
            };
            let room = (about + 2 + sources).saturating_sub(text::width(&source));
            spans.push(Span::styled(
                text::left(&text::truncate(&format!("  {description}"), room), room),
                theme.dim,
            ));
            spans.push(Span::styled(source, theme.dim));
            pen.target(DialogTarget::Row(at));
            pen.row(Line::from(spans), is_cursor);
        }
        while pen.left() > BELOW {
            pen.text("", theme.text);
        }
        pen.rule();
        let explanation = text::wrap_without_widow(&self.explanation(), pen.width());
        for at in 0..SAID {
            pen.text(explanation.get(at).map_or("", String::as_str), theme.dim);
        }
        pen.text("", theme.text);
        let mut keys = vec![("type", "search"), ("↑↓", "move")];
        match self.selected() {
            Some(it) if it.setting.is_live() => {
                keys.extend([("enter", "change"), ("tab", "copy for config.toml")]);
            }
            Some(_) => keys.push(("enter", "copy for config.toml")),
            None => {}
        }
        keys.push(("esc", "close"));
        pen.keys(&keys);
        pen.done(cursor)
    }

    fn cursor_mut(&mut self) -> Option<&mut ListCursor> {
        Some(&mut self.list.cursor)
    }
}
