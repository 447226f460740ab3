//! The lines for a plan's rows and totals.

use jiff::Timestamp;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::selection::PlanTotals;
use crate::api::model::DuplicateStrategy;
use crate::api::text::visible;
use crate::engine::plan::{Direction, Existing, ExistingFile, PlanChoice, PlanRow, PlanSource};
use crate::tui::style::symbols::{DANGER, DELETE, DIFFERS, DONE, ELLIPSIS, SAME, SKIPPED};
use crate::tui::style::theme::Theme;
use crate::tui::widget::{distinct, figures, text};

const THERE: &str = "there: ";
const GAP: usize = 2;
const LEAST_NAME: usize = 8;

/// Returns the line with the number of rows of each kind. `copied` is the place of the content that
/// copies repeat.
pub(super) fn sum(
    tally: PlanTotals,
    copied: Option<&str>,
    is_upload: bool,
    cells: usize,
    theme: &Theme,
) -> Line<'static> {
    let unfit = if is_upload {
        "not sent"
    } else {
        "not downloaded"
    };
    let other = if is_upload { "there" } else { "here" };
    let content = copied.map_or("same content elsewhere".to_owned(), |place| {
        format!("same content as {}", visible(place))
    });
    let line = |same: &str, taken: String, copies: String, is_in: bool| {
        // The folders of new names alone need no part of their own.
        let (new, folders) = match figures::count(tally.new_folders, "new folder") {
            folders if is_in && tally.new_folders > 0 && tally.new > 0 && tally.copies == 0 => {
                (format!("new, in {folders}"), 0)
            }
            _ if is_in || tally.new + tally.copies == 0 => ("new".to_owned(), tally.new_folders),
            _ => ("new".to_owned(), 0),
        };
        let new_folders = if folders == 1 {
            "new folder"
        } else {
            "new folders"
        };
        let parts = [
            (DONE, tally.new, new, theme.ok),
            (SAME, tally.copies, copies, theme.unlisted),
            (DONE, folders, new_folders.to_owned(), theme.ok),
            (SAME, tally.same, same.to_owned(), theme.unlisted),
            (DIFFERS, tally.taken, taken, theme.warn),
            (
                DIFFERS,
                tally.under_way,
                "upload in progress".to_owned(),
                theme.warn,
            ),
            (SKIPPED, tally.skipped, "skipped".to_owned(), theme.dim),
            (DELETE, tally.deleted, "to delete".to_owned(), theme.error),
            (
                SKIPPED,
                tally.kept,
                format!("only {other}, kept"),
                theme.dim,
            ),
            (DANGER, tally.unfit, unfit.to_owned(), theme.error),
        ];
        let parts = parts.into_iter().filter(|(_, count, ..)| *count > 0);
        let spans = parts.map(|(sign, count, words, style)| {
            let sign = if theme.is_plain() {
                String::new()
            } else {
                format!("{sign} ")
            };
            Span::styled(format!("{sign}{} {words}", figures::number(count)), style)
        });
        let mut line = Line::default();
        for span in spans {
            if !line.spans.is_empty() {
                line.push_span("   ");
            }
            line.push_span(span);
        }
        line
    };
    // The last parts are left out whole.
    let fitted = |mut line: Line<'static>| {
        if line.width() <= cells {
            return line;
        }
        let more = format!("   {ELLIPSIS}");
        while line.width() + text::width(&more) > cells && line.spans.len() > 1 {
            line.spans.truncate(line.spans.len() - 2);
        }
        line.push_span(more);
        line
    };
    let taken = format!("{} taken", names(tally.taken));
    let shortest = |is_in| line("there", "taken".to_owned(), "elsewhere".to_owned(), is_in);
    let long = [
        line(
            "already there, same content",
            format!("{taken}, different content"),
            format!("with the {content}"),
            true,
        ),
        line("already there", taken.clone(), content, true),
        line("already there", taken, "same elsewhere".to_owned(), true),
        shortest(true),
        shortest(false),
    ];
    let fits = long
        .iter()
        .position(|line| line.width() <= cells)
        .unwrap_or(long.len() - 1);
    long.into_iter().nth(fits).map(fitted).unwrap_or_default()
}

