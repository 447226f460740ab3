//! Says why an action does not apply.

use super::submit;
use crate::tui::keymap::Action;
use crate::tui::pane::action_row::Refusal;
use crate::tui::state::{MessageLevel, MessageTopic, State};

pub(crate) fn say(state: &mut State, action: Action, refusal: Refusal) {
    match refusal {
        Refusal::Unfit { sentence, .. } => {
            state.say(MessageLevel::Hint, sentence);
            state.status.is_about(MessageTopic::Key);
        }
        Refusal::ReadOnly => submit::refuse_change(state),
        Refusal::Scope {
            scope,
            may_be_given,
        } => {
            let again = state
                .keymap
                .key_of(state.context(), Action::Refresh)
                .filter(|_| may_be_given);
            let again = again
                .map(|key| format!(" Add it, then press {key}."))
                .unwrap_or_default();
            let text = format!(
                "{} is refused: the token lacks the scope {scope}.{again}",
                action.description()
            );
            state.say(MessageLevel::Warn, text);
        }
    }
}
