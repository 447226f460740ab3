//! Previews the row that the cursor rests on: only the newest request is under way, and moving on
//! cancels it.

use super::draw::{has_thumbnails, hidden_facts};
use crate::api::Error;
use crate::api::model::File;
use crate::engine::OpId;
use crate::engine::message::Target;
use crate::engine::preview::{Preview, PreviewTarget};
use crate::engine::question::GetPreview;
use crate::tui::keymap::Action;
use crate::tui::pane::ask::{OnAnswer, ask};
use crate::tui::pane::component::Due;
use crate::tui::pane::files::listing;
use crate::tui::pane::files::opening;
use crate::tui::state::{MessageLevel, PreviewKey, PreviewRead, PreviewState, State};

/// The number of rows scrolled per key press.
const STEP: isize = 5;

/// Cancels a preview that is no longer wanted, and requests the wanted one once the cursor rests.
pub(crate) fn follow(state: &mut State) {
    let wanted = state.previewed();
    state.files.previews.turn_to(wanted.as_ref(), state.now);
    let is_unwanted =
        |key: &PreviewKey| Some(key) != wanted.as_ref() && thumbnail(state, key).is_none();
    let is_needless = state
        .files
        .previews
        .asked
        .as_ref()
        .is_some_and(|(key, _)| is_unwanted(key));
    let given_up = state.files.previews.asked.take_if(|_| is_needless);
    if let Some((_, op)) = given_up {
        listing::forget(state, op);
    }
}

/// The details of the file under a resting cursor, if only its row is known, and its preview.
pub(crate) fn due(state: &State) -> Vec<Due> {
    let idle = &state.files.cursor_idle;
    let at_rest = state.preview_rest();
    [
        Due::new(
            idle.due().filter(|_| state.needs_details().is_some()),
            details_at_rest,
        ),
        Due::new(at_rest.filter(|_| state.needs_preview().is_some()), read),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn details_at_rest(state: &mut State) {
    if let Some(file) = state.needs_details().cloned()
        && state.files.cursor_idle.is_over(state.now)
    {
        opening::details(state, file);
    }
}

/// The picture in the folder under the cursor that has this thumbnail.
fn thumbnail<'a>(state: &'a State, key: &PreviewKey) -> Option<&'a File> {
    let most = state.picture_support.thumbnails(state.panes, state.size);
    let pictures = state.files.previews.pictures(&state.previewed()?, most);
    pictures
        .iter()
        .find(|file| PreviewKey::thumbnail(file) == *key)
}

fn read(state: &mut State) {
    let Some(key) = state.needs_preview() else {
        return;
    };
    let question = match thumbnail(state, &key) {
        // Thumbnails are extras, and only use spare requests.
        Some(_) if !state.has_spare_requests() || !has_thumbnails(state) => return,
        Some(file) => GetPreview {
            subject: PreviewTarget::File(Box::new(file.clone())),
            room: state.picture_support.thumbnail_dots(),
            is_thumbnail: true,
            page: 0,
        },
        None => {
            let Some(subject) = under_cursor(state) else {
                return;
            };
            let room = state.picture_support.dots(state.size);
            GetPreview {
                subject,
                room,
                is_thumbnail: false,
                page: key.page,
            }
        }
    };
    let op = ask(state, PreviewRead, question);
    state.files.previews.asked = Some((key, op));
}

fn under_cursor(state: &State) -> Option<PreviewTarget> {
    if let Some(row) = state.local_in_details() {
        return Some(PreviewTarget::Local(state.local_side.path(row)));
    }
    let listing = &state.files.listing;
    let row = listing.current()?;
    Some(match &row.target {
        Target::Folder(_) => PreviewTarget::Folder(row.place(listing.of.base())?),
        Target::File(_) => PreviewTarget::File(Box::new(row.file(listing.of.base())?)),
    })
}

/// Shows or hides previews, and says so if the screen does not show it.
pub(crate) fn toggle(state: &mut State) {
    state.panes.preview = !state.panes.preview;
    if !state.shows_all_details() {
        let are = if state.panes.preview {
            "shown"
        } else {
            "hidden"
        };
        state.say(
            MessageLevel::Info,
            format!("Previews are {are}, above the details."),
        );
    }
}

pub(crate) fn toggle_source(state: &mut State) {
    state.files.previews.toggle_source();
}

pub(crate) fn turn_page(state: &mut State, action: Action) {
    if !state.files.previews.turn_page(action == Action::NextPage) {
        state.say(
            MessageLevel::Info,
            "There are no pages to turn in this preview.",
        );
    }
}

pub(crate) fn scroll(state: &mut State, action: Action) {
    let hidden_facts = hidden_facts(state);
    state.files.previews.scroll_by(
        if action == Action::ScrollDown {
            STEP
        } else {
            -STEP
        },
        hidden_facts,
    );
}

impl OnAnswer for PreviewRead {
    type Question = GetPreview;

    fn answered(self, state: &mut State, op: OpId, answer: Preview) {
        state.store_preview(op, answer, state.now);
    }

    fn failed(self, state: &mut State, op: OpId, error: &Error) {
        state
            .files
            .previews
            .store_answer(op, PreviewState::Failed(error.clone()), state.now);
    }
}
