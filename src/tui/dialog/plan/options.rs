//! The options for all rows of a plan: the rule for taken names, and the access level and lifetime
//! of new files.

use std::ops::Range;

use crossterm::event::{KeyCode, KeyModifiers};
use ratatui::layout::Position;
use ratatui::text::{Line, Span};

use super::super::creation::{self, ACCESS, LEVELS};
use super::super::frame::{self, LineWriter};
use super::super::hit_target::DialogTarget;
use crate::api::ServiceTime;
use crate::api::model::{Access, UploadOptions};
use crate::engine::plan::PlanChoice;
use crate::tui::input::expiry::read_lifetime;
use crate::tui::input::text_field::TextField;
use crate::tui::keymap::Key;
use crate::tui::style::symbols::BETWEEN;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OptionGroup {
    Taken,
    Access,
    Expiry,
}

#[derive(Debug, Clone)]
pub(super) struct PlanOptions {
    taken_choices: &'static [(PlanChoice, &'static str)],
    access: usize,
    expiry: usize,
    until: TextField,
    has_taken: bool,
}

const EXPIRES: [&str; 3] = ["never", "in 30 days", "on a date"];
const UNTIL: usize = 2;
const PLACEHOLDER: &str = "2w, 3m, 2027-01-31";

const TAKEN_UP: [(PlanChoice, &str); 4] = [
    (PlanChoice::Replace, "replace: id, links, access stay"),
    (PlanChoice::KeepBoth, "keep both: add a number"),
    (PlanChoice::Skip, "skip"),
    (PlanChoice::Stop, "stop"),
];
const TAKEN_DOWN: [(PlanChoice, &str); 4] = [
    (PlanChoice::KeepBoth, "keep both: add a number"),
    (PlanChoice::Replace, "replace: the current file is lost"),
    (PlanChoice::Skip, "skip"),
    (PlanChoice::Stop, "stop"),
];

const LABEL: usize = 19;
const CHOICE: usize = 12;

impl PlanOptions {
    /// Creates the options of an upload, starting with those of the dialog before.
    pub(super) fn of_upload(options: &UploadOptions, has_taken: bool) -> Self {
        let access = LEVELS.iter().position(|level| *level == options.access);
        let (expiry, until) = match options.ttl.as_deref() {
            None => (0, String::new()),
            Some("P30D") => (1, String::new()),
            Some(ttl) => (UNTIL, ttl.trim_start_matches('P').to_lowercase()),
        };
        Self {
            taken_choices: &TAKEN_UP,
            access: access.unwrap_or(0),
            expiry,
            until: TextField::new(until),
            has_taken,
        }
    }

    pub(super) fn of_save(has_taken: bool) -> Self {
        Self {
            taken_choices: &TAKEN_DOWN,
            ..Self::of_upload(&UploadOptions::new(Access::Private), has_taken)
        }
    }

    /// Returns the groups that matter: replaced files keep their access and expiry.
    pub(super) fn groups(&self, has_new: bool) -> Vec<OptionGroup> {
        let groups = [
            (OptionGroup::Taken, self.has_taken),
            (OptionGroup::Access, has_new),
            (OptionGroup::Expiry, has_new),
        ];
        let shown = groups.into_iter().filter(|(_, is_shown)| *is_shown);
        shown.map(|(group, _)| group).collect()
    }

    /// Handles a key in a group; returns the choice for all taken names if one was made. `taken` is
    /// the current choice for them, if it is the same for all.
    pub(super) fn on(
        &mut self,
        group: OptionGroup,
        key: Key,
        taken: Option<PlanChoice>,
    ) -> Option<PlanChoice> {
        let is_until = group == OptionGroup::Expiry && self.expiry == UNTIL;
        let by: isize = match key.code {
            KeyCode::Right => 1,
            KeyCode::Left => -1,
            KeyCode::Down if group == OptionGroup::Taken => 1,
            KeyCode::Up if group == OptionGroup::Taken => -1,
            _ if is_until => {
                self.until.on(key);
                return None;
            }
            KeyCode::Char(' ') if key.modifiers == KeyModifiers::NONE => 1,
            _ => return None,
        };
        let at = match group {
            OptionGroup::Taken => self
                .taken_choices
                .iter()
                .position(|(choice, _)| Some(*choice) == taken)
                .unwrap_or(0),
            OptionGroup::Access => self.access,
            OptionGroup::Expiry => self.expiry,
        };
        self.choose(group, at.saturating_add_signed(by))
    }

    /// Chooses an option of a group; returns the choice for all taken names if it is one for them.
    pub(super) fn choose(&mut self, group: OptionGroup, at: usize) -> Option<PlanChoice> {
        match group {
            OptionGroup::Taken => {
                let at = at.min(self.taken_choices.len() - 1);
                return self.taken_choices.get(at).map(|(choice, _)| *choice);
            }
            OptionGroup::Access => self.access = at.min(ACCESS.len() - 1),
            OptionGroup::Expiry => self.expiry = at.min(EXPIRES.len() - 1),
        }
        None
    }

    pub(super) fn paste(&mut self, group: OptionGroup, text: &str) {
        if group == OptionGroup::Expiry && self.expiry == UNTIL {
            self.until.insert(text);
        }
    }

