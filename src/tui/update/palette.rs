//! The items of the command palette.

use crate::api::text::visible;
use crate::config::{AUTO, PRESET, Setting};
use crate::engine::message::FolderRef;
use crate::tui::dialog::{CommandPalette, Dialog, Intent, PaletteItem};
use crate::tui::keymap::{Action, Context};
use crate::tui::pane::actions::{self, Availability};
use crate::tui::pane::files::favorites;
use crate::tui::state::{State, View};
use crate::tui::wording::action as words;

pub(super) fn ask(state: &mut State) {
    state.session.folder_names.want();
    let names = &state.session.folder_names;
    let kept = views(state).chain(bookmarks(state));
    let items = listed_actions(state)
        .chain(kept)
        .chain(accounts(state))
        .chain(keys())
        .chain(themes(state))
        .chain(files(state))
        .collect();
    let here = &state.files.listing.of;
    let root = [FolderRef::root()].into_iter();
    let folders = root
        .chain(names.places())
        .filter(|place| !here.is_folder(place.id.as_ref()));
    let palette = CommandPalette::new(items, &folders.collect::<Vec<_>>(), names.lack());
    state.dialogs.push(Dialog::Palette(palette));
}

/// The maximum number of files offered; the list's filter leads to the others.
const MOST_FILES: usize = 5_000;
/// The maximum number of actions that count as recently used.
const MOST_RECENT: usize = 8;

/// The actions that fit the row under the cursor, then the recent ones, then the rest.
fn listed_actions(state: &State) -> impl Iterator<Item = PaletteItem> {
    let recent = &state.session.account.favorites.typed.actions;
    let recent: Vec<Action> = recent
        .iter()
        .rev()
        .filter_map(|name| name.parse().ok())
        .take(MOST_RECENT)
        .collect();
    let context = state.context();
    let usual = actions::usual(context);
    let fit = |action: &Action| {
        // Of the copies between two accounts, the one from the list with the keys.
        let is_on_rows = match (action, state.sides(*action)) {
            (Action::Upload | Action::Save, Some(sides)) => {
                sides.from.session.id() == state.session.id()
            }
            _ => actions::is_on_rows(context, *action),
        };
        let is_fit = is_on_rows && actions::available(state, *action) == Availability::Yes;
        let place = usual.iter().position(|known| known == action);
        place.filter(|_| is_fit)
    };
    let order = |action: &Action| {
        let used = recent.iter().position(|known| known == action);
        (
            fit(action).unwrap_or(usize::MAX),
            used.unwrap_or(usize::MAX),
            action.moves_cursor(),
        )
    };
    let mut listed: Vec<Action> = Action::ALL
        .iter()
        .copied()
        .filter(|action| *action != Action::Palette)
        .collect();
    let is_on_folder = state.is_on_folder();
    listed.sort_by_key(order);
    listed.into_iter().filter_map(move |action| {
        let place = actions::home(state, action)?;
        let keys = state.keymap.key_of(place, action)?;
        let lacks = actions::refusal(state, place, action).map(|refusal| refusal.short());
        let is_grayed = lacks.is_some();
        let about = lacks.or_else(|| in_hand(state, place, action));
        let about = about.or_else(|| recent.contains(&action).then(|| "used recently".to_owned()));
        Some(PaletteItem {
            name: words::description(state, action).into_owned(),
            // A folder has no other link to share.
            synonyms: if is_on_folder && action == Action::LinkPath {
                "share link"
            } else {
                action.synonyms()
            },
            about: about.unwrap_or_default(),
            keys,
            kind: action.group(),
            // In the limits view its own actions come before those for files.
            rank: u8::from(state.view == View::Limits && place != Context::Limits),
            is_grayed,
            intent: Intent::Act(action),
        })
    })
}

/// The rows that an action would work on, if they are on the screen.
fn in_hand(state: &State, place: Context, action: Action) -> Option<String> {
    if state.mode.comparing().is_some() {
        return None;
    }
    match state.sides(action) {
        Some(_) if action == Action::Compare => None,
        Some(sides) => sides.from.files.listing.in_hand(),
        None if actions::is_on_rows(place, action) => state.in_hand(place),
        None => None,
    }
}

fn views(state: &State) -> impl Iterator<Item = PaletteItem> {
    state
        .session
        .account
        .favorites
        .views
        .iter()
        .map(|(name, search)| PaletteItem {
            about: visible(search).into_owned(),
            ..PaletteItem::plain(
                format!("Find {}", visible(name)),
                "view",
                1,
                Intent::View {
                    name: name.clone(),
                    search: search.clone(),
                },
            )
        })
}

fn bookmarks(state: &State) -> impl Iterator<Item = PaletteItem> {
    let jump = state
        .keymap
        .key_of(Context::Files, Action::Bookmarks)
        .unwrap_or_default();
    state
        .session
        .account
        .favorites
        .bookmarks
        .iter()
        .map(move |(key, to)| PaletteItem {
            keys: visible(&format!("{jump} {key}")).into_owned(),
            ..PaletteItem::plain(
                format!("Go to {}", visible(favorites::described(to))),
                "bookmark",
                1,
                Intent::Jump(to.clone()),
            )
        })
}

fn accounts(state: &State) -> impl Iterator<Item = PaletteItem> {
    let others = state
        .accounts
        .iter()
        .filter(|known| known.source != state.session.account.source);
    others.map(|known| {
        let name = format!("Go to the account {}", visible(known.source.title()));
        PaletteItem::plain(name, "account", 1, Intent::Switch(known.source.clone()))
    })
}

fn keys() -> impl Iterator<Item = PaletteItem> {
    Setting::named(PRESET).into_iter().map(|setting| {
        let name = "Choose the keys: vim, or desktop programs".to_owned();
        PaletteItem {
            synonyms: "cua preset",
            ..PaletteItem::plain(name, "setting", 1, Intent::ShowSetting(setting))
        }
    })
}

fn themes(state: &State) -> impl Iterator<Item = PaletteItem> {
    let setting = Setting::named("theme");
    let names = std::iter::once(AUTO.to_owned()).chain(state.settings.themes());
    names.filter_map(move |name| {
        let value = toml::Value::from(name.as_str()).to_string();
        let change = Intent::Change {
            setting: setting?,
            value,
        };
        Some(PaletteItem::plain(
            format!("Use the theme {}", visible(&name)),
            "theme",
            1,
            change,
        ))
    })
}

fn files(state: &State) -> impl Iterator<Item = PaletteItem> {
    let rows = state
        .files
        .listing
        .visible_rows()
        .map(|(_, row)| row)
        .filter(|row| row.is_file());
    rows.take(MOST_FILES).map(|row| {
        let seek = Intent::Seek(row.target.clone());
        PaletteItem::plain(row.name.to_string(), "file", 3, seek)
    })
}
