//! A command on an account: its arguments, a check of them, and what it does.

use super::context::CommandContext;
use super::exit::Exit;
use super::format::Format;

/// A command that works on the chosen account. It has `--json` and `--quiet` and finds them in its context.
pub trait RemoteCommand: clap::Args {
    /// Refuses arguments that the grammar lets pass; the reason is for the user.
    fn check(&self, _format: Format) -> Result<(), String> {
        Ok(())
    }

    /// Does what is asked for.
    fn run(self, context: &CommandContext) -> impl Future<Output = anyhow::Result<Exit>>;
}

// A remote command with the options that all of them have. A doc comment would take the place of the command's own.
#[derive(Debug, clap::Args)]
pub struct WithFormat<T: clap::Args> {
    #[command(flatten)]
    pub command: T,

    #[command(flatten)]
    pub format: Format,
}
