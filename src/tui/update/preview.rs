//! Looks into what the cursor rests on: the newest wish alone is under way, and moving on gives it up.

use super::listing;
use crate::api::Error;
use crate::engine::OpId;
use crate::engine::message::Target;
use crate::engine::preview::{Preview, PreviewTarget};
use crate::engine::question::GetPreview;
use crate::tui::keymap::Action;
use crate::tui::message::Effect;
use crate::tui::state::{MessageLevel, PreviewRead, PreviewState, State};
use crate::tui::update::ask::{OnAnswer, ask_with_id};

/// Rows of a press.
const STEP: isize = 5;

/// Gives up what is not wanted anymore, and asks for what is, once the cursor rests on it.
pub(super) fn follow(state: &mut State) -> Vec<Effect> {
    let wanted = state.previewed();
    state.current.previews.turn_to(wanted.as_ref(), state.now);
    let mut effects = Vec::new();
    if let Some((_, op)) = state.current.previews.asked.take_if(|(key, _)| Some(&*key) != wanted.as_ref()) {
        effects.push(listing::forget(state, op));
    }
    let is_at_rest = state.current.cursor_idle.at_rest().is_some_and(|at| at <= state.now);
    effects.extend(is_at_rest.then(|| read(state)).flatten());
    effects
}

fn read(state: &mut State) -> Option<Effect> {
    let key = state.needs_preview()?;
    let listing = &state.current.listing;
    let row = listing.current()?;
    let subject = match &row.target {
        Target::Folder(_) => PreviewTarget::Folder(row.place(listing.of.base())?),
        Target::File(_) => PreviewTarget::File(Box::new(row.file(listing.of.base())?)),
    };
    let room = state.picture_support.dots(state.size);
    let (op, effect) = ask_with_id(state, PreviewRead, GetPreview { subject, room });
    state.current.previews.asked = Some((key, op));
    Some(effect)
}

/// Shows or hides previews, and says so where it cannot be seen.
pub(super) fn toggle(state: &mut State) {
    state.panes.preview = !state.panes.preview;
    if !state.panes.shows_all_details(state.size.0, state.focus) {
        let are = if state.panes.preview { "shown" } else { "hidden" };
        state.say(MessageLevel::Info, format!("Previews are {are}, above the details."));
    }
}

pub(super) fn scroll(state: &mut State, action: Action) {
    state.current.previews.scroll_by(if action == Action::ScrollDown { STEP } else { -STEP });
}

impl OnAnswer for PreviewRead {
    fn answered(self, state: &mut State, op: OpId, answer: Preview) -> Vec<Effect> {
        state.current.looked(op, answer, state.now);
        Vec::new()
    }

    fn failed(self, state: &mut State, op: OpId, error: &Error) -> Vec<Effect> {
        state.current.previews.take(op, PreviewState::Failed(error.clone()), state.now);
        Vec::new()
    }
}
