//! The list as a grid of pictures. Draws only the visible cells.

use std::ops::Range;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use super::row::{self, ListedRow};
use crate::engine::preview::{Picture, Preview, PreviewKind};
use crate::tui::areas::areas;
use crate::tui::areas::grid::{Grid, GridCell};
use crate::tui::pane::{frame, glyph};
use crate::tui::state::{Pane, PreviewKey, PreviewState, Row, State};
use crate::tui::style::symbols;
use crate::tui::style::theme::Theme;
use crate::tui::widget::picture;
use crate::tui::widget::text::{left, truncate_middle, width};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shown {
    /// The indices of the visible rows.
    pub items: Range<usize>,
    pub across: usize,
}

/// The visible part of the grid; `None` without a grid.
pub(crate) fn shown(state: &State) -> Option<Shown> {
    let grid = grid(state)?;
    Some(Shown {
        items: items(&grid, state),
        across: grid.across,
    })
}

/// The layout of the grid on the screen; `None` without a grid.
pub(crate) fn grid(state: &State) -> Option<Grid> {
    let list = areas(state.size, state)?
        .list
        .filter(|_| state.shows_grid())?;
    Some(of(list, state))
}

/// Returns `true` if the grid shows a picture for a row.
pub(crate) fn is_picture(row: &Row) -> bool {
    let kind = PreviewKind::of(row.extension(), row.kind.as_ref());
    row.is_file() && kind == PreviewKind::Picture && row.size != Some(0)
}

pub(crate) fn of(list: Rect, state: &State) -> Grid {
    let mut area = frame::inner(list);
    area.height = area
        .height
        .saturating_sub(u16::from(state.files.listing.list.filter.is_some()));
    Grid::of(area)
}

pub(crate) fn items(grid: &Grid, state: &State) -> Range<usize> {
    let listing = &state.files.listing;
    let cursor = listing.list.cursor();
    grid.items(
        cursor.in_lines(grid.across).window(grid.lines),
        cursor.count(),
    )
}

/// The pictures that have arrived, and their areas.
pub(crate) fn pictures(list: Rect, state: &State) -> Vec<(PreviewKey, &Picture, Rect)> {
    let grid = of(list, state);
    let cells = items(&grid, state).enumerate();
    let rows = cells
        .filter_map(|(at, item)| Some((grid.cell(at).picture, state.files.listing.at(item)?.1)));
    rows.filter_map(|(area, row)| {
        let (key, seen) = seen(row, state)?;
        Some((key, seen, placed(seen, area, state)))
    })
    .collect()
}

fn seen<'a>(row: &Row, state: &'a State) -> Option<(PreviewKey, &'a Picture)> {
    let key = PreviewKey::grid(row);
    match state.files.previews.of(&key)? {
        PreviewState::Seen(Preview::Picture(seen)) => Some((key, seen)),
        _ => None,
    }
}

fn placed(seen: &Picture, cell: Rect, state: &State) -> Rect {
    let area = picture::fit(seen, cell, state.picture_support.cell());
    Rect {
        y: area.y + (cell.height - area.height) / 2,
        ..area
    }
}

pub(crate) fn draw(frame: &mut Frame<'_>, grid: &Grid, state: &State, theme: &Theme) {
    let listing = &state.files.listing;
    for (at, item) in items(grid, state).enumerate() {
        let Some((slot, row)) = listing.at(item) else {
            continue;
        };
        draw_cell(
            frame,
            grid.cell(at),
            ListedRow {
                slot,
                row,
                copies: None,
                is_cursor: item == listing.list.cursor().at(),
            },
            state,
            theme,
        );
    }
}

fn draw_cell(
    frame: &mut Frame<'_>,
    cell: GridCell,
    listed: ListedRow<'_>,
    state: &State,
    theme: &Theme,
) {
    let ListedRow {
        slot,
        row,
        is_cursor,
        ..
    } = listed;
    if is_cursor {
        let is_focused =
            frame::has_keys(state, Pane::List) && !state.files.listing.list.is_typing();
        for y in (cell.all.top()..cell.all.bottom()).rev() {
            frame::select(
                frame,
                Rect {
                    y,
                    height: 1,
                    ..cell.all
                },
                is_focused,
                theme,
            );
        }
    }
    match seen(row, state) {
        Some((_, seen)) => {
            picture::draw(
                seen,
                placed(seen, cell.picture, state),
                state.picture_support.mosaic(),
                theme,
                frame.buffer_mut(),
            );
        }
        None => draw_kind(frame, cell.picture, listed, state, theme),
    }
    let is_marked = state.files.listing.list.is_marked(&slot);
    let is_busy = state.session.tasks.busy.holds(&row.target);
    let is_cut = state
        .session
        .cut
        .as_ref()
        .is_some_and(|cut| cut.holds(&row.target));
    let (sign, style) = match () {
        () if is_busy => (Some(glyph::of(row, state.now, true, theme).0), theme.dim),
        () if is_marked => (Some(symbols::MARKED), theme.marked),
        () if is_cut => (Some(symbols::MOVE), theme.cut),
        () if row.is_file() => (None, theme.text),
        () => (None, theme.folder),
    };
    let style = if is_cursor {
        style.add_modifier(Modifier::BOLD)
    } else {
        style
    };
    let sign = sign.map(|sign| format!("{sign} ")).unwrap_or_default();
    let cells = usize::from(cell.name.width);
    let name = row::name(row);
    let name = truncate_middle(&name, cells.saturating_sub(width(&sign)));
    frame.render_widget(Line::styled(format!("{sign}{name}"), style), cell.name);
    let [(access, access_style), (size, size_style)] = row::access_and_size(row, state, theme);
    let room = cells.saturating_sub(width(&size));
    let access = if width(&access) < room || size.is_empty() {
        left(&access, room)
    } else {
        " ".repeat(room)
    };
    frame.render_widget(
        Line::from(vec![
            Span::styled(access, access_style),
            Span::styled(size, size_style),
        ]),
        cell.facts,
    );
}

/// A placeholder while the picture is being loaded, or the kind of the row if it has none.
fn draw_kind(
    frame: &mut Frame<'_>,
    area: Rect,
    listed: ListedRow<'_>,
    state: &State,
    theme: &Theme,
) {
    let row = listed.row;
    let is_to_come = is_picture(row) && state.files.previews.of(&PreviewKey::grid(row)).is_none();
    // On the cursor's background another background is hardly visible.
    if is_to_come || !listed.is_cursor {
        frame.buffer_mut().set_style(area, theme.track);
    }
    let (glyph, style) = glyph::of(row, state.now, false, theme);
    let words = match () {
        () if is_to_come => String::new(),
        () if !row.is_file() => format!("{glyph} folder"),
        () if is_picture(row) => "no preview".to_owned(),
        () => format!("{glyph} {}", row::kind(row)),
    };
    let middle = Rect {
        y: area.y + area.height / 2,
        height: 1.min(area.height),
        ..area
    };
    frame.render_widget(Line::styled(words, style).centered(), middle);
}
