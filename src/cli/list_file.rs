//! `--from-file`: arguments that are read from a list.

use std::ffi::OsString;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::pattern::RemotePattern;
use super::standard_input;
use super::stderr::InvalidUsage;

// No doc comment: it would replace each command's own.
#[derive(Debug, Default, clap::Args)]
pub struct ListFile {
    /// Also take what this file lists, one per line; - is standard input. Nothing in it is a
    /// pattern
    #[arg(long, value_name = "LIST")]
    pub from_file: Option<PathBuf>,

    /// The list has a NUL character after each entry instead of the end of a line
    #[arg(short = '0', long, requires = "from_file")]
    pub null: bool,
}

/// An entry of a list.
#[derive(Debug)]
pub struct ListedArgument {
    pub text: OsString,
    /// The list and the line, for messages.
    pub place: String,
}

impl ListFile {
    pub fn reads_stdin(&self) -> bool {
        self.from_file
            .as_deref()
            .is_some_and(standard_input::is_meant)
    }

    /// Returns the entries that are not empty; none without a list.
    pub fn entries(&self) -> anyhow::Result<Vec<ListedArgument>> {
        let Some(list) = &self.from_file else {
            return Ok(Vec::new());
        };
        let bytes = read(list).with_context(|| format!("cannot read {}", list.display()))?;
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
        let end = if self.null { b'\0' } else { b'\n' };
        let mut entries = Vec::new();
        for (line, number) in bytes.split(|byte| *byte == end).zip(1..) {
            let line = match line {
                [line @ .., b'\r'] if !self.null => line,
                line => line,
            };
            let place = format!("{}, line {number}", list.display());
            if !line.is_empty() {
                let text = os_string(line);
                entries.push(ListedArgument { text, place });
            }
        }
        Ok(entries)
    }

    /// Returns the typed paths and those of the list.
    pub fn remotes(&self, typed: Vec<RemotePattern>) -> anyhow::Result<Vec<RemotePattern>> {
        let mut remotes = typed;
        for ListedArgument { text, place } in self.entries()? {
            let remote = text.to_string_lossy().parse();
            let remote = remote.map_err(|error| InvalidUsage(format!("{place}: {error}")))?;
            remotes.push(RemotePattern::literal(remote));
        }
        Ok(remotes)
    }
}

fn read(list: &Path) -> io::Result<Vec<u8>> {
    if !standard_input::is_meant(list) {
        return std::fs::read(list);
    }
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the bytes as a name of this system.
fn os_string(bytes: &[u8]) -> OsString {
    #[cfg(unix)]
    return std::os::unix::ffi::OsStringExt::from_vec(bytes.to_vec());
    #[cfg(not(unix))]
    String::from_utf8_lossy(bytes).into_owned().into()
}
