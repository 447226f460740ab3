//! The actions of the account's panes: the tree, the list and the details.

use crate::tui::denied_actions::Capability;
use crate::tui::keymap::Action;
use crate::tui::pane::rule::{Availability, Rule, key};
use crate::tui::state::{Pane, PictureSupport, State};

pub(in crate::tui) fn rule(action: Action) -> Option<Rule> {
    let writes = |row: Rule| row.needs(Capability::Write);
    Some(match action {
        Action::Open
        | Action::Leave
        | Action::HistoryBack
        | Action::HistoryForward
        | Action::GoRoot
        | Action::GoPath
        | Action::GoId
        | Action::GoFolder
        | Action::SetBookmark
        | Action::Bookmarks
        | Action::SaveSearch
        | Action::SavedViews
        | Action::FindPublic
        | Action::FindUnlisted
        | Action::FindPrivate
        | Action::FindExpiring
        | Action::FindLarge
        | Action::FindRecent
        | Action::FindDuplicates
        | Action::Filter
        | Action::SortName
        | Action::SortSize
        | Action::SortKind
        | Action::SortCreated
        | Action::SortUpdated
        | Action::SortExpires
        | Action::SortAccess
        | Action::SortReverse => Rule::new(),
        Action::ToggleGrid => Rule::new().when(has_pictures),
        Action::Upload | Action::Import | Action::NewFolder => {
            writes(Rule::new()).when(into_folder)
        }
        Action::Paste => writes(Rule::new()).when(has_cut),
        Action::Undo => writes(Rule::new()).when(can_undo),
        Action::Rename | Action::Cut => writes(Rule::new()).on_rows(has_rows),
        Action::Delete => Rule::new().needs(Capability::Delete).on_rows(has_rows),
        _ => return None,
    })
}

/// Requires something to work on: a folder of the tree that can be changed, or rows.
pub(in crate::tui) fn has_rows(state: &State, _: Action) -> Availability {
    let busy = &state.session.tasks.busy;
    if state.focus == Pane::Tree {
        let folder = state.folder_in_tree();
        return Availability::unless(
            folder.is_none_or(|item| busy.holds(&item.target)),
            "",
            "This is not possible for the root folder, or for a folder that is being changed.",
        );
    }
    let listing = &state.files.listing;
    if !listing.marks.is_empty() {
        return Availability::Yes;
    }
    let row = listing.current();
    let is_busy = row.is_some_and(|row| busy.holds(&row.target));
    Availability::unless(row.is_none(), "", "There is nothing here.")
        .and(|| Availability::unless(is_busy, "", "It is being changed; wait until that is done."))
}

/// Requires a folder that can receive new items.
pub(in crate::tui) fn into_folder(state: &State, _: Action) -> Availability {
    let sentence = || {
        let key = key(state, Action::GoFolder);
        format!("This is a search: {key} opens the folder of the row.")
    };
    let is_search = state.destination().is_none();
    Availability::unless(is_search, "in folders only", sentence())
}

fn has_cut(state: &State, action: Action) -> Availability {
    Availability::unless(
        state.session.cut.is_none(),
        "nothing cut",
        "Nothing to move: cut files first.",
    )
    .and(|| into_folder(state, action))
}

fn can_undo(state: &State, _: Action) -> Availability {
    Availability::unless(
        state.session.undo.last().is_none(),
        "nothing to undo",
        "Nothing to undo: only renames, moves and access changes.",
    )
}

fn has_pictures(state: &State, _: Action) -> Availability {
    let has_none = state.picture_support == PictureSupport::None;
    let sentence = if state.panes.plain {
        "There is no grid on a screen that is read aloud.".to_owned()
    } else {
        format!(
            "{}: a grid would be empty.",
            state.settings.why_no_pictures()
        )
    };
    Availability::unless(state.panes.plain || has_none, "no pictures", sentence)
}
