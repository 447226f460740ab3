//! The paragraphs of a document or a slide, one per line; a table row is one line.

use super::xml::{XmlNode, XmlNodes};
use crate::api::text::visible;
use crate::engine::preview::model::{Class, Line};

const MOST_LINES: usize = 3_000;
/// The most bytes of all lines.
const MOST_BYTES: usize = 512 * 1024;
/// The most bytes of a line; a longer paragraph continues on the next one.
const LONGEST: usize = 800;
const BETWEEN_CELLS: &str = " │ ";

#[derive(Default)]
struct Paragraphs {
    lines: Vec<Line>,
    bytes: usize,
    line: String,
    class: Option<Class>,
    /// The depth of table cells around the current position.
    cells: usize,
    /// The depth of elements whose content repeats what was read in another form.
    skipped: usize,
    is_text: bool,
}

/// Returns the lines, and `true` if there are more; `None` if the XML is malformed from the start.
pub(super) fn read(xml: &str) -> Option<(Vec<Line>, bool)> {
    let (mut nodes, mut read) = (XmlNodes::of(xml), Paragraphs::default());
    for node in nodes.by_ref() {
        match node {
            XmlNode::Start(element) if element.name == "Fallback" => read.skipped += 1,
            XmlNode::End(name) if name == "Fallback" => {
                read.skipped = read.skipped.saturating_sub(1);
            }
            _ if read.skipped > 0 => {}
            XmlNode::Start(element) => match element.name.as_str() {
                "t" => read.is_text = true,
                "tc" => read.cells += 1,
                "tab" => read.push("\t"),
                "br" | "cr" if read.cells == 0 => read.end_line(),
                // A bullet or a number; another part says which.
                "numPr" if read.line.is_empty() => read.push("• "),
                "pStyle" if element.get("val").is_some_and(is_heading) => {
                    read.class = Some(Class::Heading);
                }
                "ph" if element
                    .get("type")
                    .is_some_and(|kind| matches!(kind, "title" | "ctrTitle")) =>
                {
                    read.class = Some(Class::Heading);
                }
                _ => {}
            },
            XmlNode::End(name) => match name.as_str() {
                "t" => read.is_text = false,
                "tc" => {
                    read.cells = read.cells.saturating_sub(1);
                    read.push(BETWEEN_CELLS);
                }
                "p" if read.cells > 0 => read.push(" "),
                "tr" => {
                    let ended = read.line.trim_end_matches(['│', ' ']).len();
                    read.line.truncate(ended);
                    read.end_line();
                }
                "p" => {
                    read.end_line();
                    read.class = None;
                }
                _ => {}
            },
            XmlNode::Text(text) if read.is_text => read.push(&text),
            XmlNode::Text(_) => {}
        }
        if read.lines.len() >= MOST_LINES || read.bytes >= MOST_BYTES {
            return Some((read.lines, true));
        }
    }
    (!nodes.is_broken || !read.lines.is_empty()).then_some((read.lines, nodes.is_broken))
}

fn is_heading(style: &str) -> bool {
    let style = style.to_ascii_lowercase();
    style.starts_with("heading") || style == "title"
}

impl Paragraphs {
    fn push(&mut self, text: &str) {
        for word in text.split_inclusive(' ') {
            if self.line.len() + word.len() > LONGEST && !self.line.is_empty() {
                self.end_line();
            }
            self.line.extend(word.chars().take(LONGEST).map(|c| {
                if matches!(c, '\n' | '\r' | '\t') {
                    ' '
                } else {
                    c
                }
            }));
        }
    }

    fn end_line(&mut self) {
        let text = visible(&self.line).into_owned();
        self.line.clear();
        self.bytes += text.len() + 1;
        self.lines
            .push(vec![(self.class.unwrap_or(Class::Plain), text)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(xml: &str) -> Vec<(Class, String)> {
        read(xml).unwrap().0.into_iter().flatten().collect()
    }

    #[test]
    fn headings_lists_and_tables_are_lines() {
        let xml = "<w:document><w:body>\
            <w:p><w:pPr><w:pStyle w:val=\"Heading1\"/></w:pPr><w:r><w:t>Plan &amp; cost</w:t></w:r></w:p>\
            <w:p><w:r><w:t>One </w:t></w:r><w:r><w:t>two\u{202e}.</w:t></w:r></w:p>\
            <w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>item</w:t><w:br/><w:t>more</w:t></w:r></w:p>\
            <w:tbl><w:tr><w:tc><w:p><w:t>a</w:t></w:p></w:tc><w:tc><w:p><w:t>b</w:t></w:p></w:tc></w:tr></w:tbl>\
            <mc:Fallback><w:p><w:t>twice</w:t></w:p></mc:Fallback></w:body></w:document>";
        let plain = |text: &str| (Class::Plain, text.to_owned());
        let expected = [
            (Class::Heading, "Plan & cost".to_owned()),
            plain("One two\\u{202e}."),
            plain("• item"),
            plain("more"),
            plain("a  │ b"),
        ];
        assert_eq!(shown(xml), expected);
    }

    #[test]
    fn nothing_grows_beyond_its_bounds() {
        let long = format!("<p><t>{}</t></p>", "word ".repeat(100_000));
        let (lines, _) = read(&long).unwrap();
        assert!(
            lines
                .iter()
                .flatten()
                .all(|(_, text)| text.len() <= LONGEST)
        );
        assert!(
            lines
                .iter()
                .flatten()
                .map(|(_, text)| text.len())
                .sum::<usize>()
                >= 499_000,
            "nothing is lost"
        );
        let (lines, is_cut) = read(&"<p/>".repeat(1_000_000)).unwrap();
        assert_eq!((lines.len(), is_cut), (MOST_LINES, true));
        let deep = "<tc>".repeat(1_000_000);
        assert!(read(&deep).is_some_and(|(lines, _)| lines.is_empty()));
        assert_eq!(
            read("<!DOCTYPE x [<!ENTITY a \"b\">]><p><t>&a;</t></p>"),
            None
        );
    }
}
