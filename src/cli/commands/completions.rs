//! `filedeck completions`: completes the words of the command line in a shell.

use std::env::{args_os, current_dir};
use std::path::Path;

use anyhow::Context as _;
use clap_complete::Shell;
use clap_complete::env::Shells;

use crate::cli::exit::Exit;
use crate::cli::local_command::{LocalCommand, LocalContext};
use crate::cli::output::Output;
use crate::cli::shell_request::ASKED_BY;

const EXAMPLES: &str = "\
Examples:
  filedeck completions fish | source
  filedeck completions powershell | Out-String | Invoke-Expression";

/// Makes bash quote the names that it inserts.
const BASH_QUOTES: &str = "compopt -o filenames filedeck 2>/dev/null\n";

/// Makes the first tab complete, too, if zsh loads the script by its name from a folder of
/// functions.
const ZSH_LOADED_BY_NAME: &str =
    "if [[ $funcstack[1] == _filedeck ]]; then _clap_dynamic_completer_filedeck; fi\n";

/// Print completions for a shell
///
/// The configuration of the shell runs the script at each start: write 'source <(filedeck
/// completions bash)' into ~/.bashrc, the same with 'zsh' into ~/.zshrc, or an example below into
/// the file of that shell.
///
/// The script asks filedeck for commands, options, names of accounts, and paths of the account.
/// This takes at most 150 ms: there are no paths from a slower service, or with a token in the
/// keyring.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// bash, zsh, fish, powershell or elvish
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

impl LocalCommand for Args {
    async fn run(self, _: LocalContext<'_>) -> anyhow::Result<Exit> {
        let shells = Shells::builtins();
        let shell = shells
            .completer(&self.shell.to_string())
            .context("this shell has no completions")?;
        let mut text = Vec::new();
        shell.write_registration(ASKED_BY, "filedeck", "filedeck", &program()?, &mut text)?;
        text.extend_from_slice(match self.shell {
            Shell::Bash => BASH_QUOTES.as_bytes(),
            Shell::Zsh => ZSH_LOADED_BY_NAME.as_bytes(),
            _ => &[],
        });
        let mut output = Output::default();
        output.bytes(&text)?;
        output.flush()?;
        Ok(Exit::Ok)
    }
}

/// Returns the program as it was called: by its name, or by a path, made absolute to work in other
/// folders.
fn program() -> anyhow::Result<String> {
    let called = args_os().next().unwrap_or_else(|| "filedeck".into());
    let called = match Path::new(&called) {
        path if path.components().count() > 1 => current_dir()?.join(path),
        name => name.to_owned(),
    };
    called
        .into_os_string()
        .into_string()
        .ok()
        .context("the path of filedeck is not UTF-8")
}
