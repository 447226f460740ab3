//! A list that typing narrows, with its field. A row matches if it contains every typed word,
//! ignoring case and accents. The dialog around it draws the rows.

use std::cmp::Reverse;

use crossterm::event::{KeyCode, KeyModifiers};
use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::frame::{DialogFrame, LineWriter};
use crate::engine::name_form::composed;
use crate::tui::input::text_field::TextField;
use crate::tui::keymap::Key;
use crate::tui::style::symbols;
use crate::tui::style::theme::Theme;
use crate::tui::widget::figures;
use crate::tui::widget::scroll::ListCursor;

/// The typed text, the rows that match, and the one under the cursor.
#[derive(Debug, Clone, Default)]
pub(super) struct FilteredList {
    pub(super) typed: TextField,
    rows: Vec<Searched>,
    /// The rows shown while nothing is typed; `None` for all.
    first: Option<Vec<usize>>,
    /// A row shown after the matching ones, while something is typed.
    last: Option<usize>,
    /// The indices of the matching rows, the best first.
    found: Vec<usize>,
    pub(super) cursor: ListCursor,
    /// A remark after the number of rows; may be empty.
    pub(super) aside: &'static str,
}

pub(super) struct ListHead<'a> {
    pub(super) title: &'a str,
    /// The singular noun for a row.
    pub(super) noun: &'a str,
    pub(super) hint: &'a str,
    pub(super) width: u16,
    pub(super) lines: usize,
}

/// The text that the search matches for a row.
#[derive(Debug, Clone)]
pub(super) struct Searched {
    pub(super) text: String,
    /// Other words for it. Rows that match by a part of one come even after the last row.
    pub(super) synonyms: &'static str,
    /// The rank: rows of a lower one come first, however well others match; [`UNFIT`] comes even
    /// after the last row.
    pub(super) rank: u8,
}

/// The rank of rows that cannot be chosen.
pub(super) const UNFIT: u8 = u8::MAX;

/// The way in which a row matches, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum MatchedBy {
    /// Each typed word is a word of the row, or a synonym.
    Words,
    PartOfWord,
    PartOfSynonym,
    /// A row that cannot be chosen, however well it matches.
    Unfit,
}

impl Searched {
    /// Returns `true` if each typed word is a whole word of the row, or one of its synonyms.
    fn has_words(&self, typed: &str) -> bool {
        let text = self.text.to_lowercase();
        let words = || text.split(|c: char| !c.is_alphanumeric());
        typed.split_whitespace().all(|typed| {
            let mut known = words()
                .chain(text.split(' '))
                .chain(self.synonyms.split(' '));
            known.any(|word| word == typed)
        })
    }
}

impl FilteredList {
    pub(super) fn new(rows: Vec<Searched>) -> Self {
        let mut list = Self::default();
        list.extend(rows);
        list
    }

    /// Adds rows. The cursor stays on its row.
    pub(super) fn extend(&mut self, rows: impl IntoIterator<Item = Searched>) {
        let selected = self.selected();
        self.rows.extend(rows);
        self.search();
        self.cursor.go_to(
            self.found
                .iter()
                .position(|index| Some(*index) == selected)
                .unwrap_or(0),
        );
    }

    /// Sets the rows, and their order, to show while nothing is typed.
    pub(super) fn show_first(&mut self, rows: Vec<usize>) {
        self.first = Some(rows);
        self.search();
    }

