//! The texts in the border of a list's box: its order, the position of the cursor, and the marks.

use ratatui::text::Span;

use crate::tui::style::symbols::{BETWEEN, DOWN, UP};
use crate::tui::style::theme::Theme;
use crate::tui::widget::figures;

/// `name ↑`
pub(crate) fn order(word: &str, is_descending: bool, is_plain: bool) -> String {
    match (is_plain, is_descending) {
        (true, true) => format!("by {word}, descending"),
        (true, false) => format!("by {word}"),
        (false, true) => format!("{word} {DOWN}"),
        (false, false) => format!("{word} {UP}"),
    }
}

/// The position in a list.
pub(crate) struct ListPlace<'a> {
    /// The row under the cursor, among the shown ones.
    pub(crate) at: usize,
    pub(crate) shown: usize,
    pub(crate) all: usize,
    /// Set if not all rows are known.
    pub(crate) has_more: bool,
    pub(crate) is_filtered: bool,
    /// The words for a list without rows.
    pub(crate) empty: &'a str,
}

impl ListPlace<'_> {
    /// `3 of 142`: only what was counted, `3 of 100+` while pages are missing.
    pub(crate) fn words(&self, is_plain: bool) -> String {
        let more = if self.has_more { "+" } else { "" };
        let (all, shown) = (figures::number(self.all), figures::number(self.shown));
        let at = figures::number((self.at + 1).min(self.shown));
        let items = if self.all == 1 && !self.has_more {
            "item"
        } else {
            "items"
        };
        match (self.is_filtered, self.shown) {
            (true, _) if is_plain => format!("{shown} of {all}{more} {items}"),
            (false, _) if is_plain => format!("{all}{more} {items}"),
            (_, 0) if self.all == 0 => self.empty.to_owned(),
            (_, 0) => format!("none of {all}{more}"),
            (true, _) => format!("{at} of {shown} {BETWEEN} {all}{more} in all"),
            (false, _) => format!("{at} of {all}{more}"),
        }
    }
}

/// ` · 2 marked 1.7 MB`
pub(crate) fn marks<'a>(count: usize, bytes: u64, theme: &Theme) -> [Span<'a>; 2] {
    let bytes = if bytes > 0 {
        format!(" {}", figures::size(bytes))
    } else {
        String::new()
    };
    let marked = format!("{} marked{bytes}", figures::number(count));
    [
        Span::styled(format!(" {BETWEEN} "), theme.dim),
        Span::styled(marked, theme.marked),
    ]
}
