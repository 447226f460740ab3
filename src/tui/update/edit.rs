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

use super::{submit, undo};

/// The folder that receives new items: the one under the tree's cursor if the tree has the focus,
/// else the open one. A hint says why if there is none.
pub(super) fn destination(state: &mut State) -> Option<FolderRef> {
    let place = match (state.focus, state.files.tree.selected()) {
        (Pane::Tree, Some(node)) => Some(node.place.clone()),
        _ => state.files.listing.of.folder().cloned(),
    };
    if place.is_none() {
        let key = state
            .keymap
            .key_of(state.context(), Action::GoFolder)
            .unwrap_or_default();
        state.say(
            MessageLevel::Hint,
            format!("This is a search: {key} opens the folder of the row."),
        );
    }
    place
}

/// The items that an action works on: the folder under the tree's cursor, the marked rows, or the
/// row under the cursor. A hint says why if there are none.
pub(super) fn chosen(state: &mut State) -> Vec<Item> {
    if state.focus == Pane::Tree {
        let node = state
            .files
            .tree
            .selected()
            .and_then(|node| folder(&node.place));
        if let Some(item) = node.filter(|item| !state.session.tasks.busy.holds(&item.target)) {
            return vec![item];
        }
        state.say(
            MessageLevel::Hint,
            "This is not possible for the root folder, or for a folder that is being changed.",
        );
        return Vec::new();
    }
    let inside = state.files.listing.of.base().clone();
    chosen_rows(state)
        .iter()
        .map(|row| row.item(&inside))
        .collect()
}

/// Like `chosen`, for the list alone and with everything known of each row.
pub(super) fn chosen_rows(state: &mut State) -> Vec<Row> {
    let busy = &state.session.tasks.busy;
    let rows = state
        .files
        .listing
        .chosen()
        .into_iter()
        .filter(|row| !busy.holds(&row.target));
    let rows: Vec<Row> = rows.cloned().collect();
    if rows.is_empty() {
        let is_busy = state.files.listing.current().is_some();
        state.say(
            MessageLevel::Hint,
            if is_busy {
                "It is being changed; wait until that is done."
            } else {
                "There is nothing here."
            },
        );
    }
    rows
}

/// The files among rows of the list, with everything known of them.
pub(super) fn files(state: &State, rows: &[Row]) -> Vec<File> {
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

/// The folder as an item; `None` for the root.
fn folder(place: &FolderRef) -> Option<Item> {
    let target = Target::Folder(place.id.clone()?);
    Some(Item {
        target,
        name: last_part(&place.path).to_owned(),
        path: place.path.clone(),
        size: None,
    })
}

pub(super) fn ask_new_folder(state: &mut State) {
    let Some(parent) = destination(state) else {
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

pub(super) fn ask_access(state: &mut State) {
    let rows = chosen_rows(state);
    let files = files(state, &rows);
    if !files.is_empty() {
        let folders = rows.len() - files.len();
        state.dialogs.push(Dialog::Access(dialog::Access::new(
            files,
            folders,
            state.service_now(),
            &state.zone,
        )));
    } else if !rows.is_empty() {
        state.say(
            MessageLevel::Hint,
            "Folders have no access level, only files have.",
        );
    }
}

pub(super) fn cut(state: &mut State) {
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
        format!("Cut {what}: {key} in another folder moves it there; esc cancels."),
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
pub(super) fn paste(state: &mut State) {
    let Some(to) = destination(state) else { return };
    let Some(cut) = state.session.cut.take() else {
        return state.say(MessageLevel::Hint, "Nothing to move: cut files first.");
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

pub(super) fn ask_replace(state: &mut State) {
    if state.focus == Pane::Tree {
        state.say(MessageLevel::Hint, "Only files can be replaced.");
        return;
    }
    let rows = chosen_rows(state);
    match (rows.as_slice(), files(state, &rows).as_slice()) {
        ([], _) => {}
        ([_], [file]) => {
            let dialog = ReplaceDialog::new(file, state.local.clone());
            state.dialogs.push(Dialog::Replace(dialog));
        }
        ([_], _) => state.say(MessageLevel::Hint, "Only files can be replaced."),
        _ => state.say(
            MessageLevel::Hint,
            "One file at a time: clear the marks with esc.",
        ),
    }
}
