//! The rows of a plan with the choice for each, and the resulting totals.

use std::collections::HashSet;
use std::mem::discriminant;

use crate::engine::Job;
use crate::engine::plan::{Direction, Existing, PlanChoice, PlanRow, PlanSource, jobs};
use crate::tui::widget::figures;
use crate::tui::widget::scroll::ListCursor;

#[derive(Debug, Clone, Default)]
pub(super) struct Sheet {
    rows: Vec<PlanRow>,
    choices: Vec<PlanChoice>,
    /// Set while the level of new files lets others read them.
    publishes: bool,
    pub(super) cursor: ListCursor,
    tally: PlanTotals,
}

/// Totals, counted again when a choice changes, not on every draw.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct PlanTotals {
    /// The new names, apart from those of copies.
    pub(super) new: usize,
    /// The new names of content that the account has already, or that an earlier row brings.
    pub(super) copies: usize,
    pub(super) same: usize,
    pub(super) taken: usize,
    /// The choice for taken names, if it is the same for all.
    pub(super) taken_choice: Option<PlanChoice>,
    /// Set if new files are uploaded, or would be with another access level.
    pub(super) has_new: bool,
    /// The names under which other uploads are to be stored.
    pub(super) under_way: usize,
    /// The files that could be sent or downloaded and are left out.
    pub(super) skipped: usize,
    pub(super) unfit: usize,
    /// The files that only the changed side has, and that stay.
    pub(super) kept: usize,
    pub(super) deleted: usize,
    /// The files that would be sent or downloaded now, and their bytes.
    pub(super) going: usize,
    pub(super) going_bytes: u64,
    /// The files among them that replace others.
    pub(super) replaced: usize,
    /// The folders to create, with those for files.
    pub(super) new_folders: usize,
}

impl PlanTotals {
    /// Returns `true` if nothing would be done.
    pub(super) fn is_idle(&self) -> bool {
        self.going + self.new_folders + self.deleted == 0
    }
}

impl Sheet {
    pub(super) fn new(rows: Vec<PlanRow>, direction: &Direction) -> Self {
        let choices = rows
            .iter()
            .map(|row| first_choice(row, direction))
            .collect();
        let mut selection = Self {
            cursor: ListCursor::new(rows.len()),
            rows,
            choices,
            publishes: direction.publishes(),
            ..Self::default()
        };
        selection.count();
        selection
    }

