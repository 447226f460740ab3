//! A suggestion below a field, with the characters that match what is typed.

use ratatui::text::Line;

use crate::tui::style::theme::Theme;
use crate::tui::widget::{matched, text};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedLine {
    /// The text, safe to show.
    pub text: String,
    /// The indices of the characters that match what is typed; ascending.
    pub matched: Vec<u32>,
}

/// The most suggestions below a field: the smallest screen has room for them.
pub(super) const MOST_LISTED: usize = 6;

impl ListedLine {
    /// Draws the suggestion in this many cells; enter takes the chosen one.
    pub(super) fn line(&self, is_chosen: bool, cells: usize, theme: &Theme) -> Line<'static> {
        let style = if is_chosen { theme.title } else { theme.text };
        let shown = text::truncate_middle(&self.text, cells);
        // In a text that is cut, the characters have other indices.
        let matched = if *shown == self.text {
            self.matched.as_slice()
        } else {
            &[]
        };
        matched::spans(&shown, matched, style, theme.matched).into()
    }
}
