//! The folder tree: as much of it as was opened, the open folder, and folders that are moving.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::pane;
use crate::tui::state::{Children, Node, Pane, State};
use crate::tui::theme::Theme;
use crate::tui::widget::scroll::window;
use crate::tui::widget::text::{left, right, width};

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let is_focused = pane::has_keys(state, Pane::Tree);
    let body = pane::heading(frame, area, "Folders", is_focused, theme);
    let rows = state.desk.tree.rows();
    let cursor = state.desk.tree.cursor_row();
    for (y, row) in (body.y..).zip(window(cursor, rows.len(), usize::from(body.height))) {
        let Some(node) = rows.get(row).and_then(|index| state.desk.tree.nodes.get(*index)) else { continue };
        let line_area = Rect { y, height: 1, ..body };
        let can_open = rows.get(row).is_some_and(|index| state.desk.tree.can_open(*index));
        frame.render_widget(line(node, can_open, usize::from(body.width), state, theme), line_area);
        if row == cursor {
            pane::select(frame, line_area, is_focused, theme);
        }
    }
}

fn line<'a>(node: &'a Node, can_open: bool, cells: usize, state: &State, theme: &Theme) -> Line<'a> {
    let is_here = state.desk.listing.place.id == node.place.id;
    let is_busy = node.target().is_some_and(|target| state.desk.tasks.busy.holds(&target));
    let sign = match node {
        _ if is_busy => '~',
        Node { open: true, .. } if can_open => 'v',
        _ if can_open => '>',
        _ if is_here => '#',
        _ => ' ',
    };
    let remark = match node {
        _ if is_busy => "moving..".to_owned(),
        Node { children: Children::Loading(_), .. } => "loading..".to_owned(),
        Node { children: Children::Failed(_), .. } => "not read!".to_owned(),
        _ if is_here && state.desk.listing.loaded_at.is_some() => {
            format!("{}{}", state.desk.listing.len(), if state.desk.listing.is_whole() { "" } else { "+" })
        }
        _ => String::new(),
    };
    let name_style = match () {
        () if is_busy => theme.busy,
        () if is_here => theme.folder,
        () => theme.text,
    };
    let remark_style = match node {
        Node { children: Children::Failed(_), .. } => theme.error,
        _ => theme.dim,
    };
    // A very deep tree stops moving to the right, or names would have no room.
    let indent = (node.depth * 2).min(cells / 2);
    let lead = format!(" {}{sign} ", " ".repeat(indent));
    let name = if node.place.is_root() { "/ (root)" } else { node.name.as_str() };
    let remark_width = if remark.is_empty() { 0 } else { width(&remark) + 1 };
    let room = cells.saturating_sub(width(&lead) + remark_width + 1);
    Line::from(vec![
        Span::styled(lead, theme.dim),
        Span::styled(left(name, room), name_style),
        Span::styled(right(&remark, remark_width), remark_style),
    ])
}
