//! `filedeck account show`: the configuration of an account.

use super::find::one;
use super::list::AccountLine;
use crate::cli::completion::Completes;
use crate::cli::exit::Exit;
use crate::cli::format::Format;
use crate::cli::output::Output;
use crate::cli::setup::Setup;
use crate::config::TokenLocation;

const EXAMPLES: &str = "\
Examples:
  filedeck account show acme
  filedeck account show local --json";

/// Show the configuration of an account
///
/// The token is not shown, only where it is.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Name of the account
    #[arg(add = Completes::Account)]
    pub name: String,

    #[command(flatten)]
    pub format: Format,
}

pub(super) fn run(args: &Args, setup: &Setup) -> anyhow::Result<Exit> {
    let account = one(setup, &args.name)?;
    let (line, mut output) = (AccountLine::of(&account, setup), Output::new(args.format));
    if args.format.json {
        output.json(&line)?;
    } else {
        let token = match account.entry.map(|entry| entry.token) {
            Some(TokenLocation::File(file)) => format!("in the file {}", file.display()),
            Some(TokenLocation::Keyring(entry)) => format!("in the keyring, as {entry}"),
            None => line.token.to_owned(),
        };
        let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
        let ends = line
            .access_token_ends
            .map_or_else(|| "not asked for yet".to_owned(), |ends| ends.to_string());
        let is_oauth = line.credentials == Some("oauth");
        let facts = [
            ("Name", line.name),
            (
                "Address",
                line.address.unwrap_or_else(|| "this machine".to_owned()),
            ),
            ("Version", line.version),
            (if is_oauth { "OAuth" } else { "Token" }, token),
            ("Token ends", if is_oauth { ends } else { String::new() }),
            ("Kept in", line.kept_in.to_owned()),
            ("Read only", yes(line.read_only)),
            ("Production", yes(line.production)),
            ("Used", yes(line.is_used)),
        ];
        for (label, value) in facts.into_iter().filter(|(_, value)| !value.is_empty()) {
            output.line(&format!("{label:<10} {value}"))?;
        }
    }
    output.flush()?;
    Ok(Exit::Ok)
}
