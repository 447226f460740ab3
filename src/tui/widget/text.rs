//! Text measured in terminal cells: truncated, padded and aligned without ever splitting a
//! character. Expects text that is safe to display. The available crates do not suffice: `textwrap`
//! adds up code points, so that it splits a family emoji and makes lines too wide, and
//! `unicode-truncate` panics in debug builds if letters join into narrower ones.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::tui::style::symbols::ELLIPSIS;

pub fn width(text: &str) -> usize {
    text.width()
}

/// The start of the text that fits into `cells`, without an ellipsis.
pub fn fitting_start(text: &str, cells: usize) -> &str {
    let mut used = 0;
    for (at, grapheme) in text.grapheme_indices(true) {
        used += grapheme.width();
        if used > cells {
            return text.get(..at).unwrap_or_default();
        }
    }
    text
}

/// The end of the text that fits into `cells`, without an ellipsis.
pub fn fitting_end(text: &str, cells: usize) -> &str {
    let mut used = 0;
    for (at, grapheme) in text.grapheme_indices(true).rev() {
        used += grapheme.width();
        if used > cells {
            return text.get(at + grapheme.len()..).unwrap_or_default();
        }
    }
    text
}

/// Cuts the end: `contract-dra…`.
pub fn truncate(text: &str, cells: usize) -> Cow<'_, str> {
    if width(text) <= cells {
        return Cow::Borrowed(text);
    }
    match cells.checked_sub(1) {
        Some(room) if room > 0 => Cow::Owned(format!("{}{ELLIPSIS}", fitting_start(text, room))),
        _ => Cow::Borrowed(fitting_start(text, cells)),
    }
}

/// Cuts the start: `…eting/q3-launch`.
pub fn truncate_start(text: &str, cells: usize) -> Cow<'_, str> {
    if width(text) <= cells {
        return Cow::Borrowed(text);
    }
    match cells.checked_sub(1) {
        Some(room) if room > 0 => Cow::Owned(format!("{ELLIPSIS}{}", fitting_end(text, room))),
        _ => Cow::Borrowed(fitting_end(text, cells)),
    }
}

/// Cuts the start at a separator, so that the remaining parts are complete: `…/work`.
pub fn truncate_start_at(text: &str, separator: &str, cells: usize) -> String {
    if width(text) <= cells {
        return text.to_owned();
    }
    let mut ends = text
        .match_indices(separator)
        .filter_map(|(at, _)| text.get(at..));
    let end = ends.find(|end| width(end) < cells);
    end.map_or_else(
        || truncate_start(text, cells).into_owned(),
        |end| format!("{ELLIPSIS}{end}"),
    )
}

/// Cuts the middle, so that a name keeps its start and its extension: `quarterly-re…inal.pdf`.
pub fn truncate_middle(text: &str, cells: usize) -> Cow<'_, str> {
    truncate_middle_at(text, cells, 8)
}

/// Cuts the middle, so that the end keeps this many cells.
pub fn truncate_middle_at(text: &str, cells: usize, end: usize) -> Cow<'_, str> {
    if width(text) <= cells {
        return Cow::Borrowed(text);
    }
    if cells < 12 {
        return truncate(text, cells);
    }
    let end = fitting_end(text, end);
    let start = fitting_start(text, cells - 1 - width(end));
    Cow::Owned(format!("{start}{ELLIPSIS}{end}"))
}

/// The parts that fit, two spaces apart. Parts that do not fit are omitted, except that the first
/// is truncated.
pub fn fitting<'a>(parts: impl IntoIterator<Item = &'a str>, cells: usize) -> String {
    let mut line = String::new();
    for part in parts.into_iter().filter(|part| !part.is_empty()) {
        if line.is_empty() {
            line = truncate(part, cells).into_owned();
        } else if width(&line) + 2 + width(part) <= cells {
            line = line + "  " + part;
        }
    }
    line
}

/// Makes the first letter lowercase, for the middle of a sentence.
pub fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(chars).collect()
    })
}

pub fn upper_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}

/// Pads to exactly `cells`, aligned left; cuts the middle of a longer text.
pub fn left(text: &str, cells: usize) -> String {
    let cut = truncate_middle(text, cells);
    let gap = cells.saturating_sub(width(&cut));
    format!("{cut}{:gap$}", "")
}

/// Pads to exactly `cells`, aligned right; cuts the end of a longer text.
pub fn right(text: &str, cells: usize) -> String {
    let cut = truncate(text, cells);
    let gap = cells.saturating_sub(width(&cut));
    format!("{:gap$}{cut}", "")
}

/// Wraps into as many lines as [`wrap`], but avoids a last line with a single word if possible.
pub fn wrap_without_widow(text: &str, cells: usize) -> Vec<String> {
    let lines = wrap(text, cells);
    let has_widow =
        |lines: &[String]| lines.len() > 1 && lines.last().is_some_and(|last| !last.contains(' '));
    if !has_widow(&lines) {
        return lines;
    }
    // No word may be broken for that.
    let least = text.split(' ').map(width).max().unwrap_or(0).max(cells / 2);
    let narrower = (least..cells).rev().map(|cells| wrap(text, cells));
    narrower
        .take_while(|other| other.len() == lines.len())
        .find(|other| !has_widow(other))
        .unwrap_or(lines)
}

