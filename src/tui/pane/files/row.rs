//! One row of the list.

use std::borrow::Cow;

use jiff::Timestamp;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::columns::{FileColumns, GAP, ListKind};
use crate::api::model::FileKind;
use crate::api::text::visible;
use crate::config::Column;
use crate::engine::message::Target;
use crate::tui::pane::glyph;
use crate::tui::state::{DuplicateGroup, ListFilter, Row, Slot, State};
use crate::tui::style::access;
use crate::tui::style::symbols::{self, TIMES};
use crate::tui::style::theme::Theme;
use crate::tui::widget::text::{left, right, truncate_start_at};
use crate::tui::widget::{figures, matched};
use crate::tui::wording::access as words;

const SOON_SECONDS: i64 = 7 * 24 * 3600;

/// A row as the list and the grid show it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListedRow<'a> {
    pub(crate) slot: Slot,
    pub(crate) row: &'a Row,
    pub(crate) copies: Option<DuplicateGroup>,
    pub(crate) is_cursor: bool,
}

pub(crate) fn line<'a>(
    listed: ListedRow<'a>,
    name: &str,
    columns: &FileColumns,
    state: &State,
    theme: &Theme,
) -> Line<'a> {
    let ListedRow {
        slot,
        row,
        copies,
        is_cursor,
    } = listed;
    let is_busy = state.session.tasks.busy.holds(&row.target);
    let is_marked = state.files.listing.list.is_marked(&slot);
    let is_cut = state
        .session
        .cut
        .as_ref()
        .is_some_and(|cut| cut.holds(&row.target));
    let (glyph, glyph_style) = glyph::of(row, state.now, is_busy, theme);
    let (name_style, glyph_style) = match () {
        () if is_busy => (theme.dim, glyph_style),
        () if is_cut => (theme.cut, theme.cut),
        () if is_marked => (theme.marked, theme.marked),
        () if !row.is_file() => (theme.folder.add_modifier(Modifier::BOLD), theme.dim),
        // The bracket that marks the other rows is not read aloud.
        () if theme.is_plain() && copies.is_some_and(|copies| copies.is_first) => {
            (theme.title, glyph_style)
        }
        () => (theme.text, glyph_style),
    };
    let name_style = if is_cursor {
        name_style.add_modifier(Modifier::BOLD)
    } else {
        name_style
    };
    // In place of the kind: next to it and the cursor's bar it would be one sign too many.
    let (glyph, glyph_style) = match () {
        () if is_busy => (glyph, glyph_style),
        () if is_marked => (symbols::MARKED, theme.marked),
        () if is_cut => (symbols::MOVE, theme.cut),
        () => (glyph, glyph_style),
    };
    let mut spans = vec![
        Span::raw(" "),
        // The cursor's bar covers the first cell.
        Span::styled(copies.map_or(" ", bracket), theme.dim),
        Span::styled(format!("{glyph} "), glyph_style),
    ];
    let filter = state.files.listing.list.filter.as_ref();
    let name = left(name, columns.name);
    spans.extend(name_spans(&row.name, &name, filter, name_style, theme));
    if columns.folder > 0 {
        let folder = row.parent(state.files.listing.of.base()).path;
        let folder = truncate_start_at(&visible(&folder), "/", columns.folder - GAP);
        spans.push(Span::styled(
            format!("{:GAP$}{}", "", left(&folder, columns.folder - GAP)),
            theme.dim,
        ));
    }
    for column in &columns.others {
        let (text, style) = match (column, columns.kind) {
            (Column::Updated, ListKind::Copies) => (freed(copies), theme.text),
            (Column::Size, _) if row.size.is_some() => (sized(row, copies), theme.text),
            _ => value(row, *column, columns.has_days, state, theme),
        };
        spans.push(Span::styled(columns.cell(*column, &text), style));
    }
    Line::from(spans)
}

/// Two facts of a row, each with its style, for narrow places.
pub(crate) fn access_and_size<'a>(
    row: &'a Row,
    state: &State,
    theme: &Theme,
) -> [(Cow<'a, str>, Style); 2] {
    let size = value(row, Column::Size, false, state, theme).0;
    [
        value(row, Column::Access, false, state, theme),
        (size, theme.dim),
    ]
}

/// Connects the rows of a group.
fn bracket(copies: DuplicateGroup) -> &'static str {
    match (copies.is_first, copies.is_last) {
        (true, true) => " ",
        (true, false) => "╭",
        (false, false) => "│",
        (false, true) => "╰",
    }
}

