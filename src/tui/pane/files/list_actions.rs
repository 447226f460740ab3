//! The actions on rows of the account's list, in the list and in the details.

use super::actions::has_rows;
use super::{delete, edit, edit_text, find, link, mark, transfer};
use crate::tui::denied_actions::Capability;
use crate::tui::keymap::Action;
use crate::tui::pane::action_row::{ActionRow, Availability};
use crate::tui::pane::other_account;
use crate::tui::state::{Row, State};

pub(crate) fn row(action: Action) -> Option<ActionRow> {
    Some(match action {
        Action::Mark => ActionRow::run(|state| state.files.listing.toggle_mark()).when(has_row),
        Action::MarkRange => ActionRow::run(|state| state.files.listing.toggle_range()),
        Action::MarkAll => ActionRow::run(mark::all),
        Action::MarkInvert => ActionRow::run(mark::invert),
        Action::Save => ActionRow::run(transfer::save)
            .writes_there()
            .on_rows(can_save),
        Action::SaveAs => ActionRow::run(transfer::ask_save_as).on_rows(has_rows),
        Action::LinkPath | Action::LinkId | Action::LinkName | Action::LinkCurl => {
            ActionRow::run_with(link::copy).on_rows(has_rows)
        }
        Action::Replace => ActionRow::run(edit::ask_replace)
            .writes()
            .on_rows(is_one_file),
        Action::EditText => ActionRow::run(edit_text::start)
            .writes()
            .on_rows(is_one_file),
        Action::EditAccess => ActionRow::run(edit::ask_access).writes().on_rows(has_files),
        Action::Purge => ActionRow::run(|state| delete::ask_chosen(state, true))
            .needs(Capability::Delete)
            .on_rows(are_files),
        Action::LinkAuto
        | Action::LinkUrl
        | Action::LinkMarkdown
        | Action::LinkHtml
        | Action::LinkSigned
        | Action::LinkSignedFor
        | Action::LinkJson => ActionRow::run_with(link::copy).on_rows(are_files),
        Action::Browse => ActionRow::run_with(link::copy).on_rows(is_one_file),
        Action::FileDuplicates => ActionRow::run(find::duplicates_of_file).on_rows(is_on_file),
        _ => return None,
    })
}

/// The actions of the list alone while it is a grid.
pub(crate) fn of_grid(action: Action) -> Option<ActionRow> {
    matches!(action, Action::MoveLeft | Action::MoveRight).then(ActionRow::of_screen)
}

fn can_save(state: &State, action: Action) -> Availability {
    if state.mode.other_account().is_some() {
        other_account::can_copy(state, action)
    } else {
        has_rows(state, action)
    }
}

fn has_row(state: &State, _: Action) -> Availability {
    let is_empty = state.files.listing.current().is_none();
    Availability::unless(is_empty, "", "There is nothing here.")
}

/// Requires a file among the rows.
fn has_files(state: &State, action: Action) -> Availability {
    let listing = &state.files.listing;
    let marks = &listing.marks;
    let has_none = listing.is_on_folder() || !marks.is_empty() && marks.len() == marks.folders();
    has_rows(state, action).and(|| {
        let sentence = for_files(state, action);
        Availability::unless(has_none, "for files only", sentence)
    })
}

/// Requires rows that are all files.
fn are_files(state: &State, action: Action) -> Availability {
    has_files(state, action).and(|| {
        let has_folders = state.files.listing.marks.folders() > 0;
        Availability::unless(has_folders, "for files only", for_files(state, action))
    })
}

fn is_one_file(state: &State, action: Action) -> Availability {
    let sentence = if action == Action::Browse {
        "The browser opens one file at a time: clear the marks with esc."
    } else {
        "One file at a time: clear the marks with esc."
    };
    are_files(state, action).and(|| {
        let has_several = state.files.listing.marks.len() > 1;
        Availability::unless(has_several, "for one file only", sentence)
    })
}

/// Requires a file under the cursor.
fn is_on_file(state: &State, action: Action) -> Availability {
    let row = state.files.listing.current();
    let sentence = for_files(state, action);
    Availability::unless(!row.is_some_and(Row::is_file), "for files only", sentence)
}

fn for_files(state: &State, action: Action) -> String {
    let next = |action, does: &str| {
        let key = state.keymap.key_of(state.context(), action);
        key.map(|key| format!(" {key} {does}.")).unwrap_or_default()
    };
    match action {
        Action::EditAccess => "Folders have no access level, only files have.".to_owned(),
        Action::Replace => "Only files can be replaced.".to_owned(),
        Action::EditText => "Only files can be edited.".to_owned(),
        Action::FileDuplicates => "Only files have duplicates: move to a file first.".to_owned(),
        Action::Purge => format!(
            "Only files can be deleted permanently.{}",
            next(Action::Delete, "deletes a folder")
        ),
        _ => format!(
            "Folders have no link.{}",
            next(Action::LinkPath, "copies the path")
        ),
    }
}
