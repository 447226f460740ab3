//! The list of the open folder. Formats only the visible rows.

use std::ops::Range;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::columns::{FileColumns, ListKind, columns_of};
use super::row::ListedRow;
use super::{empty, filter_line, foot, grid, row, shapes};
use crate::api::text::visible;
use crate::config::Column;
use crate::engine::query::Query;
use crate::tui::keymap::Action;
use crate::tui::pane::hit_target::ListBox;
use crate::tui::pane::{frame, keys};
use crate::tui::state::{ListStage, Pane, State};
use crate::tui::style::theme::Theme;
use crate::tui::widget::text::width;
use crate::tui::widget::{distinct, figures};

/// In cells. Next to the local list, a list of at least this width has space for more than names
/// and sizes.
const ROOM_FOR_ACCESS: usize = 48;

pub(crate) struct ListAreas {
    pub(crate) heading: Rect,
    pub(crate) rows: Rect,
    /// The indices of the visible rows; the one after the last row tells that more will follow.
    pub(crate) shown: Range<usize>,
    pub(crate) len: usize,
    pub(crate) filter: Option<Rect>,
    pub(crate) columns: FileColumns,
}

pub(crate) fn places(area: Rect, state: &State) -> ListAreas {
    let listing = &state.files.listing;
    let inside = frame::inner(area);
    let mut rows = frame::below(inside, 1);
    let filter = listing.list.filter.is_some().then(|| {
        rows.height = rows.height.saturating_sub(1);
        Rect {
            y: rows.bottom(),
            height: 1,
            ..rows
        }
    });
    let len = listing.visible().len() + usize::from(says_more(state));
    let shown = if state.shows_grid() {
        grid::items(&grid::of(area, state), state)
    } else {
        state.window(listing.list.cursor().among(len), usize::from(rows.height))
    };
    let has_folder = listing.of.query().is_some();
    let kind = match has_folder {
        _ if listing.has_groups() => ListKind::Copies,
        true => ListKind::Search,
        false => ListKind::Folder,
    };
    let wanted = match () {
        () if is_narrow_beside_local(inside, state) => &[Column::Size],
        // The sign of a truncated folder would be read aloud.
        () if state.panes.plain && has_folder => [Column::Size, Column::Updated].as_slice(),
        () => state.columns.as_slice(),
    };
    let queried = listing.of.query().into_iter().flat_map(Query::keys);
    let keys: Vec<_> = queried.chain([listing.list.sort.key]).collect();
    let mut kept = columns_of(&keys);
    if kind == ListKind::Copies {
        // The column of the update has another figure there.
        kept.retain(|column| *column != Column::Updated);
    }
    let cells = usize::from(rows.width);
    let columns = FileColumns::fit(cells, wanted, &kept, state.dates, kind);
    ListAreas {
        heading: frame::row(inside, 0),
        rows,
        shown,
        len,
        filter,
        columns,
    }
}

pub(crate) fn list_box(area: Rect, state: &State) -> ListBox {
    let places = places(area, state);
    ListBox {
        of: Pane::List,
        area,
        rows: places.rows,
        shown: places.shown,
        len: places.len,
    }
}

fn has_two_lists(state: &State) -> bool {
    state.mode.has_two_lists() || state.is_in_background()
}

/// Returns `true` if two lists share a screen with space for only a name and one fact each.
fn is_narrow_beside_local(inside: Rect, state: &State) -> bool {
    has_two_lists(state) && usize::from(inside.width) < ROOM_FOR_ACCESS
}

