//! Shows and copies the message under the cursor of the activity view.

use crate::api::text::visible;
use crate::tui::dialog::{Dialog, Notice};
use crate::tui::state::effect::Effect;
use crate::tui::state::{MessageLevel, State};

pub(crate) fn open(state: &mut State) {
    let Some(entry) = state.activity.selected() else {
        return;
    };
    let notice = match &entry.error {
        Some(error) => {
            let mut notice = Notice::problem(entry.text.clone(), error);
            notice.lines.extend(state.token_advice(error));
            notice
        }
        None => Notice::new("Activity", vec![entry.text.clone()]),
    };
    state.dialogs.push(Dialog::Notice(notice));
}

pub(crate) fn copy(state: &mut State) {
    let Some(entry) = state.activity.selected() else {
        return;
    };
    let id = entry
        .error
        .as_ref()
        .and_then(|error| error.correlation_id.as_deref());
    let id = id
        .map(|id| format!("\ncorrelation id {}", visible(id)))
        .unwrap_or_default();
    let text = format!("{}{id}", entry.text);
    // Not in the log: the new entry would take the place of the copied one.
    state.status.say(
        MessageLevel::Info,
        format!("Message {}.", state.settings.copied()),
        state.now,
    );
    state.effects.push(Effect::Copy(text));
}
