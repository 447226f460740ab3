//! Opens the screen: account or demo, keys and theme; cleans up at its end.

use std::io::{self, IsTerminal as _};
use std::sync::Arc;

use anyhow::Context as _;

use super::demo::DemoMode;
use super::exit::Exit;
use super::log_files;
use super::opener::Opener;
use super::screen_files::{appearance, keys, take_choices};
use super::setup::Setup;
use super::stderr::{self, InvalidUsage};
use crate::config::{
    AccountSource, ChosenSettings, Images, LastAccount, PaneSizes, PaneSizesFile, accounts,
};
use crate::signals::Listener;
use crate::tui;
use crate::tui::app::appearance::Appearance;
use crate::tui::app::exit::ScreenExit;
use crate::tui::app::sessions::Sessions;
use crate::tui::input::local_paths::LocalPaths;
use crate::tui::state::RunSettings;

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
    let mut signals = listener.attend();
    let last = LastAccount::new(&setup.paths.state);
    let source = if demo.is_some() {
        AccountSource::Demo
    } else {
        let last = last.read();
        let account = setup.account.as_deref();
        accounts::choose_for_screen(&setup.config, &setup.environment, account, last.as_deref())?
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
        setup.warnings.push(warning);
        PaneSizes::default()
    });
    let known = accounts::known(&setup.config, &setup.paths, &setup.environment);
    let read = std::mem::take(&mut setup.warnings);
    let mut warnings: Vec<String> = read.iter().map(ToString::to_string).collect();
    let _logs = logs.map_err(|error| warnings.push(format!("logging is off: {error:#}")));
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
