//! Says why an action does not apply.

use crate::tui::keymap::Action;
use crate::tui::pane::action_row::Refusal;
use crate::tui::state::{MessageLevel, MessageTopic, State};
use crate::tui::wording::action::description;

pub(crate) fn say(state: &mut State, action: Action, refusal: Refusal) {
    match refusal {
        Refusal::Unfit { sentence, .. } => {
            state.say(MessageLevel::Hint, sentence);
            state.status.is_about(MessageTopic::Key);
        }
        Refusal::ReadOnly { account } => {
            let text = format!("{account} is read-only: nothing was changed.");
            state.say(MessageLevel::Warn, text);
        }
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
                description(state, action)
            );
            state.say(MessageLevel::Warn, text);
        }
    }
}
