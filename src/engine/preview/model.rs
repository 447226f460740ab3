//! What a file or a folder looks like inside, as plain data that is safe to show.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use crate::api::model::{Access, File};
use crate::engine::item::FolderRef;

/// What is looked into.
#[derive(Debug, Clone, PartialEq)]
pub enum PreviewTarget {
    File(Box<File>),
    Folder(FolderRef),
    /// A file or folder of this machine.
    Local(PathBuf),
}

/// What there is to see.
#[derive(Debug, Clone, PartialEq)]
pub enum Preview {
    Text(PreviewText),
    Markdown(PreviewMarkdown),
    Table(PreviewTable),
    Picture(Picture),
    Photo(Photo),
    Page(DocumentPage),
    Archive(ArchiveContents),
    Media(MediaFacts),
    Folder(FolderContents),
    Nothing(NoPreview),
}

/// How much was read of what goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CutAt {
    Bytes(u64),
    /// Lines of a text, rows of a table.
    Lines(usize),
}

/// The beginning of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewText {
    pub lines: Vec<Line>,
    /// Written for people: its lines may be broken anywhere.
    pub is_prose: bool,
    /// Where it ends before its end.
    pub cut: Option<CutAt>,
}

/// A text as it is meant, and as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewMarkdown {
    pub rendered: PreviewText,
    pub source: PreviewText,
}

/// Cells of a column in the table of a text: a longer cell has more rows.
pub const WIDEST_CELL: usize = 40;

/// A line in pieces, each of one class.
pub type Line = Vec<(Class, String)>;

/// What a piece of a text is, for its color.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    Plain,
    Keyword,
    String,
    Number,
    Comment,
    Type,
    Function,
    /// A key, an attribute.
    Name,
    Heading,
    Strong,
    Emphasis,
    Link,
    /// Before a line: where the line is broken, its rest stands below what follows this.
    Marker,
    /// Before a line that is cut, not broken.
    Fixed,
    /// Between two cells of a row of a table, and in the line below its head. Each cell is a piece, and as wide as its
    /// column, up to [`WIDEST_CELL`].
    Column,
}

/// The first rows of a table; they need not be of one length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewTable {
    pub rows: Vec<Vec<String>>,
    /// Where it ends before its end.
    pub cut: Option<CutAt>,
}

/// Pixels, row by row, four bytes each. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    pub rgba: Arc<[u8]>,
}

/// A page of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentPage {
    pub picture: Picture,
    /// From 0.
    pub number: u32,
    /// Pages of the document.
    pub count: u32,
}

/// A picture with what its camera wrote into it.
#[derive(Debug, Clone, PartialEq)]
pub struct Photo {
    pub picture: Picture,
    pub facts: PhotoFacts,
}

/// What a camera wrote into a picture, safe to show.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PhotoFacts {
    pub camera: Option<String>,
    /// By the clock of the camera.
    pub taken: Option<String>,
    /// North and east, in degrees.
    pub place: Option<(f64, f64)>,
}

/// What an archive says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ArchiveContents {
    pub entries: Vec<ArchiveEntry>,
    /// Entries in all.
    pub count: u64,
    /// Of the listed ones, unpacked.
    pub bytes: u64,
    /// Whether all entries are listed.
    pub is_all: bool,
}

/// A file or folder in an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchiveEntry {
    /// With its path; safe to show.
    pub name: String,
    /// Bytes, unpacked; none of a folder.
    pub size: Option<u64>,
}

/// What a film or sound says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MediaFacts {
    pub length: Option<Duration>,
    /// In pixels.
    pub size: Option<(u32, u32)>,
    /// Safe to show.
    pub codecs: Vec<String>,
    /// A second.
    pub sample_rate: Option<u32>,
    pub channels: Option<u16>,
    /// Thousands of bits a second.
    pub bit_rate: Option<u32>,
}

/// The first page of a folder.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FolderContents {
    /// Folders first.
    pub folders: Vec<String>,
    pub files: Vec<FolderFile>,
    /// The newest of its pictures, for thumbnails; the newest first.
    pub pictures: Vec<File>,
    /// How many files of each access.
    pub by_access: Vec<(Option<Access>, usize)>,
    /// Of those files.
    pub bytes: u64,
    /// Whether that is all.
    pub is_all: bool,
}

