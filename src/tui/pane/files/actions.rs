//! The actions of the account's panes: the tree, the list and the details.

use super::{browse, delete, edit, favorites, filter, find, gallery, mark, rename, transfer, undo};
use crate::api::text::visible;
use crate::tui::denied_actions::Capability;
use crate::tui::keymap::Action;
use crate::tui::pane::action_row::{ActionRow, Availability, key};
use crate::tui::pane::other_account;
use crate::tui::state::{Pane, PictureSupport, State};

pub(crate) fn row(action: Action) -> Option<ActionRow> {
    Some(match action {
        Action::Open => ActionRow::run(browse::open),
        Action::Leave => ActionRow::run(browse::leave),
        Action::HistoryBack => ActionRow::run(browse::history_back),
        Action::HistoryForward => ActionRow::run(browse::history_forward),
        Action::GoRoot => ActionRow::run(|state| browse::locate(state, "/")),
        Action::GoPath => ActionRow::run(browse::ask_path),
        Action::GoId => ActionRow::run(browse::ask_id),
        Action::GoFolder => ActionRow::run(find::go_to_folder),
        Action::SetBookmark => ActionRow::run(favorites::ask_bookmark),
        Action::Bookmarks => ActionRow::run(favorites::ask_jump),
        Action::SaveSearch => ActionRow::run(favorites::ask_name),
        Action::SavedViews => ActionRow::run(favorites::ask_view),
        Action::FindPublic
        | Action::FindUnlisted
        | Action::FindPrivate
        | Action::FindExpiring
        | Action::FindLarge
        | Action::FindRecent
        | Action::FindDuplicates => ActionRow::run_with(find::view),
        Action::Filter => ActionRow::run(|state| filter::open(state, Pane::List)),
        Action::SortName
        | Action::SortSize
        | Action::SortKind
        | Action::SortCreated
        | Action::SortUpdated
        | Action::SortExpires
        | Action::SortAccess
        | Action::SortReverse => ActionRow::run_with(mark::sort),
        Action::ToggleGrid => ActionRow::run(gallery::toggle).when(has_pictures),
        Action::Upload => ActionRow::run(transfer::upload)
            .writes_there()
            .when(can_upload),
        Action::Import => ActionRow::run(|state| transfer::ask_import(state, ""))
            .writes()
            .when(into_folder),
        Action::NewFolder => ActionRow::run(edit::ask_new_folder)
            .writes()
            .when(into_folder),
        Action::Paste => ActionRow::run(edit::paste).writes().when(has_cut),
        Action::Undo => ActionRow::run(undo::undo).writes().when(can_undo),
        Action::Rename => ActionRow::run(rename::ask).writes().on_rows(has_rows),
        Action::Cut => ActionRow::run(edit::cut).writes().on_rows(has_rows),
        Action::Delete => ActionRow::run(|state| delete::ask_chosen(state, false))
            .needs(Capability::Delete)
            .on_rows(has_rows),
        _ => return None,
    })
}

/// Requires something to work on: a folder of the tree that can be changed, or rows.
pub(crate) fn has_rows(state: &State, _: Action) -> Availability {
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
pub(crate) fn into_folder(state: &State, _: Action) -> Availability {
    let sentence = || {
        let key = key(state, Action::GoFolder);
        format!("This is a search: {key} opens the folder of the row.")
    };
    let is_search = state.destination().is_none();
    Availability::unless(is_search, "in folders only", sentence())
}

fn can_upload(state: &State, action: Action) -> Availability {
    if state.mode.other_account().is_some() {
        other_account::can_copy(state, action)
    } else {
        into_folder(state, action)
    }
}

fn has_cut(state: &State, action: Action) -> Availability {
    let other = state.other_account().map(|other| &other.session);
    let sentence = match other.filter(|session| session.cut.is_some()) {
        Some(session) => {
            let name = visible(session.account.name());
            format!("The cut files stay in {name}: to another account, files can only be copied.")
        }
        None => "Nothing to move: cut files first.".to_owned(),
    };
    Availability::unless(state.session.cut.is_none(), "nothing cut", sentence)
        .and(|| into_folder(state, action))
}

fn can_undo(state: &State, _: Action) -> Availability {
    let deletions = key(state, Action::Deletions);
    Availability::unless(
        state.session.undo.last().is_none(),
        "nothing to undo",
        format!(
            "No rename, move or access change to undo this session; {deletions} lists deletions."
        ),
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
