//! Tokens are never arguments, which every process of the machine could read.

use std::ffi::{OsStr, OsString};

use clap::error::ErrorKind;

#[cfg(feature = "tui")]
const ADVICE: &str = "Set FILEDECK_TOKEN (FILEDECK_SERVICE_TOKEN for 'serve'), or name a file that holds it: \
                      token_file in config.toml, --token-file for 'serve'. 'filedeck account add NAME < FILE' reads it from standard input.";
#[cfg(not(feature = "tui"))]
const ADVICE: &str = "Set FILEDECK_SERVICE_TOKEN, or name a file that holds it with --token-file.";

/// Refuses a token in an option before `--`. Runs before anything else, so that no message repeats
/// the token.
pub fn refuse(words: &[OsString], grammar: fn() -> clap::Command) -> Result<(), clap::Error> {
    let carries =
        |word: &OsString| word == "--token" || word.to_string_lossy().starts_with("--token=");
    if words
        .iter()
        .take_while(|word| *word != OsStr::new("--"))
        .any(carries)
    {
        return Err(grammar().error(
            ErrorKind::UnknownArgument,
            format!(
                "a token is never an argument, because every process of this machine can read it there\n\n{ADVICE}"
            ),
        ));
    }
    Ok(())
}
