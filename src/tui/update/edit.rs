//! Asks before changes: opens the dialogs for new folders, names, access and deletion; cuts and pastes.

use crate::api::ids::FolderId;
use crate::api::model::FileUpdate;
use crate::api::text::visible;
use crate::engine::Request;
use crate::engine::message::{Entry, Place, Target};
use crate::tui::dialog::{self, Confirm, Dialog, Intent, Prompt};
use crate::tui::message::Effect;
use crate::tui::state::{Cut, Level, Pane, Row, State, TaskKind, join, last_part};
use crate::tui::widget::figures;

use super::submit;

/// The folder that things are put into: the one under the tree's cursor if the tree has the focus, else the open one.
pub(super) fn destination(state: &State) -> Place {
    match (state.focus, state.tree.selected()) {
        (Pane::Tree, Some(node)) => node.place.clone(),
        _ => state.listing.place.clone(),
    }
}

/// What an action works on: the folder under the tree's cursor, or the marked rows, or the row under the cursor.
/// Says why when there is nothing.
pub(super) fn chosen(state: &mut State) -> Vec<Row> {
    if state.focus != Pane::Tree {
        let (unread, marked) = (state.listing.unread_marks(), state.listing.marks.len());
        if unread > 0 {
            // Working on the others alone would look like all of them.
            let text =
                format!("{unread} of the {marked} marked items are not read yet; wait, or clear the marks with esc.");
            state.say(Level::Warn, text);
            return Vec::new();
        }
        let rows: Vec<Row> = state.listing.chosen().into_iter().cloned().collect();
        if rows.is_empty() {
            let is_busy = state.listing.current().is_some();
            state.say(
                Level::Info,
                if is_busy { "It is being worked on; wait until that is done." } else { "There is nothing here." },
            );
        }
        return rows;
    }
    let node = state.tree.selected().filter(|node| node.moving.is_none()).map(|node| node.place.clone());
    if let Some((id, place)) = node.and_then(|place| Some((place.id.clone()?, place))) {
        return vec![folder_row(id, &place.path)];
    }
    state.say(Level::Info, "Not for the root folder, nor for a folder that is being worked on.");
    Vec::new()
}

fn folder_row(id: FolderId, path: &str) -> Row {
    Row::new(Entry::Folder(crate::api::model::Folder {
        id,
        created_at: None,
        updated_at: None,
        archived_at: None,
        archived: false,
        parent_folder_id: None,
        name: Some(last_part(path).to_owned()),
        path: Some(path.to_owned()),
        extra: serde_json::Map::new(),
    }))
}

pub(super) fn ask_new_folder(state: &mut State) {
    let parent = destination(state);
    state.dialogs.push(Dialog::Prompt(Prompt::new_folder(parent)));
}

pub(super) fn ask_rename(state: &mut State) {
    let rows = chosen(state);
    match rows.as_slice() {
        [] => {}
        [row] => {
            let path = row.path(&state.listing.place);
            state.dialogs.push(Dialog::Prompt(match &row.entry {
                Entry::File(file) => Prompt::rename_file(file),
                Entry::Folder(folder) => Prompt::rename_folder(folder.id.clone(), path, folder.full_name()),
            }));
        }
        _ => state.say(Level::Info, "One name at a time: clear the marks with esc."),
    }
}

pub(super) fn ask_access(state: &mut State) {
    let rows = chosen(state);
    let files: Vec<_> = rows.iter().filter_map(Row::file).cloned().collect();
    if !files.is_empty() {
        state.dialogs.push(Dialog::Access(dialog::Access::new(files)));
    } else if !rows.is_empty() {
        state.say(Level::Info, "Folders have no access level; open the folder and choose files.");
    }
}

pub(super) fn cut(state: &mut State) {
    let rows = chosen(state);
    if rows.is_empty() {
        return;
    }
    let what = what(&rows);
    state.cut = Some(Cut { from: state.listing.place.clone(), rows });
    state.listing.marks.clear();
    state.listing.range = None;
    let key = state.keymap.key_of(state.context(), crate::tui::keymap::Action::Paste).unwrap_or_default();
    state.say(Level::Info, format!("{what} cut: {key} moves here, esc forgets."));
}