/// `412 KB`; `3×412 KB` on the first visible row of a group.
fn sized<'a>(row: &Row, copies: Option<DuplicateGroup>) -> Cow<'a, str> {
    let size = row.size.map(figures::size).unwrap_or_default();
    match copies.filter(|copies| copies.leads) {
        Some(copies) => format!("{}{TIMES}{size}", copies.count).into(),
        None => size.into(),
    }
}

/// The bytes that all but one of a group take, on its first visible row.
fn freed(copies: Option<DuplicateGroup>) -> Cow<'static, str> {
    let frees = copies
        .filter(|copies| copies.leads)
        .and_then(|copies| copies.frees);
    frees.map(figures::size).unwrap_or_default().into()
}

fn value<'a>(
    row: &'a Row,
    column: Column,
    has_days: bool,
    state: &State,
    theme: &Theme,
) -> (Cow<'a, str>, Style) {
    let time = |time: Option<Timestamp>| {
        time.map(|time| {
            let label = figures::then(time, state.service_now(), state.dates, &state.zone);
            if has_days {
                day_and(time, &label, state)
            } else {
                label
            }
        })
    };
    match column {
        Column::Access if row.is_file() => (
            words::word(row.access.as_ref()).into(),
            access::style(row.access.as_ref(), theme),
        ),
        Column::Access => ("".into(), access::style(None, theme)),
        Column::Size if row.is_file() => (sized(row, None), theme.text),
        Column::Size => (inside(row, state).unwrap_or_default().into(), theme.dim),
        Column::Type => (kind(row), theme.dim),
        Column::Updated => (time(row.updated()).unwrap_or_default().into(), theme.dim),
        Column::Created => (time(row.created()).unwrap_or_default().into(), theme.dim),
        Column::Expires => {
            let (label, style) = expiry(row, state, theme);
            let day = row.expires().filter(|_| has_days && row.is_file());
            (
                day.map(|at| day_and(at, &label, state))
                    .unwrap_or(label)
                    .into(),
                style,
            )
        }
    }
}

/// `2026-05-29  25w`
fn day_and(time: Timestamp, age: &str, state: &State) -> String {
    format!("{} {}", figures::date(time, &state.zone), right(age, 4))
}

pub(crate) fn name(row: &Row) -> Cow<'_, str> {
    if row.is_file() {
        (&*row.name).into()
    } else {
        format!("{}/", row.name).into()
    }
}

/// The part of a name that fits. If it is all of the name, the characters that the filter matched
/// are highlighted.
pub(crate) fn name_spans(
    name: &str,
    cut: &str,
    filter: Option<&ListFilter>,
    style: Style,
    theme: &Theme,
) -> Vec<Span<'static>> {
    match filter.filter(|filter| !filter.input.is_empty() && cut.starts_with(name)) {
        Some(filter) => matched::spans(cut, &filter.matched_chars(name), style, theme.matched),
        None => vec![Span::styled(cut.to_owned(), style)],
    }
}

/// The number of entries in a folder, as far as it has been read.
fn inside(row: &Row, state: &State) -> Option<String> {
    let Target::Folder(id) = &row.target else {
        return None;
    };
    let count = state.session.folder_totals.of(Some(id))?;
    Some(if count.is_all {
        figures::count(count.seen, "item")
    } else {
        format!("{}+ items", figures::number(count.seen))
    })
}

/// A word for the type column: the extension, or the less specific category.
pub(crate) fn kind(row: &Row) -> Cow<'_, str> {
    match (&row.kind, row.extension()) {
        (Some(FileKind::Image), "") => "image".into(),
        (Some(FileKind::Audio), "") => "audio".into(),
        (Some(FileKind::Movie), "") => "movie".into(),
        (Some(kind), "") => visible(&kind.as_str().to_lowercase()).into_owned().into(),
        (_, extension) if row.is_file() => extension.into(),
        _ => "".into(),
    }
}

fn expiry(row: &Row, state: &State, theme: &Theme) -> (String, Style) {
    match row.expires() {
        _ if !row.is_file() => (String::new(), theme.dim),
        None => ("never".to_owned(), theme.dim),
        Some(at) => {
            let now = state.service_now();
            let is_soon = at.as_second().saturating_sub(now.timestamp().as_second()) < SOON_SECONDS;
            (
                figures::to_come(at, now, state.dates, &state.zone),
                if is_soon { theme.warn } else { theme.dim },
            )
        }
    }
}
