//! The result of a comparison in signs and words: the sign of a row, and the number of files of
//! each kind.

use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use crate::engine::folder_comparison::Likeness;
use crate::tui::state::Comparing;
use crate::tui::style::symbols::{BETWEEN, DANGER, DIFFERS, FROM, MOVE, SAME};
use crate::tui::style::theme::Theme;
use crate::tui::widget::figures;
use crate::tui::widget::text::{left, truncate, width};

/// Cells of a label with the gap after it.
pub(crate) const LABEL: usize = 7;

pub(crate) fn sign(likeness: &Likeness, theme: &Theme) -> (&'static str, Style) {
    match likeness {
        Likeness::Same => (SAME, theme.dim),
        Likeness::Differs => (DIFFERS, theme.warn.add_modifier(Modifier::BOLD)),
        Likeness::OnlyHere => (MOVE, theme.ok),
        Likeness::OnlyThere => (FROM, theme.folder),
        Likeness::Refused(_) => (DANGER, theme.error),
    }
}

/// The numbers of files at any depth, each with the sign of such a row.
fn parts(comparing: &Comparing) -> impl Iterator<Item = (Likeness, String)> {
    let (counts, [here, there]) = (&comparing.counts, comparing.sides());
    let parts = [
        (
            counts.newer_here,
            Likeness::Differs,
            format!("newer {here}"),
        ),
        (
            counts.newer_there,
            Likeness::Differs,
            format!("newer {there}"),
        ),
        (counts.differ, Likeness::Differs, "differ".to_owned()),
        (counts.only_here, Likeness::OnlyHere, format!("only {here}")),
        (
            counts.only_there,
            Likeness::OnlyThere,
            format!("only {there}"),
        ),
        (
            counts.refused,
            Likeness::Refused(String::new()),
            "not compared".to_owned(),
        ),
        (counts.same, Likeness::Same, "same".to_owned()),
    ];
    let parts = parts.into_iter().filter(|(count, ..)| *count > 0);
    parts.map(|(count, likeness, words)| (likeness, format!("{} {words}", figures::number(count))))
}

/// `files  ≠ 1 newer here · ← 2 only there · = 3 same`, in lines. Explains the signs between the
/// lists.
pub(crate) fn counted<'a>(comparing: &Comparing, cells: usize, theme: &Theme) -> Vec<Line<'a>> {
    const DEEP: &str = "  (also inside folders)";
    let mut lines = vec![Line::from(Span::styled(left("files", LABEL), theme.dim))];
    let mut is_first = true;
    for (likeness, words) in parts(comparing) {
        let (sign, style) = sign(&likeness, theme);
        let gap = if is_first {
            String::new()
        } else {
            format!(" {BETWEEN} ")
        };
        let needed = width(&gap) + width(sign) + 1 + width(&words);
        let has_room = lines
            .last()
            .is_some_and(|line| line.width() + needed <= cells);
        let gap = if has_room { gap } else { " ".repeat(LABEL) };
        if !has_room {
            lines.push(Line::default());
        }
        is_first = false;
        let spans = [
            Span::styled(gap, theme.dim),
            Span::styled(format!("{sign} "), style),
            Span::styled(words, theme.text),
        ];
        if let Some(line) = lines.last_mut() {
            line.spans.extend(spans);
        }
    }
    if let Some(line) = lines
        .last_mut()
        .filter(|line| !is_first && line.width() + DEEP.len() <= cells)
    {
        line.push_span(Span::styled(DEEP, theme.dim));
    }
    lines
}

/// The same in words, for screen readers; says that all folders are counted if there is space.
pub(crate) fn counts(comparing: &Comparing, cells: usize) -> String {
    const COUNTED: &str = "In all folders: ";
    let parts = parts(comparing)
        .map(|(_, words)| words)
        .collect::<Vec<_>>()
        .join(", ");
    let has_room = !parts.is_empty() && COUNTED.len() + width(&parts) <= cells;
    if has_room {
        format!("{COUNTED}{parts}")
    } else {
        truncate(&parts, cells).into_owned()
    }
}
