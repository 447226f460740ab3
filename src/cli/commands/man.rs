//! `filedeck man`: the manual pages.

#[cfg(feature = "tui")]
mod keys;
pub mod page;

use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{self, Stdio};

use anyhow::Context as _;
use clap::Command;

use crate::cli::exit::Exit;
use crate::cli::local_command::{LocalCommand, LocalContext};
use crate::cli::output::Output;
use crate::cli::stderr::InvalidUsage;

const EXAMPLES: &str = "\
Examples:
  filedeck man put
  filedeck man --output ~/.local/share/man";

/// Print a manual page, or write all of them
///
/// Each command has a page, and the keys of the screen have one: 'keys'. On a terminal, 'man' shows
/// it if it is installed; elsewhere the page is printed as it is. 'man' finds the pages in a folder
/// of MANPATH.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The words of a command, as in 'store backup', or 'keys' [default: filedeck itself]
    #[arg(value_name = "COMMAND")]
    pub command: Vec<String>,

    /// Write all pages into the folder man1 of this folder
    #[arg(short, long, value_name = "DIR", conflicts_with = "command")]
    pub output: Option<PathBuf>,
}

impl LocalCommand for Args {
    async fn run(self, context: LocalContext<'_>) -> anyhow::Result<Exit> {
        let mut program = (context.grammar)().disable_help_subcommand(true);
        program.build();
        if let Some(dir) = &self.output {
            let dir = dir.join("man1");
            write_all(&program, &dir)
                .with_context(|| format!("cannot write into {}", dir.display()))?;
            return Ok(Exit::Ok);
        }
        let text = match self.command.as_slice() {
            #[cfg(feature = "tui")]
            [word] if word == "keys" => keys::render(),
            words => page::render(&program, named(&program, words)?)?,
        };
        // Ctrl-C in a pager is meant for the pager.
        let _signals = context.listener.attend();
        if io::stdout().is_terminal() && is_read(&text) {
            return Ok(Exit::Ok);
        }
        let mut output = Output::default();
        output.bytes(text.as_bytes())?;
        output.flush()?;
        Ok(Exit::Ok)
    }
}

/// Lets `man` show a page; returns `false` if it cannot.
fn is_read(page: &str) -> bool {
    let mut man = process::Command::new("man");
    let Ok(mut man) = man.args(["-l", "-"]).stdin(Stdio::piped()).spawn() else {
        return false;
    };
    let mut input = man.stdin.take();
    // It may have ended before it has read all.
    let _ = input.as_mut().map(|input| input.write_all(page.as_bytes()));
    drop(input);
    man.wait().is_ok_and(|ended| ended.success())
}

fn named<'a>(program: &'a Command, words: &[String]) -> Result<&'a Command, InvalidUsage> {
    words.iter().try_fold(program, |command, word| {
        let found = command.find_subcommand(word);
        found.ok_or_else(|| InvalidUsage(format!("there is no command '{word}'")))
    })
}

fn write_all(program: &Command, dir: &Path) -> io::Result<()> {
    std::fs::create_dir_all(dir)?;
    #[cfg(feature = "tui")]
    std::fs::write(dir.join(format!("{}.1", keys::NAME)), keys::render())?;
    let mut left = vec![program];
    while let Some(command) = left.pop() {
        let page = page::render(program, command)?;
        std::fs::write(dir.join(format!("{}.1", page::name_of(command))), page)?;
        left.extend(command.get_subcommands());
    }
    Ok(())
}
