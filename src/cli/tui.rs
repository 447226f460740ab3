//! Opens the screen: account or demo, engine, journal, keys and theme, and gives everything back at its end.

use std::io::{self, IsTerminal as _};
use std::path::Path;

use anyhow::Context as _;

use super::demo::DemoMode;
use super::exit::Exit;
use super::logging;
use super::session::Session;
use super::setup::Setup;
use super::talk::UsageError;
use crate::config::ThemeName;
use crate::signals::Listener;
use crate::tui::exit::Exit as ScreenExit;
use crate::tui::keymap::Keymap;
use crate::tui::local_paths::LocalPaths;
use crate::tui::state::Account;
use crate::tui::theme::Theme;
use crate::{engine, tui};

/// Runs the screen on the chosen account, or on a throw-away store with `demo`.
pub async fn run(
    mut setup: Setup,
    account: Option<&str>,
    demo: Option<Option<DemoMode>>,
    listener: &mut Listener,
) -> anyhow::Result<Exit> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        let message = "the screen needs a terminal; for scripts there are verbs: see filedeck --help";
        return Err(UsageError(message.to_owned()).into());
    }
    let (keymap, theme) = (keymap(&mut setup)?, theme(&setup)?);
    let dir = std::env::current_dir().context("the current folder is gone; start filedeck in another one")?;
    let logs = logging::to_files(&setup.paths.logs());
    let _logs = logs.map_err(|error| setup.warnings.push(format!("nothing is logged: {error:#}")));
    let mut signals = listener.attend();
    let session = match demo {
        // Dropped where it stands, it would go on writing while its directory is removed.
        Some(mode) => Session::demo(&setup, mode).await?,
        None => match signals.unless_one_comes(Session::open(&setup, account)).await {
            Ok(session) => session?,
            Err(signal) => return Ok(signal.into()),
        },
    };
    let journal = session.journal().await.map_err(|error| {
        setup.warnings.push(format!("unfinished work will not be remembered: {}", error.message));
    });
    let (handle, events) = engine::spawn(engine::Setup { client: session.client.clone(), journal: journal.ok() });
    let screen = tui::Setup {
        account: Account {
            name: session.account.clone(),
            base_url: session.client.base_url().to_string(),
            read_only: session.read_only,
            local: session.is_local(),
        },
        keymap,
        theme,
        local: LocalPaths { dir, home: etcetera::home_dir().ok() },
        warnings: setup.warnings,
    };
    let ended = Box::pin(tui::run(screen, &handle, events, &mut signals)).await;
    if !matches!(ended, Ok(ScreenExit::Quit)) {
        // What ended the screen is no reason to hurry, another signal is.
        signals.forget();
    }
    let closing = async {
        handle.shutdown().await;
        session.close().await;
    };
    match signals.unless_one_comes(closing).await {
        Ok(()) => Ok(ended.context("the terminal failed")?.into()),
        Err(signal) => Ok(signal.into()),
    }
}

fn keymap(setup: &mut Setup) -> anyhow::Result<Keymap> {
    let text = match &setup.config.keys {
        Some(path) => Some(read_keys(&setup.paths.config.join(path))?),
        None if setup.paths.keys_file().exists() => Some(read_keys(&setup.paths.keys_file())?),
        None => None,
    };
    let (keymap, warnings) = Keymap::load(text.as_deref()).map_err(|error| UsageError(error.to_string()))?;
    setup.warnings.extend(warnings);
    Ok(keymap)
}

fn read_keys(path: &Path) -> Result<String, UsageError> {
    std::fs::read_to_string(path).map_err(|error| UsageError(format!("{}: {error}", path.display())))
}

fn theme(setup: &Setup) -> anyhow::Result<Theme> {
    let name = if setup.environment.no_color { ThemeName::Mono } else { setup.config.theme };
    Theme::named(name.as_str()).with_context(|| format!("the theme {} cannot be read", name.as_str()))
}
