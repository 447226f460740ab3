//! A text with the characters that a search matched standing out.

use ratatui::style::Style;
use ratatui::text::Span;
use unicode_segmentation::UnicodeSegmentation;

/// Spans for a text that is shown whole. `matched` are places of graphemes, ascending, as nucleo counts them.
pub fn spans<'a>(text: &'a str, matched: &[u32], plain: Style, standing_out: Style) -> Vec<Span<'a>> {
    let style = |at: u32| if matched.binary_search(&at).is_ok() { standing_out } else { plain };
    (0..).zip(text.graphemes(true)).map(|(at, grapheme)| Span::styled(grapheme, style(at))).collect()
}
