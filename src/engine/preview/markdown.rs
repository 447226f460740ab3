//! Renders Markdown: headings, emphasis, lists, tables, highlighted code, and the targets of links.
//! Pictures and HTML are shown as text, never fetched or interpreted.

use std::time::{Duration, Instant};

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use unicode_width::UnicodeWidthStr as _;

use super::highlight;
use super::model::{Class, Line, WIDEST_CELL};
use crate::api::text::visible;

const MOST_LINES: usize = 3_000;
/// The deepest nesting of lists, and of quotes, that is indented further.
const DEEPEST: usize = 8;
/// The time for coloring all code in a text.
const LIMIT: Duration = Duration::from_millis(800);

#[derive(Default)]
struct Renderer {
    lines: Vec<Line>,
    line: Line,
    /// The classes of the enclosing elements; the innermost applies.
    classes: Vec<Class>,
    /// The number of the next item of each enclosing list; `None` for a bulleted one.
    lists: Vec<Option<u64>>,
    /// The bullet or number before the next line; written once.
    mark: Option<String>,
    quotes: usize,
    links: Vec<String>,
    code: Option<(String, String)>,
    /// The rows of a table, each a list of cells.
    table: Option<Vec<Vec<String>>>,
}

/// Returns the lines, and `true` if there are more.
pub(super) fn render(text: &str) -> (Vec<Line>, bool) {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let (mut renderer, deadline) = (Renderer::default(), Instant::now() + LIMIT);
    for event in Parser::new_ext(text, options) {
        renderer.take(event, deadline);
        if renderer.lines.len() >= MOST_LINES {
            renderer.lines.truncate(MOST_LINES);
            return (renderer.lines, true);
        }
    }
    renderer.end_line();
    while renderer.lines.last().is_some_and(Vec::is_empty) {
        renderer.lines.pop();
    }
    (renderer.lines, false)
}

