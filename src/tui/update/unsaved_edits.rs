//! Edited texts that were never uploaded: mentioned at the start, listed by a key, edited further
//! or discarded.

use crate::api::Error;
use crate::api::text::visible;
use crate::engine::OpId;
use crate::engine::question::{FetchText, FetchedText, ListUnsavedEdits, TakeText};
use crate::engine::text_file::{EditedText, KEPT_DAYS, UnsavedEdits};
use crate::tui::dialog::{self, Confirm, Dialog, Intent};
use crate::tui::keymap::Action;
use crate::tui::pane::ask::{OnAnswer, ask};
use crate::tui::pane::files::edit_text;
use crate::tui::pane::submit;
use crate::tui::state::effect::Effect;
use crate::tui::state::{
    DiscardRead, MessageLevel, State, TextRead, UnsavedEditsRead, UnsavedTextRead,
};
use crate::tui::widget::figures;

/// Asks for unsaved edits, to mention them in a message.
pub(super) fn mention(state: &mut State) {
    ask(state, UnsavedEditsRead { is_start: true }, ListUnsavedEdits);
}

pub(super) fn list(state: &mut State) {
    ask(
        state,
        UnsavedEditsRead { is_start: false },
        ListUnsavedEdits,
    );
}

/// Mentions that there are unsaved edits, or shows the list that was requested.
fn list_found(state: &mut State, UnsavedEdits { texts, removed }: UnsavedEdits, is_start: bool) {
    if let Some(text) = removed.first() {
        let was = if removed.len() == 1 { "was" } else { "were" };
        let which = of(text, removed.len());
        state.mention(
            MessageLevel::Warn,
            format!("{which} {was} kept for {KEPT_DAYS} days and {was} removed."),
        );
    }
    match texts.first() {
        Some(text) if is_start => {
            let key = key(state);
            let (are, shows) = if texts.len() == 1 {
                ("is", "shows it")
            } else {
                ("are", "lists them")
            };
            state.mention(
                MessageLevel::Warn,
                format!(
                    "{} {are} kept from before: {key} {shows}.",
                    of(text, texts.len())
                ),
            );
        }
        Some(_) => show(state, texts),
        None if is_start => {}
        None => state.say(
            MessageLevel::Hint,
            "No unsaved edits: all were saved or discarded.",
        ),
    }
}

/// Shows the list, unless the user has opened a dialog or is typing by now.
fn show(state: &mut State, texts: Vec<EditedText>) {
    if edit_text::is_free(state) {
        state
            .dialogs
            .push(Dialog::UnsavedEdits(dialog::UnsavedEditsDialog::new(
                texts,
                state.zone.clone(),
            )));
    } else {
        let key = key(state);
        state.say(
            MessageLevel::Hint,
            format!("{key} shows the unsaved edits."),
        );
    }
}

pub(super) fn go_on(state: &mut State, text: EditedText) {
    if state.session.account.read_only {
        return submit::refuse_change(state);
    }
    ask(
        state,
        UnsavedTextRead(text.file),
        TakeText { path: text.path },
    );
}

/// Edits the file's own text instead; the unsaved edit stays.
pub(super) fn anew(state: &mut State, text: EditedText) {
    if state.session.account.read_only {
        return submit::refuse_change(state);
    }
    edit_text::fetch(state, text.file, true);
}

pub(super) fn ask_discard(state: &mut State, text: EditedText) {
    let title = format!("Discard the edit of {}", visible(&text.file.path));
    let intent = Intent::DiscardText(Box::new(text));
    let confirm = Confirm::new(title, "Discard", intent, state.now);
    let confirm = confirm.saying("Your changes are lost. The file stays unchanged.");
    state.dialogs.push(Dialog::Confirm(confirm));
}

/// Takes the text before it is discarded, so that nobody edits it meanwhile.
pub(super) fn discard(state: &mut State, text: EditedText) {
    ask(state, DiscardRead(text.file), TakeText { path: text.path });
}

fn of(first: &EditedText, count: usize) -> String {
    match count {
        1 => format!("Unsaved edit of {}", visible(&first.file.path)),
        count => format!("{} unsaved edits", figures::number(count)),
    }
}

fn key(state: &State) -> String {
    state
        .keymap
        .key_of(state.context(), Action::UnsavedEdits)
        .unwrap_or_default()
}

impl OnAnswer for UnsavedEditsRead {
    type Question = ListUnsavedEdits;

    fn answered(self, state: &mut State, _: OpId, answer: UnsavedEdits) {
        list_found(state, answer, self.is_start);
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        state.say_failed("Unsaved edits could not be looked up", error);
    }
}

impl OnAnswer for TextRead {
    type Question = FetchText;

    fn answered(self, state: &mut State, _: OpId, answer: FetchedText) {
        match answer {
            FetchedText::Fetched(text) => edit_text::fetched(state, self.0, text, false),
            FetchedText::Unsaved(texts) => show(state, texts),
        }
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        state.say_failed(
            &format!("{} cannot be edited", visible(&self.0.name)),
            error,
        );
    }
}

impl OnAnswer for UnsavedTextRead {
    type Question = TakeText;

    fn answered(self, state: &mut State, _: OpId, answer: EditedText) {
        edit_text::fetched(state, self.0, answer, true);
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        state.say_failed(
            &format!("{} cannot be edited", visible(&self.0.name)),
            error,
        );
    }
}

impl OnAnswer for DiscardRead {
    type Question = TakeText;

    fn answered(self, state: &mut State, _: OpId, answer: EditedText) {
        state.say(
            MessageLevel::Info,
            format!("Discarded the edit of {}.", visible(&answer.file.path)),
        );
        state.effects.push(Effect::Discard(answer.path));
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        state.say_failed(
            &format!("The edit of {} was not discarded", visible(&self.0.name)),
            error,
        );
    }
}
