//! Text files written by a person, in which some editors put a byte order mark first.

use std::io;
use std::path::Path;

pub fn read(path: &Path) -> io::Result<String> {
    let mut text = std::fs::read_to_string(path)?;
    text.drain(..text.len() - without_mark(&text).len());
    Ok(text)
}

pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}
