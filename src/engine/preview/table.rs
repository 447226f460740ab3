//! Comma- and tab-separated values as rows. Accepts what spreadsheets write: quotes, semicolons,
//! line breaks in cells.

use std::iter::Peekable;
use std::str::Chars;

use super::model::{CutAt, PreviewTable};
use crate::api::text::visible;

const MOST_ROWS: usize = 1_000;
const MOST_COLUMNS: usize = 64;
/// The most characters of a cell.
const LONGEST: usize = 200;

pub(super) fn read(text: &str, extension: &str, cut: Option<CutAt>) -> PreviewTable {
    let separator = if extension.eq_ignore_ascii_case("tsv") {
        '\t'
    } else {
        separator(text)
    };
    let mut chars = text.chars().peekable();
    let mut rows = Vec::new();
    while chars.peek().is_some() && rows.len() < MOST_ROWS {
        rows.push(row(&mut chars, separator));
    }
    let has_more = chars.peek().is_some();
    if cut.is_some() && !has_more {
        // The bytes end somewhere within the last row.
        rows.pop();
    }
    let cut = if has_more {
        Some(CutAt::Lines(rows.len()))
    } else {
        cut
    };
    PreviewTable { rows, cut }
}

/// Guesses the separator from the first line.
fn separator(text: &str) -> char {
    let first = text.lines().next().unwrap_or_default();
    let count = |separator: &char| first.chars().filter(|c| c == separator).count();
    // `max_by_key` returns the last of those with equal counts.
    ['|', '\t', ';', ',']
        .into_iter()
        .max_by_key(count)
        .unwrap_or(',')
}

fn row(chars: &mut Peekable<Chars<'_>>, separator: char) -> Vec<String> {
    let mut row = Vec::new();
    loop {
        let (cell, is_last) = cell(chars, separator);
        if row.len() < MOST_COLUMNS {
            row.push(cell);
        }
        if is_last {
            return row;
        }
    }
}

/// Returns the next cell, and `true` if it is the last of its row.
fn cell(chars: &mut Peekable<Chars<'_>>, separator: char) -> (String, bool) {
    let (mut cell, mut length) = (String::new(), 0);
    let mut is_quoted = chars.next_if_eq(&'"').is_some();
    let is_last = loop {
        let Some(c) = chars.next() else { break true };
        match c {
            '"' if is_quoted && chars.next_if_eq(&'"').is_none() => {
                is_quoted = false;
                continue;
            }
            '\n' if !is_quoted => break true,
            '\r' if !is_quoted && chars.peek() == Some(&'\n') => continue,
            c if c == separator && !is_quoted => break false,
            _ => {}
        }
        length += 1;
        if length <= LONGEST {
            cell.push(if matches!(c, '\n' | '\r' | '\t') {
                ' '
            } else {
                c
            });
        }
    };
    (visible(cell.trim()).into_owned(), is_last)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::plain("a,b\n1,2\n", "csv", "a|b/1|2")]
    #[case::semicolons("a;b\r\n1,5;2\r\n", "csv", "a|b/1,5|2")]
    #[case::tabs("a\tb\n1\t2", "tsv", "a|b/1|2")]
    #[case::quotes(
        "\"a, b\",\"say \"\"hi\"\"\"\n\"two\nlines\",x",
        "csv",
        "a, b|say \"hi\"/two lines|x"
    )]
    #[case::rows_of_any_length("a,b,c\n1\n\n1,2,3,4", "csv", "a|b|c/1//1|2|3|4")]
    #[case::controls("a,\u{1b}[2J\n", "csv", "a|\\u{1b}[2J")]
    #[case::a_quote_that_never_ends("a,\"b\nc", "csv", "a|b c")]
    fn cells_are_told_apart(#[case] text: &str, #[case] extension: &str, #[case] expected: &str) {
        let table = read(text, extension, None);
        let rows: Vec<String> = table.rows.iter().map(|row| row.join("|")).collect();
        assert_eq!(rows.join("/"), expected);
        assert_eq!(table.cut, None);
    }

    #[test]
    fn a_row_that_was_cut_is_left_out_and_bounds_are_kept() {
        assert_eq!(
            read("a,b\n1,2\n3,", "csv", Some(CutAt::Bytes(11)))
                .rows
                .len(),
            2
        );
        let table = read(&"x,".repeat(30_000), "csv", None);
        assert_eq!((table.rows.len(), table.rows[0].len()), (1, MOST_COLUMNS));
        let table = read(&"x\n".repeat(30_000), "csv", None);
        assert_eq!(
            (table.rows.len(), table.cut),
            (MOST_ROWS, Some(CutAt::Lines(MOST_ROWS)))
        );
    }
}
