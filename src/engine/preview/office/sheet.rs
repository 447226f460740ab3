//! The first sheet of a spreadsheet as rows: shared texts, inline texts, and numbers as they are
//! stored.

use super::xml::{XmlNode, XmlNodes};
use crate::api::text::visible;
use crate::engine::preview::archive::Archive;
use crate::engine::preview::model::{CutAt, PreviewTable};

const MOST_ROWS: usize = 1_000;
const MOST_COLUMNS: usize = 64;
/// The most characters of a cell.
const LONGEST: usize = 200;
/// The most texts that cells share.
const MOST_SHARED: usize = 20_000;

pub(super) fn first(archive: &Archive<'_>) -> Option<PreviewTable> {
    let sheet = archive.part(&first_sheet(archive)?)?;
    let strings = "xl/sharedStrings.xml";
    let shared = if archive.names().any(|name| name == strings) {
        shared(&archive.part(strings)?.text)
    } else {
        Vec::new()
    };
    let mut table = rows(&sheet.text, &shared)?;
    if sheet.is_cut {
        table.cut.get_or_insert(CutAt::Lines(table.rows.len()));
    }
    Some(table)
}

/// Returns the name of the part that the workbook lists first.
fn first_sheet(archive: &Archive<'_>) -> Option<String> {
    let workbook = archive.part("xl/workbook.xml")?;
    let links = archive.part("xl/_rels/workbook.xml.rels")?;
    let start = |node| {
        if let XmlNode::Start(element) = node {
            Some(element)
        } else {
            None
        }
    };
    let sheet = XmlNodes::of(&workbook.text)
        .filter_map(start)
        .find(|element| element.name == "sheet")?;
    let id = sheet.get("id")?;
    let link = XmlNodes::of(&links.text)
        .filter_map(start)
        .find(|link| link.get("Id") == Some(id))?;
    let target = link.get("Target")?;
    Some(
        target
            .strip_prefix('/')
            .map_or_else(|| format!("xl/{target}"), str::to_owned),
    )
}

fn shared(xml: &str) -> Vec<String> {
    let (mut texts, mut text, mut is_text, mut is_hint) = (Vec::new(), String::new(), false, false);
    for node in XmlNodes::of(xml) {
        match node {
            XmlNode::Start(element) => match element.name.as_str() {
                "t" => is_text = !is_hint,
                // A phonetic hint.
                "rPh" => is_hint = true,
                _ => {}
            },
            XmlNode::End(name) => match name.as_str() {
                "t" => is_text = false,
                "rPh" => is_hint = false,
                "si" => texts.push(cell(&std::mem::take(&mut text))),
                _ => {}
            },
            XmlNode::Text(more) if is_text => push(&mut text, &more),
            XmlNode::Text(_) => {}
        }
        if texts.len() >= MOST_SHARED {
            break;
        }
    }
    texts
}

fn rows(xml: &str, shared: &[String]) -> Option<PreviewTable> {
    let mut nodes = XmlNodes::of(xml);
    let mut table = PreviewTable {
        rows: Vec::new(),
        cut: None,
    };
    let (mut row, mut value, mut kind, mut column, mut is_value) =
        (Vec::new(), String::new(), String::new(), 0, false);
    for node in nodes.by_ref() {
        match node {
            XmlNode::Start(element) => match element.name.as_str() {
                "c" => {
                    column = element.get("r").and_then(column_of).unwrap_or(row.len());
                    element.get("t").unwrap_or_default().clone_into(&mut kind);
                }
                "v" | "t" => is_value = true,
                _ => {}
            },
            XmlNode::End(name) => match name.as_str() {
                "v" | "t" => is_value = false,
                "c" => {
                    let stored = std::mem::take(&mut value);
                    if column < MOST_COLUMNS {
                        row.resize(row.len().max(column), String::new());
                        row.truncate(column);
                        row.push(told(&stored, &kind, shared));
                    }
                }
                "row" if table.rows.len() == MOST_ROWS => {
                    table.cut = Some(CutAt::Lines(MOST_ROWS));
                    break;
                }
                "row" => table.rows.push(std::mem::take(&mut row)),
                _ => {}
            },
            XmlNode::Text(more) if is_value => push(&mut value, &more),
            XmlNode::Text(_) => {}
        }
    }
    if nodes.is_broken {
        table.cut.get_or_insert(CutAt::Lines(table.rows.len()));
    }
    (!table.rows.is_empty()).then_some(table)
}

/// Returns the text that a cell shows.
fn told(stored: &str, kind: &str, shared: &[String]) -> String {
    match kind {
        "s" => stored
            .trim()
            .parse::<usize>()
            .ok()
            .and_then(|at| shared.get(at))
            .cloned()
            .unwrap_or_default(),
        "b" => if stored.trim() == "1" {
            "TRUE"
        } else {
            "FALSE"
        }
        .to_owned(),
        _ => cell(stored),
    }
}

/// Returns the column of a reference such as `AB12`, from 0.
fn column_of(place: &str) -> Option<usize> {
    let letters = place.bytes().take_while(u8::is_ascii_uppercase).take(4);
    letters
        .fold(0, |sum, letter| sum * 26 + usize::from(letter - b'A') + 1)
        .checked_sub(1)
}

fn push(text: &mut String, more: &str) {
    if text.len() < LONGEST * 4 {
        text.extend(more.chars().take(LONGEST));
    }
}

fn cell(text: &str) -> String {
    let line: String = text
        .chars()
        .take(LONGEST)
        .map(|c| {
            if matches!(c, '\n' | '\r' | '\t') {
                ' '
            } else {
                c
            }
        })
        .collect();
    visible(line.trim()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stand_in_their_columns() {
        let strings = shared(
            "<sst><si><t>Name</t></si><si><r><t>a</t></r><r><t>b</t></r><rPh><t>x</t></rPh></si></sst>",
        );
        let xml = "<sheetData><row><c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"C1\" t=\"s\"><v>1</v></c></row>\
            <row><c t=\"inlineStr\"><is><t>in\u{1b}</t></is></c><c><v>1.5</v></c><c t=\"b\"><v>1</v></c>\
            <c t=\"s\"><v>999</v></c><c r=\"ZZZZ9\"><v>far</v></c></row></sheetData>";
        let table = rows(xml, &strings).unwrap();
        assert_eq!(
            table.rows,
            [vec!["Name", "", "ab"], vec!["in\\u{1b}", "1.5", "TRUE", ""]]
        );
        assert_eq!(table.cut, None);
    }

    #[test]
    fn nothing_grows_beyond_its_bounds() {
        let table = rows(&"<row><c><v>1</v></c></row>".repeat(5_000), &[]).unwrap();
        assert_eq!(
            (table.rows.len(), table.cut),
            (MOST_ROWS, Some(CutAt::Lines(MOST_ROWS)))
        );
        let table = rows(
            &format!("<row>{}</row>", "<c><v>1</v></c>".repeat(5_000)),
            &[],
        )
        .unwrap();
        assert_eq!(table.rows[0].len(), MOST_COLUMNS);
        let strings = shared(&format!("<si><t>{}</t></si>", "&lt;x".repeat(100_000)));
        assert!(strings[0].len() <= LONGEST);
        assert_eq!(shared(&"<si/>".repeat(100_000)).len(), MOST_SHARED);
    }
}
