//! How a plan's rows and its sum are written.

use jiff::Timestamp;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::selection::PlanTotals;
use crate::api::model::DuplicateStrategy;
use crate::api::text::visible;
use crate::engine::plan::{Direction, Existing, ExistingFile, PlanChoice, PlanRow, PlanSource};
use crate::tui::style::symbols::{DANGER, DIFFERS, DONE, ELLIPSIS, SAME, SKIPPED};
use crate::tui::style::theme::Theme;
use crate::tui::widget::{distinct, figures, text};

/// Cells of a row's last column.
const CHOICE: usize = 16;
const SIZE: usize = 7;
/// Before what is known of a file that has the name.
const THERE: &str = "there: ";
/// Cells between columns.
const GAP: usize = 2;
const LEAST_NAME: usize = 12;

/// How many there are of each sort.
pub(super) fn sum(tally: PlanTotals, is_upload: bool, cells: usize, theme: &Theme) -> Line<'static> {
    let unfit = if is_upload { "not sent" } else { "not saved" };
    let line = |same: &str, taken: &str| {
        let parts = [
            (DONE, tally.new, "new".to_owned(), theme.ok),
            (SAME, tally.same, same.to_owned(), theme.unlisted),
            (DIFFERS, tally.taken, format!("{} taken{taken}", names(tally.taken)), theme.warn),
            (DIFFERS, tally.under_way, "upload in progress".to_owned(), theme.warn),
            (SKIPPED, tally.skipped, "skipped".to_owned(), theme.dim),
            (DANGER, tally.unfit, unfit.to_owned(), theme.error),
        ];
        let parts = parts.into_iter().filter(|(_, count, ..)| *count > 0);
        let spans = parts.map(|(sign, count, words, style)| {
            Span::styled(format!("{sign} {} {words}", figures::number(count)), style)
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
    // What comes last is left out whole.
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
    let long = line("already there, same content", ", different content");
    if long.width() <= cells { long } else { fitted(line("already there", "")) }
}

fn names(count: usize) -> &'static str {
    if count == 1 { "name" } else { "names" }
}

/// One row: its sign, name and size, what is there, and what is done.
pub(super) fn row(
    (row, choice): (&PlanRow, PlanChoice),
    name: &str,
    is_here: bool,
    (direction, now): (&Direction, Timestamp),
    columns: PlanColumns,
    theme: &Theme,
) -> Line<'static> {
    let (sign, style) = sign(row, choice, theme);
    let PlanColumns { name: name_cells, there: there_cells } = columns;
    let size = row.size.map(figures::size).unwrap_or_default();
    let many = is_here && row.choices(direction).len() > 1;
    let word = word(row, choice, direction);
    let chosen = if many { format!("‹ {word} ›") } else { format!("  {word}") };
    let told = there(row, direction, now);
    let told = if text::width(&told) < there_cells { &*told } else { shortened(&told) };
    let cut = text::truncate(told, there_cells.saturating_sub(1));
    let gap = there_cells.saturating_sub(text::width(&cut));
    Line::from(vec![
        Span::styled(format!("{sign} "), style),
        Span::styled(text::left(name, name_cells), if is_here { theme.title } else { theme.text }),
        Span::styled(format!("{:GAP$}{}{:GAP$}", "", text::right(&size, SIZE), ""), theme.text),
        Span::styled(format!("{cut}{:gap$}", ""), theme.dim),
        Span::styled(text::left(&format!(" {chosen}"), CHOICE + 1), choice_style(row, choice, theme)),
    ])
}

/// Cells that names, and what is said of what is there, need. Measured when they change, not when the plan is drawn.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct WidestTexts {
    name: usize,
    there: usize,
    /// The same without what the sign of a row says.
    short: usize,
}

/// Cells of the name, and of what is there.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlanColumns {
    name: usize,
    there: usize,
}

impl WidestTexts {
    pub(super) fn of(rows: &[PlanRow], direction: &Direction, now: Timestamp) -> Self {
        let widest = |texts: &mut dyn Iterator<Item = String>| texts.map(|text| text::width(&text)).max().unwrap_or(0);
        Self {
            name: widest(&mut rows.iter().map(name)),
            there: widest(&mut rows.iter().map(|row| there(row, direction, now))),
            short: widest(&mut rows.iter().map(|row| shortened(&there(row, direction, now)).to_owned())),
        }
    }

