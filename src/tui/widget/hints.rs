//! A line of keys and what they do, as many as fit.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::text::width;

/// Lays out `(key, label)` pairs in order, keys as pills, two cells apart; what does not fit whole is left out.
pub fn line<'a>(
    pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
    cells: usize,
    key: Style,
    label: Style,
) -> Line<'a> {
    let mut spans = Vec::new();
    let mut used = 0;
    for (name, text) in pairs {
        let gap = if used == 0 { 0 } else { 2 };
        let needed = gap + width(name) + 3 + width(text);
        if used + needed > cells {
            continue;
        }
        if gap > 0 {
            spans.push(Span::raw("  "));
        }
        spans.push(Span::styled(format!(" {name} "), key));
        spans.push(Span::styled(format!(" {text}"), label));
        used += needed;
    }
    Line::from(spans)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_that_do_not_fit_are_left_out_whole() {
        let pairs = [("?", "help"), ("/", "filter here"), ("q", "quit")];
        let plain = Style::new();
        assert_eq!(line(pairs, 80, plain, plain).to_string(), " ?  help   /  filter here   q  quit");
        assert_eq!(line(pairs, 18, plain, plain).to_string(), " ?  help   q  quit");
        assert_eq!(line(pairs, 3, plain, plain).to_string(), "");
    }
}
