//! The actions of the messages.

use super::update;
use crate::tui::keymap::Action;
use crate::tui::pane::command::Command;

pub(crate) fn command(action: Action) -> Option<Command> {
    Some(match action {
        Action::Open => Command::run(update::open),
        Action::CopyMessage => Command::run(update::copy),
        _ => return None,
    })
}