    pub(super) fn access(&self) -> Access {
        creation::access(self.access)
    }

    /// Returns the options for new files, based on the earlier ones; the error says what is wrong
    /// with the expiry.
    pub(super) fn apply(
        &self,
        options: &UploadOptions,
        now: ServiceTime,
    ) -> Result<UploadOptions, String> {
        let ttl = match self.expiry {
            0 => None,
            1 => Some("P30D".to_owned()),
            _ => Some(read_lifetime(self.until.text(), now)?),
        };
        Ok(UploadOptions {
            access: self.access(),
            ttl,
            ..options.clone()
        })
    }

    /// Summarizes the choices in a line: `taken names: replace · new files: private, never expire`.
    pub(super) fn summary(&self, taken: Option<PlanChoice>, has_new: bool) -> String {
        let chosen = self
            .taken_choices
            .iter()
            .find(|(choice, _)| Some(*choice) == taken);
        let taken = chosen.map_or("chosen by file", |(_, words)| {
            words.split(':').next().unwrap_or(words)
        });
        let taken = self.has_taken.then(|| format!("taken names: {taken}"));
        let new = has_new.then(|| {
            let access = ACCESS.get(self.access).map_or("", |level| level.word);
            let expiry = match EXPIRES.get(self.expiry) {
                _ if self.expiry == UNTIL => format!("expire {}", self.until.text()),
                Some(words) if self.expiry > 0 => format!("expire {words}"),
                _ => "never expire".to_owned(),
            };
            format!("new files: {access}, {expiry}")
        });
        let parts: Vec<String> = taken.into_iter().chain(new).collect();
        parts.join(&format!(" {BETWEEN} "))
    }

    pub(super) fn height(&self, group: OptionGroup) -> usize {
        if group == OptionGroup::Taken {
            self.taken_choices.len()
        } else {
            1
        }
    }

    pub(super) fn draw(
        &self,
        group: OptionGroup,
        taken: Option<PlanChoice>,
        focused: bool,
        pen: &mut LineWriter<'_>,
    ) -> Option<Position> {
        let theme = pen.theme;
        let label = |text: &str| {
            Span::styled(
                format!("{text:LABEL$}"),
                if focused { theme.title } else { theme.dim },
            )
        };
        let field = group as usize;
        match group {
            OptionGroup::Taken => {
                for (at, (choice, words)) in self.taken_choices.iter().enumerate() {
                    let name = match at {
                        0 => "Taken names",
                        1 if taken.is_none() => "chosen by file",
                        _ => "",
                    };
                    let mut line = vec![label(name)];
                    line.extend(frame::radio(words, taken == Some(*choice), focused, theme));
                    pen.target(DialogTarget::Choice { field, option: at });
                    pen.line(Line::from(line));
                }
                None
            }
            OptionGroup::Access | OptionGroup::Expiry => {
                let is_expiry = group == OptionGroup::Expiry;
                let (name, words, chosen) = if is_expiry {
                    ("New files expire", EXPIRES, self.expiry)
                } else {
                    ("New files", ACCESS.map(|level| level.word), self.access)
                };
                let (line, cells) = row(label(name), words, chosen, focused, pen);
                for (option, cells) in cells.into_iter().enumerate() {
                    pen.target_at(cells, DialogTarget::Choice { field, option });
                }
                if is_expiry && chosen == UNTIL {
                    return pen.field(&line, &self.until, PLACEHOLDER, focused);
                }
                pen.line(line);
                None
            }
        }
    }
}

/// Returns a group on one line, and the cells of its choices.
fn row(
    label: Span<'static>,
    words: [&'static str; 3],
    chosen: usize,
    focused: bool,
    pen: &LineWriter<'_>,
) -> (Line<'static>, Vec<Range<usize>>) {
    let (mut line, mut cells, mut start) = (vec![label], Vec::new(), LABEL);
    // The choices of all groups are aligned if there is room.
    let column = if LABEL + words.len() * (2 + CHOICE) <= pen.width() {
        CHOICE
    } else {
        0
    };
    for (at, word) in words.into_iter().enumerate() {
        let [sign, name] = frame::radio(word, at == chosen, focused, pen.theme);
        let end = start + sign.width() + name.width();
        let gap = column.saturating_sub(name.width()).max(2);
        cells.push(start..end);
        line.extend([sign, name, Span::raw(" ".repeat(gap))]);
        start = end + gap;
    }
    (Line::from(line), cells)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::period("2w", Ok("P2W"))]
    #[case::day("2026-12-21", Ok("P30D"))]
    #[case::past("2026-11-20", Err(()))]
    #[case::far("2028-01-01", Err(()))]
    #[case::nothing("", Err(()))]
    #[case::word("soon", Err(()))]
    fn a_life_is_a_period_or_goes_until_a_day(
        #[case] text: &str,
        #[case] expected: Result<&str, ()>,
    ) {
        let now = ServiceTime::new(
            "2026-11-21T08:00:00Z".parse().unwrap(),
            jiff::SignedDuration::ZERO,
        );
        assert_eq!(
            read_lifetime(text, now).map_err(|_| ()),
            expected.map(str::to_owned)
        );
    }
}
