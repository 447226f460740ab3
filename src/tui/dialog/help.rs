//! All keys, searchable: typing narrows the list.

use crossterm::event::KeyCode;
use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::frame::Frame;
use super::reply::Reply;
use super::spot::Drawn;
use crate::tui::keymap::{Binding, Context, Key, Keymap, spell};
use crate::tui::text_field::TextField;
use crate::tui::theme::Theme;
use crate::tui::widget::{scroll, text};

/// The help.
#[derive(Debug, Clone)]
pub struct Help {
    pub search: TextField,
    rows: Vec<HelpRow>,
    /// Indices of the rows that match.
    visible: Vec<usize>,
    cursor: usize,
}

#[derive(Debug, Clone)]
struct HelpRow {
    /// The places where the keys work.
    context: String,
    keys: String,
    description: &'static str,
    /// What the search looks at.
    haystack: String,
}

const PAGE: usize = 10;
const WIDTH: u16 = 84;
/// Where less of a description would be left, the places are left out.
const MOST_OF_A_DESCRIPTION: usize = 30;
/// Room for `list, details`, with a gap before it.
const CONTEXT: usize = 15;

impl Help {
    pub fn new(keymap: &Keymap) -> Self {
        let mut found: Vec<(&Binding, Vec<Context>)> = Vec::new();
        for binding in keymap.bindings().iter().filter(|binding| !binding.sequences.is_empty()) {
            let is_same = |other: &Binding| other.action == binding.action && other.sequences == binding.sequences;
            match found.iter_mut().find(|(other, _)| is_same(other)) {
                Some((_, contexts)) => contexts.push(binding.context),
                None => found.push((binding, vec![binding.context])),
            }
        }
        let rows: Vec<HelpRow> = found.into_iter().map(|(binding, contexts)| row(binding, &contexts)).collect();
        Self { search: TextField::default(), visible: (0..rows.len()).collect(), rows, cursor: 0 }
    }

    pub fn on(&mut self, key: Key) -> Reply {
        let last = self.visible.len().saturating_sub(1);
        match key.code {
            KeyCode::Esc | KeyCode::Enter => return Reply::Closed,
            KeyCode::Down => self.cursor = (self.cursor + 1).min(last),
            KeyCode::Up => self.cursor = self.cursor.saturating_sub(1),
            KeyCode::PageDown => self.cursor = (self.cursor + PAGE).min(last),
            KeyCode::PageUp => self.cursor = self.cursor.saturating_sub(PAGE),
            _ => {
                if self.search.on(key) {
                    self.narrow();
                }
            }
        }
        Reply::Open
    }

    pub fn paste(&mut self, pasted: &str) {
        self.search.insert(pasted);
        self.narrow();
    }

    fn narrow(&mut self) {
        let pattern = Pattern::parse(self.search.text(), CaseMatching::Smart, Normalization::Smart);
        let mut matcher = Matcher::new(Config::DEFAULT);
        let mut buffer = Vec::new();
        let mut scored: Vec<(u32, usize)> = self
            .rows
            .iter()
            .enumerate()
            .filter_map(|(index, row)| {
                let haystack = Utf32Str::new(&row.haystack, &mut buffer);
                Some((pattern.score(haystack, &mut matcher)?, index))
            })
            .collect();
        scored.sort_by_key(|(score, index)| (std::cmp::Reverse(*score), *index));
        self.visible = scored.into_iter().map(|(_, index)| index).collect();
        self.cursor = 0;
    }

    pub fn draw(&self, screen: Rect, buf: &mut Buffer, theme: &Theme) -> Drawn {
        let mut pen = Frame { title: "Keys", width: WIDTH, lines: self.rows.len() + 3, is_danger: false }
            .open(screen, buf, theme);
        let keys = self.rows.iter().map(|row| text::width(&row.keys)).max().unwrap_or(0).min(pen.width() / 3);
        let description = pen.width().saturating_sub(keys + 2);
        let with_context = description.checked_sub(CONTEXT).filter(|rest| *rest >= MOST_OF_A_DESCRIPTION);
        let cursor =
            pen.field(&Line::from(Span::styled("Search  ", theme.title)), &self.search, "type a word or a key", true);
        let room = pen.left().saturating_sub(2);
        let window = scroll::window(self.cursor, self.visible.len(), room);
        if self.visible.is_empty() {
            pen.text("No key does that.", theme.dim);
        }
        for (at, index) in self.visible.iter().enumerate().skip(window.start).take(window.len()) {
            let Some(row) = self.rows.get(*index) else { continue };
            let mut spans = vec![Span::styled(text::left(&row.keys, keys) + "  ", theme.cursor)];
            spans.push(Span::raw(left(row.description, with_context.unwrap_or(description))));
            if with_context.is_some() {
                spans.push(Span::styled(format!("  {}", row.context), theme.dim));
            }
            pen.row(Line::from(spans), at == self.cursor);
        }
        pen.keys(&[("type", "search"), ("up down", "move"), ("esc", "close")]);
        pen.done(cursor)
    }
}

fn row(binding: &Binding, contexts: &[Context]) -> HelpRow {
    let keys = binding.sequences.iter().map(|keys| spell(keys)).collect::<Vec<_>>().join(", ");
    let is_in_each_pane = [Context::Tree, Context::List, Context::Details].iter().all(|pane| contexts.contains(pane));
    let names: Vec<&str> =
        if is_in_each_pane { vec![Context::Files.name()] } else { contexts.iter().map(|it| it.name()).collect() };
    let (context, action) = (names.join(", "), binding.action);
    let haystack = format!("{context} {keys} {} {}", action.description(), action.name());
    HelpRow { context, keys, description: action.description(), haystack }
}

/// Exactly `cells` wide, cut at the end.
fn left(content: &str, cells: usize) -> String {
    text::left(&text::truncate(content, cells), cells)
}
