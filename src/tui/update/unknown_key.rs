//! Reports a key that has no meaning where it was pressed, and names the key that shows all keys.

use crate::tui::keymap::{Action, Key, spell};
use crate::tui::state::{MessageLevel, MessageTopic, State};
use crate::tui::wording::action as words;

/// Takes the keys that were pressed in sequence; no binding continues with the last one.
pub(super) fn say(state: &mut State, pressed: &[Key]) {
    say_nothing_done(state, &spell(pressed));
}

/// Reports an action that the pane does not have.
pub(super) fn say_action(state: &mut State, action: Action) {
    say_nothing_done(state, &format!("\"{}\"", words::description(state, action)));
}

fn say_nothing_done(state: &mut State, subject: &str) {
    let help = state.keymap.key_of(state.context(), Action::Help);
    let next = help
        .map(|help| format!(": {help} shows all keys"))
        .unwrap_or_default();
    state.say(
        MessageLevel::Hint,
        format!("{subject} does nothing here{next}."),
    );
    state.status.is_about(MessageTopic::Key);
}
