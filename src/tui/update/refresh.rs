//! Reads the open view again.

use crate::engine::message::Target;
use crate::tui::pane::files::{listing, opening};
use crate::tui::pane::limits;
use crate::tui::state::{MessageLevel, Pane, State, View};

pub(super) fn refresh(state: &mut State) {
    state.session.denied_actions.forget_refusals();
    match state.view {
        View::Files => {
            if let Some(key) = state.previewed() {
                state.files.previews.remove(&key);
            }
            listing::refresh(state);
            let here = state
                .files
                .listing
                .of
                .folder()
                .map(|place| place.id.clone());
            for id in here.iter().chain([&state.files.tree.cursor.clone()]) {
                opening::branch(state, id.as_ref());
            }
            let shown = state
                .files
                .listing
                .current()
                .filter(|_| state.focus == Pane::Details)
                .map(|row| row.target.clone());
            if let Some(Target::File(file)) = shown {
                opening::details(state, file);
            }
        }
        View::Limits => limits::update::account(state),
        View::Tasks | View::Activity => state.say(MessageLevel::Hint, "This is always up to date."),
    }
}
