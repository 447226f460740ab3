//! A line below a field that says what its text may be, with the characters that match what is typed.

use ratatui::text::{Line, Span};

use crate::tui::style::theme::Theme;
use crate::tui::widget::{matched, text};

/// What the text of a field may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedLine {
    /// Safe to show.
    pub text: String,
    /// Characters that match what is typed; ascending.
    pub matched: Vec<u32>,
}

/// Lines below a field: the smallest screen has room for them.
pub(super) const MOST_LISTED: usize = 6;

impl ListedLine {
    /// In so many cells; enter takes the chosen one.
    pub(super) fn line(&self, is_chosen: bool, cells: usize, theme: &Theme) -> Line<'static> {
        let style = if is_chosen { theme.title } else { theme.text };
        let shown = text::truncate_middle(&self.text, cells);
        // Of a text that is cut the characters stand elsewhere.
        let matched = if *shown == self.text { self.matched.as_slice() } else { &[] };
        let spans = matched::spans(&shown, matched, style, theme.matched);
        spans.into_iter().map(|span| Span::styled(span.content.into_owned(), span.style)).collect()
    }
}
