//! Classifies the keywords, strings and comments of a text. The grammars take time and memory to
//! load, so they are loaded at the first use, and never on a thread that others wait for.

use std::sync::LazyLock;
use std::time::Instant;

use syntect::easy::ScopeRegionIterator;
use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

use super::model::{Class, Line};
use super::text::LONGEST;
use crate::api::text::visible;

static SYNTAXES: LazyLock<SyntaxSet> = LazyLock::new(two_face::syntax::extra_newlines);

/// The class of each scope. A longer name comes before any of its prefixes.
static CLASSES: LazyLock<Vec<(Scope, Class)>> = LazyLock::new(|| {
    let class = |(name, class): &(&str, Class)| Scope::new(name).ok().map(|scope| (scope, *class));
    NAMES.iter().filter_map(class).collect()
});

const NAMES: [(&str, Class); 27] = [
    ("comment", Class::Comment),
    ("string", Class::String),
    ("markup.raw", Class::String),
    ("markup.underline.link", Class::String),
    ("constant.character.escape", Class::Number),
    ("constant.character", Class::String),
    ("constant.other.color", Class::Number),
    ("constant.numeric", Class::Number),
    ("constant.language", Class::Number),
    ("keyword.operator", Class::Plain),
    ("keyword.other.unit", Class::Number),
    ("keyword", Class::Keyword),
    ("storage.modifier", Class::Keyword),
    ("storage", Class::Keyword),
    ("entity.name.function", Class::Function),
    ("support.function", Class::Function),
    ("variable.function", Class::Function),
    ("support.type.property-name", Class::Name),
    ("entity.other.attribute-name", Class::Name),
    ("meta.mapping.key", Class::Name),
    ("entity.name.tag", Class::Keyword),
    ("entity.name.section", Class::Heading),
    ("markup.heading", Class::Heading),
    ("markup.bold", Class::Heading),
    ("entity.name", Class::Type),
    ("support.type", Class::Type),
    ("support.class", Class::Type),
];

/// Loads the grammars if they are not loaded yet, which takes most of a second on a slow machine.
pub(super) fn load() {
    LazyLock::force(&SYNTAXES);
}

/// Splits the lines into pieces that are safe to show. Parsing stops at the deadline, and at a line
/// that is too long to be parsed within it; the rest stays plain.
pub(super) fn highlight(
    lines: &[String],
    name: &str,
    extension: &str,
    deadline: Instant,
) -> Vec<Line> {
    let mut reader =
        syntax(name, extension, lines).map(|syntax| (ParseState::new(syntax), ScopeStack::new()));
    let highlighted = lines.iter().map(|line| {
        let pieces = match &mut reader {
            Some((state, scopes)) if !is_long(line) && Instant::now() < deadline => {
                pieces(line, state, scopes)
            }
            _ => None,
        };
        if pieces.is_none() {
            // The colors of the following lines depend on this one.
            reader = None;
        }
        pieces.unwrap_or_else(|| plain(line))
    });
    highlighted.collect()
}

fn is_long(line: &str) -> bool {
    line.chars().nth(LONGEST).is_some()
}

/// Returns a line as one plain piece that is safe to show.
pub(super) fn plain(line: &str) -> Line {
    vec![(Class::Plain, visible(line).into_owned())]
}

fn syntax(name: &str, extension: &str, lines: &[String]) -> Option<&'static SyntaxReference> {
    let known = |token: &str| {
        SYNTAXES
            .find_syntax_by_extension(token)
            .filter(|_| !token.is_empty())
    };
    let first = || SYNTAXES.find_syntax_by_first_line(lines.first()?);
    // The language that a Markdown code block names.
    let called = || {
        SYNTAXES
            .find_syntax_by_token(extension)
            .filter(|_| !extension.is_empty())
    };
    let by_name = known(name).or_else(|| known(&extension.to_ascii_lowercase()));
    let syntax = by_name.or_else(called).or_else(first)?;
    (syntax.name != "Plain Text").then_some(syntax)
}

