//! Does what a dialog was accepted for.

use super::{browse, link, mark, submit};
use crate::api::text::visible;
use crate::engine::Job;
use crate::tui::dialog::{Confirm, Dialog, Intent};
use crate::tui::message::Effect;
use crate::tui::state::{Level, State};
use crate::tui::widget::figures;

pub(super) fn accept(state: &mut State, intent: Intent) -> Vec<Effect> {
    match intent {
        Intent::Quit => vec![Effect::Quit],
        Intent::Jobs(jobs) => {
            state.desk.listing.clear_marks();
            jobs.into_iter().map(|job| submit::job(state, job)).collect()
        }
        Intent::Publish { job, private } => {
            ask_publish(state, job, private);
            Vec::new()
        }
        Intent::GoTo(path) => browse::locate(state, &path),
        Intent::Sign { file, name, seconds } => vec![link::sign(state, file, name, seconds)],
    }
}

fn ask_publish(state: &mut State, job: Job, private: Vec<String>) {
    let title = format!("Make public: {}", figures::count(private.len(), "file"));
    let intent = Intent::Jobs(vec![job]);
    let confirm = Confirm::new(title, "Make public", intent, state.now)
        .naming(private)
        .saying(format!("Account: {}", visible(&state.desk.account.name)))
        .saying("Anyone with the address can fetch what is private now.");
    state.dialogs.push(Dialog::Confirm(confirm));
}

/// Quits, after a question while tasks run.
pub(super) fn quit(state: &mut State) -> Vec<Effect> {
    if state.desk.ops.live().next().is_none() {
        return vec![Effect::Quit];
    }
    ask_quit(state);
    Vec::new()
}

/// Asks to quit, whether tasks run or not.
pub(super) fn ask_quit(state: &mut State) {
    let running = state.desk.ops.live().count();
    let mut confirm = Confirm::new("Quit filedeck?", "Quit", Intent::Quit, state.now);
    if running > 0 {
        let text = format!(
            "{} under way. Uploads, downloads and changes stop; imports and folder moves go on at the service \
             and are watched again at the next start.",
            figures::count(running, "task")
        );
        confirm = confirm.saying(text);
    }
    state.dialogs.push(Dialog::Confirm(confirm));
}

/// Ctrl-C: quits at the second press within 2 s, closes the dialog or the filter's field, else asks to quit.
pub(super) fn interrupt(state: &mut State) -> Vec<Effect> {
    const AGAIN_MS: i64 = 2_000;
    let since = state.interrupted_at.map(|at| state.now.as_millisecond() - at.as_millisecond());
    if since.is_some_and(|since| since <= AGAIN_MS) {
        return vec![Effect::Quit];
    }
    if state.dialogs.pop().is_some() {
        return Vec::new();
    }
    if state.is_typing() {
        return mark::end_filter(state);
    }
    state.interrupted_at = Some(state.now);
    ask_quit(state);
    let key = state.keymap.key_of(state.context(), crate::tui::keymap::Action::Interrupt).unwrap_or_default();
    state.say(Level::Info, format!("{key} again quits at once."));
    Vec::new()
}
