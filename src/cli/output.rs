//! Standard output, for data only. `--json` writes one object per line with the true bytes; text is
//! made safe to display. Nothing else in the program writes there.

use std::io::{self, BufWriter, Write};

use bytesize::ByteSize;
use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter};
use unicode_width::UnicodeWidthStr as _;

use super::format::{Format, Style};
use crate::api::text;

/// A failed write. A reader that has gone away is not a failure: see [`OutputError::is_closed`].
#[derive(Debug, thiserror::Error)]
#[error("cannot write to standard output")]
pub struct OutputError(#[from] io::Error);

impl OutputError {
    /// Returns `true` if the reader closed its end (`filedeck ls | head`).
    pub fn is_closed(&self) -> bool {
        self.0.kind() == io::ErrorKind::BrokenPipe
    }
}

impl From<serde_json::Error> for OutputError {
    fn from(error: serde_json::Error) -> Self {
        Self(error.into())
    }
}

/// Standard output, buffered until `flush`, which commands call when a page or an item is complete.
#[derive(Debug)]
pub struct Output {
    to: BufWriter<io::Stdout>,
    style: Style,
    /// Set to write nothing.
    is_quiet: bool,
}

impl Default for Output {
    fn default() -> Self {
        Self::new(Format::default())
    }
}

impl Output {
    pub fn new(format: Format) -> Self {
        Self {
            to: BufWriter::new(io::stdout()),
            style: format.style(),
            is_quiet: format.quiet,
        }
    }

    pub fn style(&self) -> Style {
        self.style
    }

    /// Writes columns instead of lines.
    pub fn prefer_table(&mut self) {
        if self.style == Style::Lines {
            self.style = Style::Table;
        }
    }

    /// Writes one item: as JSON if requested, otherwise as this line.
    pub fn item<T: Serialize + ?Sized>(
        &mut self,
        value: &T,
        line: impl FnOnce() -> String,
    ) -> Result<(), OutputError> {
        if self.style == Style::Json {
            self.json(value)
        } else {
            self.line(&line())
        }
    }

    pub fn json<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), OutputError> {
        self.bytes(&to_json_line(value)?)
    }

    /// Writes one line of text; unsafe characters appear as `\u{..}`.
    pub fn line(&mut self, line: &str) -> Result<(), OutputError> {
        self.bytes(format!("{}\n", text::visible(line)).as_bytes())
    }

    /// Writes the cells of one row with tabs between them.
    pub fn cells(&mut self, cells: &[String]) -> Result<(), OutputError> {
        let cells: Vec<_> = cells.iter().map(|cell| text::visible(cell)).collect();
        self.bytes(format!("{}\n", cells.join("\t")).as_bytes())
    }

    /// Writes a header and rows in columns as wide as they need; in a pipe, fields separated by
    /// tabs and no header. The last column is not padded.
    pub fn table<const N: usize>(
        &mut self,
        header: [&str; N],
        rows: impl IntoIterator<Item = [String; N]>,
    ) -> Result<(), OutputError> {
        let is_table = self.style == Style::Table;
        let header = is_table.then(|| header.map(str::to_owned));
        let rows: Vec<[String; N]> = header
            .into_iter()
            .chain(rows)
            .map(|row| row.map(|cell| text::visible(&cell).into_owned()))
            .collect();
        let widths: [usize; N] = std::array::from_fn(|at| {
            rows.iter()
                .filter_map(|row| row.get(at))
                .map(|cell| cell.width())
                .max()
                .unwrap_or(0)
        });
        for row in &rows {
            let padded = row.iter().zip(widths).map(|(cell, width)| {
                let blank = if is_table {
                    width.saturating_sub(cell.width())
                } else {
                    0
                };
                format!("{cell}{}", " ".repeat(blank))
            });
            let line = padded
                .collect::<Vec<_>>()
                .join(if is_table { "  " } else { "\t" });
            self.bytes(format!("{}\n", line.trim_end()).as_bytes())?;
        }
        Ok(())
    }

    /// Writes bytes unchanged.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), OutputError> {
        if !self.is_quiet {
            self.to.write_all(bytes)?;
        }
        Ok(())
    }

    pub fn flush(&mut self) -> Result<(), OutputError> {
        self.to.flush()?;
        Ok(())
    }
}

pub fn size(bytes: u64) -> String {
    ByteSize::b(bytes).display().iec_short().to_string()
}

/// Returns one JSON value and a newline. Characters that could act on a terminal are written as
/// `\uXXXX`.
pub fn to_json_line<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, serde_json::Error> {
    let mut line = Vec::with_capacity(256);
    value.serialize(&mut serde_json::Serializer::with_formatter(
        &mut line,
        SafeFormatter(CompactFormatter),
    ))?;
    line.push(b'\n');
    Ok(line)
}

struct SafeFormatter(CompactFormatter);

impl Formatter for SafeFormatter {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| text::is_unsafe(*c)) {
            let (safe, tail) = rest.split_at(at);
            self.0.write_string_fragment(writer, safe)?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = tail.get(c.len_utf8()..).unwrap_or_default();
        }
        self.0.write_string_fragment(writer, rest)
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::plain("Größe 写真.png", "Größe 写真.png")]
    #[case::escape_sequence("a\u{1b}[2J", "a\\u001b[2J")]
    #[case::delete_and_c1("\u{7f}\u{9b}1m", "\\u007f\\u009b1m")]
    #[case::bidi("gpj\u{202e}exe", "gpj\\u202eexe")]
    #[case::beyond_the_basic_plane("\u{e0041}x", "\\udb40\\udc41x")]
    fn json_keeps_the_true_text_and_escapes_what_acts_on_a_terminal(
        #[case] name: &str,
        #[case] written: &str,
    ) {
        let line = String::from_utf8(to_json_line(name).unwrap()).unwrap();
        assert_eq!(line, format!("\"{written}\"\n"));
        assert_eq!(serde_json::from_str::<String>(&line).unwrap(), name);
    }
}