pub(crate) fn draw(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    /// The corners of the box, and padding around the text in its border.
    const AROUND: usize = 10;
    let listing = &state.files.listing;
    let is_focused = frame::has_keys(state, Pane::List);
    let mut order = foot::order_and_age(state);
    let mut room = usize::from(area.width).saturating_sub(width(&order) + AROUND);
    if has_two_lists(state) && room < width(state.session.account.name()) {
        // The account matters more than the reason that its list is late.
        room += width(&std::mem::take(&mut order));
    }
    let has_two_accounts = state.mode.other_account().is_some() || state.is_in_background();
    frame::PaneBox {
        title: &foot::title(state, room),
        is_production: has_two_accounts && state.session.account.production,
        note: Line::styled(order, theme.dim),
        foot: foot::counts(state, theme),
        is_focused,
        zoom: frame::zoom(state, Pane::List),
    }
    .draw(frame, area, theme);
    let ListAreas {
        heading,
        rows: body,
        shown,
        len,
        filter,
        columns,
    } = places(area, state);
    if let Some((line, filter)) = filter.zip(listing.list.filter.as_ref()) {
        filter_line::draw(frame, line, filter, theme);
    }
    if state.shows_grid() && !listing.visible().is_empty() {
        grid::draw(frame, &grid::of(area, state), state, theme);
        frame::scrollbar(frame, area, shown, len, theme);
        return;
    }
    let note = listing
        .reading_whole()
        .map(|_| reading_note(state, columns.name))
        .unwrap_or_default();
    frame.render_widget(Line::styled(columns.heading(&note), theme.dim), heading);
    if listing.visible().is_empty() {
        if empty::is_first_read(state) && !state.panes.plain {
            shapes::draw(frame, body, &columns, theme);
        } else {
            let (words, keys) = (empty::words(state, theme), empty::keys(state));
            frame::say_with_keys(frame, body, &words, &keys, theme);
        }
        if is_focused && !listing.list.is_typing() {
            frame.set_cursor_position((body.x.saturating_add(1), body.y));
        }
        return;
    }
    let copies = if listing.has_groups() {
        listing.copies(shown.clone())
    } else {
        Vec::new()
    };
    let names = shown.clone().filter_map(|at| Some((at, listing.at(at)?.1)));
    let names: Vec<_> = names
        .map(
            |(at, row)| match copies.get(at - shown.start).copied().flatten() {
                // The bracket that marks a group is not read aloud.
                Some(copies) if state.panes.plain && !copies.is_first => {
                    format!("same: {}", row::name(row)).into()
                }
                _ => row::name(row),
            },
        )
        .collect();
    let mut names = distinct::cut(&names, columns.name).into_iter();
    for (y, at) in (body.y..).zip(shown.clone()) {
        let line_area = Rect {
            y,
            height: 1,
            ..body
        };
        let Some((slot, row)) = listing.at(at) else {
            frame.render_widget(more(state, theme), line_area);
            continue;
        };
        let is_cursor = at == listing.list.cursor().at();
        let copies = copies.get(at - shown.start).copied().flatten();
        let name = names.next().unwrap_or_default();
        let line = row::line(
            ListedRow {
                slot,
                row,
                copies,
                is_cursor: is_cursor && !state.panes.plain,
            },
            &name,
            &columns,
            state,
            theme,
        );
        frame.render_widget(line, line_area);
        if is_cursor {
            frame::select(
                frame,
                line_area,
                is_focused && !listing.list.is_typing(),
                theme,
            );
        }
    }
    frame::scrollbar(frame, area, shown, len, theme);
}

/// The progress of reading the whole folder, for the heading; only the key that stops it if space
/// is short.
fn reading_note(state: &State, cells: usize) -> String {
    const NAME: usize = 5;
    let stops = format!("{} stops", keys::key(state, Action::Back));
    let note = match state.files.listing.looked_at() {
        Some(count) => format!("  checked {}, {stops}", figures::number(count)),
        None => format!(
            "  reading all: {}, {stops}",
            figures::number(state.files.listing.whole_count())
        ),
    };
    if NAME + width(&note) <= cells {
        note
    } else {
        format!(" reading, {stops}")
    }
}

/// Returns `true` if an extra row tells that more will follow, or the reason it does not.
fn says_more(state: &State) -> bool {
    let listing = &state.files.listing;
    listing.problem().is_some() || listing.stage == ListStage::Partial
}

/// The row below the last loaded one while the folder has not been read to its end.
fn more<'a>(state: &State, theme: &Theme) -> Line<'a> {
    let listing = &state.files.listing;
    if let Some(error) = listing.problem() {
        let again = keys::key(state, Action::Refresh);
        let text = format!(
            "    Loading the rest failed: {}  {again} retries",
            visible(&error.message)
        );
        return Line::styled(text, theme.error);
    }
    if listing.next.is_some() || listing.reading_whole().is_some() {
        return Line::styled("    loading more …", theme.dim);
    }
    let rest = keys::key(state, Action::MoveBottom);
    Line::styled(format!("    {rest} loads the rest"), theme.warn)
}