/// A file of a folder that is looked into.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FolderFile {
    /// Safe to show.
    pub name: String,
    /// Bytes.
    pub size: Option<u64>,
    pub updated_at: Option<Timestamp>,
}

/// Why there is nothing to see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoPreview {
    Empty,
    /// Neither text nor a picture.
    Binary,
    /// Too many bytes or pixels; its width and height where they are known.
    TooLarge(Option<(u32, u32)>),
    /// What it says it is, it is not.
    Damaged,
    TooSlow,
}

/// Beside the text of a piece.
const EACH: usize = 32;

impl PreviewText {
    /// Lines that end before the end of what was read if there are more, else where that was cut.
    pub(super) fn of(lines: Vec<Line>, is_prose: bool, has_more: bool, cut: Option<CutAt>) -> Self {
        let cut = if has_more { Some(CutAt::Lines(lines.len())) } else { cut };
        Self { lines, is_prose, cut }
    }

    fn bytes(&self) -> usize {
        self.lines.iter().flatten().map(|(_, text)| text.len() + EACH).sum()
    }
}

impl Preview {
    /// The picture in it, if it is one.
    pub fn picture(&self) -> Option<&Picture> {
        match self {
            Self::Picture(picture) | Self::Photo(Photo { picture, .. }) | Self::Page(DocumentPage { picture, .. }) => {
                Some(picture)
            }
            _ => None,
        }
    }

    /// About how much memory it takes.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Text(text) => text.bytes(),
            Self::Markdown(text) => text.rendered.bytes() + text.source.bytes(),
            Self::Table(table) => table.rows.iter().flatten().map(|cell| cell.len() + EACH).sum(),
            Self::Picture(picture) | Self::Photo(Photo { picture, .. }) | Self::Page(DocumentPage { picture, .. }) => {
                picture.rgba.len()
            }
            Self::Archive(archive) => archive.entries.iter().map(|entry| entry.name.len() + EACH).sum(),
            Self::Folder(FolderContents { folders, files, pictures, .. }) => {
                let names = folders.iter().chain(files.iter().map(|file| &file.name));
                names.map(|name| name.len() + 2 * EACH).sum::<usize>() + pictures.len() * size_of::<File>() * 2
            }
            Self::Media(_) | Self::Nothing(_) => EACH,
        }
    }
}

impl Picture {
    /// The color at a place, over `background` where the picture is transparent; `background` outside.
    pub fn at(&self, x: u32, y: u32, background: [u8; 3]) -> [u8; 3] {
        let offset = (y as usize * self.width as usize + x as usize) * 4;
        match self.rgba.get(offset..).and_then(|rest| rest.first_chunk::<4>()).filter(|_| x < self.width) {
            Some(dot) => over(*dot, background),
            None => background,
        }
    }

    /// The picture over `background`: nothing of it is transparent.
    #[must_use]
    pub fn over(&self, background: [u8; 3]) -> Self {
        let (dots, _) = self.rgba.as_chunks::<4>();
        let opaque = |dot: &[u8; 4]| {
            let [red, green, blue] = over(*dot, background);
            [red, green, blue, u8::MAX]
        };
        Self { rgba: dots.iter().flat_map(opaque).collect(), ..*self }
    }
}

fn over([red, green, blue, alpha]: [u8; 4], background: [u8; 3]) -> [u8; 3] {
    let mut mixed = [red, green, blue];
    for (channel, under) in mixed.iter_mut().zip(background) {
        let sum = u16::from(*channel) * u16::from(alpha) + u16::from(under) * u16::from(u8::MAX - alpha);
        *channel = u8::try_from(sum / u16::from(u8::MAX)).unwrap_or(u8::MAX);
    }
    mixed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_transparent_shows_the_background() {
        let rgba = [[200, 0, 0, 255], [200, 0, 0, 0], [200, 0, 100, 51]].concat();
        let picture = Picture { width: 3, height: 1, rgba: rgba.into() };
        let background = [250, 255, 0];
        let colors = [0, 1, 2, 3].map(|x| picture.at(x, 0, background));
        assert_eq!(colors, [[200, 0, 0], background, [240, 204, 20], background]);
        let [one, two, three, _] = colors.map(|[red, green, blue]| [red, green, blue, 255]);
        assert_eq!(picture.over(background).rgba.to_vec(), [one, two, three].concat());
    }
}
