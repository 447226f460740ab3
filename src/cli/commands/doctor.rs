//! `filedeck doctor`: checks what a run needs, and reports for each check that all is well, or what
//! to do.

mod account;
mod diagnosis;
mod disk;
mod files;
mod terminal;

use self::diagnosis::{Diagnosis, Health, ok};
use crate::cli::exit::Exit;
use crate::cli::format::Format;
use crate::cli::global_options::GlobalOptions;
use crate::cli::local_command::{LocalCommand, LocalContext};
use crate::cli::output::Output;

const EXAMPLES: &str = "\
Examples:
  filedeck doctor
  filedeck doctor --account acme --json";

/// Check terminal, configuration, disk, account and service
///
/// Tries what a run needs: it writes a file into each folder and removes it, reads every
/// configuration file, and asks the service what the token may do. Each line has ok, warn or fail,
/// what was checked, and what to do. Nothing in the account is changed. Exits with 1 if a check
/// fails.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    pub format: Format,

    #[command(flatten)]
    pub options: GlobalOptions,
}

impl LocalCommand for Args {
    fn format(&self) -> Format {
        self.format
    }

    /// Prints each line as soon as it is known.
    async fn run(self, context: LocalContext<'_>) -> anyhow::Result<Exit> {
        let LocalContext {
            setup, listener, ..
        } = context;
        let mut output = Output::new(self.format);
        let mut failed = false;
        let mut tell = |finding: Diagnosis| {
            failed |= finding.state == Health::Fail;
            output.item(&finding, || {
                format!(
                    "{:<5} {:<10} {}",
                    finding.state.to_string(),
                    finding.check,
                    finding.says
                )
            })?;
            output.flush()
        };
        let version = format!("filedeck {}", env!("CARGO_PKG_VERSION"));
        tell(ok("version", version))?;
        terminal::checks(setup)
            .into_iter()
            .try_for_each(&mut tell)?;
        files::checks(setup).into_iter().try_for_each(&mut tell)?;
        disk::checks(setup).into_iter().try_for_each(&mut tell)?;
        match listener
            .attend()
            .unless_one_comes(Box::pin(account::checks(setup)))
            .await
        {
            Ok(findings) => findings.into_iter().try_for_each(&mut tell)?,
            Err(signal) => return Ok(signal.into()),
        }
        Ok(if failed { Exit::Failed } else { Exit::Ok })
    }
}
