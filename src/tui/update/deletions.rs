//! The list of what was deleted: asked for by a key, shown when it is there.

use crate::engine::Request;
use crate::engine::deletion::Deletion;
use crate::tui::dialog::{Deletions, Dialog};
use crate::tui::keymap::Action;
use crate::tui::message::Effect;
use crate::tui::state::{Level, Read, State};

pub(super) fn ask(state: &mut State) -> Vec<Effect> {
    let op = state.desk.ops.read(Read::Deletions);
    vec![Effect::Submit(op, Request::Deletions)]
}

/// Shows it, unless somebody types at something else by now.
pub(super) fn show(state: &mut State, list: Vec<Deletion>) {
    if list.is_empty() {
        state.say(Level::Hint, "No file was deleted by itself from here in the last 30 days, and none for good. What went with a folder is not listed.");
    } else if state.dialogs.is_empty() && !state.is_typing() {
        state.dialogs.push(Dialog::Deletions(Deletions::new(list, state.zone.clone())));
    } else {
        let key = state.keymap.key_of(state.context(), Action::Deletions).unwrap_or_default();
        state.say(Level::Hint, format!("{key} again shows what was deleted."));
    }
}
