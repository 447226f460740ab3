//! `filedeck man`: the manual pages.

use std::path::PathBuf;

use anyhow::Context as _;
use clap_mangen::Man;

use crate::cli::exit::Exit;
use crate::cli::local_command::{LocalCommand, LocalContext};
use crate::cli::output::Output;
use crate::cli::stderr::InvalidUsage;

const EXAMPLES: &str = "\
Examples:
  filedeck man put
  filedeck man --output ~/.local/share/man/man1";

/// Print a manual page, or write all of them
///
/// To read it in a pager: 'filedeck man put | man -l -'.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The words of a command, as in 'store backup' [default: filedeck itself]
    #[arg(value_name = "COMMAND")]
    pub command: Vec<String>,

    /// Write the pages of all commands into this folder
    #[arg(short, long, value_name = "DIR", conflicts_with = "command")]
    pub output: Option<PathBuf>,
}

impl LocalCommand for Args {
    async fn run(self, context: LocalContext<'_>) -> anyhow::Result<Exit> {
        let mut grammar = (context.grammar)();
        grammar.build();
        if let Some(dir) = &self.output {
            let what = || format!("cannot write into {}", dir.display());
            std::fs::create_dir_all(dir).with_context(what)?;
            clap_mangen::generate_to(grammar, dir).with_context(what)?;
            return Ok(Exit::Ok);
        }
        let mut page = &grammar;
        for word in &self.command {
            page = page
                .find_subcommand(word)
                .ok_or_else(|| InvalidUsage(format!("there is no command '{word}'")))?;
        }
        let mut text = Vec::new();
        Man::new(page.clone())
            .render(&mut text)
            .context("cannot render the page")?;
        let mut output = Output::default();
        output.bytes(&text)?;
        output.flush()?;
        Ok(Exit::Ok)
    }
}
