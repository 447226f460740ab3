//! Offers an upload or an import of pasted text while no text field is open.

use crate::tui::input::paste::{self, Pasted};
use crate::tui::keymap::{Action, Context};
use crate::tui::pane::actions::{self, Availability};
use crate::tui::pane::files::transfer;
use crate::tui::pane::refuse;
use crate::tui::state::{MessageLevel, State, View};

/// Handles pasted text, or a dropped file, while no text field is open.
pub(super) fn pasted(state: &mut State, text: &str) {
    let pasted = paste::read(text);
    if pasted == Pasted::Neither {
        state.say(
            MessageLevel::Warn,
            "The pasted text is not a local path or an address.",
        );
    } else {
        state.view = View::Files;
        let action = match pasted {
            Pasted::Paths(_) => Action::Upload,
            _ => Action::Import,
        };
        // The token may have been given the scope since it was refused.
        match actions::available_in(state, Context::List, action) {
            Availability::Refused(refusal) if refusal.scope().is_none() => {
                return refuse::say(state, action, refusal);
            }
            _ => {}
        }
        match pasted {
            Pasted::Paths(_) => transfer::ask_upload(state, &paste::field(text)),
            Pasted::Addresses(addresses) => transfer::ask_import(state, &addresses.join(" ")),
            Pasted::Neither => {}
        }
    }
}
