//! The actions that hints, help and palette name first in the account's list.

use crate::tui::keymap::Action;
use crate::tui::state::{Pane, Row, State, TREE_COLUMN_FROM, WIDE_FROM};

/// The most used actions, for hints, help and palette.
pub(crate) const USUAL: &[Action] = &[
    Action::Open,
    Action::Leave,
    Action::Filter,
    Action::Find,
    Action::Mark,
    Action::Upload,
    Action::Save,
    Action::LinkAuto,
    Action::LinkPath,
    Action::Delete,
    Action::EditAccess,
    Action::Rename,
    Action::NewFolder,
    Action::ToggleLocal,
    Action::Compare,
    Action::ToggleGrid,
    Action::Palette,
    Action::Quit,
    Action::SortName,
    Action::Import,
    Action::NextPane,
    Action::ToggleTree,
    Action::Cut,
    Action::GoRoot,
    Action::Refresh,
    Action::SaveAs,
    Action::EditText,
    Action::Replace,
    Action::Browse,
    Action::Purge,
];

/// The most used actions while the list is a grid.
pub(crate) const USUAL_IN_GRID: &[Action] = &[
    Action::MoveLeft,
    Action::MoveRight,
    Action::Open,
    Action::Leave,
    Action::ToggleGrid,
    Action::Filter,
    Action::Find,
    Action::Mark,
    Action::Upload,
    Action::Save,
    Action::LinkAuto,
    Action::LinkPath,
    Action::Delete,
    Action::EditAccess,
    Action::Rename,
    Action::NextPane,
    Action::Palette,
    Action::Quit,
    Action::SortName,
    Action::NewFolder,
    Action::Import,
    Action::ToggleTree,
    Action::ToggleLocal,
    Action::Compare,
    Action::GoRoot,
    Action::Refresh,
    Action::Cut,
    Action::SaveAs,
    Action::EditText,
    Action::Replace,
    Action::Browse,
    Action::Purge,
];

const TWO_LISTS: &[Action] = &[
    Action::MakeThereLikeHere,
    Action::MakeHereLikeThere,
    Action::NextPane,
    Action::Compare,
];

const TWO_ACCOUNTS: &[Action] = &[
    Action::Upload,
    Action::Save,
    Action::NextPane,
    Action::Compare,
    Action::MakeThereLikeHere,
    Action::MakeHereLikeThere,
];

/// Returns `true` if opening the details is the only way to preview the file under the cursor.
pub(crate) fn opens_preview(state: &State) -> bool {
    let is_file = state.files.listing.current().is_some_and(Row::is_file);
    state.size.width < TREE_COLUMN_FROM
        && state.focus == Pane::List
        && is_file
        && !state.mode.has_two_lists()
}

/// The actions that the state of the list calls for.
pub(crate) fn called_for(state: &State) -> Vec<Action> {
    let listing = &state.files.listing;
    let is_on_tree = state.focus == Pane::Tree;
    let is_search = listing.of.query().is_some() && !is_on_tree;
    let has_marks = !listing.marks.is_empty();
    let has_duplicates = listing.duplicate_groups() > 0 && !has_marks;
    let is_held = listing.list.filter.is_some()
        || listing.list.has_range()
        || has_marks
        || state.panes.zoomed;
    // Actions for marked rows or found copies take precedence over opening one of them.
    let is_browsing = !has_marks && listing.duplicate_groups() == 0;
    let has_room = state.size.width >= WIDE_FROM && listing.current().is_some();
    let opens = state.focus == Pane::List && (has_room || is_browsing && opens_preview(state));
    let two_lists = if state.mode.other_account().is_some() {
        TWO_ACCOUNTS
    } else {
        TWO_LISTS
    };
    let called_for: [(bool, &[Action]); 9] = [
        (is_held, &[Action::Back]),
        (state.mode.has_two_lists(), two_lists),
        (opens, &[Action::Open]),
        (state.session.cut.is_some(), &[Action::Paste]),
        (state.shows_grid(), &[Action::ToggleGrid]),
        (
            has_marks && !is_on_tree,
            &[Action::Save, Action::Delete, Action::EditAccess],
        ),
        (is_on_tree, &[Action::Open, Action::Leave]),
        (is_search, &[Action::Back, Action::GoFolder]),
        (
            has_duplicates && !is_on_tree,
            &[Action::Mark, Action::Delete],
        ),
    ];
    let called_for = called_for.into_iter().filter(|(is_case, _)| *is_case);
    called_for
        .flat_map(|(_, actions)| actions)
        .copied()
        .collect()
}
