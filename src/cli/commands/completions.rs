//! `filedeck completions`: completes the words of the command line in a shell.

use clap_complete::{Shell, generate};

use crate::cli::command::LocalCommand;
use crate::cli::context::LocalContext;
use crate::cli::exit::Exit;
use crate::cli::output::Output;

const EXAMPLES: &str = "\
Examples:
  filedeck completions bash > ~/.local/share/bash-completion/completions/filedeck
  filedeck completions fish > ~/.config/fish/completions/filedeck.fish";

/// Print completions for a shell
///
/// Write them to where your shell looks for them, and start the shell again. They are made of the same definitions as
/// the help.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// bash, zsh, fish, powershell or elvish
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

impl LocalCommand for Args {
    /// Prints them.
    async fn run(self, context: LocalContext<'_>) -> anyhow::Result<Exit> {
        let (mut grammar, mut text) = ((context.grammar)(), Vec::new());
        generate(self.shell, &mut grammar, "filedeck", &mut text);
        let mut output = Output::default();
        output.bytes(&text)?;
        output.flush()?;
        Ok(Exit::Ok)
    }
}
