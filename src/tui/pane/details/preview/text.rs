//! Lines of a colored text: prose is wrapped, code and tables are truncated.

use std::iter::once;

use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use crate::engine::preview::{Class, PreviewText, WIDEST_CELL};
use crate::tui::style::symbols::ELLIPSIS;
use crate::tui::style::theme::Theme;
use crate::tui::widget::text::{fitting_start, width, wrap};

type Piece = (Class, String);

/// The visible part. A truncated text does not end with a heading whose content is hidden.
pub(crate) fn lines<'a>(
    text: &'a PreviewText,
    area: Rect,
    scroll: usize,
    theme: &Theme,
) -> Vec<Line<'a>> {
    let (height, cells) = (usize::from(area.height), usize::from(area.width));
    let of_line = |at| {
        rows_of(text, at, cells, theme)
            .into_iter()
            .map(move |row| (at, row))
    };
    let mut rows: Vec<(usize, Line<'a>)> = (scroll..text.lines.len())
        .flat_map(of_line)
        .take(height + 1)
        .collect();
    if rows.len() > height
        && let Some((hidden, _)) = rows.pop()
    {
        let is = |at: usize, kind: fn(&[Piece]) -> bool| {
            text.lines.get(at).is_some_and(|line| kind(line))
        };
        // The heading of a table shows the columns of its hidden content.
        let leads =
            |at: usize| text.is_prose && at <= hidden && is(at, leads_on) && !is(at, is_of_table);
        let last = rows.iter().rposition(|(at, _)| !leads(*at));
        rows.truncate(last.map_or(height, |last| last + 1));
        if let Some((at, row)) = rows.last_mut()
            && is(*at, is_rule_of_table)
        {
            *row = Line::styled(ELLIPSIS, theme.dim);
        }
    }
    rows.into_iter().map(|(_, row)| row).collect()
}

pub(crate) fn height(text: &PreviewText, cells: u16, most: usize, theme: &Theme) -> usize {
    (0..text.lines.len())
        .flat_map(|at| rows_of(text, at, cells.into(), theme))
        .take(most)
        .count()
}

pub(crate) fn overflow(text: &PreviewText, area: Rect, theme: &Theme) -> bool {
    let rows = usize::from(area.height);
    height(text, area.width, rows + 1, theme) > rows
}

fn rows_of<'a>(text: &'a PreviewText, at: usize, cells: usize, theme: &Theme) -> Vec<Line<'a>> {
    let Some(line) = text.lines.get(at) else {
        return Vec::new();
    };
    match line.first() {
        // A line of signs is meaningless to a screen reader.
        _ if theme.is_plain() && text.is_prose && is_drawn_rule(line) => Vec::new(),
        _ if is_of_table(line) && text.is_prose && is_narrow(line, cells) => {
            named_cells(text, at, cells, theme)
        }
        _ if is_of_table(line) => {
            let next = text.lines.get(at + 1);
            table_row(
                line,
                next.is_some_and(|next| is_of_table(next) && !leads_on(next)),
                cells,
                theme,
            )
        }
        Some((Class::Fixed, _)) => vec![cut(line, cells, theme)],
        _ if text.is_prose => broken(line, cells, theme),
        _ => vec![cut(line, cells, theme)],
    }
}

fn is_of_table(line: &[Piece]) -> bool {
    line.iter().any(|(class, _)| *class == Class::Column)
}

fn is_rule_of_table(line: &[Piece]) -> bool {
    is_of_table(line)
        && line
            .iter()
            .all(|(class, text)| matches!(class, Class::Fixed | Class::Column) || is_rule(text))
}

/// A line below a heading, or below the heading of a table.
fn is_drawn_rule(line: &[Piece]) -> bool {
    is_rule_of_table(line) || matches!(line, [(Class::Fixed, _), (_, text)] if is_rule(text))
}

fn cells_of(line: &[Piece]) -> impl Iterator<Item = &Piece> {
    line.iter()
        .filter(|(class, _)| !matches!(class, Class::Fixed | Class::Column))
}

