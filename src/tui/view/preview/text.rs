//! Lines of a text in colors: those of prose broken into rows, those of code and tables cut.

use std::iter::once;

use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use crate::engine::preview::{Class, PreviewText};
use crate::tui::style::symbols::ELLIPSIS;
use crate::tui::style::theme::Theme;
use crate::tui::widget::text::{take, width, wrap};

/// A piece of a line.
type Piece = (Class, String);

pub(super) fn lines<'a>(
    text: &'a PreviewText,
    area: Rect,
    scroll: usize,
    theme: &'a Theme,
) -> impl Iterator<Item = Line<'a>> {
    let cells = usize::from(area.width);
    text.lines.iter().skip(scroll).flat_map(move |line| {
        let is_broken = text.is_prose && line.first().is_none_or(|(class, _)| *class != Class::Fixed);
        if is_broken { broken(line, cells, theme) } else { vec![cut(line, cells, theme)] }
    })
}

/// Whether the area does not show all of them.
pub(super) fn overflow(text: &PreviewText, area: Rect, theme: &Theme) -> bool {
    lines(text, area, 0, theme).nth(area.height.into()).is_some()
}

/// A line on one row: what does not fit is left out, and a sign says so.
fn cut<'a>(line: &'a [Piece], cells: usize, theme: &Theme) -> Line<'a> {
    let is_cut = line.iter().map(|(_, text)| width(text)).sum::<usize>() > cells;
    let mut room = cells - usize::from(is_cut && cells > 0);
    let mut spans = Vec::new();
    for (class, text) in line {
        let shown = take(text, room);
        room = room.saturating_sub(width(shown));
        spans.push(Span::styled(shown, style(*class, theme)));
        if shown.len() < text.len() {
            break;
        }
    }
    if is_cut {
        spans.push(Span::styled(ELLIPSIS, theme.dim));
    }
    Line::from(spans)
}

/// A line on as many rows as it needs. The rest of an item stands below its text, that of a quotation behind its line.
fn broken<'a>(line: &'a [Piece], cells: usize, theme: &Theme) -> Vec<Line<'a>> {
    if line.iter().map(|(_, text)| width(text)).sum::<usize>() <= cells {
        return vec![cut(line, cells, theme)];
    }
    let (marker, pieces) = match line {
        [(Class::Marker, marker), pieces @ ..] if width(marker) < cells / 2 => (marker.as_str(), pieces),
        _ => ("", line),
    };
    let below: String = marker.chars().map(|c| if c == '│' { c } else { ' ' }).collect();
    let whole: String = pieces.iter().map(|(_, text)| text.as_str()).collect();
    let rows = wrap(&whole, cells - width(marker));
    let mut chars = pieces.iter().flat_map(|(class, text)| text.chars().map(|c| (*class, c)));
    let row = |(at, row): (usize, String)| {
        let before = if at == 0 { marker } else { &below };
        let before = (!before.is_empty()).then(|| Span::styled(before.to_owned(), style(Class::Marker, theme)));
        let mut spans: Vec<Piece> = Vec::new();
        for c in row.chars() {
            // Spaces at the end of the row before are left out.
            let class = chars.find(|(_, of)| *of == c).map_or(Class::Plain, |(class, _)| class);
            match spans.last_mut() {
                Some((last, text)) if *last == class => text.push(c),
                _ => spans.push((class, c.into())),
            }
        }
        let spans = spans.into_iter().map(|(class, text)| Span::styled(text, style(class, theme)));
        Line::from(before.into_iter().chain(spans).collect::<Vec<_>>())
    };
    rows.into_iter().chain(once(String::new()).filter(|_| whole.trim().is_empty())).enumerate().map(row).collect()
}

fn style(class: Class, theme: &Theme) -> Style {
    match class {
        Class::Plain => theme.text,
        Class::Keyword => theme.code.keyword,
        Class::String => theme.code.string,
        Class::Number => theme.code.number,
        Class::Comment => theme.code.comment,
        Class::Type | Class::Name => theme.code.name,
        Class::Function => theme.code.function,
        Class::Heading => theme.title,
        Class::Strong => theme.text.add_modifier(Modifier::BOLD),
        Class::Emphasis => theme.text.add_modifier(Modifier::ITALIC),
        Class::Link => theme.text.add_modifier(Modifier::UNDERLINED),
        Class::Marker | Class::Fixed => theme.dim,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(line: &[(Class, &str)], cells: usize) -> Vec<Vec<String>> {
        let line: Vec<Piece> = line.iter().map(|(class, text)| (*class, (*text).to_owned())).collect();
        let row = |line: Line<'_>| line.spans.into_iter().map(|span| span.content.into_owned()).collect();
        broken(&line, cells, &Theme::default()).into_iter().map(row).collect()
    }

    #[test]
    fn a_broken_line_keeps_its_colors_and_its_margin() {
        let line =
            [(Class::Marker, "• "), (Class::Plain, "some "), (Class::Strong, "bold words"), (Class::Plain, " end")];
        assert_eq!(rows(&line, 12), [vec!["• ", "some ", "bold"], vec!["  ", "words", " end"]]);
        assert_eq!(rows(&[(Class::Marker, "│ "), (Class::Plain, "one two")], 6), [["│ ", "one"], ["│ ", "two"]]);
        assert_eq!(rows(&[(Class::Plain, "one  two")], 5), [["one"], ["two"]]);
    }
}
