//! `filedeck cat`: the bytes of files on standard output.

use futures::TryStreamExt as _;

use crate::api::model::File;
use crate::api::text::visible;
use crate::api::{Client, Error, Kind};
use crate::cli::command::RemoteCommand;
use crate::cli::completion::Completes;
use crate::cli::context::CommandContext;
use crate::cli::exit::Exit;
use crate::cli::format::Format;
use crate::cli::locate::{file_path, locate_files};
use crate::cli::look_up::collect;
use crate::cli::output::{Output, OutputError};
use crate::cli::pattern::{PatternOptions, RemotePattern};

const EXAMPLES: &str = "\
Examples:
  filedeck cat /legal/terms.txt
  filedeck cat '/exports/2026-*.csv' > all.csv";

/// Print the content of files
///
/// In a pipe, the bytes are printed unchanged, one file after the other. On a terminal, text is
/// made safe to show, and anything else is refused. Size and MD5 are checked at the end of each
/// file; exits with 1 if they do not match.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Paths, ids or patterns of files
    #[arg(required = true, value_name = "REMOTE", add = Completes::Remote)]
    pub remotes: Vec<RemotePattern>,

    /// Print the bytes unchanged on a terminal, too
    #[arg(short, long)]
    pub force: bool,

    #[command(flatten)]
    pub patterns: PatternOptions,
}

impl RemoteCommand for Args {
    fn check(&self, format: Format) -> Result<(), String> {
        if format.json {
            Err("cat prints bytes; --json cannot be used with it".to_owned())
        } else {
            Ok(())
        }
    }

    async fn run(self, context: &CommandContext) -> anyhow::Result<Exit> {
        let (mut output, mut tally) = (context.output(), context.tally(0));
        let why = "it is a folder; name the files in it";
        let find = async |remote: &RemotePattern| {
            locate_files(context.client(), remote, self.patterns, why).await
        };
        // A file that is given twice is printed twice.
        let found = collect(&self.remotes, &mut tally, "print", |_| None, find).await;
        for file in found.iter().flat_map(|found| &found.all) {
            let is_shown = context.is_terminal() && !self.force;
            match print(context.client(), file, &mut output, is_shown).await {
                Ok(()) => tally.done(),
                Err(Unprinted::Output(error)) => return Err(error.into()),
                Err(Unprinted::File(error)) => {
                    if tally.failed(&format!("cannot print {}", file_path(file)), &error) {
                        break;
                    }
                }
            }
        }
        Ok(tally.finish())
    }
}

enum Unprinted {
    File(Error),
    Output(OutputError),
}

impl From<Error> for Unprinted {
    fn from(error: Error) -> Self {
        Self::File(error)
    }
}

impl From<OutputError> for Unprinted {
    fn from(error: OutputError) -> Self {
        Self::Output(error)
    }
}

/// Prints a file; `is_shown` is `true` on a terminal.
async fn print(
    client: &Client,
    file: &File,
    output: &mut Output,
    is_shown: bool,
) -> Result<(), Unprinted> {
    let mut bytes = client.files().download(file).stream();
    let mut text = PrintedText::default();
    while let Some(chunk) = bytes.try_next().await? {
        if is_shown {
            output.bytes(text.after(&chunk)?.as_bytes())?;
        } else {
            output.bytes(&chunk)?;
        }
    }
    Ok(output.flush()?)
}

/// Text that arrives in chunks.
#[derive(Default)]
struct PrintedText {
    /// The start of a character whose end has not arrived yet.
    rest: Vec<u8>,
}

impl PrintedText {
    /// Returns the text of the next chunk, safe to show; refuses bytes that are not text.
    fn after(&mut self, chunk: &[u8]) -> Result<String, Error> {
        self.rest.extend_from_slice(chunk);
        let refused = || {
            Error::new(
                Kind::Refused,
                "it is no text; --force prints the bytes all the same",
            )
        };
        let valid = match std::str::from_utf8(&self.rest) {
            Ok(text) => text.len(),
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Err(_) => return Err(refused()),
        };
        let rest = self.rest.split_off(valid);
        let text =
            String::from_utf8(std::mem::replace(&mut self.rest, rest)).map_err(|_| refused())?;
        if text.contains('\0') {
            return Err(refused());
        }
        // Line breaks and tabs are kept.
        let pieces = text.split_inclusive(['\n', '\t', '\r']).map(|piece| {
            let (line, end) = match piece.char_indices().next_back() {
                Some((at, '\n' | '\t' | '\r')) => piece.split_at(at),
                _ => (piece, ""),
            };
            format!("{}{end}", visible(line))
        });
        Ok(pieces.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(chunks: &[&[u8]]) -> Result<String, Error> {
        let mut text = PrintedText::default();
        chunks.iter().map(|chunk| text.after(chunk)).collect()
    }

    #[test]
    fn text_is_made_safe_to_show_and_keeps_its_lines_and_tabs() {
        assert_eq!(
            shown(&[b"a\tb\r\n\x1b[2Jc\n"]).unwrap(),
            "a\tb\r\n\\u{1b}[2Jc\n"
        );
    }

    #[test]
    fn a_letter_that_comes_in_two_parts_is_shown_whole() {
        let (first, rest) = "Größe".as_bytes().split_at(3);
        assert_eq!(shown(&[first, rest]).unwrap(), "Größe");
    }

    #[test]
    fn what_is_no_text_is_refused() {
        for bytes in [&b"\x89PNG"[..], b"a\0b"] {
            assert_eq!(shown(&[bytes]).unwrap_err().kind, Kind::Refused);
        }
    }
}