fn names(count: usize) -> &'static str {
    if count == 1 { "name" } else { "names" }
}

/// How rows are shown: what their texts depend on, and the columns.
pub(super) struct PlanRows<'a> {
    pub(super) direction: &'a Direction,
    pub(super) now: Timestamp,
    /// The bytes of the folders that all names begin with, which are not shown.
    pub(super) common: usize,
    pub(super) columns: PlanColumns,
    pub(super) theme: &'a Theme,
}

impl PlanRows<'_> {
    /// Returns the names of rows that are shown together, as far as there is room for them.
    pub(super) fn names(&self, rows: &[&PlanRow]) -> Vec<String> {
        let names: Vec<String> = rows.iter().map(|row| name(row, self.common)).collect();
        let (beside, alone) = (
            distinct::cut(&names, self.columns.name),
            distinct::cut(&names, self.columns.alone),
        );
        let names = rows.iter().zip(beside.into_iter().zip(alone));
        names
            .map(|(row, (beside, alone))| {
                if self.there(row).is_empty() {
                    alone
                } else {
                    beside
                }
            })
            .collect()
    }

    pub(super) fn there(&self, row: &PlanRow) -> String {
        there(row, self.direction, self.now)
    }

    /// Returns `true` if a row has more to say than fits into its line.
    pub(super) fn is_cut(&self, row: &PlanRow) -> bool {
        let there = self.there(row);
        text::width(&name(row, self.common)) > self.columns.name_of(&there)
            || text::width(shortened(&there)) > self.columns.there
    }

    /// Draws a row: its sign and name, what is there, its size, and the choice.
    pub(super) fn line(
        &self,
        row: &PlanRow,
        choice: PlanChoice,
        name: &str,
        is_here: bool,
    ) -> Line<'static> {
        let theme = self.theme;
        let (sign, style) = sign(row, choice, theme);
        // On the plain screen, the words behind the name say what the sign does.
        let sign = if theme.is_plain() { " " } else { sign };
        let PlanColumns {
            there: there_cells,
            size: size_cells,
            choice: choice_cells,
            ..
        } = self.columns;
        let size = row.size.map(figures::size).unwrap_or_default();
        let many = is_here && row.choices(self.direction).len() > 1;
        let word = word(row, choice, self.direction);
        let chosen = if many {
            format!("‹ {word} ›")
        } else {
            format!("  {word}")
        };
        let there_text = self.there(row);
        let there_text = if text::width(&there_text) <= there_cells {
            &*there_text
        } else {
            shortened(&there_text)
        };
        // A row with nothing to say leaves that room to its name.
        let name_cells = self.columns.name_of(there_text);
        let there_text = if there_text.is_empty() {
            String::new()
        } else {
            format!(
                "{:GAP$}{:there_cells$}",
                "",
                text::truncate(there_text, there_cells)
            )
        };
        Line::from(vec![
            Span::styled(format!("{sign} "), style),
            Span::styled(
                text::left(name, name_cells),
                if is_here { theme.title } else { theme.text },
            ),
            Span::styled(there_text, theme.dim),
            Span::styled(
                format!("{:GAP$}{}{:GAP$}", "", text::right(&size, size_cells), ""),
                theme.text,
            ),
            Span::styled(
                text::left(&chosen, choice_cells),
                choice_style(row, choice, theme),
            ),
        ])
    }
}

/// The cells that the texts of the rows need, measured when they change, not on every draw.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct WidestTexts {
    /// The name of a row that says what is there, and of one with nothing to say.
    name: usize,
    alone: usize,
    there: usize,
    /// The text about what is there without what the sign says already.
    short: usize,
    size: usize,
    choice: usize,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct PlanColumns {
    name: usize,
    there: usize,
    /// The name in a row with nothing to say.
    alone: usize,
    size: usize,
    choice: usize,
}