/// Returns `true` if the columns of a table would be too narrow for words.
fn is_narrow(line: &[Piece], cells: usize) -> bool {
    const LEAST_COLUMN: usize = 8;
    let taken: usize = line.iter().map(|(_, text)| width(text)).sum();
    taken > cells && cells < LEAST_COLUMN * cells_of(line).count()
}

/// Draws a row of a table as one line per cell, each after its column's name, with a blank line
/// between rows.
fn named_cells<'a>(text: &'a PreviewText, at: usize, cells: usize, theme: &Theme) -> Vec<Line<'a>> {
    const WIDEST_NAME: usize = 12;
    let is_row = |at: usize| {
        text.lines
            .get(at)
            .is_some_and(|line| is_of_table(line) && !leads_on(line))
    };
    let Some(line) = text.lines.get(at).filter(|_| is_row(at)) else {
        return Vec::new();
    };
    let above = text
        .lines
        .get(..at)
        .unwrap_or_default()
        .iter()
        .rev()
        .take_while(|line| is_of_table(line));
    let names: Vec<&str> = above
        .last()
        .map(|head| cells_of(head).map(|(_, name)| name.trim()).collect())
        .unwrap_or_default();
    let name_cells = names
        .iter()
        .map(|name| width(name))
        .max()
        .unwrap_or(0)
        .min(WIDEST_NAME);
    let room = cells.saturating_sub(name_cells + 2).max(1);
    let mut rows = Vec::new();
    for (column, (class, value)) in cells_of(line).enumerate() {
        let mut name = fitting_start(names.get(column).copied().unwrap_or_default(), name_cells);
        for row in wrap(value.trim(), room) {
            let gap = name_cells + 2 - width(name);
            rows.push(Line::from(vec![
                Span::styled(format!("{name}{:gap$}", ""), theme.dim),
                Span::styled(row, style(*class, theme)),
            ]));
            name = "";
        }
    }
    if is_row(at + 1) {
        rows.push(Line::default());
    }
    rows
}

/// Returns `true` for headings, including those of tables, and blank lines: useless without what
/// follows.
fn leads_on(line: &[Piece]) -> bool {
    match line {
        [] | [(Class::Heading, _), ..] | [(Class::Fixed, _), (Class::Heading, _), ..] => true,
        [(Class::Fixed, _), (_, text)] => is_rule(text),
        [(Class::Fixed, _), cells @ ..] => cells.iter().all(|(class, text)| match class {
            Class::Column | Class::Strong => true,
            _ => is_rule(text),
        }),
        _ => false,
    }
}

fn is_rule(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| matches!(c, '─' | '═'))
}

/// Wraps the cells of a table row within shared column widths. A blank row follows a wrapped one.
fn table_row<'a>(
    line: &'a [Piece],
    is_followed: bool,
    cells: usize,
    theme: &Theme,
) -> Vec<Line<'a>> {
    const LEAST_COLUMN: usize = 4;
    let (before, line) = match line {
        [(Class::Fixed, before), rest @ ..] => (before.as_str(), rest),
        line => ("", line),
    };
    let columns: Vec<&Piece> = line
        .iter()
        .filter(|(class, _)| *class != Class::Column)
        .collect();
    let between = line
        .iter()
        .find(|(class, _)| *class == Class::Column)
        .map_or("", |(_, text)| text.as_str());
    let taken = width(before) + width(between) * columns.len().saturating_sub(1);
    let Some(room) = cells
        .checked_sub(taken)
        .filter(|room| *room >= LEAST_COLUMN * columns.len())
    else {
        return vec![cut(line, cells, theme)];
    };
    let mut widths: Vec<usize> = columns
        .iter()
        .map(|(_, text)| width(text).min(WIDEST_CELL))
        .collect();
    while widths.iter().sum::<usize>() > room {
        let Some(widest) = widths.iter_mut().max() else {
            break;
        };
        *widest -= 1;
    }
    let texts: Vec<Vec<String>> = columns
        .iter()
        .zip(&widths)
        .map(|((_, text), cells)| {
            if is_rule(text) {
                vec![text.clone()]
            } else {
                wrap(text, *cells)
            }
        })
        .collect();
    let rows = texts.iter().map(Vec::len).max().unwrap_or(1).max(1);
    let rows = rows + usize::from(is_followed && rows > 1);
    let row = |at: usize| {
        let mut spans = vec![Span::styled(before, style(Class::Fixed, theme))];
        for (column, ((class, _), cells)) in columns.iter().zip(&widths).enumerate() {
            if column > 0 {
                spans.push(Span::styled(between, style(Class::Column, theme)));
            }
            let text = texts
                .get(column)
                .and_then(|rows| rows.get(at))
                .map_or("", String::as_str);
            let text = fitting_start(text, *cells);
            let gap = cells.saturating_sub(width(text));
            spans.push(Span::styled(
                format!("{text}{:gap$}", ""),
                style(*class, theme),
            ));
        }
        Line::from(spans)
    };
    (0..rows).map(row).collect()
}

