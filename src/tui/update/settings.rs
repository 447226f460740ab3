//! Settings that change while the screen runs: the list of themes, the settings page, and the
//! effects of a new value.

use std::iter::once;

use jiff::SignedDuration;

use crate::api::text::{visible, visible_local};
use crate::config::{AUTO, InForce, Notify, PRESET, Preset, Setting};
use crate::tui::areas;
use crate::tui::dialog::{Dialog, Settings, Themes};
use crate::tui::keymap::{Action, Keymap};
use crate::tui::state::effect::Effect;
use crate::tui::state::{MessageLevel, Mode, RunSettings, Splitter, State};
use crate::tui::style::theme::Depth;
use crate::tui::widget::figures;

/// Copies the settings that the parts of the screen read into the state.
pub fn apply(state: &mut State) {
    let config = &state.settings.config;
    state.dates = config.dates;
    state.columns.clone_from(&config.columns);
    state.panes.folder_counts = config.folder_counts;
    state.notify = config.notify != Notify::Off;
    state.limits_every = SignedDuration::from_secs(config.limits_refresh.get().into());
    state.picture_support = state.settings.picture_support();
    order_names(state);
}

/// Sorts the names in the lists in the order that the settings have.
fn order_names(state: &mut State) {
    let names = state.settings.name_order();
    if state.files.listing.names != names {
        state.files.listing.names = names;
        state.files.listing.resort();
    }
    let chosen_from = match &mut state.mode {
        Mode::Choosing(choosing) => Some(&mut choosing.local_side),
        _ => None,
    };
    for side in [&mut state.local_side].into_iter().chain(chosen_from) {
        if side.names != names {
            side.names = names;
            side.arrange();
        }
    }
    if let Some(comparing) = state.mode.comparing_mut() {
        comparing.names = names;
        comparing.arrange();
    }
}

/// Opens the settings, at one of them if it is given.
pub(super) fn open(state: &mut State, at: Option<Setting>) {
    let file = &state.settings.file;
    let below = state
        .local
        .home
        .as_ref()
        .and_then(|home| file.strip_prefix(home).ok());
    let file = match below {
        Some(rest) => format!("~/{}", visible_local(rest.as_os_str())),
        None => visible_local(file.as_os_str()),
    };
    state
        .dialogs
        .push(Dialog::Settings(Settings::new(&rows(state), file, at)));
}

/// The rows of the settings page, with the widths of the panes in effect.
fn rows(state: &State) -> Vec<InForce> {
    let areas = areas::areas(state.size, state);
    let (dragged, sizes) = (state.panes.dragged, state.panes.sizes());
    let widths = [
        ("tree_width", Splitter::Tree, dragged.tree, sizes.tree),
        (
            "details_width",
            Splitter::Details,
            dragged.details,
            sizes.details,
        ),
    ];
    let mut rows = state.settings.rows.clone();
    for (name, splitter, dragged, wanted) in widths {
        let shown = areas.and_then(|areas| areas::bounded(splitter, &areas));
        let row = rows.iter_mut().find(|row| row.setting.name == name);
        if let Some((row, width)) = row.zip(shown.or(wanted)) {
            row.show_width(width, dragged.is_some());
        }
    }
    rows
}

pub(super) fn open_themes(state: &mut State) {
    let mut rows = state.settings.rows.iter();
    let Some(row) = rows.find(|row| row.setting.is_theme()) else {
        return;
    };
    let note = match (state.panes.plain, state.settings.depth) {
        (true, _) => {
            "Plain lines have no colors: a theme shows at a start without --plain.".to_owned()
        }
        (false, Depth::Mono) => {
            "There are no colors: NO_COLOR is set, or the terminal has none.".to_owned()
        }
        (false, Depth::Ansi) => format!(
            "The terminal has 16 colors: most themes look alike; {}",
            kept(row)
        ),
        (false, Depth::Indexed | Depth::True) => format!("Shown as you move; {}", kept(row)),
    };
    let names = once(AUTO.to_owned())
        .chain(state.settings.themes())
        .collect();
    state.dialogs.push(Dialog::Themes(Themes::new(
        row.setting,
        names,
        &state.settings.config.theme,
        state.settings.depth,
        note,
    )));
}

/// Accepts the offer of the first start.
pub(super) fn use_desktop_keys(state: &mut State) {
    if let Some(preset) = Setting::named(PRESET) {
        change(state, preset, "\"cua\"");
    }
}

/// Loads the keys of the chosen preset, with the user's own on top.
fn load_keys(state: &mut State) {
    let RunSettings { config, keys, .. } = &state.settings;
    state.keymap = Keymap::load(config.preset, keys).0;
    let words = match config.preset {
        Preset::Vim => "Keys: vim",
        Preset::Cua => "Keys: cua, those of desktop programs too",
    };
    let help = state.keymap.key_of(state.context(), Action::Help);
    let help = help.map_or(String::new(), |key| format!("{key} lists them."));
    state.say_then(MessageLevel::Info, format!("{words}."), help);
}

/// Changes a setting, and saves it unless another source decides its value at the next start.
pub(super) fn change(state: &mut State, setting: Setting, value: &str) {
    let Some(lasts) = state.settings.change(setting, value) else {
        return;
    };
    apply(state);
    let rows = rows(state);
    for dialog in &mut state.dialogs {
        if let Dialog::Settings(page) = dialog {
            page.set_rows(&rows);
        }
    }
    if setting.is_theme() {
        let how_long = match rows.iter().find(|row| row.setting == setting && !lasts) {
            Some(row) => format!("until you quit: {} sets it", row.from),
            None => "now".to_owned(),
        };
        state.say(
            MessageLevel::Info,
            format!(
                "The theme is {} {how_long}.",
                visible(&state.settings.config.theme)
            ),
        );
    }
    if setting.name == PRESET {
        load_keys(state);
    }
    if setting.name == "limit_rate" {
        let words = match state.settings.config.limit_rate.bytes() {
            Some(bytes) => format!("Limited all transfers to {}/s.", figures::size(bytes.get())),
            None => "Removed the limit on transfers.".to_owned(),
        };
        state.say(MessageLevel::Info, words);
    }
    if lasts {
        state
            .effects
            .push(Effect::KeepSetting(setting.name, value.to_owned()));
    }
}

fn kept(row: &InForce) -> String {
    if row.lasts() {
        return "enter keeps it.".to_owned();
    }
    format!(
        "enter keeps it until you quit: {} sets it at the next start.",
        visible(&row.from)
    )
}
