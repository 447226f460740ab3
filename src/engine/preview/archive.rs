//! Lists the contents of a ZIP from the directory at its end, and unpacks single parts. Nothing
//! that the archive claims is trusted.

use std::io::Read as _;

use flate2::read::DeflateDecoder;
use rawzip::{CompressionMethod, ZipArchiveEntryWayfinder, ZipLocator};

use super::model::{ArchiveContents, ArchiveEntry};
use super::partial_file::PartialFile;
use crate::api::text::visible;

const MOST_ENTRIES: usize = 2_000;
/// The most bytes of a directory to read.
const MOST_DIRECTORY: u64 = 512 * 1024;
/// The most characters of a name.
const LONGEST: usize = 300;
/// The most bytes of a part, before and after it is unpacked.
const MOST_PACKED: u64 = 1024 * 1024;
const MOST_UNPACKED: u64 = 4 * 1024 * 1024;
/// The room for a part's local header, with its name and extra fields.
const HEADER: u64 = 1024;
/// The size of the buffer that entries are read into; no entry of a ZIP is larger.
const BUFFER: usize = 256 * 1024;

pub(super) struct Archive<'a> {
    directory: rawzip::ZipArchive<&'a PartialFile>,
    file: &'a PartialFile,
    entries: Vec<PackedEntry>,
    /// Set if the archive has more entries.
    is_cut: bool,
}

struct PackedEntry {
    name: String,
    size: Option<u64>,
    method: CompressionMethod,
    place: ZipArchiveEntryWayfinder,
    offset: u64,
}

pub(super) struct UnpackedPart {
    pub(super) text: String,
    /// Set if the part has more text.
    pub(super) is_cut: bool,
}

impl<'a> Archive<'a> {
    pub(super) fn open(file: &'a PartialFile) -> Option<Self> {
        let mut buffer = vec![0; BUFFER];
        // An archive's end lies before a comment of 64 KiB at most.
        let locator = ZipLocator::new().max_search_space(1 << 17);
        let last = buffer.get_mut(..1 << 16)?;
        let archive = locator.locate_in_reader(file, last, file.size()).ok()?;
        let directory = archive.directory_offset()..archive.eocd_offset();
        let is_long = directory.end.saturating_sub(directory.start) > MOST_DIRECTORY;
        let end = directory
            .end
            .min(directory.start.saturating_add(MOST_DIRECTORY));
        file.bytes(directory.start..end).ok()?;
        let (mut entries, mut is_cut) = (Vec::new(), false);
        let mut read = archive.entries(&mut buffer);
        loop {
            match read.next_entry() {
                Ok(None) => break,
                Ok(Some(_)) if entries.len() == MOST_ENTRIES => {
                    is_cut = true;
                    break;
                }
                Ok(Some(entry)) => entries.push(PackedEntry {
                    name: String::from_utf8_lossy(entry.file_path().as_bytes())
                        .chars()
                        .take(LONGEST)
                        .collect(),
                    size: (!entry.is_dir()).then(|| entry.uncompressed_size_hint()),
                    method: entry.compression_method(),
                    place: entry.wayfinder(),
                    offset: entry.local_header_offset(),
                }),
                Err(_) if is_long && !entries.is_empty() => {
                    is_cut = true;
                    break;
                }
                Err(_) => return None,
            }
        }
        if is_long {
            file.forgo();
        }
        Some(Self {
            directory: archive,
            file,
            entries,
            is_cut,
        })
    }

    pub(super) fn contents(&self) -> ArchiveContents {
        let entry = |entry: &PackedEntry| ArchiveEntry {
            name: visible(&entry.name).into_owned(),
            size: entry.size,
        };
        let entries: Vec<_> = self.entries.iter().map(entry).collect();
        let count = if self.is_cut {
            self.directory.entries_hint().max(entries.len() as u64)
        } else {
            entries.len() as u64
        };
        let bytes = entries
            .iter()
            .filter_map(|entry| entry.size)
            .fold(0, u64::saturating_add);
        ArchiveContents {
            entries,
            count,
            bytes,
            is_all: !self.is_cut,
        }
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.name.as_str())
    }

    /// Returns a part as text; `None` if there is no such part, or its compression method is not
    /// supported.
    pub(super) fn part(&self, name: &str) -> Option<UnpackedPart> {
        let entry = self.entries.iter().find(|entry| entry.name == name)?;
        let packed = entry.place.compressed_size_hint();
        let before = self.file.size().min(self.directory.directory_offset());
        let all = entry
            .offset
            .saturating_add(HEADER)
            .saturating_add(packed.min(MOST_PACKED))
            .min(before);
        self.file.bytes(entry.offset..all).ok()?;
        let (start, end) = self
            .directory
            .get_entry(entry.place)
            .ok()?
            .compressed_data_range();
        let cut = end.min(start.saturating_add(MOST_PACKED));
        let bytes = self.file.bytes(start..cut).ok()?;
        let mut unpacked = Vec::new();
        let read = match entry.method {
            CompressionMethod::STORE => bytes.take(MOST_UNPACKED).read_to_end(&mut unpacked),
            CompressionMethod::DEFLATE => DeflateDecoder::new(bytes)
                .take(MOST_UNPACKED)
                .read_to_end(&mut unpacked),
            _ => return None,
        };
        let is_cut = read.is_err() || cut < end || unpacked.len() as u64 == MOST_UNPACKED;
        Some(UnpackedPart {
            text: String::from_utf8_lossy(&unpacked).into_owned(),
            is_cut,
        })
    }
}