/// Returns the pieces of a line; `None` if the grammar fails on it.
fn pieces(line: &str, state: &mut ParseState, scopes: &mut ScopeStack) -> Option<Line> {
    let line = format!("{line}\n");
    let operations = state.parse_line(&line, &SYNTAXES).ok()?;
    let mut pieces: Line = Vec::new();
    for (text, operation) in ScopeRegionIterator::new(&operations, &line) {
        scopes.apply(operation).ok()?;
        let text = text.trim_end_matches('\n');
        if text.is_empty() {
            continue;
        }
        let class = class(scopes);
        match pieces.last_mut() {
            Some((last, piece)) if *last == class => piece.push_str(&visible(text)),
            _ => pieces.push((class, visible(text).into_owned())),
        }
    }
    Some(pieces)
}

/// Returns the class of the innermost scope that has one.
fn class(scopes: &ScopeStack) -> Class {
    let known = |scope: &Scope| {
        CLASSES
            .iter()
            .find(|(name, _)| name.is_prefix_of(*scope))
            .map(|(_, class)| *class)
    };
    scopes
        .as_slice()
        .iter()
        .rev()
        .find_map(known)
        .unwrap_or(Class::Plain)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn classes(text: &str, name: &str, extension: &str) -> Vec<(Class, String)> {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let deadline = Instant::now() + std::time::Duration::from_mins(1);
        highlight(&lines, name, extension, deadline)
            .into_iter()
            .flatten()
            .collect()
    }

    #[rstest]
    #[case::rust("fn main() { let a = \"b\"; } // c", "a.rs", "rs", &[(Class::Keyword, "fn"), (Class::Function, "main"), (Class::String, "\"b\""), (Class::Comment, "// c")])]
    #[case::json("{ \"a\": 1.5 }", "a.json", "json", &[(Class::Number, "1.5")])]
    #[case::markdown("# Plan", "a.md", "md", &[(Class::Heading, "Plan")])]
    #[case::toml("[a]\nb = true", "a.toml", "toml", &[(Class::Number, "true")])]
    #[case::by_its_name("FROM debian", "Dockerfile", "", &[(Class::Keyword, "FROM")])]
    #[case::by_its_first_line("#!/bin/sh\nif true", "run", "", &[(Class::Keyword, "if")])]
    fn languages_are_told_apart(
        #[case] text: &str,
        #[case] name: &str,
        #[case] extension: &str,
        #[case] expected: &[(Class, &str)],
    ) {
        let found = classes(text, name, extension);
        for (class, piece) in expected {
            let holds = |(of, text): &(Class, String)| of == class && text.contains(piece);
            assert!(
                found.iter().any(holds),
                "{class:?} {piece:?} is not in {found:?}"
            );
        }
    }

    /// A grammar can take time that grows with the square of a line, and cannot be interrupted in
    /// it.
    #[test]
    fn hostile_lines_that_are_too_long_are_not_parsed() {
        let long = "let c = 3; ".repeat(100);
        let classes = classes(&format!("let a = 1;\n{long}\nlet b = 2;"), "a.rs", "rs");
        assert_eq!(classes[0], (Class::Keyword, "let".to_owned()));
        assert_eq!(
            classes[classes.len() - 2..],
            [
                (Class::Plain, long),
                (Class::Plain, "let b = 2;".to_owned())
            ]
        );
    }

    #[test]
    fn hostile_text_is_shown_as_what_it_is() {
        let text = "let a = \"\u{1b}]0;gotcha\u{7}\u{202e}\u{9b}2J\"; // \u{1b}[2J";
        for extension in ["rs", "txt", "md"] {
            let shown: String = classes(text, "a", extension)
                .into_iter()
                .map(|(_, text)| text)
                .collect();
            assert!(!shown.chars().any(crate::api::text::is_unsafe), "{shown:?}");
            assert!(shown.contains("\\u{1b}]0;gotcha"), "{shown:?}");
        }
    }
}