    /// Names have the room that is not needed to say what is there, and at least half of it.
    pub(super) fn columns(self, cells: usize) -> PlanColumns {
        let room = cells.saturating_sub(2 + GAP + SIZE + GAP + CHOICE + 1);
        let there = if self.name + self.there < room { self.there } else { self.short };
        let there = if there > 0 { there + 1 } else { 0 };
        let name = room.saturating_sub(there).max(room / 2).min(self.name.max(LEAST_NAME));
        PlanColumns { name, there: room.saturating_sub(name) }
    }
}

impl PlanColumns {
    /// The names of rows that are shown together, as far as there is room for them.
    pub(super) fn names(self, rows: &[&PlanRow]) -> Vec<String> {
        distinct::cut(&rows.iter().map(|row| name(row)).collect::<Vec<_>>(), self.name)
    }
}

fn name(row: &PlanRow) -> String {
    let end = if row.source == PlanSource::EmptyFolder { "/" } else { "" };
    format!("{}{end}", visible(&row.name))
}

/// Whether a row has more to say than its line has room for.
pub(super) fn is_cut(row: &PlanRow, direction: &Direction, now: Timestamp, columns: PlanColumns) -> bool {
    let there = there(row, direction, now);
    text::width(&name(row)) > columns.name || text::width(shortened(&there)) >= columns.there
}

/// What is where the row is to go, and what else should be known of it.
pub(super) fn there(row: &PlanRow, direction: &Direction, now: Timestamp) -> String {
    let is_refused = row.is_duplicate(direction) && direction.duplicates() == Some(&DuplicateStrategy::Reject);
    let same = if is_refused { "refused: same as" } else { "same content as" };
    let elsewhere = row.elsewhere.as_ref().map(|path| format!("{same} {}", visible(path)));
    match (&row.source, &row.there, &row.warning) {
        (PlanSource::Unfit(why), ..) => why.clone(),
        (_, _, Some(warning)) => warning.clone(),
        (_, Existing::Same(_), _) => "same content, same name".to_owned(),
        (_, Existing::UnderWay, _) => "upload in progress".to_owned(),
        (_, Existing::Blocked(why), _) => (*why).to_owned(),
        (_, Existing::Other(standing), _) => elsewhere.unwrap_or_else(|| described(standing, now)),
        (_, Existing::Nothing { new_folder }, _) => {
            let made = new_folder.as_ref().map(|path| format!("new folder {}/", visible(path)));
            let made = made.or_else(|| (row.source == PlanSource::EmptyFolder).then(|| "new folder".to_owned()));
            elsewhere.or(made).unwrap_or_default()
        }
    }
}

/// The sign of a row says already that something is there.
fn shortened(there: &str) -> &str {
    there.strip_prefix(THERE).unwrap_or(there)
}

fn described(standing: &ExistingFile, now: Timestamp) -> String {
    let parts = [
        standing.size.map(figures::size),
        standing.access.as_ref().map(|access| access.word().to_owned()),
        standing.updated_at.map(|at| figures::age(at, now)),
    ];
    format!("{THERE}{}", parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

fn word(row: &PlanRow, choice: PlanChoice, direction: &Direction) -> &'static str {
    let is_upload = matches!(direction, Direction::Up { .. });
    match choice {
        _ if matches!(row.source, PlanSource::Unfit(_)) => {
            if is_upload {
                "not sent"
            } else {
                "not saved"
            }
        }
        PlanChoice::Go if row.source == PlanSource::EmptyFolder => "create",
        PlanChoice::Go if is_upload => "upload",
        PlanChoice::Go => "save",
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
        PlanChoice::Stop => theme.error,
    }
}

/// What is to be known of a row before what is there; nothing stands at what is left out.
fn sign(row: &PlanRow, choice: PlanChoice, theme: &Theme) -> (&'static str, Style) {
    match (&row.source, &row.there) {
        (PlanSource::Unfit(_), _) => (DANGER, theme.error),
        (_, Existing::Same(_)) => (SAME, theme.unlisted),
        _ if choice == PlanChoice::UseExisting => (SAME, theme.unlisted),
        _ if choice == PlanChoice::Skip => (SKIPPED, theme.dim),
        (_, Existing::Other(_) | Existing::UnderWay | Existing::Blocked(_)) => (DIFFERS, theme.warn),
        (_, Existing::Nothing { .. }) if row.elsewhere.is_some() => (SAME, theme.unlisted),
        (_, Existing::Nothing { .. }) if row.warning.is_some() => (DANGER, theme.warn),
        (_, Existing::Nothing { .. }) => (DONE, theme.ok),
    }
}
