//! A line of keys and their actions, as many as fit.

use std::ops::Range;

use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::text;

pub const GAP: usize = 2;

/// Lays out `(key, label)` pairs in order, keys as pills, two cells apart; pairs that do not fit
/// are omitted. A key without a background is next to its label, so that pairs are recognizable.
pub fn line<'a>(
    pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
    cells: usize,
    key: Style,
    label: Style,
) -> Line<'a> {
    let is_pill = key.bg.is_some() || key.add_modifier.contains(Modifier::REVERSED);
    let mut spans = Vec::new();
    for (place, name, text) in places(pairs, cells) {
        if place.start > 0 {
            spans.push(Span::raw(" ".repeat(GAP)));
        }
        spans.push(Span::styled(
            if is_pill {
                format!(" {name} ")
            } else {
                format!("  {name}")
            },
            key,
        ));
        spans.push(Span::styled(format!(" {text}"), label));
    }
    Line::from(spans)
}

/// Returns the key whose pill or label is at a cell of the line.
pub fn at<'a>(
    pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
    cells: usize,
    cell: usize,
) -> Option<&'a str> {
    places(pairs, cells)
        .find(|(place, ..)| place.contains(&cell))
        .map(|(_, name, _)| name)
}

/// The pairs that fit, each with its cells.
pub fn places<'a>(
    pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
    cells: usize,
) -> impl Iterator<Item = (Range<usize>, &'a str, &'a str)> {
    let mut used = 0;
    pairs.into_iter().filter_map(move |(name, label)| {
        let start = if used == 0 { 0 } else { used + GAP };
        let end = start + width(name, label);
        (end <= cells).then(|| {
            used = end;
            (start..end, name, label)
        })
    })
}

pub fn width(key: &str, label: &str) -> usize {
    text::width(key) + 3 + text::width(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_that_do_not_fit_are_left_out_whole() {
        let pairs = [("?", "help"), ("/", "filter here"), ("q", "quit")];
        let (pill, plain) = (Style::new().reversed(), Style::new());
        assert_eq!(
            line(pairs, 80, pill, plain).to_string(),
            " ?  help   /  filter here   q  quit"
        );
        assert_eq!(
            line(pairs, 18, pill, plain).to_string(),
            " ?  help   q  quit"
        );
        assert_eq!(
            line(pairs, 18, plain, plain).to_string(),
            "  ? help    q quit"
        );
        assert_eq!(line(pairs, 3, pill, plain).to_string(), "");
    }
}
