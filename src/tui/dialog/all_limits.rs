//! The list of all configured accounts with the fullest limit of each; `enter` opens its limits.

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::frame;
use super::hit_target::Drawn;
use super::modal::Modal;
use super::reply::{Intent, Reply};
use crate::api::text::visible;
use crate::config::AccountSource;
use crate::tui::clocks::Clocks;
use crate::tui::keymap::Key;
use crate::tui::style::theme::Theme;
use crate::tui::widget::scroll::ListCursor;
use crate::tui::widget::text;

#[derive(Debug, Clone, PartialEq)]
pub struct AllLimits {
    rows: Vec<AccountLimit>,
    cursor: ListCursor,
}

/// An account in the list.
#[derive(Debug, Clone, PartialEq)]
struct AccountLimit {
    source: AccountSource,
    /// Safe to show.
    name: String,
    /// `None` until the account has been read.
    reading: Option<FullestLimit>,
}

/// The fullest limit of an account in words that are safe to show, or the reason why it is not
/// known.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FullestLimit {
    pub limit: String,
    pub percentage: Option<f64>,
    pub used: String,
    pub left: String,
    pub full: String,
    /// The time of day; empty if nothing was read.
    pub read_at: String,
    /// The usage, and the reason for what is not known.
    pub note: String,
}

const WIDTH: u16 = 100;
const WIDEST_NAME: usize = 20;
const USED: usize = 9;
const LEFT: usize = 10;
const FULL: usize = 9;
const READ: usize = 7;
/// The most lines of the note on the account under the cursor.
const NOTE: usize = 3;

impl AllLimits {
    /// Creates a list of accounts that are being read, with the cursor on the one in use.
    pub fn new(accounts: Vec<AccountSource>, in_use: &AccountSource) -> Self {
        let row = |source: AccountSource| AccountLimit {
            name: visible(source.name()).into_owned(),
            source,
            reading: None,
        };
        let rows: Vec<_> = accounts.into_iter().map(row).collect();
        let at = rows.iter().position(|row| row.source == *in_use);
        let cursor = ListCursor::default().on(at.unwrap_or(0), rows.len());
        Self { rows, cursor }
    }

    pub fn add(&mut self, source: &AccountSource, reading: &FullestLimit) {
        if let Some(row) = self.rows.iter_mut().find(|row| row.source == *source) {
            row.reading = Some(reading.clone());
        }
    }

    fn note(&self) -> &str {
        let row = self.rows.get(self.cursor.at());
        let reading = row.and_then(|row| row.reading.as_ref());
        reading.map_or("", |reading| &reading.note)
    }
}

impl Modal for AllLimits {
    fn on_key(&mut self, key: Key, _: Clocks) -> Reply {
        match key.code {
            KeyCode::Esc | KeyCode::Char('q') => return Reply::Closed,
            KeyCode::Enter => {
                if let Some(row) = self.rows.get(self.cursor.at()) {
                    return Reply::Accepted(Intent::OpenLimits(row.source.clone()));
                }
            }
            _ => {
                self.cursor.on_key(key.code);
            }
        }
        Reply::Open
    }

    fn draw(&self, screen: Rect, buf: &mut Buffer, theme: &Theme) -> Drawn {
        let dialog = frame::DialogFrame {
            title: "Limits of all accounts",
            note: "",
            width: WIDTH,
            lines: self.rows.len() + NOTE + 4,
            is_danger: false,
        };
        let mut pen = dialog.open(screen, buf, theme);
        let names = self.rows.iter().map(|row| text::width(&row.name));
        let name = names.max().unwrap_or(0).clamp("Account".len(), WIDEST_NAME);
        let limit = pen
            .width()
            .saturating_sub(name + 2 + USED + LEFT + FULL + READ);
        let heading = [
            text::left("Account", name),
            "  ".to_owned(),
            text::left("Fullest limit", limit),
            text::right("Used", USED),
            text::right("Left", LEFT),
            text::right("Full", FULL),
            text::right("Read", READ),
        ];
        pen.text(&heading.concat(), theme.dim);
        let room = pen.left().saturating_sub(NOTE + 3);
        pen.list(&self.rows, self.cursor, room, |at, row| {
            let style = if at == self.cursor.at() {
                theme.title
            } else {
                theme.text
            };
            let mut spans = vec![
                Span::styled(text::left(&row.name, name), style),
                Span::raw("  "),
            ];
            let rest = limit + USED + LEFT + FULL + READ;
            match &row.reading {
                None => spans.push(Span::styled(text::left("reading …", rest), theme.dim)),
                Some(reading) if reading.read_at.is_empty() => {
                    spans.push(Span::styled(
                        text::truncate(&reading.note, rest).into_owned(),
                        theme.warn,
                    ));
                }
                Some(reading) => spans.extend(cells(reading, limit, theme)),
            }
            Line::from(spans)
        });
        pen.text("", theme.text);
        let mut lines = text::wrap_without_widow(self.note(), pen.width());
        lines.resize(NOTE, String::new());
        for line in &lines {
            pen.text(line, theme.dim);
        }
        pen.keys(&[("enter", "its limits"), ("esc", "close")]);
        pen.done(None)
    }

    fn cursor_mut(&mut self) -> Option<&mut ListCursor> {
        Some(&mut self.cursor)
    }
}

fn cells(reading: &FullestLimit, limit: usize, theme: &Theme) -> [Span<'static>; 5] {
    let level = reading
        .percentage
        .map_or(theme.dim, |percentage| theme.level(percentage));
    [
        Span::styled(text::left(&reading.limit, limit), theme.text),
        Span::styled(text::right(&reading.used, USED), level),
        Span::styled(text::right(&reading.left, LEFT), theme.text),
        Span::styled(text::right(&reading.full, FULL), theme.dim),
        Span::styled(text::right(&reading.read_at, READ), theme.dim),
    ]
}
