//! How a plan's rows and its sum are written.

use jiff::Timestamp;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::sheet::Tally;
use crate::api::model::Access;
use crate::api::text::visible;
use crate::engine::plan::{Choice, Row, Source, Standing, There};
use crate::tui::symbols::{DANGER, DIFFERS, DONE, SAME};
use crate::tui::theme::Theme;
use crate::tui::widget::{figures, text};

/// Cells of a row's last column.
const CHOICE: usize = 20;
const SIZE: usize = 7;

/// How many there are of each sort.
pub(super) fn sum(tally: Tally, is_upload: bool, cells: usize, theme: &Theme) -> Line<'static> {
    let unfit = if is_upload { "not sent" } else { "not saved" };
    let line = |same: &str, taken: &str| {
        let parts = [
            (DONE, tally.new, "new".to_owned(), theme.ok),
            (SAME, tally.same, same.to_owned(), theme.unlisted),
            (DIFFERS, tally.taken, format!("{} taken{taken}", names(tally.taken)), theme.warn),
            (DIFFERS, tally.under_way, "being sent already".to_owned(), theme.warn),
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
    let long = line("already there, same bytes", ", other bytes");
    if long.width() <= cells { long } else { line("there already", "") }
}

fn names(count: usize) -> &'static str {
    if count == 1 { "name" } else { "names" }
}

/// One row: its sign, name and size, what stands there, and what is done.
pub(super) fn row(
    (row, choice): (&Row, Choice),
    is_here: bool,
    now: Timestamp,
    cells: usize,
    theme: &Theme,
) -> Line<'static> {
    let (sign, style) = sign(row, theme);
    let room = cells.saturating_sub(2 + SIZE + 2 + CHOICE + 1);
    let name_cells = (room * 45 / 100).clamp(12, 44);
    let there_cells = room.saturating_sub(name_cells);
    let size = row.size.map(figures::size).unwrap_or_default();
    let end = if row.source == Source::EmptyFolder { "/" } else { "" };
    let name = format!("{}{end}", visible(&row.name));
    let many = is_here && row.choices().len() > 1;
    let word = word(row, choice);
    let chosen = if many { format!("‹ {word} ›") } else { format!("  {word}") };
    let told = there(row, now);
    let cut = text::truncate(&told, there_cells.saturating_sub(1));
    let gap = there_cells.saturating_sub(text::width(&cut));
    Line::from(vec![
        Span::styled(format!("{sign} "), style),
        Span::styled(text::left(&name, name_cells), if is_here { theme.title } else { theme.text }),
        Span::styled(format!("{}  ", text::right(&size, SIZE)), theme.text),
        Span::styled(format!("{cut}{:gap$}", ""), theme.dim),
        Span::styled(text::left(&format!(" {chosen}"), CHOICE + 1), choice_style(row, choice, theme)),
    ])
}

/// What stands where the row is to go, and what else should be known of it.
pub(super) fn there(row: &Row, now: Timestamp) -> String {
    let elsewhere = row.elsewhere.as_ref().map(|path| format!("same bytes as {}", visible(path)));
    match (&row.source, &row.there, &row.warning) {
        (Source::Unfit(why), ..) => why.clone(),
        (_, _, Some(warning)) => warning.clone(),
        (_, There::Same(_), _) => "same bytes, same name".to_owned(),
        (_, There::UnderWay, _) => "being sent already".to_owned(),
        (_, There::Blocked(why), _) => (*why).to_owned(),
        (_, There::Other(standing), _) => elsewhere.unwrap_or_else(|| described(standing, now)),
        (_, There::Nothing { new_folder }, _) => {
            let made = new_folder.as_ref().map(|path| format!("new folder {}/", visible(path)));
            let made = made.or_else(|| (row.source == Source::EmptyFolder).then(|| "new folder".to_owned()));
            elsewhere.or(made).unwrap_or_default()
        }
    }
}

fn described(standing: &Standing, now: Timestamp) -> String {
    let parts = [
        standing.size.map(figures::size),
        standing.access.as_ref().map(|access| access_word(access).to_owned()),
        standing.updated_at.map(|at| figures::ago(at, now)),
    ];
    format!("there: {}", parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

fn access_word(access: &Access) -> &str {
    match access {
        Access::PublicIndexable => "public",
        Access::PublicNotIndexable => "unlisted",
        Access::Private => "private",
        other => other.as_str(),
    }
}

fn word(row: &Row, choice: Choice) -> &'static str {
    let is_upload = !matches!(row.source, Source::Remote(_));
    match choice {
        _ if matches!(row.source, Source::Unfit(_)) => "not sent",
        Choice::Go if is_upload => "upload",
        Choice::Go => "save",
        Choice::Replace if is_upload => "replace in place",
        Choice::Replace => "replace",
        Choice::KeepBoth => "keep both",
        Choice::UseExisting => "use existing",
        Choice::Skip => "skip",
        Choice::Stop => "stop",
    }
}

fn choice_style(row: &Row, choice: Choice, theme: &Theme) -> Style {
    match choice {
        _ if matches!(row.source, Source::Unfit(_)) => theme.error,
        Choice::Go => theme.ok,
        Choice::Replace | Choice::KeepBoth => theme.warn,
        Choice::UseExisting | Choice::Skip => theme.unlisted,
        Choice::Stop => theme.error,
    }
}

fn sign(row: &Row, theme: &Theme) -> (&'static str, Style) {
    match (&row.source, &row.there) {
        (Source::Unfit(_), _) => (DANGER, theme.error),
        (_, There::Other(_) | There::UnderWay | There::Blocked(_)) => (DIFFERS, theme.warn),
        (_, There::Same(_)) => (SAME, theme.unlisted),
        (_, There::Nothing { .. }) if row.elsewhere.is_some() => (SAME, theme.unlisted),
        (_, There::Nothing { .. }) if row.warning.is_some() => (DANGER, theme.warn),
        (_, There::Nothing { .. }) => (DONE, theme.ok),
    }
}