impl WidestTexts {
    /// Measures the rows; their names are shown without the first `common` bytes, which they share.
    pub(super) fn of(
        rows: &[PlanRow],
        common: usize,
        direction: &Direction,
        now: Timestamp,
    ) -> Self {
        let widest = |texts: &mut dyn Iterator<Item = String>| {
            texts.map(|text| text::width(&text)).max().unwrap_or(0)
        };
        let has_text = |row: &&PlanRow| !there(row, direction, now).is_empty();
        let (beside, alone): (Vec<&PlanRow>, Vec<&PlanRow>) = rows.iter().partition(has_text);

        Self {
            name: widest(&mut beside.iter().map(|row| name(row, common))),
            alone: widest(&mut alone.iter().map(|row| name(row, common))),
            there: widest(&mut beside.iter().map(|row| there(row, direction, now))),
            short: widest(
                &mut beside
                    .iter()
                    .map(|row| shortened(&there(row, direction, now)).to_owned()),
            ),
            size: widest(&mut rows.iter().filter_map(|row| row.size.map(figures::size))),
            choice: widest(&mut rows.iter().flat_map(|row| {
                row.choices(direction)
                    .iter()
                    .map(|choice| format!("‹ {} ›", word(row, *choice, direction)))
            })),
        }
    }

    pub(super) fn cells(self) -> usize {
        let beside = if self.there == 0 {
            0
        } else {
            self.name + GAP + self.there
        };
        2 + self.alone.max(beside) + GAP + self.size + GAP + self.choice
    }

    /// Divides the cells: names get what the text about what is there leaves, and at least half of
    /// the room.
    pub(super) fn columns(self, cells: usize) -> PlanColumns {
        let Self { size, choice, .. } = self;
        let room = cells.saturating_sub(2 + GAP + size + GAP + choice);
        let alone = room.min(self.alone.max(LEAST_NAME));
        if self.there == 0 {
            return PlanColumns {
                name: alone,
                there: 0,
                alone,
                size,
                choice,
            };
        }
        let both = room.saturating_sub(GAP);
        let there = if self.name + self.there <= both {
            self.there
        } else {
            self.short
        };
        let name = both
            .saturating_sub(there)
            .max(both / 2)
            .min(self.name.max(LEAST_NAME));
        let alone = alone.max(name + GAP + there.min(both.saturating_sub(name)));
        PlanColumns {
            name,
            there: alone.saturating_sub(name + GAP),
            alone,
            size,
            choice,
        }
    }
}

impl PlanColumns {
    fn name_of(self, there: &str) -> usize {
        if there.is_empty() {
            self.alone
        } else {
            self.name
        }
    }
}

/// Returns the length in bytes of the folders that all names begin with, such as `brand/`.
pub(super) fn common_folders(rows: &[PlanRow]) -> usize {
    let Some((first, others)) = rows.split_first() else {
        return 0;
    };
    let ends = first.name.match_indices('/').map(|(at, _)| at + 1);
    let all_have = |end: &usize| {
        let start = first.name.get(..*end).unwrap_or_default();
        others.iter().all(|row| row.name.starts_with(start))
    };
    ends.take_while(all_have).last().unwrap_or(0)
}

fn name(row: &PlanRow, common: usize) -> String {
    let end = if row.source == PlanSource::EmptyFolder {
        "/"
    } else {
        ""
    };
    format!(
        "{}{end}",
        visible(row.name.get(common..).unwrap_or_default())
    )
}

/// Describes what is at the destination of a row, and what else the user should know about it.
fn there(row: &PlanRow, direction: &Direction, now: Timestamp) -> String {
    let is_refused =
        row.is_duplicate(direction) && direction.duplicates() == Some(&DuplicateStrategy::Reject);
    let same = if is_refused {
        "refused: same as"
    } else {
        "same content as"
    };
    let elsewhere = row
        .elsewhere
        .as_ref()
        .map(|path| format!("{same} {}", visible(path)));
    match (&row.source, &row.there, &row.warning) {
        (PlanSource::Unfit(why), ..) => why.clone(),
        (PlanSource::Surplus(_), ..) if matches!(direction, Direction::Up { .. }) => {
            "only there".to_owned()
        }
        (PlanSource::Surplus(_), ..) => "only on this machine".to_owned(),
        (_, _, Some(warning)) => warning.clone(),
        (_, Existing::Same(_), _) => "same content, same name".to_owned(),
        (_, Existing::UnderWay, _) => "upload in progress".to_owned(),
        (_, Existing::Blocked(why), _) => (*why).to_owned(),
        (_, Existing::Other(existing), _) => {
            elsewhere.unwrap_or_else(|| described(existing, row.is_older(), now))
        }
        (_, Existing::Nothing { .. }, _) => elsewhere.unwrap_or_default(),
    }
}

