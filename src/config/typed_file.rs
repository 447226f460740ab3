//! Text of files that a person writes: some editors put a mark of the byte order before it.

use std::io;
use std::path::Path;

/// Reads a file of text, without the mark.
pub fn read(path: &Path) -> io::Result<String> {
    let mut text = std::fs::read_to_string(path)?;
    text.drain(..text.len() - without_mark(&text).len());
    Ok(text)
}

/// The text behind the mark, if there is one.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}
