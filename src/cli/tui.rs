//! Opens the screen: account or demo, keys and theme; cleans up at its end.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _};
use std::sync::Arc;

use anyhow::Context as _;

use super::demo::DemoMode;
use super::exit::Exit;
use super::log_files;
use super::opener::Opener;
use super::setup::Setup;
use super::stderr::{self, InvalidUsage};
use crate::config::{
    AUTO, AccountSource, CHOSEN_HERE, ChosenSettings, ConfigFile, Images, LastAccount, PaneSizes,
    PaneSizesFile, Setting, TomlText, accounts,
};
use crate::signals::Listener;
use crate::tui;
use crate::tui::app::appearance::Appearance;
use crate::tui::app::exit::ScreenExit;
use crate::tui::app::sessions::Sessions;
use crate::tui::input::local_paths::LocalPaths;
use crate::tui::keymap::Keymap;
use crate::tui::state::RunSettings;
use crate::tui::style::theme::{Depth, Theme, ThemeColors};

/// Runs the screen on the chosen account, or on a throw-away store with `demo`.
pub async fn run(
    mut setup: Setup,
    demo: Option<Option<DemoMode>>,
    listener: &mut Listener,
) -> anyhow::Result<Exit> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        let message = "the screen needs a terminal; scripts use commands: see filedeck --help";
        return Err(InvalidUsage(message.to_owned()).into());
    }
    can_move_the_cursor()?;
    let chosen = ChosenSettings::new(&setup.paths.state);
    take_choices(&mut setup, &chosen);
    let ((keys, keymap), appearance) = (keys(&mut setup), appearance(&mut setup));
    let dir = std::env::current_dir()
        .context("the current folder no longer exists; start filedeck in another one")?;
    // The first run of any kind creates it.
    let is_first_run = !setup.paths.state.exists();
    let logs = log_files::to_files(&setup.paths.logs());
    let _logs = logs.map_err(|error| setup.warnings.push(format!("logging is off: {error:#}")));
    let mut signals = listener.attend();
    let last = LastAccount::new(&setup.paths.state);
    let source = if demo.is_some() {
        AccountSource::Demo
    } else {
        let last = last.read();
        let account = setup.account.as_deref();
        accounts::choose_for_screen(
            &setup.config,
            &setup.paths,
            &setup.environment,
            account,
            last.as_deref(),
        )?
    };
    let is_last = demo.is_none() && setup.account.is_none() && is_of_last_time(&setup, &source);
    note_what_goes_before_the_file(&mut setup, &source);
    let pane_sizes = PaneSizes {
        tree: setup.config.tree_width,
        details: setup.config.details_width,
        ..PaneSizes::default()
    };
    let sizes = PaneSizesFile::new(&setup.paths.state);
    let dragged = sizes.read().unwrap_or_else(|warning| {
        setup.warn([&warning]);
        PaneSizes::default()
    });
    let known = accounts::known(&setup.config, &setup.paths, &setup.environment);
    let mut warnings = std::mem::take(&mut setup.warnings);
    let opener = Arc::new(Opener {
        setup,
        demo: demo.flatten(),
    });
    let tell = |line: &str| stderr::say(&format!("filedeck: {line}"));
    let first = match source {
        // Dropped midway, it would continue writing while its directory is removed.
        AccountSource::Demo => opener.open(source, &tell).await?,
        _ => match signals
            .unless_one_comes(Box::pin(opener.open(source, &tell)))
            .await
        {
            Ok(first) if is_last => first.context(LAST_TIME)?,
            Ok(first) => first?,
            Err(signal) => return Ok(signal.into()),
        },
    };
    warnings.extend(first.connected.warnings.iter().cloned());
    let screen = tui::ScreenSetup {
        account: first.connected.account.clone(),
        accounts: known,
        keymap,
        settings: RunSettings {
            keys,
            ..run_settings(&opener.setup, &appearance)
        },
        chosen,
        bandwidth: opener.setup.bandwidth.clone(),
        appearance,
        pane_sizes,
        dragged,
        sizes,
        last,
        is_first_run,
        local: LocalPaths {
            dir,
            home: etcetera::home_dir().ok(),
        },
        warnings,
    };
    let mut sessions = Sessions::new(opener.accounts(), first);
    let (own, config) = (opener.setup.own_accounts(), opener.setup.config.clone());
    sessions.write(move || {
        if let Err(error) = own.sweep(&config) {
            tracing::warn!("leftovers of account changes could not be removed: {error}");
        }
        Ok(())
    });
    let ended = Box::pin(tui::run(screen, &mut sessions, &mut signals)).await;
    if !matches!(ended, Ok(ScreenExit::Quit)) {
        // The signal that ended the screen is no reason to hurry, but another one is.
        signals.forget();
    }
    match signals.unless_one_comes(sessions.close_all()).await {
        Ok(()) => Ok(ended.context("the terminal failed")?.into()),
        Err(signal) => Ok(signal.into()),
    }
}

