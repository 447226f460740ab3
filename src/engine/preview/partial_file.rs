//! A file of which some parts have been fetched. Readers treat it as a whole file; the first part
//! that they miss is recorded, is fetched, and they start over. Fetches nothing itself.

use std::cell::RefCell;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

use rawzip::ReaderAt;

/// The largest file to fetch whole.
const SMALL: u64 = 256 * 1024;
/// The fewest bytes to fetch at a time.
const LEAST: u64 = 64 * 1024;
/// The most bytes of a file to fetch.
const MOST: u64 = 4 * 1024 * 1024;
/// The most parts of a file to fetch.
const MOST_PARTS: usize = 12;

#[derive(Debug)]
pub(in crate::engine) struct PartialFile {
    size: u64,
    parts: Vec<(u64, Vec<u8>)>,
    lacks: RefCell<Option<Range<u64>>>,
}

impl PartialFile {
    pub(in crate::engine) fn new(size: u64) -> Self {
        Self {
            size,
            parts: Vec::new(),
            lacks: RefCell::new(None),
        }
    }

    pub(super) fn size(&self) -> u64 {
        self.size
    }

    pub(in crate::engine) fn add(&mut self, start: u64, bytes: Vec<u8>) {
        self.parts.push((start, bytes));
        *self.lacks.get_mut() = None;
    }

    /// Returns the first range that a reader missed; an error if fetching it would exceed a limit.
    pub(super) fn lacking(&self) -> Option<Result<Range<u64>, TooMuch>> {
        let range = self.lacks.borrow().clone()?;
        let fetched: usize = self.parts.iter().map(|(_, bytes)| bytes.len()).sum();
        let is_too_much =
            fetched as u64 + (range.end - range.start) > MOST || self.parts.len() >= MOST_PARTS;
        Some(if is_too_much { Err(TooMuch) } else { Ok(range) })
    }

    /// Clears the missing range: it is not needed after all.
    pub(super) fn forgo(&self) {
        self.lacks.replace(None);
    }

    /// Returns the bytes of a range. Fails while they are missing, and if the file ends before
    /// them.
    pub(super) fn bytes(&self, range: Range<u64>) -> io::Result<&[u8]> {
        if range.end > self.size || range.end < range.start {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let length = usize::try_from(range.end - range.start).unwrap_or(usize::MAX);
        match self.from(range.start).and_then(|bytes| bytes.get(..length)) {
            Some(bytes) => Ok(bytes),
            None if length == 0 => Ok(&[]),
            None => Err(self.lack(range)),
        }
    }

    /// Returns the longest piece that begins at that byte.
    fn from(&self, start: u64) -> Option<&[u8]> {
        let piece = |(at, bytes): &'_ (u64, Vec<u8>)| {
            start
                .checked_sub(*at)
                .filter(|skip| *skip < bytes.len() as u64)
        };
        let held = self
            .parts
            .iter()
            .filter_map(|part| Some((piece(part)?, &part.1)));
        held.filter_map(|(skip, bytes)| bytes.get(usize::try_from(skip).ok()?..))
            .max_by_key(|bytes| bytes.len())
    }

    fn lack(&self, range: Range<u64>) -> io::Error {
        let wanted = if self.size <= SMALL {
            0..self.size
        } else {
            range.start
                ..range
                    .end
                    .max(range.start.saturating_add(self.next(range.start)))
                    .min(self.size)
        };
        self.lacks.borrow_mut().get_or_insert(wanted);
        io::Error::other("not fetched")
    }

    /// Returns the number of bytes to fetch from `start` on: twice those of the part that ends
    /// there, if one does.
    fn next(&self, start: u64) -> u64 {
        let before = self.parts.iter().map(|(at, bytes)| {
            (
                at.saturating_add(bytes.len() as u64),
                bytes.len() as u64 * 2,
            )
        });
        before
            .filter(|(end, _)| *end == start)
            .map(|(_, twice)| twice)
            .max()
            .unwrap_or(0)
            .max(LEAST)
    }

    pub(super) fn reader(&self) -> PartialReader<'_> {
        PartialReader { file: self, at: 0 }
    }
}

/// The limits do not allow fetching what a reader needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too much of the file would have to be fetched")]
pub(super) struct TooMuch;

impl ReaderAt for PartialFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        if offset >= self.size || buffer.is_empty() {
            return Ok(0);
        }
        let Some(piece) = self.from(offset) else {
            return Err(
                self.lack(offset..offset.saturating_add(buffer.len() as u64).min(self.size))
            );
        };
        let length = piece.len().min(buffer.len());
        for (to, from) in buffer.iter_mut().zip(piece) {
            *to = *from;
        }
        Ok(length)
    }
}

#[derive(Debug)]
pub(super) struct PartialReader<'a> {
    file: &'a PartialFile,
    at: u64,
}

impl Read for PartialReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(buffer, self.at)?;
        self.at = self.at.saturating_add(read as u64);
        Ok(read)
    }
}

impl Seek for PartialReader<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.file.size.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_lacking_is_noted_once_and_then_read() {
        let mut file = PartialFile::new(1_000_000);
        let mut buffer = [0; 4];
        assert!(file.read_at(&mut buffer, 999_990).is_err());
        assert!(file.bytes(5..6).is_err(), "a later wish");
        assert_eq!(file.lacking(), Some(Ok(999_990..1_000_000)));
        file.add(999_990, b"0123456789".to_vec());
        assert_eq!(file.lacking(), None);
        assert_eq!(
            file.read_at(&mut buffer, 999_998).unwrap(),
            2,
            "the file ends there"
        );
        assert_eq!(file.bytes(999_992..999_995).unwrap(), b"234");
        let mut reader = file.reader();
        reader.seek(SeekFrom::End(-3)).unwrap();
        let mut rest = String::new();
        reader.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "789");
        assert!(file.bytes(0..u64::MAX).is_err());
        assert_eq!(
            file.lacking(),
            None,
            "nothing is fetched for a range that there is not"
        );
    }

    #[test]
    fn a_small_file_is_fetched_whole_and_of_a_large_one_never_much() {
        let small = PartialFile::new(1_000);
        assert!(small.bytes(900..910).is_err());
        assert_eq!(small.lacking(), Some(Ok(0..1_000)));
        let large = PartialFile::new(u64::MAX);
        assert!(large.bytes(0..MOST + 1).is_err());
        assert_eq!(large.lacking(), Some(Err(TooMuch)));
        let mut many = PartialFile::new(1_000_000);
        for _ in 0..MOST_PARTS {
            many.add(0, Vec::new());
        }
        assert!(many.bytes(0..1).is_err());
        assert_eq!(many.lacking(), Some(Err(TooMuch)));
    }
}
