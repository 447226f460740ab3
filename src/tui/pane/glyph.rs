//! The glyph for the kind of a row, or a spinner while an operation on it runs.

use jiff::Timestamp;
use ratatui::style::Style;

use crate::tui::state::Row;
use crate::tui::style::theme::Theme;
use crate::tui::style::{kind, symbols};

pub(crate) fn of(row: &Row, now: Timestamp, is_busy: bool, theme: &Theme) -> (&'static str, Style) {
    if is_busy {
        return (spinner(now), theme.busy);
    }
    kind::of(row.kind.as_ref(), row.extension(), !row.is_file(), theme)
}

/// A quarter circle that turns four times a second.
pub(crate) fn spinner(now: Timestamp) -> &'static str {
    let quarter = now.as_millisecond().div_euclid(250).rem_euclid(4);
    usize::try_from(quarter)
        .ok()
        .and_then(|at| symbols::SPINNER.get(at))
        .copied()
        .unwrap_or(symbols::WAITS)
}