/// Moves what was cut: files in place, each folder by the service's own task.
pub(super) fn paste(state: &mut State) -> Vec<Effect> {
    let to = destination(state);
    let Some(cut) = state.cut.take() else {
        state.say(Level::Info, "Nothing is cut.");
        return Vec::new();
    };
    let is_inside = |row: &Row| {
        let path = row.path(&cut.from);
        to.path == path || to.path.strip_prefix(&path).is_some_and(|rest| rest.starts_with('/'))
    };
    let refusal = if cut.rows.iter().all(|row| row.path(&cut.from) == join(&to.path, last_part(&row.path(&cut.from)))) {
        Some("It is in this folder already.")
    } else if cut.rows.iter().any(|row| row.file().is_none() && is_inside(row)) {
        Some("A folder cannot be moved into itself.")
    } else {
        None
    };
    if let Some(refusal) = refusal {
        state.cut = Some(cut);
        state.say(Level::Warn, refusal);
        return Vec::new();
    }
    let shown = visible(&to.path).into_owned();
    let mut effects = Vec::new();
    let files: Vec<Row> = cut.rows.iter().filter(|row| row.file().is_some()).cloned().collect();
    if !files.is_empty() {
        let update = FileUpdate {
            parent_folder_id: to.id.clone(),
            parent_folder_path: to.is_root().then(|| "/".to_owned()),
            ..FileUpdate::default()
        };
        let changes = files.iter().filter_map(Row::file).map(|file| (file.id.clone(), update.clone())).collect();
        let label = format!("{} -> {shown}", what(&files));
        effects.push(submit::task(state, TaskKind::Change, label, Request::UpdateFiles { changes }));
    }
    for row in &cut.rows {
        if let Entry::Folder(folder) = &row.entry {
            let from = row.path(&cut.from);
            let label = format!("{} -> {}", visible(&from), join(&shown, &row.name));
            let request =
                Request::UpdateFolder { folder: folder.id.clone(), from, name: None, parent: Some(to.clone()) };
            effects.push(submit::task(state, TaskKind::MoveFolder, label, request));
        }
    }
    effects
}

/// Asks before a deletion. The permanent one is for files only and wants a word typed.
pub(super) fn ask_delete(state: &mut State, permanent: bool) {
    let rows = chosen(state);
    if rows.is_empty() {
        return;
    }
    let folders = rows.iter().filter(|row| row.file().is_none()).count();
    if permanent && folders > 0 {
        let text = "Permanent deletion is for files only, the service has none for folders: open the folder and choose its files.";
        state.say(Level::Warn, text);
        return;
    }
    let inside = &state.listing.place;
    let targets: Vec<(Target, String)> = rows.iter().map(|row| (row.target.clone(), row.path(inside))).collect();
    let bytes: u64 = rows.iter().filter_map(|row| row.file()?.size).sum();
    let folder =
        targets.first().and_then(|(_, path)| crate::tui::state::parent_path(path)).unwrap_or_else(|| "/".to_owned());
    let bytes = if folders < rows.len() { format!(" ({})", figures::size(bytes)) } else { String::new() };
    let verb = if permanent { "Delete permanently" } else { "Delete" };
    let title = format!("{verb}: {}{bytes} in {}", what(&rows), visible(&folder));
    let names = rows.iter().map(|row| if row.file().is_none() { format!("{}/", row.name) } else { row.name.clone() });
    let names: Vec<String> = names.collect();
    let count = rows.len().to_string();
    let intent = Intent::Delete { targets, permanent };
    let mut confirm = Confirm::new(title, if permanent { "Delete permanently" } else { "Delete" }, intent, state.now)
        .naming(names)
        .saying(format!("Account: {}", visible(&state.account.name)));
    if folders > 0 {
        confirm = confirm.saying("All that is in a folder goes with it.");
    }
    confirm = if permanent {
        confirm
            .saying("Content and metadata are gone within 7 days. Nothing and nobody brings them back.")
            .typing(vec![count, "delete".to_owned()])
    } else {
        confirm.saying(
            "The addresses stop resolving now; the service keeps the bytes, private and inaccessible. \
             The API has no call that restores them.",
        )
    };
    state.dialogs.push(Dialog::Confirm(confirm));
}

/// `banner.png`, `3 files`, `1 folder and 2 files`.
fn what(rows: &[Row]) -> String {
    if let [row] = rows {
        return row.name.clone();
    }
    let folders = rows.iter().filter(|row| row.file().is_none()).count();
    match (folders, rows.len() - folders) {
        (0, files) => figures::count(files, "file"),
        (folders, 0) => figures::count(folders, "folder"),
        (folders, files) => format!("{} and {}", figures::count(folders, "folder"), figures::count(files, "file")),
    }
}
