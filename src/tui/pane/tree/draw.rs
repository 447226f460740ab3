//! The folder tree: the expanded folders, the open folder, and folders that are being moved.

use std::ops::Range;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use crate::tui::pane::hit_target::ListBox;
use crate::tui::pane::{frame, glyph};
use crate::tui::state::{Children, Node, Pane, State};
use crate::tui::style::symbols;
use crate::tui::style::theme::Theme;
use crate::tui::widget::figures;
use crate::tui::widget::scroll::ListCursor;
use crate::tui::widget::text::{left, right, width};

/// The area of the rows, their range, and the total number.
pub(crate) fn list_box(area: Rect, state: &State) -> ListBox {
    let rows = state.files.tree.rows();
    let (body, shown) = window(area, state.files.tree.cursor_among(&rows), state);
    ListBox {
        of: Pane::Tree,
        area,
        rows: body,
        shown,
        len: rows.len(),
    }
}

fn window(area: Rect, cursor: ListCursor, state: &State) -> (Rect, Range<usize>) {
    let body = frame::inner(area);
    (body, state.window(cursor, usize::from(body.height)))
}

pub(crate) fn draw(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let is_focused = frame::has_keys(state, Pane::Tree);
    let zoom = frame::zoom(state, Pane::Tree);
    frame::PaneBox {
        title: "Folders",
        is_focused,
        zoom,
        ..Default::default()
    }
    .draw(frame, area, theme);
    let rows = state.files.tree.rows();
    let cursor = state.files.tree.cursor_among(&rows);
    let (body, shown) = window(area, cursor, state);
    for (y, row) in (body.y..).zip(shown.clone()) {
        let Some(node) = rows
            .get(row)
            .and_then(|index| state.files.tree.nodes.get(*index))
        else {
            continue;
        };
        let line_area = Rect {
            y,
            height: 1,
            ..body
        };
        let can_open = rows
            .get(row)
            .is_some_and(|index| state.files.tree.can_open(*index));
        frame.render_widget(
            line(node, can_open, usize::from(body.width), state, theme),
            line_area,
        );
        if row == cursor.at() {
            frame::select(frame, line_area, is_focused, theme);
        }
    }
    frame::scrollbar(frame, area, shown, rows.len(), theme);
}

fn line<'a>(
    node: &'a Node,
    can_open: bool,
    cells: usize,
    state: &State,
    theme: &Theme,
) -> Line<'a> {
    let is_here = state.files.listing.of.is_folder(node.place.id.as_ref());
    let is_busy = node
        .target()
        .is_some_and(|target| state.session.tasks.busy.holds(&target));
    let (sign, sign_style) = match node {
        _ if is_busy => (glyph::spinner(state.now), theme.busy),
        Node { open: true, .. } if can_open => (symbols::OPENED, theme.dim),
        _ if can_open => (symbols::CLOSED, theme.dim),
        _ => (" ", theme.dim),
    };
    let (remark, remark_style) = match node {
        _ if is_busy => ("moving".to_owned(), theme.busy),
        Node {
            children: Children::Loading(_),
            ..
        } => (symbols::WAITS.to_owned(), theme.dim),
        Node {
            children: Children::Failed(_),
            ..
        } => ("not read".to_owned(), theme.warn),
        _ => (count(node, is_here, state).unwrap_or_default(), theme.dim),
    };
    let name_style = match () {
        () if is_busy => theme.busy,
        () if is_here => theme.folder.add_modifier(Modifier::BOLD),
        () => theme.folder,
    };
    // The root is level with its content. A very deep tree stops indenting, to leave space for
    // names.
    let depth = node.depth.saturating_sub(1).min(cells / 4);
    let guides = format!("{} ", symbols::GUIDE).repeat(depth);
    let name = if node.place.is_root() {
        "/"
    } else {
        node.name.as_str()
    };
    let remark_width = if remark.is_empty() {
        0
    } else {
        width(&remark) + 1
    };
    let room = cells.saturating_sub(1 + 2 * depth + 2 + remark_width + 1);
    Line::from(vec![
        Span::styled(format!(" {guides}"), theme.faint),
        Span::styled(format!("{sign} "), sign_style),
        Span::styled(left(name, room), name_style),
        Span::styled(right(&remark, remark_width), remark_style),
    ])
}

/// The number of entries in the folder, as far as it has been read.
fn count(node: &Node, is_here: bool, state: &State) -> Option<String> {
    let listing = &state.files.listing;
    let (seen, is_all) = if is_here && listing.loaded_at.is_some() {
        (listing.len(), listing.is_whole())
    } else {
        let count = state.session.folder_totals.of(node.place.id.as_ref())?;
        (count.seen, count.is_all)
    };
    Some(format!(
        "{}{}",
        figures::number(seen),
        if is_all { "" } else { "+" }
    ))
}
