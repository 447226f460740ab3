//! A command on an account: its arguments, a check of them, and what it does.

use super::context::CommandContext;
use super::exit::Exit;
use super::format::Format;
use super::global_options::GlobalOptions;

/// A command that works on the chosen account. All of them have `--json` and `--quiet`, found in
/// the context.
pub trait RemoteCommand: clap::Args {
    /// Refuses arguments that the grammar lets pass; the reason is shown to the user.
    fn check(&self, _format: Format) -> Result<(), String> {
        Ok(())
    }

    /// Returns the account that the paths name; `None` for the chosen one.
    fn account(&self) -> Option<&str> {
        None
    }

    /// Returns `true` if a path without an account is of the chosen one.
    fn uses_chosen_account(&self) -> bool {
        self.account().is_none()
    }

    fn run(self, context: &CommandContext) -> impl Future<Output = anyhow::Result<Exit>>;
}

// Adds the shared options to a remote command. A doc comment here would replace the command's own.
#[derive(Debug, clap::Args)]
pub struct WithFormat<T: clap::Args> {
    #[command(flatten)]
    pub command: T,

    #[command(flatten)]
    pub format: Format,

    /// Read at the root of the grammar, where clap puts the values of global options.
    #[command(flatten)]
    pub options: GlobalOptions,
}
