//! The list of accounts to choose from.

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::frame;
use super::hit_target::Drawn;
use super::modal::Modal;
use super::reply::{Intent, Reply};
use crate::config::AccountSource;
use crate::tui::clocks::Clocks;
use crate::tui::keymap::Key;
use crate::tui::style::theme::Theme;
use crate::tui::widget::scroll::ListCursor;
use crate::tui::widget::text;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountsDialog {
    entries: Vec<AccountRow>,
    cursor: ListCursor,
}

/// An account in the list, with texts that are safe to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountRow {
    pub source: AccountSource,
    pub name: String,
    pub address: String,
    pub read_only: bool,
    pub is_production: bool,
    /// Set for the account in use.
    pub is_present: bool,
    /// A note on what is running there.
    pub note: Option<String>,
}

const WIDEST_NAME: usize = 24;
/// The cells for `connecting`, with a gap before it.
const NOTE: usize = 12;

impl AccountRow {
    /// Returns what the user must know before choosing the account.
    fn mode(&self) -> &'static str {
        match (self.is_production, self.read_only) {
            (true, true) => "production, read-only",
            (true, false) => "production",
            (false, true) => "read-only",
            (false, false) => "",
        }
    }
}

impl AccountsDialog {
    pub fn new(entries: Vec<AccountRow>) -> Self {
        let present = entries.iter().position(|entry| entry.is_present);
        let cursor = ListCursor::default().on(present.unwrap_or(0), entries.len());
        Self { entries, cursor }
    }

    fn chosen(&self, intent: impl FnOnce(AccountSource) -> Intent) -> Reply {
        let chosen = self.entries.get(self.cursor.at());
        chosen.map_or(Reply::Closed, |entry| {
            Reply::Accepted(intent(entry.source.clone()))
        })
    }

    /// Moves to the next account whose name begins with that letter; a letter that is also a key
    /// has to be a capital.
    fn seek(&mut self, letter: char) {
        let begins = |entry: &AccountRow| {
            entry
                .name
                .chars()
                .next()
                .is_some_and(|first| first.to_lowercase().eq(letter.to_lowercase()))
        };
        let after = self.entries.iter().enumerate().skip(self.cursor.at() + 1);
        let from_top = self.entries.iter().enumerate();
        if let Some((at, _)) = after.chain(from_top).find(|(_, entry)| begins(entry)) {
            self.cursor.go_to(at);
        }
    }
}

impl Modal for AccountsDialog {
    fn on_key(&mut self, key: Key, _: Clocks) -> Reply {
        match key.code {
            KeyCode::Esc => return Reply::Closed,
            KeyCode::Enter => return self.chosen(Intent::Switch),
            KeyCode::Tab => return self.chosen(Intent::ShowBeside),
            KeyCode::Char('a') => return Reply::Accepted(Intent::AddAccount),
            KeyCode::Char('e') => return self.chosen(Intent::EditAccount),
            KeyCode::Delete => return self.chosen(Intent::RemoveAccount),
            _ if self.cursor.on_key(key.code) => {}
            KeyCode::Char(letter) => self.seek(letter),
            _ => {}
        }
        Reply::Open
    }

    fn draw(&self, screen: Rect, buf: &mut Buffer, theme: &Theme) -> Drawn {
        let mut pen = frame::open("Accounts", self.entries.len() + 2, screen, buf, theme);
        let names = self
            .entries
            .iter()
            .map(|entry| text::width(&entry.name))
            .max()
            .unwrap_or(0)
            .min(WIDEST_NAME);
        let modes = self
            .entries
            .iter()
            .map(|entry| text::width(entry.mode()))
            .max()
            .unwrap_or(0);
        let (width, room) = (pen.width(), pen.left().saturating_sub(2));
        pen.list(&self.entries, self.cursor, room, |at, entry| {
            let note = if entry.is_present {
                "in use"
            } else {
                entry.note.as_deref().unwrap_or_default()
            };
            let room = width.saturating_sub(names + 2 + modes + NOTE);
            Line::from(vec![
                Span::styled(
                    text::left(&entry.name, names),
                    if at == self.cursor.at() {
                        theme.title
                    } else {
                        theme.text
                    },
                ),
                Span::raw("  "),
                Span::styled(text::left(&entry.address, room), theme.dim),
                Span::styled(
                    entry.mode(),
                    if entry.is_production {
                        theme.production
                    } else {
                        theme.warn
                    },
                ),
                Span::raw(" ".repeat(modes.saturating_sub(text::width(entry.mode())))),
                Span::styled(text::right(note, NOTE), theme.cursor),
            ])
        });
        pen.keys(&[
            ("enter", "switch"),
            ("tab", "beside"),
            ("a", "add"),
            ("e", "edit"),
            ("delete", "remove"),
            ("esc", "close"),
        ]);
        pen.done(None)
    }

    fn cursor_mut(&mut self) -> Option<&mut ListCursor> {
        Some(&mut self.cursor)
    }
}
