//! `filedeck config`: the configuration file, with its annotated sample.

use anyhow::Context as _;
use clap::Subcommand;

use crate::cli::exit::Exit;
use crate::cli::local_command::{LocalCommand, LocalContext};
use crate::cli::output::Output;
use crate::cli::screen_files::{appearance, keys};
use crate::cli::setup::Setup;
use crate::cli::stderr::say;
use crate::config::{ConfigFile, SAMPLE};
use crate::signals::{EndSignal, Listener};
use crate::tui::terminal::editor;

const PRINT_EXAMPLES: &str = "\
Examples:
  filedeck config print
  filedeck config print > sample.toml";
const PATH_EXAMPLES: &str = "\
Examples:
  filedeck config path
  filedeck config path | xargs ls -l";
const EDIT_EXAMPLES: &str = "\
Examples:
  filedeck config edit
  filedeck config edit && filedeck doctor";

/// Print, find or edit the configuration file
///
/// It has the settings, and accounts by name. Accounts that filedeck adds are in a file of their
/// own: see 'filedeck account'.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    pub command: ConfigCommand,
}

#[derive(Debug, Clone, Copy, Subcommand)]
pub enum ConfigCommand {
    /// Print the annotated sample of config.toml
    ///
    /// It has every setting with its default and its possible values, and an account as an example.
    #[command(after_help = PRINT_EXAMPLES)]
    Print,
    /// Print the path of config.toml
    ///
    /// The file need not exist: without it, every setting has its default.
    #[command(after_help = PATH_EXAMPLES)]
    Path,
    /// Edit config.toml, and check it
    ///
    /// Opens it in the editor that VISUAL or EDITOR names, or else in vi. A missing file is created
    /// from the sample. Afterwards each mistake is named, also in the keys and the theme that the
    /// file chooses, and the exit code is 2 if there is one.
    #[command(after_help = EDIT_EXAMPLES)]
    Edit,
}

impl LocalCommand for Args {
    async fn run(self, context: LocalContext<'_>) -> anyhow::Result<Exit> {
        let LocalContext {
            setup, listener, ..
        } = context;
        let text = match self.command {
            ConfigCommand::Print => SAMPLE.to_owned(),
            ConfigCommand::Path => format!("{}\n", setup.paths.config_file().display()),
            ConfigCommand::Edit => return edit(setup, listener).await,
        };
        let mut output = Output::default();
        output.bytes(text.as_bytes())?;
        output.flush()?;
        Ok(Exit::Ok)
    }
}

async fn edit(setup: &Setup, listener: &mut Listener) -> anyhow::Result<Exit> {
    let (mut signals, file) = (listener.attend(), setup.paths.config_file());
    ConfigFile::create(&file).with_context(|| format!("cannot create {}", file.display()))?;
    let mut ended = editor::start(&file);
    let ended = loop {
        tokio::select! {
            ended = &mut ended => break ended?,
            signal = signals.next_end() => match signal {
                // Ctrl-C in an editor is meant for the editor.
                EndSignal::Interrupted => {}
                signal => return Ok(signal.into()),
            },
        }
    };
    if let Some(failure) = editor::failure(ended) {
        anyhow::bail!("{}: {failure}; set VISUAL or EDITOR", file.display());
    }
    let mut edited = Setup::read(setup.environment.clone())?;
    keys(&mut edited);
    appearance(&mut edited);
    for warning in &edited.warnings {
        say(&format!("filedeck: {warning}"));
    }
    Ok(if edited.warnings.is_empty() {
        Exit::Ok
    } else {
        Exit::Usage
    })
}
