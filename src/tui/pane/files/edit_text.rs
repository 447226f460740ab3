//! Edits a text file of the service: fetches it, opens it in the user's editor, and replaces it in
//! place if it was changed. The local copy is kept until then.

use std::path::PathBuf;

use super::edit;
use crate::api::text::visible;
use crate::engine::message::{Settled, Target};
use crate::engine::question::{FetchText, FetchedText};
use crate::engine::source::FileSource;
use crate::engine::text_file::{EditedText, LARGEST, is_edited_text, may_be_text};
use crate::engine::{Answer, Event, Item, Job, Outcome};
use crate::tui::keymap::Action;
use crate::tui::pane::ask::ask;
use crate::tui::pane::kept_local_file::{stays_at, stays_somewhere};
use crate::tui::pane::submit;
use crate::tui::state::effect::Effect;
use crate::tui::state::{MessageLevel, Read, State, TextRead};
use crate::tui::terminal::editor::Edit;

pub(crate) fn start(state: &mut State) {
    let items = edit::chosen(state);
    let [item] = items.as_slice() else {
        return;
    };
    if !may_be_text(&item.name) || item.size.is_some_and(|size| size > LARGEST) {
        let name = visible(&item.name);
        return state.say(
            MessageLevel::Hint,
            format!("{name} cannot be edited: only text files up to 1 MB can."),
        );
    }
    let (item, is_coming) = (item.clone(), Read::from(TextRead(item.clone())));
    if !state
        .session
        .ops
        .reads(|read| *read == is_coming)
        .is_empty()
    {
        return;
    }
    fetch(state, item, false);
}

/// Fetches a text. The answer lists unsaved edits of the file instead, unless `anew` is set.
pub(crate) fn fetch(state: &mut State, item: Item, anew: bool) {
    let Target::File(file) = item.target.clone() else {
        return;
    };
    ask(state, TextRead(item), FetchText { file, anew });
}

/// Opens a text in the editor, unless the user has opened a dialog or is typing by now. A text that
/// was only fetched is then discarded.
pub(crate) fn fetched(state: &mut State, file: Item, text: EditedText, is_kept: bool) {
    let text = EditedText { file, ..text };
    if is_free(state) {
        return state.effects.push(Effect::Edit(Edit {
            session: state.session.ops.session(),
            text,
        }));
    }
    let action = if is_kept {
        Action::UnsavedEdits
    } else {
        Action::EditText
    };
    let key = state
        .keymap
        .key_of(state.context(), action)
        .unwrap_or_default();
    let name = visible(&text.file.name).into_owned();
    let again = if is_kept {
        "shows it"
    } else {
        "again edits it"
    };
    state.say(
        MessageLevel::Hint,
        format!("{name} arrived while a dialog was open: {key} {again}."),
    );
    if !is_kept {
        state.effects.push(Effect::Discard(text.path));
    }
}

pub(crate) fn is_free(state: &State) -> bool {
    state.dialogs.is_empty() && !state.is_typing()
}

/// Handles the editor's exit: `Ok(true)` if the text was changed; `Err` with the reason if the
/// editor failed.
pub(crate) fn edited(state: &mut State, edit: Edit, end: Result<bool, String>) {
    let Edit {
        session,
        text: EditedText {
            file, path, seen, ..
        },
    } = edit;
    let stays = stays_at(state, &path);
    match end {
        Ok(false) => {
            state.say(
                MessageLevel::Hint,
                format!("{} was not changed.", visible(&file.name)),
            );
            state.effects.push(Effect::Discard(path));
        }
        Ok(true) if session != state.session.ops.session() => {
            let stays = stays_somewhere(&path);
            let text =
                format!("Nothing was replaced: you have switched accounts. The text {stays}");
            state.say(MessageLevel::Error, text);
        }
        Ok(true) => {
            let jobs = vec![Job::Replace {
                source: FileSource::Local(path),
                file,
                seen: Some(seen),
                charset: None,
                access: None,
            }];
            if let Some((level, why)) = submit::refusal(state, &jobs) {
                return state.say(level, format!("{why} The text {stays}"));
            }
            submit::jobs(state, jobs);
        }
        Err(why) => {
            state.say(
                MessageLevel::Error,
                format!("Nothing was replaced, {}. The text {stays}", visible(&why)),
            );
        }
    }
}

/// Discards the local copies that this event makes obsolete: those now uploaded, by any account or
/// run, and one that arrives after its request was canceled.
pub(crate) fn discard_needless(state: &mut State, event: &Event) {
    match event {
        Event::Settled { settled, .. } => {
            state
                .effects
                .extend(settled.iter().filter_map(put_back).map(Effect::Discard));
        }
        Event::Done {
            op,
            result: Ok(Answer::FetchText(FetchedText::Fetched(text))),
        } if !state.session.ops.awaits(*op) => {
            state.effects.push(Effect::Discard(text.path.clone()));
        }
        _ => {}
    }
}

/// The local copy of an edited text that the job has uploaded.
fn put_back(settled: &Settled) -> Option<PathBuf> {
    match (&settled.result, &settled.job) {
        (
            Ok(Outcome::Replaced(_)),
            Job::Replace {
                source: FileSource::Local(local),
                seen,
                ..
            },
        ) if is_edited_text(local, seen.as_deref()) => Some(local.clone()),
        _ => None,
    }
}