    /// Sets the row after all those that match by more than a part of a synonym, whatever is typed.
    pub(super) fn show_last(&mut self, row: usize) {
        self.last = Some(row);
        self.search();
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn found(&self) -> &[usize] {
        &self.found
    }

    pub(super) fn selected(&self) -> Option<usize> {
        self.found.get(self.cursor.at()).copied()
    }

    pub(super) fn on(&mut self, key: Key) {
        let is_ctrl = key.modifiers == KeyModifiers::CONTROL;
        match key.code {
            KeyCode::Down | KeyCode::Up | KeyCode::PageDown | KeyCode::PageUp => {
                self.cursor.on_arrow(key.code);
            }
            KeyCode::Char('n') if is_ctrl => self.cursor.step(1),
            KeyCode::Char('p') if is_ctrl => self.cursor.step(-1),
            _ => {
                if self.typed.on(key) {
                    self.search();
                }
            }
        }
    }

    /// Opens a dialog of this many lines with the field on top; also returns the position of the
    /// terminal's cursor.
    pub(super) fn open<'a>(
        &self,
        ListHead {
            title,
            noun,
            hint,
            width,
            lines,
        }: ListHead<'_>,
        screen: Rect,
        buf: &'a mut Buffer,
        theme: &'a Theme,
    ) -> (LineWriter<'a>, Option<Position>) {
        let gap = if self.aside.is_empty() { "" } else { ", " };
        let hidden = usize::from(self.last.is_some() && self.typed.is_empty());
        let (found, rows) = (self.found.len(), self.rows.len() - hidden);
        let all = figures::count(rows, noun);
        let note = if found == rows {
            all
        } else {
            format!("{} shown of {all}", figures::number(found))
        };
        // On the plain screen, the rows themselves tell how many there are.
        let note = format!("{note}{gap}{}", self.aside);
        let note = if theme.is_plain() && found == rows {
            self.aside
        } else {
            &note
        };
        let mut pen = DialogFrame {
            title,
            note,
            width,
            lines,
            is_danger: false,
        }
        .open(screen, buf, theme);
        let prompt = if theme.is_plain() {
            "Search: ".to_owned()
        } else {
            format!("{} ", symbols::CRUMB)
        };
        let prompt = Line::styled(prompt, theme.cursor);
        let cursor = pen.field(&prompt, &self.typed, hint, true);
        // Without colors, the field itself is a line.
        if theme.is_mono() {
            pen.text("", theme.text);
        } else {
            pen.rule();
        }
        (pen, cursor)
    }