/// Truncates a line to one row, marked with an ellipsis.
fn cut<'a>(line: &'a [Piece], cells: usize, theme: &Theme) -> Line<'a> {
    let is_cut = line.iter().map(|(_, text)| width(text)).sum::<usize>() > cells;
    let is_told = is_cut && !line.last().is_some_and(|(_, text)| is_rule(text));
    let mut room = cells - usize::from(is_told && cells > 0);
    let mut spans = Vec::new();
    for (class, text) in line {
        let shown = fitting_start(text, room);
        room = room.saturating_sub(width(shown));
        spans.push(Span::styled(shown, style(*class, theme)));
        if shown.len() < text.len() {
            break;
        }
    }
    if is_told {
        spans.push(Span::styled(ELLIPSIS, theme.dim));
    }
    Line::from(spans)
}

/// Wraps a line. Continuation rows of an item are aligned with its text, those of a quotation
/// follow its bar.
fn broken<'a>(line: &'a [Piece], cells: usize, theme: &Theme) -> Vec<Line<'a>> {
    if line.iter().map(|(_, text)| width(text)).sum::<usize>() <= cells {
        return vec![cut(line, cells, theme)];
    }
    let (marker, pieces) = match line {
        [(Class::Marker, marker), pieces @ ..] if width(marker) < cells / 2 => {
            (marker.as_str(), pieces)
        }
        _ => ("", line),
    };
    let below: String = marker
        .chars()
        .map(|c| if c == '│' { c } else { ' ' })
        .collect();
    let whole: String = pieces.iter().map(|(_, text)| text.as_str()).collect();
    let rows = wrap(&whole, cells - width(marker));
    let mut chars = pieces
        .iter()
        .flat_map(|(class, text)| text.chars().map(|c| (*class, c)));
    let row = |(at, row): (usize, String)| {
        let before = if at == 0 { marker } else { &below };
        let before = (!before.is_empty())
            .then(|| Span::styled(before.to_owned(), style(Class::Marker, theme)));
        let mut spans: Vec<Piece> = Vec::new();
        for c in row.chars() {
            // Spaces at the end of the previous row are omitted.
            let class = chars
                .find(|(_, of)| *of == c)
                .map_or(Class::Plain, |(class, _)| class);
            match spans.last_mut() {
                Some((last, text)) if *last == class => text.push(c),
                _ => spans.push((class, c.into())),
            }
        }
        let spans = spans
            .into_iter()
            .map(|(class, text)| Span::styled(text, style(class, theme)));
        Line::from(before.into_iter().chain(spans).collect::<Vec<_>>())
    };
    rows.into_iter()
        .chain(once(String::new()).filter(|_| whole.trim().is_empty()))
        .enumerate()
        .map(row)
        .collect()
}

