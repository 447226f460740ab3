//! Renames one item in a dialog, or several in the user's editor, with a preview before anything is
//! sent.

use std::collections::BTreeSet;

use super::{edit, listing};
use crate::api::text::visible;
use crate::engine::Item;
use crate::engine::message::{Entry, Target};
use crate::tui::dialog::{Dialog, Named, Names, Prompt, Renames};
use crate::tui::keymap::Action;
use crate::tui::state::effect::Effect;
use crate::tui::state::{ListPurpose, MessageLevel, State};

pub(crate) fn ask(state: &mut State) {
    let items = edit::chosen(state);
    match items.as_slice() {
        [] => {}
        [item] => ask_one(state, item),
        // Taken names are known only once the whole folder is read.
        _ if state.files.listing.of.folder().is_some() && !state.files.listing.is_whole() => {
            let key = state
                .keymap
                .key_of(state.context(), Action::Back)
                .unwrap_or_default();
            let text = format!("Reading the whole folder first, to know all names; {key} stops.");
            state.say(MessageLevel::Hint, text);
            listing::whole(state, ListPurpose::Rename);
        }
        _ => ask_several(state, items),
    }
}

fn ask_one(state: &mut State, item: &Item) {
    let entry = state
        .files
        .listing
        .row(&item.target)
        .map(|row| state.files.listing.entry(row));
    state
        .dialogs
        .push(Dialog::Prompt(match (&item.target, entry) {
            (Target::Folder(id), _) => {
                Prompt::rename_folder(id.clone(), item.path.clone(), item.name.clone())
            }
            (Target::File(_), Some(Entry::File(file))) => Prompt::rename_file(&file),
            (Target::File(_), _) => return,
        }));
}

fn ask_several(state: &mut State, items: Vec<Item>) {
    let extension = |item: &Item| {
        let entry = state
            .files
            .listing
            .row(&item.target)
            .map(|row| state.files.listing.entry(row));
        let Some(Entry::File(file)) = entry else {
            return String::new();
        };
        file.extension
            .unwrap_or_default()
            .trim_start_matches('.')
            .to_owned()
    };
    let named = |item: Item| Named {
        extension: extension(&item),
        item,
    };
    let session = state.session.ops.session();
    state.effects.push(Effect::EditNames(Names::new(
        session,
        items.into_iter().map(named).collect(),
    )));
}

/// Opens the editor once the folder is read, unless the user has opened a dialog or is typing by
/// now.
pub(crate) fn read_whole(state: &mut State) {
    if !state.dialogs.is_empty() || state.is_typing() {
        let key = state
            .keymap
            .key_of(state.context(), Action::Rename)
            .unwrap_or_default();
        let text = format!("The folder is read: press {key} again to rename the marked files.");
        return state.say(MessageLevel::Hint, text);
    }
    let items = edit::chosen(state);
    if items.len() > 1 {
        ask_several(state, items);
    }
}

/// Handles the editor's exit: the edited text, or the reason that the editor failed.
pub(crate) fn edited(state: &mut State, names: Names, end: Result<String, String>) {
    let text = match end {
        Ok(text) => text,
        Err(why) => {
            state.say(
                MessageLevel::Warn,
                format!("Nothing was renamed: {}.", visible(&why)),
            );
            return;
        }
    };
    if names.session != state.session.ops.session() {
        state.say(
            MessageLevel::Warn,
            "Nothing was renamed: you have switched accounts.",
        );
        return;
    }
    let names = Names { text, ..names };
    let taken = taken(state, &names.wanted());
    let is_whole = state.files.listing.of.folder().is_some() && state.files.listing.is_whole();
    let renames = Renames::new(names, &taken, is_whole);
    if renames.is_idle() {
        state.say(MessageLevel::Hint, "No name was changed.");
    } else {
        state.dialogs.push(Dialog::Renames(renames));
    }
}

fn taken(state: &State, wanted: &BTreeSet<String>) -> BTreeSet<String> {
    let inside = state.files.listing.of.base();
    let names: BTreeSet<&str> = wanted
        .iter()
        .filter_map(|path| path.rsplit('/').next())
        .collect();
    let rows = state
        .files
        .listing
        .rows
        .iter()
        .filter(|(_, row)| names.contains(&*row.full_name()));
    rows.map(|(_, row)| row.path(inside))
        .filter(|path| wanted.contains(path))
        .collect()
}