impl Renderer {
    fn take(&mut self, event: Event<'_>, deadline: Instant) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag, deadline),
            Event::Text(text) => match &mut self.code {
                Some((_, code)) => code.push_str(&text),
                None => self.push(self.class(), &text),
            },
            Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.push(Class::String, &text);
            }
            Event::Html(text) | Event::InlineHtml(text) => {
                self.push(Class::Comment, text.trim_end());
            }
            Event::FootnoteReference(name) => self.push(Class::Comment, &format!("[{name}]")),
            Event::SoftBreak => self.push(self.class(), " "),
            Event::HardBreak => self.end_line(),
            Event::Rule => {
                self.push(Class::Comment, "───");
                self.end_block();
            }
            Event::TaskListMarker(is_done) => {
                self.push(Class::Plain, if is_done { "☑ " } else { "☐ " });
            }
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { .. } => self.classes.push(Class::Heading),
            Tag::BlockQuote(_) => self.quotes += 1,
            Tag::CodeBlock(kind) => {
                self.end_line();
                let language = match &kind {
                    CodeBlockKind::Fenced(named) => named
                        .split([' ', ',', '{'])
                        .next()
                        .unwrap_or_default()
                        .to_owned(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.code = Some((language, String::new()));
            }
            // The settings at the top of a file.
            Tag::MetadataBlock(_) => self.code = Some(("yaml".to_owned(), String::new())),
            Tag::List(first) => {
                self.end_line();
                self.lists.push(first);
            }
            Tag::Item => {
                self.mark = Some(match self.lists.last_mut() {
                    Some(Some(number)) => {
                        let mark = format!("{number}. ");
                        *number = number.saturating_add(1);
                        mark
                    }
                    _ => "• ".to_owned(),
                });
            }
            Tag::FootnoteDefinition(name) => self.push(Class::Comment, &format!("[{name}] ")),
            Tag::Table(_) => self.table = Some(Vec::new()),
            Tag::TableHead | Tag::TableRow => {
                self.table.iter_mut().for_each(|rows| rows.push(Vec::new()));
            }
            Tag::TableCell => self.cells(|cells| cells.push(String::new())),
            Tag::Emphasis => self.classes.push(Class::Emphasis),
            Tag::Strong => self.classes.push(Class::Strong),
            Tag::Strikethrough => self.classes.push(Class::Comment),
            Tag::Link { dest_url, .. } => {
                self.links.push(dest_url.into_string());
                self.classes.push(Class::Link);
            }
            Tag::Image { dest_url, .. } => {
                self.links.push(dest_url.into_string());
                self.classes.push(Class::Link);
                self.push(Class::Comment, "picture: ");
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, deadline: Instant) {
        match tag {
            TagEnd::Heading(level) => {
                self.classes.pop();
                let cells = self
                    .line
                    .iter()
                    .map(|(_, text)| text.width())
                    .sum::<usize>()
                    .min(WIDEST_CELL * 2);
                self.end_line();
                match level {
                    HeadingLevel::H1 => {
                        self.lines.push(vec![
                            (Class::Fixed, String::new()),
                            (Class::Heading, "═".repeat(cells)),
                        ]);
                    }
                    HeadingLevel::H2 => {
                        self.lines.push(vec![
                            (Class::Fixed, String::new()),
                            (Class::Comment, "─".repeat(cells)),
                        ]);
                    }
                    _ => {}
                }
                self.end_block();
            }
            TagEnd::Paragraph if self.lists.is_empty() => self.end_block(),
            TagEnd::Paragraph | TagEnd::HtmlBlock | TagEnd::Item => {
                self.end_line();
                self.mark = None;
            }
            TagEnd::BlockQuote(_) => {
                self.end_line();
                self.quotes = self.quotes.saturating_sub(1);
                self.end_block();
            }
            TagEnd::CodeBlock | TagEnd::MetadataBlock(_) => self.end_code(deadline),
            TagEnd::List(_) => {
                self.end_line();
                self.lists.pop();
                if self.lists.is_empty() {
                    self.end_block();
                }
            }
            TagEnd::FootnoteDefinition => self.end_block(),
            TagEnd::Table => self.end_table(),
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => {
                self.classes.pop();
            }
            TagEnd::Link | TagEnd::Image => {
                self.classes.pop();
                let address = self.links.pop().unwrap_or_default();
                let is_told = self
                    .line
                    .last()
                    .is_some_and(|(_, text)| *text == visible(&address));
                if !is_told && self.table.is_none() {
                    self.push(Class::Comment, &format!(" ({address})"));
                }
            }
            _ => {}
        }
    }

    fn class(&self) -> Class {
        self.classes.last().copied().unwrap_or(Class::Plain)
    }

    fn cells(&mut self, change: impl FnOnce(&mut Vec<String>)) {
        if let Some(cells) = self.table.as_mut().and_then(|rows| rows.last_mut()) {
            change(cells);
        }
    }

    fn push(&mut self, class: Class, text: &str) {
        if self.table.is_some() {
            let text = visible(text);
            return self.cells(|cells| {
                cells
                    .last_mut()
                    .into_iter()
                    .for_each(|cell| cell.push_str(&text));
            });
        }
        for (at, text) in text.split('\n').enumerate() {
            if at > 0 {
                self.end_line();
            }
            self.begin_line(Class::Marker);
            match self.line.last_mut() {
                Some((last, piece)) if *last == class => piece.push_str(&visible(text)),
                _ => self.line.push((class, visible(text).into_owned())),
            }
        }
    }

    /// Writes the prefix of a line if the line is empty.
    fn begin_line(&mut self, class: Class) {
        if !self.line.is_empty() {
            return;
        }
        let inside = self.lists.len().saturating_sub(1).min(DEEPEST);
        let quotes = "│ ".repeat(self.quotes.min(DEEPEST));
        let mark = match self.mark.take() {
            Some(mark) => mark,
            None if self.lists.is_empty() => String::new(),
            None => "  ".to_owned(),
        };
        let before = format!("{quotes}{}{mark}", "  ".repeat(inside));
        if !before.is_empty() || class == Class::Fixed {
            self.line.push((class, before));
        }
    }

    fn end_line(&mut self) {
        if !self.line.is_empty() {
            self.lines.push(std::mem::take(&mut self.line));
        }
    }

    /// Ends the line, and leaves an empty one after it.
    fn end_block(&mut self) {
        self.end_line();
        if self.lines.last().is_some_and(|last| !last.is_empty()) {
            self.lines.push(Vec::new());
        }
    }

    fn end_code(&mut self, deadline: Instant) {
        let Some((language, code)) = self.code.take() else {
            return;
        };
        let lines: Vec<String> = code
            .lines()
            .map(|line| line.replace('\t', "    "))
            .collect();
        for pieces in highlight::highlight(&lines, "", &language, deadline) {
            self.begin_line(Class::Fixed);
            self.line.push((Class::Comment, "  ".to_owned()));
            self.line.extend(pieces);
            self.end_line();
        }
        self.end_block();
    }

    fn end_table(&mut self) {
        let rows = self.table.take().unwrap_or_default();
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let widest = |column: usize| {
            rows.iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.width())
                .max()
        };
        let widths: Vec<usize> = (0..columns)
            .map(|column| widest(column).unwrap_or(0).min(WIDEST_CELL))
            .collect();
        for (at, row) in rows.iter().enumerate() {
            let class = if at == 0 { Class::Strong } else { Class::Plain };
            self.begin_line(Class::Fixed);
            for (column, width) in widths.iter().enumerate() {
                let cell = row.get(column).map_or("", String::as_str);
                let gap = " ".repeat(width.saturating_sub(cell.width()));
                if column > 0 {
                    self.line.push((Class::Column, " │ ".to_owned()));
                }
                self.line.push((class, format!("{cell}{gap}")));
            }
            self.end_line();
            if at == 0 {
                self.begin_line(Class::Fixed);
                for (column, width) in widths.iter().enumerate() {
                    if column > 0 {
                        self.line.push((Class::Column, "─┼─".to_owned()));
                    }
                    self.line.push((Class::Comment, "─".repeat(*width)));
                }
                self.end_line();
            }
        }
        self.end_block();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::hostile;

    fn shown(text: &str) -> Vec<String> {
        let line = |line: Line| line.into_iter().map(|(_, piece)| piece).collect();
        render(text).0.into_iter().map(line).collect()
    }

    fn has(text: &str, class: Class, piece: &str) -> bool {
        render(text)
            .0
            .iter()
            .flatten()
            .any(|(of, text)| *of == class && text == piece)
    }

    #[test]
    fn blocks_stand_apart_and_lists_in_each_other() {
        let text = "Plan\n====\n\nOne *two*\nthree.\n\n- [x] done\n- [ ] open\n  1. first\n  2. second\n\n> said\n\n***\n";
        let expected = [
            "Plan",
            "════",
            "",
            "One two three.",
            "",
            "• ☑ done",
            "• ☐ open",
            "  1. first",
            "  2. second",
            "",
            "│ said",
            "",
            "───",
        ];
        assert_eq!(shown(text), expected);
        assert!(has(text, Class::Heading, "Plan") && has(text, Class::Emphasis, "two"));
    }

    #[test]
    fn tables_have_columns_and_code_its_colors() {
        let table = "| a | long name |\n|---|---|\n| `x` | 写 |\n";
        assert_eq!(
            shown(table),
            ["a │ long name", "──┼──────────", "x │ 写       "]
        );
        let code = "```rust\nfn main() {}\n```\n";
        assert_eq!(shown(code), ["  fn main() {}"]);
        assert!(has(code, Class::Function, "main"));
    }

    #[test]
    fn links_say_where_they_lead() {
        assert_eq!(
            shown("[bank](https://evil.example) <https://a.example>"),
            ["bank (https://evil.example) https://a.example"]
        );
        assert_eq!(
            shown("![logo](file:///etc/passwd)"),
            ["picture: logo (file:///etc/passwd)"]
        );
    }

    #[test]
    fn hostile_text_is_bounded_and_made_safe() {
        for text in [
            "> ".repeat(30_000),
            "- ".repeat(30_000),
            "[".repeat(60_000),
            "*a_ ".repeat(15_000),
            "|a".repeat(30_000) + "\n" + &"|-".repeat(30_000) + "\n",
            "a\n\n".repeat(20_000),
            "# \u{1b}]0;x\u{7}\n\n`\u{202e}`\n\n```sh\n\u{9b}2J\n```\n<b \u{1b}>\n".to_owned(),
        ] {
            let (lines, _) = render(&text);
            assert!(lines.len() <= MOST_LINES);
            let is_unsafe =
                |(_, text): &(Class, String)| text.chars().any(crate::api::text::is_unsafe);
            assert!(
                !lines.iter().flatten().any(is_unsafe),
                "{:?}",
                text.get(..20)
            );
        }
    }

    proptest! {
        #[test]
        fn hostile_text_has_no_controls_left(
            text in hostile::text(&["# A\n\n| a | b |\n|---|---|\n| 1 | `x` |\n\n- [ ] b\n\n```rust\nfn a() {}\n```\n<b>&amp;</b> [x](y)"]),
        ) {
            let (lines, _) = render(&text);
            let controls = lines.iter().flatten().flat_map(|(_, text)| text.chars()).filter(|c| c.is_control());
            prop_assert_eq!(controls.count(), 0);
        }
    }
}
