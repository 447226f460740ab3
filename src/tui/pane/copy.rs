//! Copies texts to the clipboard.

use crate::tui::keymap::Action;
use crate::tui::state::effect::Effect;
use crate::tui::state::{MessageLevel, State};

/// Copies texts, and shows them because a clipboard may be out of the terminal's reach. Each text
/// must be safe to show.
pub(crate) fn copied(state: &mut State, action: Action, texts: &[String]) {
    if texts.is_empty() {
        return;
    }
    state.say(MessageLevel::Info, confirmation(state, action, texts));
    state.effects.push(Effect::Copy(texts.join("\n")));
}

pub(crate) fn confirmation(state: &State, action: Action, texts: &[String]) -> String {
    let what = match action {
        Action::LinkPath => "Path",
        Action::LinkId => "Id",
        Action::CopyTaskId => "Task id",
        Action::LinkName => "Name",
        Action::LinkMarkdown => "Markdown",
        Action::LinkHtml => "HTML",
        Action::LinkJson => "JSON",
        Action::LinkCurl => "Command",
        _ => "Address",
    };
    let more = if texts.len() > 1 {
        format!(" and {} more", texts.len() - 1)
    } else {
        String::new()
    };
    format!(
        "{what} {}: {}{more}",
        state.settings.copied(),
        texts.first().map_or("", String::as_str)
    )
}