/// Breaks text into lines of at most `cells`, at spaces if possible, and paths between folders.
pub fn wrap(text: &str, cells: usize) -> Vec<String> {
    let cells = cells.max(1);
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let joined = usize::from(!line.is_empty()) + width(word);
        if !line.is_empty() && width(&line) + joined > cells {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        let mut rest = word;
        while width(rest) > cells {
            let head = fitting_start(rest, cells);
            if head.is_empty() {
                break;
            }
            let head = head
                .rfind('/')
                .filter(|at| *at >= head.len() / 2)
                .and_then(|at| head.get(..=at))
                .unwrap_or(head);
            lines.push(head.to_owned());
            rest = rest.get(head.len()..).unwrap_or_default();
        }
        line.push_str(rest);
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    #[test]
    fn paths_are_broken_between_folders() {
        assert_eq!(
            wrap("/marketing/q3-launch/films", 22),
            ["/marketing/q3-launch/", "films"]
        );
        assert_eq!(wrap("/marketing-of-all", 10), ["/marketing", "-of-all"]);
    }

    #[rstest]
    #[case::fits("logo.png", 8, "logo.png")]
    #[case::cut("contract-draft-2026.pdf", 16, "contrac…2026.pdf")]
    #[case::narrow("contract.pdf", 6, "contr…")]
    #[case::one_cell("contract.pdf", 1, "c")]
    #[case::wide_characters_count_two("写真写真写真写真.jpg", 13, "写真…写真.jpg")]
    fn names_are_cut_in_the_middle_and_padded(
        #[case] name: &str,
        #[case] cells: usize,
        #[case] expected: &str,
    ) {
        assert_eq!(left(name, cells), expected);
    }

    #[rstest]
    #[case::fits("~/launch/work", 13, "~/launch/work")]
    #[case::whole_folders("~/launch/work", 12, "…/work")]
    #[case::no_folder_fits("~/launch/work", 5, "…work")]
    fn a_path_is_cut_between_folders(
        #[case] path: &str,
        #[case] cells: usize,
        #[case] expected: &str,
    ) {
        assert_eq!(truncate_start_at(path, "/", cells), expected);
    }

    #[test]
    fn paths_keep_their_end() {
        assert_eq!(truncate_start("/marketing/q3-launch", 12), "…g/q3-launch");
        assert_eq!(truncate_start("/marketing", 12), "/marketing");
    }

    #[test]
    fn parts_that_do_not_fit_are_left_out_whole() {
        let parts = ["62%", "3.0M/s", "7s"];
        assert_eq!(fitting(parts, 15), "62%  3.0M/s  7s");
        assert_eq!(fitting(parts, 14), "62%  3.0M/s");
        assert_eq!(fitting(parts, 10), "62%  7s");
        assert_eq!(fitting(["nothing moves"], 9), "nothing …");
    }

    #[test]
    fn long_words_are_broken_and_words_are_kept_together() {
        assert_eq!(wrap("nothing here yet", 8), ["nothing", "here yet"]);
        assert_eq!(wrap("abcdefghij k", 4), ["abcd", "efgh", "ij k"]);
        assert_eq!(wrap("写真", 1), ["写真"]);
    }

    #[test]
    fn a_last_line_has_more_than_one_word_where_others_can_give_it_one() {
        assert_eq!(
            wrap_without_widow("id, links and expiry stay", 20),
            ["id, links and", "expiry stay"]
        );
        assert_eq!(
            wrap_without_widow("id, links and expiry stay there", 21),
            ["id, links and expiry", "stay there"]
        );
        assert_eq!(
            wrap_without_widow("unbreakable words", 11),
            ["unbreakable", "words"]
        );
    }

    #[rstest]
    #[case::families("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 3, &["👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"])]
    #[case::two_cells_by_a_selector("☂️☂️", 3, &["☂️", "☂️"])]
    #[case::skin("👍🏽👍🏽", 2, &["👍🏽", "👍🏽"])]
    #[case::joined_letters("لالا", 2, &["لالا"])]
    fn characters_of_many_parts_stay_whole(
        #[case] text: &str,
        #[case] cells: usize,
        #[case] lines: &[&str],
    ) {
        assert_eq!(wrap(text, cells), lines);
    }

    proptest! {
        #[test]
        fn aligned_text_is_exactly_as_wide_as_asked(text in "\\PC*", cells in 0_usize..60) {
            let text = crate::api::text::visible(&text);
            prop_assert_eq!(width(&left(&text, cells)), cells);
            prop_assert_eq!(width(&right(&text, cells)), cells);
        }

        #[test]
        fn wrapped_lines_fit(text in "[a-z 写é]{0,80}", cells in 2_usize..40) {
            for line in wrap(&text, cells) {
                prop_assert!(width(&line) <= cells);
            }
        }
    }
}
