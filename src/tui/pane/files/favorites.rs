//! The user's favorites of an account: saved searches and bookmarks.

use super::{browse, find};
use crate::api::ids::FolderId;
use crate::api::text::visible;
use crate::config::favorites::{Bookmark, FavoritesChange};
use crate::engine::message::{Collection, FolderRef};
use crate::engine::question::Locate;
use crate::tui::dialog::{ChoiceList, ChoiceRow, Dialog, Intent, Prompt};
use crate::tui::keymap::{Action, Context};
use crate::tui::pane::ask::ask;
use crate::tui::pane::{focus, remember};
use crate::tui::state::{GoToRead, MessageLevel, State, View};

pub(crate) fn ask_name(state: &mut State) {
    if let Some(query) = state.files.listing.of.query() {
        let prompt = Prompt::keep(query.line().to_owned());
        state.dialogs.push(Dialog::Prompt(prompt));
        return;
    }
    let find = state
        .keymap
        .key_of(state.context(), Action::Find)
        .unwrap_or_default();
    state.say(
        MessageLevel::Hint,
        format!("Only a search can be saved: {find} starts one."),
    );
}

pub(crate) fn ask_view(state: &mut State) {
    let rows = ('1'..='9')
        .map(Some)
        .chain(std::iter::repeat(None))
        .zip(&state.session.account.favorites.views);
    let rows = rows.map(|(key, (name, search))| ChoiceRow {
        key,
        name: visible(name).into_owned(),
        about: visible(search).into_owned(),
        intent: Intent::View {
            name: name.clone(),
            search: search.clone(),
        },
        removal: Some(FavoritesChange::View {
            name: name.clone(),
            search: None,
        }),
    });
    let keep = state
        .keymap
        .key_of(state.context(), Action::SaveSearch)
        .unwrap_or_default();
    let none = format!("No saved views yet: {keep} saves the open search.");
    let kept = ChoiceList::choose("Saved views", rows.collect(), &none);
    state.dialogs.push(Dialog::Choice(kept));
}

/// Asks for the character of a bookmark to the open folder or search.
pub(crate) fn ask_bookmark(state: &mut State) {
    let new = match &state.files.listing.of {
        Collection::Folder(FolderRef { id, path }) => Bookmark::Folder {
            path: path.clone(),
            id: id.as_ref().map(|id| id.as_str().to_owned()),
        },
        Collection::Found(query) => Bookmark::Search {
            search: query.line().to_owned(),
        },
    };
    let title = format!("Bookmark {}", visible(state.files.listing.of.title()));
    let kept = ChoiceList::set(title, bookmarks(state), new);
    state.dialogs.push(Dialog::Choice(kept));
}

pub(crate) fn ask_jump(state: &mut State) {
    let set = state
        .keymap
        .key_of(state.context(), Action::SetBookmark)
        .unwrap_or_default();
    let none = format!("No bookmarks yet: {set} and a character set one for this folder.");
    let kept = ChoiceList::choose("Bookmarks", bookmarks(state), &none);
    state.dialogs.push(Dialog::Choice(kept));
}

fn bookmarks(state: &State) -> Vec<ChoiceRow> {
    let row = |(key, to): (&char, &Bookmark)| ChoiceRow {
        key: Some(*key),
        name: visible(described(to)).into_owned(),
        about: if matches!(to, Bookmark::Search { .. }) {
            "search".to_owned()
        } else {
            String::new()
        },
        intent: Intent::Jump(to.clone()),
        removal: Some(FavoritesChange::Bookmark {
            key: *key,
            to: None,
        }),
    };
    state
        .session
        .account
        .favorites
        .bookmarks
        .iter()
        .map(row)
        .collect()
}

/// The target of a bookmark, not yet safe to show.
pub(crate) fn described(to: &Bookmark) -> &str {
    match to {
        Bookmark::Folder { path, .. } => path,
        Bookmark::Search { search } => search,
    }
}

/// Goes to the target of a bookmark. A folder is found by its id, wherever it is now.
pub(crate) fn jump(state: &mut State, to: Bookmark) {
    match to {
        Bookmark::Search { search } => find::open_line(state, &search, None),
        Bookmark::Folder { id: None, .. } => {
            focus::open_view(state, View::Files);
            browse::go(state, FolderRef::root(), None);
        }
        Bookmark::Folder { path, id: Some(id) } => {
            focus::open_view(state, View::Files);
            ask(
                state,
                GoToRead {
                    to: path,
                    typed: None,
                },
                Locate::Folder(FolderId::new(id)),
            );
        }
    }
}

pub(crate) fn keep(state: &mut State, change: FavoritesChange) {
    if state.session.is_closed {
        state.say(
            MessageLevel::Error,
            format!(
                "Nothing was saved: {} is not open.",
                visible(state.session.account.name())
            ),
        );
        return;
    }
    let message = match &change {
        FavoritesChange::View {
            name,
            search: Some(_),
        } => format!("Saved as {}.", visible(name)),
        FavoritesChange::View { name, search: None } => format!("Removed {}.", visible(name)),
        FavoritesChange::Bookmark { key, to: Some(to) } => {
            let opens = state.keymap.key_of(Context::List, Action::Bookmarks);
            let opens = opens
                .map(|opens| format!("; {opens} {key} opens it"))
                .unwrap_or_default();
            format!("Bookmarked {}{opens}.", visible(described(to)))
        }
        FavoritesChange::Bookmark { key, to: None } => format!("Removed the bookmark {key}."),
        FavoritesChange::Typed(_) | FavoritesChange::Grid { .. } => {
            return remember::keep(state, change);
        }
    };
    state.say(MessageLevel::Info, visible(&message));
    remember::keep(state, change);
}

pub(crate) fn not_kept(state: &mut State, why: &str) {
    state.say(
        MessageLevel::Error,
        format!("Saved for this session only: {}", visible(why)),
    );
}