const LAST_TIME: &str =
    "the last account cannot be opened; --account local opens the built-in store";

/// Returns `true` if only the last session leads to the account, given that no flag does.
fn is_of_last_time(setup: &Setup, source: &AccountSource) -> bool {
    let is_named = setup.environment.account.is_some() || setup.config.account.is_some();
    matches!(source, AccountSource::Configured(_)) && !is_named
}

/// Records what environment and flags decide, for the page of settings.
fn note_what_goes_before_the_file(setup: &mut Setup, source: &AccountSource) {
    if setup.environment.no_color {
        setup.set_by("theme", "\"mono\"", "NO_COLOR");
        setup.set_by("images", "\"off\"", "NO_COLOR");
    }
    let by = match source {
        AccountSource::Demo => Some("--demo"),
        _ if setup.account.is_some() => Some("--account"),
        AccountSource::Environment => Some("FILEDECK_TOKEN"),
        _ if setup.environment.account.is_some() => Some("FILEDECK_ACCOUNT"),
        _ if is_of_last_time(setup, source) => Some("the last time"),
        _ => None,
    };
    if let Some(by) = by {
        setup.set_by("account", format!("\"{}\"", source.name()), by);
    }
}

/// Refuses a terminal on which nothing can be drawn, not even with `--plain`.
#[cfg(unix)]
fn can_move_the_cursor() -> Result<(), InvalidUsage> {
    let term = std::env::var("TERM").unwrap_or_default();
    if matches!(term.as_str(), "" | "dumb") {
        let what = if term.is_empty() {
            "TERM is not set".to_owned()
        } else {
            format!("TERM is {term}")
        };
        let message = format!(
            "{what}: the screen, also with --plain, needs a terminal that can move the cursor. Elsewhere, use commands: ls, find, put, get, rm, limits; see filedeck --help"
        );
        return Err(InvalidUsage(message));
    }
    Ok(())
}

/// Accepts any console, which needs no name here.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as on Unix")]
fn can_move_the_cursor() -> Result<(), InvalidUsage> {
    Ok(())
}

/// Reads the user's key file, and lays it over the preset.
fn keys(setup: &mut Setup) -> (TomlText, Keymap) {
    let dir = setup.paths.config.clone();
    let read = match &setup.config.keys {
        Some(path) => TomlText::read(&dir.join(path), &dir),
        None => TomlText::read(&setup.paths.keys_file(), &dir),
    };
    let text = read.unwrap_or_else(|warning| {
        setup.warn([&warning]);
        None
    });
    if text.is_none() && setup.config.keys.is_some() {
        let what = "the key file that the setting names does not exist; the default keys are used"
            .to_owned();
        setup.pass_over("keys", what, |config| config.keys = None);
    }
    let text = text.unwrap_or_default();
    let (keymap, warnings) = Keymap::load(setup.config.preset, &text);
    setup.warn(&warnings);
    (text, keymap)
}

/// Applies what was chosen on the screen before, unless `config.toml` decides it. Accounts are not
/// in that file.
fn take_choices(setup: &mut Setup, file: &ChosenSettings) {
    let ConfigFile {
        config,
        lines,
        warnings,
    } = file.read();
    setup.warn(&warnings);
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
            setup.warn(&warnings);
        }
        own.extend(colors.map(|colors| (name, colors)));
    }
    own
}

fn appearance(setup: &mut Setup) -> Appearance {
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

/// Returns the settings of the run, adapted to the terminal.
fn run_settings(setup: &Setup, appearance: &Appearance) -> RunSettings {
    let mut config = setup.config.clone();
    if appearance.is_plain {
        config.images = Images::Off;
    }
    RunSettings {
        config,
        rows: setup.config.in_force(&setup.lines, &setup.others),
        file: setup.paths.config_file(),
        own_themes: appearance.own.keys().cloned().collect(),
        depth: appearance.depth,
        utf8: setup.environment.utf8,
        ..RunSettings::default()
    }
}