/// Removes what the sign and the name of a row say already.
fn shortened(there: &str) -> &str {
    let there = there.strip_suffix(", same name").unwrap_or(there);
    there.strip_prefix(THERE).unwrap_or(there)
}

fn described(existing: &ExistingFile, is_newer: bool, now: Timestamp) -> String {
    let parts = [
        is_newer.then(|| "newer".to_owned()),
        existing.size().map(figures::size),
        existing.access().map(|access| access.word().to_owned()),
        existing.updated_at().map(|at| figures::age(at, now)),
    ];
    format!(
        "{THERE}{}",
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    )
}

fn word(row: &PlanRow, choice: PlanChoice, direction: &Direction) -> &'static str {
    let is_upload = matches!(direction, Direction::Up { .. });
    match choice {
        _ if matches!(row.source, PlanSource::Unfit(_)) => {
            if is_upload {
                "not sent"
            } else {
                "not downloaded"
            }
        }
        PlanChoice::Skip if is_surplus(row) => "keep",
        PlanChoice::Delete => "delete",
        PlanChoice::Go if row.source == PlanSource::EmptyFolder => "create",
        PlanChoice::Go if matches!(row.source, PlanSource::Copy(_)) => "copy",
        PlanChoice::Go if is_upload => "upload",
        PlanChoice::Go => "download",
        PlanChoice::Replace => "replace",
        PlanChoice::KeepBoth => "keep both",
        PlanChoice::UseExisting => "use existing",
        PlanChoice::Skip => "skip",
        PlanChoice::Stop => "stop",
    }
}

fn choice_style(row: &PlanRow, choice: PlanChoice, theme: &Theme) -> Style {
    match choice {
        _ if matches!(row.source, PlanSource::Unfit(_)) => theme.error,
        PlanChoice::Go => theme.ok,
        PlanChoice::Replace | PlanChoice::KeepBoth => theme.warn,
        PlanChoice::UseExisting | PlanChoice::Skip => theme.unlisted,
        PlanChoice::Stop | PlanChoice::Delete => theme.error,
    }
}

/// Returns `true` if only the changed side has it.
fn is_surplus(row: &PlanRow) -> bool {
    matches!(row.source, PlanSource::Surplus(_))
}

/// Returns the sign of a row, its most important property.
fn sign(row: &PlanRow, choice: PlanChoice, theme: &Theme) -> (&'static str, Style) {
    match (&row.source, &row.there) {
        (PlanSource::Unfit(_), _) => (DANGER, theme.error),
        (PlanSource::Surplus(_), _) if choice == PlanChoice::Delete => (DELETE, theme.error),
        (PlanSource::Surplus(_), _) => (SKIPPED, theme.dim),
        (_, Existing::Same(_)) => (SAME, theme.unlisted),
        _ if choice == PlanChoice::UseExisting => (SAME, theme.unlisted),
        _ if choice == PlanChoice::Skip => (SKIPPED, theme.dim),
        (_, Existing::Other(_) | Existing::UnderWay | Existing::Blocked(_)) => {
            (DIFFERS, theme.warn)
        }
        (_, Existing::Nothing { .. }) if row.elsewhere.is_some() => (SAME, theme.unlisted),
        (_, Existing::Nothing { .. }) if row.warning.is_some() => (DANGER, theme.warn),
        (_, Existing::Nothing { .. }) => (DONE, theme.ok),
    }
}