fn style(class: Class, theme: &Theme) -> Style {
    match class {
        Class::Plain => theme.text,
        Class::Keyword => theme.code.keyword,
        Class::String => theme.code.string,
        Class::Number => theme.code.number,
        Class::Comment | Class::Column => theme.code.comment,
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
        let line: Vec<Piece> = line
            .iter()
            .map(|(class, text)| (*class, (*text).to_owned()))
            .collect();
        let row = |line: Line<'_>| {
            line.spans
                .into_iter()
                .map(|span| span.content.into_owned())
                .collect()
        };
        broken(&line, cells, &Theme::default())
            .into_iter()
            .map(row)
            .collect()
    }

    fn table_rows(cells: &[&str], room: usize) -> Vec<String> {
        let pieces = cells.iter().enumerate().flat_map(|(at, cell)| {
            let between = (at > 0).then(|| (Class::Column, " │ ".to_owned()));
            between
                .into_iter()
                .chain([(Class::Plain, (*cell).to_owned())])
        });
        let line: Vec<Piece> = [(Class::Fixed, String::new())]
            .into_iter()
            .chain(pieces)
            .collect();
        table_row(&line, false, room, &Theme::default())
            .into_iter()
            .map(|row| row.to_string())
            .collect()
    }

    #[test]
    fn the_columns_of_a_table_share_the_room() {
        let cells = ["09:30", "posters go up in all of the shops", "Ada      "];
        assert_eq!(
            table_rows(&cells, 60),
            ["09:30 │ posters go up in all of the shops │ Ada      "]
        );
        assert_eq!(
            table_rows(&cells, 34),
            [
                "09:30 │ posters go up  │ Ada      ",
                "      │ in all of the  │          ",
                "      │ shops          │          "
            ]
        );
        assert_eq!(table_rows(&cells, 16), ["09:30 │ posters…"]);
    }

    #[test]
    fn a_blank_row_follows_a_row_of_a_table_that_takes_several() {
        let row = |class: Class, cells: [&str; 2]| {
            let [first, second] = cells.map(|cell| (class, cell.to_owned()));
            let between = if class == Class::Comment {
                "─┼─"
            } else {
                " │ "
            };
            vec![
                (Class::Fixed, String::new()),
                first,
                (Class::Column, between.to_owned()),
                second,
            ]
        };
        let lines = vec![
            row(Class::Strong, ["name", "what is done there"]),
            row(Class::Comment, ["────", "──────────────────"]),
            row(Class::Plain, ["Oslo", "posters and a sign"]),
            row(Class::Plain, ["Rome", "flyers            "]),
            row(Class::Plain, ["Bath", "posters and a sign"]),
        ];
        let text = PreviewText {
            lines,
            is_prose: true,
            cut: None,
        };
        let shown = lines_of(&text, 20);
        let cells: Vec<&str> = shown
            .iter()
            .map(|row| row.split('│').next().unwrap_or_default().trim())
            .collect();
        assert_eq!(
            cells,
            [
                "name",
                "",
                "─────┼──────────────",
                "Oslo",
                "",
                "",
                "Rome",
                "Bath",
                ""
            ],
            "{shown:#?}"
        );
    }

    fn table_of_four() -> PreviewText {
        let row = |class: Class, cells: [&str; 4], between: &str| {
            let piece = |(at, cell): (usize, &str)| {
                let between = (at > 0).then(|| (Class::Column, between.to_owned()));
                between.into_iter().chain([(class, cell.to_owned())])
            };
            let pieces = cells.into_iter().enumerate().flat_map(piece);
            [(Class::Fixed, String::new())]
                .into_iter()
                .chain(pieces)
                .collect::<Vec<_>>()
        };
        let lines = vec![
            row(
                Class::Strong,
                ["when    ", "what         ", "who ", "state"],
                " │ ",
            ),
            row(
                Class::Comment,
                ["────────", "─────────────", "────", "─────"],
                "─┼─",
            ),
            row(
                Class::Plain,
                ["3 August", "banners final", "Imre", "done "],
                " │ ",
            ),
            row(
                Class::Plain,
                ["9 August", "posters in all shops", "Ada ", "     "],
                " │ ",
            ),
        ];
        PreviewText {
            lines,
            is_prose: true,
            cut: None,
        }
    }

    #[test]
    fn where_columns_would_break_words_each_cell_stands_behind_the_name_of_its_column() {
        let rows = [
            "when   3 August",
            "what   banners final",
            "who    Imre",
            "state  done",
            "",
            "when   9 August",
            "what   posters in",
            "       all shops",
            "who    Ada",
        ];
        assert_eq!(lines_of(&table_of_four(), 12), rows);
    }

    #[test]
    fn read_aloud_a_table_and_a_heading_have_no_line_of_signs() {
        let mut text = table_of_four();
        text.lines.push(vec![(Class::Heading, "Next".to_owned())]);
        text.lines.push(vec![
            (Class::Fixed, String::new()),
            (Class::Heading, "════".to_owned()),
        ]);
        let area = Rect {
            width: 60,
            height: 9,
            ..Rect::default()
        };
        let starts = |theme: &Theme| -> Vec<String> {
            let word = |line: Line<'_>| {
                line.to_string()
                    .split(' ')
                    .next()
                    .unwrap_or_default()
                    .to_owned()
            };
            lines(&text, area, 0, theme).into_iter().map(word).collect()
        };
        assert_eq!(starts(&Theme::plain()), ["when", "3", "9", "Next"]);
        assert_eq!(starts(&Theme::default()).len(), 6);
        assert_eq!(height(&text, 60, 9, &Theme::plain()), 4);
    }

    #[test]
    fn the_head_of_a_table_stays_where_its_rows_have_no_room() {
        let row = |class: Class, cells: [&str; 2], between: &str| {
            let [first, second] = cells.map(|cell| (class, cell.to_owned()));
            vec![
                (Class::Fixed, String::new()),
                first,
                (Class::Column, between.to_owned()),
                second,
            ]
        };
        let lines = vec![
            vec![(Class::Plain, "one".to_owned())],
            Vec::new(),
            row(Class::Strong, ["name", "what"], " │ "),
            row(Class::Comment, ["────", "────"], "─┼─"),
            row(Class::Plain, ["Oslo", "sign"], " │ "),
        ];
        let text = PreviewText {
            lines,
            is_prose: true,
            cut: None,
        };
        assert_eq!(lines_of(&text, 3), ["one", "", "name │ what"]);
        assert_eq!(lines_of(&text, 4), ["one", "", "name │ what", "…"]);
        assert_eq!(lines_of(&text, 5)[3..], ["─────┼─────", "Oslo │ sign"]);
    }

    #[test]
    fn a_text_that_goes_on_does_not_end_on_a_heading() {
        let plain = |text: &str| vec![(Class::Plain, text.to_owned())];
        let lines = vec![
            plain("one"),
            Vec::new(),
            vec![(Class::Heading, "Pictures".to_owned())],
            vec![
                (Class::Fixed, String::new()),
                (Class::Comment, "────────".to_owned()),
            ],
            Vec::new(),
            plain("two"),
        ];
        let text = PreviewText {
            lines,
            is_prose: true,
            cut: None,
        };
        let shown = |height| lines_of(&text, height);
        assert_eq!(shown(6).len(), 6);
        assert_eq!(
            (shown(5), shown(4)),
            (vec!["one".to_owned()], vec!["one".to_owned()])
        );
    }

    fn lines_of(text: &PreviewText, height: u16) -> Vec<String> {
        let area = Rect {
            width: 20,
            height,
            ..Rect::default()
        };
        lines(text, area, 0, &Theme::default())
            .into_iter()
            .map(|row| row.to_string())
            .collect()
    }

    #[test]
    fn a_broken_line_keeps_its_colors_and_its_margin() {
        let line = [
            (Class::Marker, "• "),
            (Class::Plain, "some "),
            (Class::Strong, "bold words"),
            (Class::Plain, " end"),
        ];
        assert_eq!(
            rows(&line, 12),
            [vec!["• ", "some ", "bold"], vec!["  ", "words", " end"]]
        );
        assert_eq!(
            rows(&[(Class::Marker, "│ "), (Class::Plain, "one two")], 6),
            [["│ ", "one"], ["│ ", "two"]]
        );
        assert_eq!(rows(&[(Class::Plain, "one  two")], 5), [["one"], ["two"]]);
    }
}