    /// Returns the rows for the next `room` lines: the position of each among the matching ones,
    /// and its index. Draws a scrollbar if these are not all.
    pub(super) fn visible(
        &self,
        room: usize,
        pen: &mut LineWriter<'_>,
    ) -> impl Iterator<Item = (usize, usize)> + use<'_> {
        let window = self.cursor.window(room);
        pen.scrollbar(&window, self.found.len());
        // The plain screen gives the position in words.
        if pen.theme.is_plain() && window.len() < self.found.len() {
            pen.end_line(&format!(
                "{} to {} of {}",
                window.start + 1,
                window.end,
                self.found.len()
            ));
        }
        self.found
            .iter()
            .copied()
            .enumerate()
            .skip(window.start)
            .take(window.len())
    }

    pub(super) fn paste(&mut self, pasted: &str) {
        self.typed.insert(pasted);
        self.search();
    }

    /// Returns the indices of the characters of a text that match what is typed; ascending.
    pub(super) fn matched(&self, text: &str) -> Vec<u32> {
        let (mut indices, mut buffer) = (Vec::new(), Vec::new());
        for atom in &self.pattern().atoms {
            let mut matcher = Matcher::new(Config::DEFAULT);
            atom.indices(
                Utf32Str::new(&composed(text), &mut buffer),
                &mut matcher,
                &mut indices,
            );
        }
        indices.sort_unstable();
        indices.dedup();
        indices
    }

    fn search(&mut self) {
        let (pattern, mut matcher, mut buffer) =
            (self.pattern(), Matcher::new(Config::DEFAULT), Vec::new());
        let typed = self.typed.text().to_lowercase();
        let mut score =
            |text: &str| pattern.score(Utf32Str::new(&composed(text), &mut buffer), &mut matcher);
        let scored = |(index, row): (usize, &Searched)| {
            let by = |by| {
                if row.rank == UNFIT {
                    MatchedBy::Unfit
                } else {
                    by
                }
            };
            // Among rows that have the words, those that the dialog put first are more likely meant
            // than those with fewer other words.
            if !typed.is_empty() && row.has_words(&typed) {
                return Some((by(MatchedBy::Words), row.rank, Reverse(0), index));
            }
            if let Some(score) = score(&row.text) {
                return Some((by(MatchedBy::PartOfWord), row.rank, Reverse(score), index));
            }
            let words = format!("{} {}", row.text, row.synonyms);
            let score = (!row.synonyms.is_empty())
                .then(|| score(&words))
                .flatten()?;
            Some((
                by(MatchedBy::PartOfSynonym),
                row.rank,
                Reverse(score),
                index,
            ))
        };
        let rows = self
            .rows
            .iter()
            .enumerate()
            .filter(|(index, _)| Some(*index) != self.last);
        let mut scored: Vec<_> = rows.filter_map(scored).collect();
        scored.sort_unstable();
        let last = self.last.filter(|_| !self.typed.is_empty());
        self.found = if let Some(first) = self.first.clone().filter(|_| self.typed.is_empty()) {
            first
        } else {
            // A part of a synonym is more often the start of a file's name.
            let parts = scored.partition_point(|(by, ..)| *by < MatchedBy::PartOfSynonym);
            let parts = scored.split_off(parts);
            let index = |(.., index): (MatchedBy, u8, Reverse<u32>, usize)| index;
            scored
                .into_iter()
                .map(index)
                .chain(last)
                .chain(parts.into_iter().map(index))
                .collect()
        };
        self.cursor = ListCursor::new(self.found.len());
    }

    fn pattern(&self) -> Pattern {
        Pattern::new(
            &composed(self.typed.text()),
            CaseMatching::Smart,
            Normalization::Smart,
            AtomKind::Substring,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row_of(text: &str, rank: u8) -> Searched {
        Searched {
            text: text.to_owned(),
            synonyms: "",
            rank,
        }
    }

    fn found<'a>(typed: &str, rows: &[&'a str]) -> Vec<&'a str> {
        let mut list = FilteredList::new(rows.iter().map(|row| row_of(row, 0)).collect());
        list.paste(typed);
        list.found().iter().map(|index| rows[*index]).collect()
    }

    #[test]
    fn every_word_must_stand_there_and_letters_with_gaps_do_not_count() {
        let rows = [
            "Cancel the task",
            "Copy a signed address",
            "Sort by size",
            "Zoë signs",
        ];
        assert_eq!(found("", &rows), rows);
        assert_eq!(found("sign", &rows), ["Copy a signed address", "Zoë signs"]);
        assert_eq!(found("address sign", &rows), ["Copy a signed address"]);
        assert_eq!(found("zoe", &rows), ["Zoë signs"]);
        assert_eq!(found("cnl", &rows), [""; 0]);
    }

    #[test]
    fn what_ranks_first_comes_first_and_the_cursor_goes_back_to_the_top() {
        let mut list = FilteredList::new(vec![
            row_of("export.csv", 1),
            row_of("Set expiry", 0),
            row_of("logo", 0),
        ]);
        list.on(Key::plain(KeyCode::Down));
        list.paste("exp");
        assert_eq!(
            (list.found(), list.selected()),
            ([1, 0].as_slice(), Some(1))
        );
        assert_eq!(list.matched("Set expiry"), [4, 5, 6]);
    }

    #[test]
    fn synonyms_come_behind_names_and_parts_of_them_behind_the_last_row() {
        let accounts = Searched {
            synonyms: "log out logout",
            ..row_of("Accounts", 0)
        };
        let mut list = FilteredList::new(vec![row_of("", 0), accounts, row_of("logo.png", 3)]);
        list.show_last(0);
        assert_eq!(list.found(), [1, 2], "while nothing is typed");
        list.paste("logo");
        assert_eq!(list.found(), [2, 0, 1], "a part of a synonym");
        list.paste("ut");
        assert_eq!(list.found(), [1, 0]);
        list.paste("x");
        assert_eq!(list.found(), [0]);
    }

    #[test]
    fn the_cursor_begins_on_a_row_that_can_be_chosen() {
        let mut list = FilteredList::new(vec![
            row_of("", 0),
            row_of("Copy a link", UNFIT),
            row_of("link.txt", 3),
        ]);
        list.show_last(0);
        list.paste("link");
        assert_eq!(list.found(), [2, 0, 1]);
        list.paste(" a");
        assert_eq!(
            (list.found(), list.selected()),
            ([0, 1].as_slice(), Some(0))
        );
    }
}
