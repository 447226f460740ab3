//! Searches over the whole account: asks for one, opens one, leads from a row to its own folder.

use super::{browse, load, panes};
use crate::api::text::visible;
use crate::engine::Query;
use crate::engine::message::Collection;
use crate::tui::dialog::{Dialog, Prompt};
use crate::tui::keymap::Action;
use crate::tui::message::Effect;
use crate::tui::state::{MessageLevel, Pane, State, View};

/// The searches that have keys of their own: the action, its name, its line.
pub(super) const VIEWS: [(Action, &str, &str); 7] = [
    (Action::FindPublic, "public files", "access:public"),
    (Action::FindUnlisted, "unlisted files", "access:unlisted"),
    (Action::FindPrivate, "private files", "access:private"),
    (Action::FindExpiring, "expiring soon", "expires:<7d sort:expires"),
    (Action::FindLarge, "large files", "size:>1M sort:-size"),
    (Action::FindRecent, "recent changes", "is:file updated:<7d sort:-updated"),
    (Action::FindDuplicates, "duplicates", "is:duplicate"),
];

/// Asks for a search; the one that is open can be changed.
pub(super) fn ask(state: &mut State) {
    let line = state.current.listing.of.query().map_or("", Query::line).to_owned();
    let prompt = Prompt::find(&line, state.service_now(), state.zone.clone())
        .recalling(&state.current.account.favorites.typed.searches);
    state.dialogs.push(Dialog::Prompt(prompt));
}

/// Opens one of the searches that have keys.
pub(super) fn view(state: &mut State, action: Action) -> Vec<Effect> {
    let view = VIEWS.iter().find(|(known, ..)| *known == action);
    view.map(|(_, name, line)| open_line(state, line, Some(name))).unwrap_or_default()
}

/// Opens the search that a line describes; ages in it count from now.
pub(super) fn open_line(state: &mut State, line: &str, name: Option<&str>) -> Vec<Effect> {
    match Query::read(line, state.service_now(), &state.zone) {
        Ok(query) => match name {
            Some(name) => open(state, query.named(name)),
            None => open(state, query),
        },
        Err(error) => {
            state.say(MessageLevel::Warn, format!("This is not a search: {}.", visible(&error.to_string())));
            Vec::new()
        }
    }
}

/// Shows what a search finds, and remembers where one was.
pub(super) fn open(state: &mut State, query: Query) -> Vec<Effect> {
    panes::open_view(state, View::Files);
    state.focus = Pane::List;
    state.panes.zoomed = false;
    let caveats = query.caveats().join(" ");
    if !caveats.is_empty() {
        state.say(MessageLevel::Hint, caveats);
    }
    // The same search again is no way to go back.
    if state.current.listing.of.query().map(Query::line) != Some(query.line()) {
        state.current.history.leave(state.current.visit());
    }
    load::open(state, Collection::Found(query), None)
}

/// Goes to the folder of the row under the cursor, which stays under it.
pub(super) fn go_to_folder(state: &mut State) -> Vec<Effect> {
    let listing = &state.current.listing;
    let Some(row) = listing.current() else {
        state.say(MessageLevel::Hint, "Nothing is selected.");
        return Vec::new();
    };
    let (place, target) = (row.parent(listing.of.base()), row.target.clone());
    if listing.of.is_folder(place.id.as_ref()) {
        state.say(MessageLevel::Hint, "This is the folder of the row.");
        return Vec::new();
    }
    if state.focus == Pane::Details {
        state.focus = Pane::List;
        state.panes.zoomed = false;
    }
    browse::go(state, place, Some(target))
}
