//! Moves the cursor of a list by rows, lines of a grid and pages.

use crate::tui::keymap::Action;
use crate::tui::widget::scroll::ListCursor;

/// Moves the cursor in a list of lines of `across` rows, of which `height` are visible.
pub(crate) fn walk(cursor: &mut ListCursor, action: Action, across: usize, height: usize) {
    let to = stepped_across(action, *cursor, across, height);
    cursor.walk_to(to, across, height);
}

pub(crate) fn stepped(action: Action, at: usize, len: usize, page: usize) -> usize {
    let target = match action {
        Action::MoveDown => at.saturating_add(1),
        Action::MoveUp => at.saturating_sub(1),
        Action::MoveTop => 0,
        Action::MoveBottom => usize::MAX,
        Action::HalfPageDown => at.saturating_add((page / 2).max(1)),
        Action::HalfPageUp => at.saturating_sub((page / 2).max(1)),
        Action::PageDown => at.saturating_add(page),
        Action::PageUp => at.saturating_sub(page),
        _ => at,
    };
    target.min(len.saturating_sub(1))
}

/// Like `stepped`, for a list in lines of `across` rows: up and down move by lines, and keep the
/// column as far as the last line has it.
fn stepped_across(action: Action, cursor: ListCursor, across: usize, page: usize) -> usize {
    let (at, line) = (cursor.at(), cursor.in_lines(across));
    match action {
        Action::MoveLeft => at.saturating_sub(1),
        Action::MoveRight => at.saturating_add(1),
        Action::MoveTop | Action::MoveBottom => stepped(action, at, cursor.count(), page),
        _ => {
            let to = stepped(action, line.at(), line.count(), page);
            (at + to * across).saturating_sub(line.at() * across)
        }
    }
}
