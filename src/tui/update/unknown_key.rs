//! A key that means nothing where it was pressed: says so, and what may have been meant.

use crossterm::event::KeyCode;

use crate::tui::keymap::{Action, Context, Key, KeyLookup, spell};
use crate::tui::state::{MessageLevel, State};

/// Keys that were pressed one after the other, the last of which continues with nothing.
pub(super) fn say(state: &mut State, pressed: &[Key]) {
    let keys = spell(pressed);
    let text = match pressed {
        [key] => elsewhere(state, *key).or_else(|| other_case(state, *key)),
        [before @ .., _] => continuations(state, before),
        [] => return,
    };
    let help = state.keymap.key_of(state.context(), Action::Help).unwrap_or_default();
    let nearest = text.unwrap_or_else(|| format!("{help} shows all keys"));
    state.say(MessageLevel::Hint, format!("{keys} does nothing here: {nearest}."));
}

/// What the key does in another view.
fn elsewhere(state: &State, key: Key) -> Option<String> {
    const VIEWS: [(Context, &str, Action); 3] = [
        (Context::List, "in the files", Action::ViewFiles),
        (Context::Tasks, "in the tasks", Action::ViewTasks),
        (Context::Limits, "in the limits", Action::ViewLimits),
    ];
    VIEWS.into_iter().find_map(|(context, place, view)| {
        let KeyLookup::Action(action) = state.keymap.lookup(context, &[], key) else { return None };
        let place = match state.keymap.key_of(state.context(), view).filter(|_| !is_in(state, context)) {
            Some(view) => format!("{place} ({view})"),
            None => place.replace("files", "list of files"),
        };
        Some(format!("{place} it is \"{}\"", action.description()))
    })
}

/// Whether the place is in the view on the screen.
fn is_in(state: &State, context: Context) -> bool {
    let is_files = |context: Context| context.chain().contains(&Context::Files);
    is_files(context) && is_files(state.context())
}

/// What the letter does with Shift, or without.
fn other_case(state: &State, key: Key) -> Option<String> {
    let KeyCode::Char(letter) = key.code else { return None };
    let other = if letter.is_lowercase() { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() };
    let other = Key { code: KeyCode::Char(other), ..key };
    let KeyLookup::Action(action) = state.keymap.lookup(state.context(), &[], other) else { return None };
    Some(format!("{other} is \"{}\"", action.description()))
}

/// What may follow the keys before it.
fn continuations(state: &State, before: &[Key]) -> Option<String> {
    let known = state.keymap.continuations(state.context(), before);
    let known: Vec<String> = known.iter().map(|(keys, action)| format!("{keys} {}", action.hint())).collect();
    (!known.is_empty()).then(|| format!("{} continues with {}", spell(before), known.join(", ")))
}
