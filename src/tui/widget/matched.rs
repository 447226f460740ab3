//! Highlights the characters of a text that a search matched.

use ratatui::style::Style;
use ratatui::text::Span;
use unicode_segmentation::UnicodeSegmentation;

/// Spans for a text that is shown in full. `matched` holds grapheme indices in ascending order, as
/// nucleo returns them.
pub fn spans(text: &str, matched: &[u32], plain: Style, standing_out: Style) -> Vec<Span<'static>> {
    let style = |at: u32| {
        if matched.binary_search(&at).is_ok() {
            standing_out
        } else {
            plain
        }
    };
    (0..)
        .zip(text.graphemes(true))
        .map(|(at, grapheme)| Span::styled(grapheme.to_owned(), style(at)))
        .collect()
}
