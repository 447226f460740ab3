//! Opens the dialogs for new folders, access and replacement; cuts and pastes.

use crate::api::model::File;
use crate::api::paths::join;
use crate::engine::Job;
use crate::engine::item::{Item, what};
use crate::engine::message::{Entry, FolderRef, Target};
use crate::tui::dialog::{self, Dialog, Prompt, ReplaceDialog};
use crate::tui::keymap::Action;
use crate::tui::state::{
    Cut, CutOrigin, FilesPane, MessageLevel, Pane, Row, State, last_part, parent_path,
};

use super::undo;
use crate::tui::pane::submit;

/// The items that an action works on: the folder under the tree's cursor, the marked rows, or the
/// row under the cursor. A hint says so if all of them are being changed.
pub(crate) fn chosen(state: &mut State) -> Vec<Item> {
    if state.focus == Pane::Tree {
        return state.folder_in_tree().into_iter().collect();
    }
    let inside = state.files.listing.of.base().clone();
    chosen_rows(state)
        .iter()
        .map(|row| row.item(&inside))
        .collect()
}

/// Like `chosen`, for the list alone and with everything known of each row.
pub(crate) fn chosen_rows(state: &mut State) -> Vec<Row> {
    let busy = &state.session.tasks.busy;
    let rows = state
        .files
        .listing
        .chosen()
        .into_iter()
        .filter(|row| !busy.holds(&row.target));
    let rows: Vec<Row> = rows.cloned().collect();
    if rows.is_empty() {
        state.say(
            MessageLevel::Hint,
            "They are being changed; wait until that is done.",
        );
    }
    rows
}

/// The files among rows of the list, with everything known of them.
pub(crate) fn files(state: &State, rows: &[Row]) -> Vec<File> {
    let entries = rows.iter().map(|row| state.files.listing.entry(row));
    entries
        .filter_map(|entry| {
            if let Entry::File(file) = entry {
                Some(file)
            } else {
                None
            }
        })
        .collect()
}

pub(crate) fn ask_new_folder(state: &mut State) {
    let Some(parent) = state.destination() else {
        return;
    };
    let listing = &state.files.listing;
    let listed = listing
        .rows
        .iter()
        .filter(|(_, row)| !row.is_file())
        .map(|(_, row)| row.path(listing.of.base()));
    let taken = listed
        .chain(state.session.folder_names.paths().map(str::to_owned))
        .collect();
    state
        .dialogs
        .push(Dialog::Prompt(Prompt::new_folder(parent, taken)));
}

pub(crate) fn ask_access(state: &mut State) {
    let rows = chosen_rows(state);
    let files = files(state, &rows);
    if files.is_empty() {
        return;
    }
    let folders = rows.len() - files.len();
    state.dialogs.push(Dialog::Access(dialog::Access::new(
        files,
        folders,
        state.service_now(),
        &state.zone,
    )));
}

pub(crate) fn cut(state: &mut State) {
    let items = chosen(state);
    if items.is_empty() {
        return;
    }
    let what = what(&items);
    let cut = Cut::new(items.into_iter().map(|item| {
        let from = origin(state, &item);
        (item, from)
    }));
    state.session.cut = Some(cut);
    state.files.listing.clear_marks();
    let key = state
        .keymap
        .key_of(state.context(), Action::Paste)
        .unwrap_or_default();
    state.say(
        MessageLevel::Hint,
        format!("Cut {what}: {key} moves it into another folder; esc cancels."),
    );
}

fn origin(state: &State, item: &Item) -> CutOrigin {
    let FilesPane { tree, listing, .. } = &state.files;
    if let Some(row) = listing
        .row(&item.target)
        .filter(|_| state.focus != Pane::Tree)
    {
        return CutOrigin {
            folder: row.parent(listing.of.base()),
            updated: row.updated(),
        };
    }
    let path = parent_path(&item.path).unwrap_or_else(|| "/".to_owned());
    let node = tree.nodes.iter().find(|node| node.place.path == path);
    CutOrigin {
        folder: node.map_or(FolderRef { id: None, path }, |node| node.place.clone()),
        updated: None,
    }
}

/// Moves the cut items: files in place, folders by tasks of the service.
pub(crate) fn paste(state: &mut State) {
    let Some(to) = state.destination() else {
        return;
    };
    let Some(cut) = state.session.cut.take() else {
        return;
    };
    let is_inside = |item: &Item| {
        let above = to.path.strip_prefix(&item.path);
        above.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let is_folder = |item: &&Item| matches!(item.target, Target::Folder(_));
    let refusal = if cut
        .items
        .iter()
        .all(|item| item.path == join(&to.path, last_part(&item.path)))
    {
        Some("It is already in this folder.")
    } else if cut.items.iter().filter(is_folder).any(is_inside) {
        Some("A folder cannot be moved into itself.")
    } else {
        None
    };
    if let Some(refusal) = refusal {
        state.session.cut = Some(cut);
        return state.say(MessageLevel::Warn, refusal);
    }
    let jobs = cut.items.into_iter().map(|item| match item.target {
        Target::Folder(folder) => Job::UpdateFolder {
            folder,
            from: item.path,
            name: None,
            parent: Some(to.clone()),
            seen: None,
        },
        Target::File(_) => Job::Move {
            file: item,
            into: to.clone(),
            seen: None,
        },
    });
    let jobs: Vec<Job> = jobs.collect();
    let reverse = undo::reverse_moves(&jobs, &cut.origins);
    submit::by_road(state, jobs, reverse);
}

pub(crate) fn ask_replace(state: &mut State) {
    let rows = chosen_rows(state);
    if let [file] = files(state, &rows).as_slice() {
        let dialog = ReplaceDialog::new(file, state.local.clone());
        state.dialogs.push(Dialog::Replace(dialog));
    }
}