    pub(super) fn rows(&self) -> &[PlanRow] {
        &self.rows
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn at(&self, place: usize) -> Option<(&PlanRow, PlanChoice)> {
        self.rows.get(place).zip(self.choices.get(place).copied())
    }

    pub(super) fn tally(&self) -> PlanTotals {
        self.tally
    }

    /// `2 of 48`.
    pub(super) fn place(&self) -> String {
        let at = (self.cursor.at() + 1).min(self.rows.len());
        format!(
            "{} of {}",
            figures::number(at),
            figures::number(self.rows.len())
        )
    }

    pub(super) fn turn(&mut self, by: isize, direction: &Direction) {
        let Some((row, choice)) = self.at(self.cursor.at()) else {
            return;
        };
        let choices = row.choices(direction);
        let at = choices
            .iter()
            .position(|offered| *offered == choice)
            .unwrap_or(0);
        let last = choices.len().saturating_sub(1);
        let next = if by > 0 {
            if at == last { 0 } else { at + 1 }
        } else {
            at.checked_sub(1).unwrap_or(last)
        };
        self.choose(self.cursor.at(), choices.get(next).copied());
        self.count();
    }

    /// Applies the choice of the row under the cursor to all rows like it.
    pub(super) fn same_for_all(&mut self, direction: &Direction) {
        if let Some((row, choice)) = self.at(self.cursor.at()) {
            let kind = |row: &PlanRow| {
                (
                    discriminant(&row.there),
                    matches!(row.source, PlanSource::Surplus(_)),
                )
            };
            let like = kind(row);
            self.choose_for(choice, direction, |row| kind(row) == like);
        }
    }

    /// Applies the options for all: the choice for taken names, or an access level. Hidden rows
    /// that another level would publish unasked are left out, and included again otherwise.
    pub(super) fn see_options(&mut self, for_taken: Option<PlanChoice>, direction: &Direction) {
        let publishes = direction.publishes();
        if std::mem::replace(&mut self.publishes, publishes) != publishes {
            for (row, chosen) in self
                .rows
                .iter()
                .zip(&mut self.choices)
                .filter(|(row, _)| row.is_hidden)
            {
                *chosen = first_choice(row, direction);
            }
            self.count();
        }
        if let Some(choice) = for_taken {
            self.choose_for_taken(choice, direction);
        }
    }

    /// Applies a choice to all names that are taken by other content.
    pub(super) fn choose_for_taken(&mut self, choice: PlanChoice, direction: &Direction) {
        self.choose_for(choice, direction, is_taken);
    }

    fn choose_for(
        &mut self,
        choice: PlanChoice,
        direction: &Direction,
        is_meant: impl Fn(&PlanRow) -> bool,
    ) {
        for (row, chosen) in self.rows.iter().zip(&mut self.choices) {
            if is_meant(row) && row.choices(direction).contains(&choice) {
                *chosen = choice;
            }
        }
        self.count();
    }

    fn choose(&mut self, place: usize, choice: Option<PlanChoice>) {
        if let (Some(chosen), Some(choice)) = (self.choices.get_mut(place), choice) {
            *chosen = choice;
        }
    }

    /// Records where the content of rows is already. Choices stay, unless the service would not
    /// carry them out.
    pub(super) fn elsewhere(&mut self, found: Vec<(usize, String)>, direction: &Direction) {
        for (place, path) in found {
            if let (Some(row), Some(choice)) =
                (self.rows.get_mut(place), self.choices.get_mut(place))
            {
                row.elsewhere = Some(path);
                if !row.choices(direction).contains(choice) {
                    *choice = first_choice(row, direction);
                }
            }
        }
        self.count();
    }

    /// Returns the first row that keeps all others from being sent.
    pub(super) fn stopped_at(&self) -> Option<&PlanRow> {
        let rows = self.rows.iter().zip(&self.choices);
        rows.into_iter()
            .find(|(_, choice)| **choice == PlanChoice::Stop)
            .map(|(row, _)| row)
    }

    pub(super) fn jobs(&self, direction: &Direction) -> Vec<Job> {
        jobs(
            self.rows.iter().zip(self.choices.iter().copied()),
            direction,
        )
    }

    pub(super) fn deleted(&self) -> Vec<&PlanRow> {
        let rows = self.rows.iter().zip(&self.choices);
        rows.filter(|(_, choice)| **choice == PlanChoice::Delete)
            .map(|(row, _)| row)
            .collect()
    }

    fn new_folders(&self) -> usize {
        let outermost = |row| match row {
            &PlanRow {
                there:
                    Existing::Nothing {
                        new_folder: Some(ref folder),
                    },
                ..
            } => Some(folder.as_str()),
            _ => None,
        };
        let outermost: HashSet<&str> = self.rows.iter().filter_map(outermost).collect();
        let rows = self.rows.iter().zip(&self.choices);
        rows.filter(|(_, choice)| **choice == PlanChoice::Go)
            .flat_map(|(row, _)| row.new_folders(&outermost))
            .collect::<HashSet<_>>()
            .len()
    }

    /// Returns the place of the content that copies repeat: a file, or `in ` and the innermost folder
    /// with all of it. `None` if there is no such folder.
    pub(super) fn place_of_copies(&self) -> Option<String> {
        let rows = self.rows.iter().zip(&self.choices);
        let mut paths = rows
            .filter(|(row, choice)| is_copy(row, **choice))
            .filter_map(|(row, _)| row.elsewhere.as_deref());
        let first = paths.next().filter(|path| path.starts_with('/'))?;
        let mut place = first;
        for path in paths {
            while !is_at_or_below(path, place) {
                place = place.rsplit_once('/')?.0;
            }
        }
        let within = if place == first { "" } else { "in " };
        (!place.is_empty()).then(|| format!("{within}{place}"))
    }

    fn count(&mut self) {
        let mut tally = PlanTotals::default();
        let rows = || self.rows.iter().zip(&self.choices);
        let mut choices = rows()
            .filter(|(row, _)| is_taken(row))
            .map(|(_, choice)| *choice);
        tally.taken_choice = choices
            .next()
            .filter(|first| choices.all(|choice| choice == *first));
        for (row, choice) in rows() {
            let size = row.size.unwrap_or(0);
            let goes = matches!(
                choice,
                PlanChoice::Go | PlanChoice::Replace | PlanChoice::KeepBoth
            );
            tally.has_new |= matches!(row.source, PlanSource::Local(_))
                && (row.is_hidden || matches!(choice, PlanChoice::Go | PlanChoice::KeepBoth));
            match (&row.source, &row.there) {
                (PlanSource::Unfit(_), _) => tally.unfit += 1,
                (PlanSource::Surplus(_), _) if *choice == PlanChoice::Delete => tally.deleted += 1,
                (PlanSource::Surplus(_), _) => tally.kept += 1,
                (PlanSource::EmptyFolder, _) => {}
                (_, there) => {
                    tally.going += usize::from(goes);
                    tally.going_bytes += if goes { size } else { 0 };
                    tally.replaced += usize::from(*choice == PlanChoice::Replace);
                    let is_skipped =
                        *choice == PlanChoice::Skip && !matches!(there, Existing::UnderWay);
                    match there {
                        Existing::Same(_) => tally.same += 1,
                        _ if *choice == PlanChoice::UseExisting => tally.same += 1,
                        _ if is_skipped => tally.skipped += 1,
                        Existing::Nothing { .. } if is_copy(row, *choice) => tally.copies += 1,
                        Existing::Nothing { .. } => tally.new += 1,
                        Existing::UnderWay => tally.under_way += 1,
                        Existing::Other(_) | Existing::Blocked(_) => tally.taken += 1,
                    }
                }
            }
        }
        tally.new_folders = self.new_folders();
        self.tally = tally;
    }
}

/// Returns `true` if a row brings content under a new name that the account has already.
fn is_copy(row: &PlanRow, choice: PlanChoice) -> bool {
    choice == PlanChoice::Go
        && row.elsewhere.is_some()
        && matches!(row.there, Existing::Nothing { .. })
}

fn is_at_or_below(path: &str, place: &str) -> bool {
    path.strip_prefix(place)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns `true` if other content has the row's name.
fn is_taken(row: &PlanRow) -> bool {
    !matches!(row.source, PlanSource::Unfit(_))
        && matches!(row.there, Existing::Other(_) | Existing::Blocked(_))
}

fn first_choice(row: &PlanRow, direction: &Direction) -> PlanChoice {
    row.choices(direction)
        .first()
        .copied()
        .unwrap_or(PlanChoice::Skip)
}
