//! The items of the command palette.

use super::favorites;
use crate::api::text::visible;
use crate::config::{AUTO, Setting};
use crate::engine::message::FolderRef;
use crate::tui::dialog::{CommandPalette, Dialog, Intent, PaletteItem};
use crate::tui::keymap::{Action, Context};
use crate::tui::state::{State, View};
use crate::tui::widget::figures;

pub(super) fn ask(state: &mut State) {
    state.session.folder_names.want();
    let names = &state.session.folder_names;
    let kept = views(state).chain(bookmarks(state));
    let items = actions(state)
        .chain(kept)
        .chain(accounts(state))
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
/// The group of the cursor keys, which nobody looks up: they come last.
const MOVES: &str = "move";

/// The actions that fit the row under the cursor, then the recent ones, then the rest.
fn actions(state: &State) -> impl Iterator<Item = PaletteItem> {
    let recent = &state.session.account.favorites.typed.actions;
    let recent: Vec<Action> = recent
        .iter()
        .rev()
        .filter_map(|name| name.parse().ok())
        .take(MOST_RECENT)
        .collect();
    let order = |action: &Action| {
        let used = recent.iter().position(|known| known == action);
        (
            fit(state, *action).unwrap_or(usize::MAX),
            used.unwrap_or(usize::MAX),
            action.group() == MOVES,
        )
    };
    let mut actions: Vec<Action> = Action::ALL
        .iter()
        .copied()
        .filter(|action| *action != Action::Palette)
        .collect();
    let is_on_folder = state.is_on_folder();
    actions.sort_by_key(order);
    actions.into_iter().filter_map(move |action| {
        let place = place(state, action)?;
        let keys = state.keymap.key_of(place, action)?;
        let lacks = state
            .session
            .denied_actions
            .for_action(action)
            .map(|scope| format!("needs {scope}"));
        let lacks = lacks.or_else(|| unfit(state, action).map(str::to_owned));
        let is_grayed = lacks.is_some();
        let about = lacks.or_else(|| {
            if is_about_chosen(action) {
                chosen(state)
            } else {
                None
            }
        });
        let about = about.or_else(|| recent.contains(&action).then(|| "used recently".to_owned()));
        Some(PaletteItem {
            name: action.description().to_owned(),
            // A folder has no other link to share.
            synonyms: if is_on_folder && action == Action::LinkPath {
                "share link"
            } else {
                synonyms(action)
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
        let name = format!("Go to the account {}", visible(known.source.name()));
        PaletteItem::plain(name, "account", 1, Intent::Switch(known.source.clone()))
    })
}

fn themes(state: &State) -> impl Iterator<Item = PaletteItem> {
    let setting = Setting::ALL
        .iter()
        .copied()
        .find(|setting| setting.is_theme());
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

/// The names that an action has in other programs.
fn synonyms(action: Action) -> &'static str {
    match action {
        Action::LinkAuto | Action::LinkUrl | Action::LinkSigned | Action::LinkSignedFor => "share",
        Action::EditAccess => {
            "publish permissions visibility sharing private public expire expires"
        }
        Action::Compare => "sync synchronize mirror same diff difference",
        Action::ToggleGrid => "gallery grid thumbnails",
        Action::ToggleLocal => "dual two panes computer local disk",
        Action::ResetPanes => "width narrow wide columns",
        Action::Upload => "publish send add",
        Action::Save | Action::SaveAs => "download get fetch",
        Action::Replace => "overwrite update",
        Action::Delete => "remove trash",
        Action::Purge => "erase gdpr",
        Action::Deletions => "restore undelete trash recover proof receipt privacy",
        Action::Undo => "revert back",
        Action::Settings => "preferences options configuration desktop keys cua vim preset",
        Action::LimitRate => "bandwidth throttle speed",
        Action::Themes => "colors dark light appearance",
        Action::Accounts => "sign out log in logout login switch token",
        Action::NewFolder => "mkdir create directory",
        Action::Cut => "move",
        Action::Find => "search",
        Action::Help => "manual shortcuts keys",
        Action::Tour => "tutorial introduction guide start",
        Action::Quit => "exit",
        _ => "",
    }
}

/// The marked rows or the row under the cursor, in a word or two.
fn chosen(state: &State) -> Option<String> {
    let listing = &state.files.listing;
    let marked = listing.marks.len();
    if marked > 0 {
        return Some(format!("{} marked", figures::number(marked)));
    }
    listing.current().map(|row| row.name.to_string())
}

fn is_about_chosen(action: Action) -> bool {
    ON_ROWS.contains(&action) || action.group() == Action::LinkAuto.group()
}

/// The actions on chosen rows, most wanted first.
const ON_ROWS: [Action; 12] = [
    Action::Save,
    Action::LinkAuto,
    Action::EditAccess,
    Action::Rename,
    Action::Cut,
    Action::Delete,
    Action::SaveAs,
    Action::LinkPath,
    Action::EditText,
    Action::Replace,
    Action::Browse,
    Action::Purge,
];
const ON_FILES_ALONE: [Action; 5] = [
    Action::LinkAuto,
    Action::EditAccess,
    Action::EditText,
    Action::Replace,
    Action::Browse,
];
const ON_ONE_ROW_ALONE: [Action; 3] = [Action::EditText, Action::Replace, Action::Browse];
const ON_COMPARED_ROWS: [Action; 4] = [
    Action::Upload,
    Action::Save,
    Action::MakeThereLikeHere,
    Action::MakeHereLikeThere,
];
const ON_LOCAL_ROWS: [Action; 2] = [Action::Upload, Action::Mark];
const ON_FOLDERS_OF_THE_TREE: [Action; 4] = [
    Action::LinkPath,
    Action::Rename,
    Action::Cut,
    Action::Delete,
];

/// The reason that the action does nothing with the row under the cursor, or the marked rows.
fn unfit(state: &State, action: Action) -> Option<&'static str> {
    let is_on_rows = matches!(
        state.context(),
        Context::List | Context::Grid | Context::Details
    );
    if state.is_on_folder() && (action.is_for_files() || ON_FILES_ALONE.contains(&action)) {
        return Some("for files only");
    }
    let is_for_one =
        is_on_rows && state.files.listing.marks.len() > 1 && ON_ONE_ROW_ALONE.contains(&action);
    is_for_one.then_some("for one file only")
}

/// The rank of an action among those that fit the row under the cursor, or the marked rows.
fn fit(state: &State, action: Action) -> Option<usize> {
    let tasks = &state.session.tasks;
    let at = |fitting: &[Action]| fitting.iter().position(|known| *known == action);
    let of_group = |of: Action| (action.group() == of.group()).then_some(0);
    match state.context() {
        Context::List | Context::Grid | Context::Details => {
            chosen(state)?;
            at(&ON_ROWS).filter(|_| unfit(state, action).is_none())
        }
        Context::Tree => at(&ON_FOLDERS_OF_THE_TREE),
        Context::Tasks => tasks.selected().and_then(|_| of_group(Action::CancelTask)),
        Context::Limits => of_group(Action::CopyTable),
        Context::Local => at(&ON_LOCAL_ROWS).filter(|_| state.local_side.current().is_some()),
        Context::Compare => at(&ON_COMPARED_ROWS),
        Context::Activity | Context::Choose | Context::Files | Context::Global => None,
    }
}

/// The context in which the action has a key: the current one, else the one that it is made for.
pub(super) fn place(state: &State, action: Action) -> Option<Context> {
    const OTHERS: [Context; 7] = [
        Context::List,
        Context::Details,
        Context::Tree,
        Context::Local,
        Context::Tasks,
        Context::Limits,
        Context::Activity,
    ];
    let mut places = [state.context()].into_iter().chain(OTHERS);
    places.find(|context| state.keymap.key_of(*context, action).is_some())
}
