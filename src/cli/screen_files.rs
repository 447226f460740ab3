//! The files that only the screen reads: keys, themes, and the settings chosen on it. Mistakes in
//! them become warnings of the setup.

use std::collections::BTreeMap;

use super::setup::Setup;
use crate::config::{AUTO, CHOSEN_HERE, ChosenSettings, ConfigFile, Setting, TomlText};
use crate::tui::app::appearance::Appearance;
use crate::tui::keymap::Keymap;
use crate::tui::style::theme::{Depth, Theme, ThemeColors};

/// Reads the user's key file, and lays it over the preset.
pub fn keys(setup: &mut Setup) -> (TomlText, Keymap) {
    let dir = setup.paths.config.clone();
    let read = match &setup.config.keys {
        Some(path) => TomlText::read(&dir.join(path), &dir),
        None => TomlText::read(&setup.paths.keys_file(), &dir),
    };
    let text = read.unwrap_or_else(|warning| {
        setup.warnings.push(warning);
        None
    });
    if text.is_none() && setup.config.keys.is_some() {
        let what = "the key file that the setting names does not exist; the default keys are used"
            .to_owned();
        setup.pass_over("keys", what, |config| config.keys = None);
    }
    let text = text.unwrap_or_default();
    let (keymap, warnings) = Keymap::load(setup.config.preset, &text);
    setup.warnings.extend(warnings);
    (text, keymap)
}

/// Applies what was chosen on the screen before, unless `config.toml` decides it. Accounts are not
/// in that file.
pub fn take_choices(setup: &mut Setup, file: &ChosenSettings) {
    let ConfigFile {
        config,
        lines,
        warnings,
    } = file.read();
    setup.warnings.extend(warnings);
    let is_free = |setting: &&Setting| {
        let is_set =
            setup.lines.contains_key(setting.name) || setup.others.contains_key(setting.name);
        lines.contains_key(setting.name) && !is_set
    };
    let chosen: Vec<Setting> = Setting::ALL
        .iter()
        .filter(|it| it.is_live())
        .filter(is_free)
        .copied()
        .collect();
    for setting in chosen {
        let value = config.toml_of(setting).unwrap_or_default();
        if setup.config.choose(setting, &value) {
            setup.set_by(setting.name, value, CHOSEN_HERE);
        }
    }
}

/// Reads the user's own themes. Only mistakes in the one in use are reported.
fn own_themes(setup: &mut Setup) -> BTreeMap<String, ThemeColors> {
    let (dir, used) = (setup.paths.config.clone(), setup.config.theme.clone());
    let entries = std::fs::read_dir(dir.join("themes"))
        .into_iter()
        .flatten()
        .flatten();
    let files = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|it| it == "toml"));
    let names = files
        .filter_map(|path| path.file_stem()?.to_str().map(str::to_owned))
        .filter(|name| name != AUTO);
    let mut own = BTreeMap::new();
    for name in names {
        let (colors, warnings) =
            match TomlText::read(&dir.join("themes").join(format!("{name}.toml")), &dir) {
                Ok(Some(text)) => Theme::read(&text),
                Ok(None) => (None, Vec::new()),
                Err(warning) => (None, vec![warning]),
            };
        if name == used {
            setup.warnings.extend(warnings);
        }
        own.extend(colors.map(|colors| (name, colors)));
    }
    own
}

/// Reads the themes, and checks that the chosen one exists.
pub fn appearance(setup: &mut Setup) -> Appearance {
    if setup.config.plain {
        return Appearance::plain();
    }
    let depth = if setup.environment.no_color {
        Depth::Mono
    } else {
        Depth::detect()
    };
    let appearance = Appearance {
        own: own_themes(setup),
        depth,
        is_plain: false,
    };
    if let Some(warning) = appearance.refusal(&setup.config.theme) {
        setup.pass_over("theme", warning, |config| {
            AUTO.clone_into(&mut config.theme);
        });
    }
    appearance
}
