//! Searches over the whole account: asks for one, opens one, lists the duplicates of a file, and
//! goes from a row to its folder.

use super::{browse, opening};
use crate::api::Error;
use crate::api::text::visible;
use crate::engine::message::{Collection, Entry, Sort};
use crate::engine::question::{List, ListPage};
use crate::engine::{OpId, Query};
use crate::tui::dialog::{ChoiceList, ChoiceRow, Dialog, Intent, Prompt};
use crate::tui::keymap::Action;
use crate::tui::pane::ask::{OnAnswer, ask as ask_engine};
use crate::tui::pane::focus;
use crate::tui::state::{DuplicatesRead, MessageLevel, Pane, Read, State, View};
use crate::tui::widget::figures;

/// The searches that have keys of their own: action, name and search line.
pub(crate) const VIEWS: [(Action, &str, &str); 7] = [
    (Action::FindPublic, "public files", "access:public"),
    (Action::FindUnlisted, "unlisted files", "access:unlisted"),
    (Action::FindPrivate, "private files", "access:private"),
    (
        Action::FindExpiring,
        "expiring soon",
        "expires:<7d sort:expires",
    ),
    (Action::FindLarge, "large files", "size:>1M sort:-size"),
    (
        Action::FindRecent,
        "recent changes",
        "is:file updated:<7d sort:-updated",
    ),
    (Action::FindDuplicates, "duplicates", "is:duplicate"),
];

/// Asks for a search, starting with the open one.
pub(crate) fn ask(state: &mut State) {
    let line = state
        .files
        .listing
        .of
        .query()
        .map_or("", Query::line)
        .to_owned();
    let prompt = Prompt::find(&line, state.service_now(), state.zone.clone())
        .recalling(&state.session.account.favorites.typed.searches);
    state.dialogs.push(Dialog::Prompt(prompt));
}

pub(crate) fn view(state: &mut State, action: Action) {
    let view = VIEWS.iter().find(|(known, ..)| *known == action);
    if let Some((_, name, line)) = view {
        open_line(state, line, Some(name));
    }
}

/// Opens the search that a line describes; ages in it count from now.
pub(crate) fn open_line(state: &mut State, line: &str, name: Option<&str>) {
    match Query::read(line, state.service_now(), &state.zone) {
        Ok(query) => match name {
            Some(name) => open(state, query.named(name)),
            None => open(state, query),
        },
        Err(error) => state.say(
            MessageLevel::Warn,
            format!("This is not a search: {}.", visible(&error.to_string())),
        ),
    }
}

/// Opens a search, and adds the previous place to the history.
pub(crate) fn open(state: &mut State, query: Query) {
    focus::open_view(state, View::Files);
    state.focus = Pane::List;
    state.panes.zoomed = false;
    let caveats = query.caveats().join(" ");
    if !caveats.is_empty() {
        state.say(MessageLevel::Hint, visible(&caveats));
    }
    // Repeating a search must not add a step to the history.
    if state.files.listing.of.query().map(Query::line) != Some(query.line()) {
        state.files.history.leave(state.files.visit());
    }
    opening::open(state, Collection::Found(query), None);
}

/// Goes to the folder of the row under the cursor, and keeps the cursor on that row.
pub(crate) fn go_to_folder(state: &mut State) {
    let listing = &state.files.listing;
    let Some(row) = listing.current() else {
        return state.say(MessageLevel::Hint, "Nothing is selected.");
    };
    let (place, target) = (row.parent(listing.of.base()), row.target.clone());
    if listing.of.is_folder(place.id.as_ref()) {
        return state.say(MessageLevel::Hint, "This is the folder of the row.");
    }
    if state.focus == Pane::Details {
        state.focus = Pane::List;
        state.panes.zoomed = false;
    }
    browse::go(state, place, Some(target));
}

/// Searches the account for other files with the content of the one under the cursor.
pub(crate) fn duplicates_of_file(state: &mut State) {
    let listing = &state.files.listing;
    let Some(file) = listing
        .current()
        .and_then(|row| row.file(listing.of.base()))
    else {
        return;
    };
    let name = visible(&file.full_name()).into_owned();
    let Some(md5) = &file.file_md5 else {
        state.say(
            MessageLevel::Hint,
            format!("The service gave no MD5 of {name}, so its duplicates cannot be found."),
        );
        return;
    };
    let read = DuplicatesRead(Box::new(file.clone()));
    if !state
        .session
        .ops
        .reads(|other| *other == Read::from(read.clone()))
        .is_empty()
    {
        return;
    }
    let Ok(query) = Query::read(&format!("md5:{md5}"), state.service_now(), &state.zone) else {
        return;
    };
    state.say(
        MessageLevel::Hint,
        format!("Searching for duplicates of {name}."),
    );
    ask_engine(
        state,
        read,
        List {
            of: Collection::Found(query),
            sort: Sort::default(),
            after: None,
        },
    );
}

impl OnAnswer for DuplicatesRead {
    type Question = List;

    /// Lists the duplicates, unless the user has opened a dialog or is typing by now.
    fn answered(self, state: &mut State, _: OpId, ListPage { entries, next }: ListPage) {
        let name = visible(&self.0.full_name()).into_owned();
        if !state.dialogs.is_empty() || state.is_typing() {
            let key = state
                .keymap
                .key_of(state.context(), Action::FileDuplicates)
                .unwrap_or_default();
            return state.say(
                MessageLevel::Hint,
                format!("{key} again lists the duplicates of {name}."),
            );
        }
        let row = |entry: Entry| match entry {
            Entry::File(file) if file.id != self.0.id => Some(ChoiceRow {
                key: None,
                name: visible(file.path.as_deref().unwrap_or(&file.full_name())).into_owned(),
                about: file
                    .updated_at
                    .map(|at| figures::age(at, state.service_now().timestamp()))
                    .unwrap_or_default(),
                intent: Intent::GoToId(file.id.as_str().to_owned()),
                removal: None,
            }),
            _ => None,
        };
        let rows: Vec<ChoiceRow> = entries.into_iter().filter_map(row).collect();
        let md5 = self.0.file_md5.as_deref().map(visible).unwrap_or_default();
        let note = match (rows.len(), next) {
            (_, Some(_)) => format!(
                "There may be more: {} with md5:{md5} lists all of them.",
                key(state)
            ),
            (0, None) => "No other file in the account has this content.".to_owned(),
            (count, None) => format!(
                "{} with the same content.",
                figures::count(count, "other file")
            ),
        };
        state.dialogs.push(Dialog::Choice(ChoiceList::found(
            format!("Duplicates of {name}"),
            rows,
            note,
        )));
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        state.say_failed(
            &format!(
                "Duplicates of {} could not be found",
                visible(&self.0.full_name())
            ),
            error,
        );
    }
}

fn key(state: &State) -> String {
    state
        .keymap
        .key_of(state.context(), Action::Find)
        .unwrap_or_default()
}
