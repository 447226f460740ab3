//! The contents of a file or a folder as plain data that is safe to show.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use crate::api::model::{Access, File};
use crate::engine::item::FolderRef;

/// The file or folder to preview.
#[derive(Debug, Clone, PartialEq)]
pub enum PreviewTarget {
    File(Box<File>),
    Folder(FolderRef),
    /// A file or folder on this machine.
    Local(PathBuf),
}

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

/// The length of the part that is shown of something longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CutAt {
    Bytes(u64),
    /// Lines of a text, or rows of a table.
    Lines(usize),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewText {
    pub lines: Vec<Line>,
    /// Set for text written for people: its lines may be broken anywhere.
    pub is_prose: bool,
    /// Present if the text has more.
    pub cut: Option<CutAt>,
}

/// A Markdown text, rendered and as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewMarkdown {
    pub rendered: PreviewText,
    pub source: PreviewText,
}

/// The widest column of a table within a text, in terminal cells; the text of a wider cell takes
/// more rows.
pub const WIDEST_CELL: usize = 40;

pub type Line = Vec<(Class, String)>;

/// The class of a piece of text, which decides its color.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    Plain,
    Keyword,
    String,
    Number,
    Comment,
    Type,
    Function,
    /// A key or an attribute.
    Name,
    Heading,
    Strong,
    Emphasis,
    Link,
    /// A prefix of a line. If the line wraps, its continuation is aligned with the text after this
    /// prefix.
    Marker,
    /// A prefix of a line that is cut, not wrapped.
    Fixed,
    /// The separator between two cells of a table row, and within the line below its header. Each
    /// cell is one piece, as wide as its column, up to [`WIDEST_CELL`].
    Column,
}

/// The first rows of a table, which may differ in length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewTable {
    pub rows: Vec<Vec<String>>,
    /// Present if the table has more.
    pub cut: Option<CutAt>,
}

/// Pixels, row by row, four bytes each. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    pub rgba: Arc<[u8]>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentPage {
    pub picture: Picture,
    /// Counted from 0.
    pub number: u32,
    /// The number of pages of the document.
    pub count: u32,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Photo {
    pub picture: Picture,
    pub facts: PhotoFacts,
}

/// The metadata that a camera wrote into a picture, safe to show.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PhotoFacts {
    pub camera: Option<String>,
    /// By the camera's clock.
    pub taken: Option<String>,
    /// Degrees north and east.
    pub place: Option<(f64, f64)>,
}

/// The contents of an archive, by its own directory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ArchiveContents {
    pub entries: Vec<ArchiveEntry>,
    /// The number of all entries.
    pub count: u64,
    /// The unpacked size of the listed entries.
    pub bytes: u64,
    /// Set if all entries are listed.
    pub is_all: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchiveEntry {
    /// Includes the path; safe to show.
    pub name: String,
    /// The unpacked size in bytes; `None` for a folder.
    pub size: Option<u64>,
}

/// The facts that a film or sound states in its headers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MediaFacts {
    pub length: Option<Duration>,
    /// In pixels.
    pub size: Option<(u32, u32)>,
    /// Safe to show.
    pub codecs: Vec<String>,
    /// In hertz.
    pub sample_rate: Option<u32>,
    pub channels: Option<u16>,
    /// In kilobits per second.
    pub bit_rate: Option<u32>,
}

/// The first page of a folder.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FolderContents {
    /// Names that are safe to show.
    pub folders: Vec<String>,
    pub files: Vec<FolderFile>,
    /// The newest pictures among the files, newest first, for thumbnails.
    pub pictures: Vec<File>,
    /// The number of files with each access.
    pub by_access: Vec<(Option<Access>, usize)>,
    /// The size of these files together.
    pub bytes: u64,
    /// Set if the folder has no further page.
    pub is_all: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FolderFile {
    /// Safe to show.
    pub name: String,
    /// In bytes.
    pub size: Option<u64>,
    pub updated_at: Option<Timestamp>,
}

/// The reason why there is no preview.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoPreview {
    Empty,
    /// Neither text nor a picture.
    Binary,
    /// Too many bytes or pixels; with the width and height if they are known.
    TooLarge(Option<(u32, u32)>),
    /// The contents do not match the type of the file.
    Damaged,
    TooSlow,
}

/// The estimated memory of a piece besides its text.
const EACH: usize = 32;

impl PreviewText {
    /// Creates a text that is cut after its last line if it `has_more` lines, or else where `cut`
    /// says.
    pub(super) fn of(lines: Vec<Line>, is_prose: bool, has_more: bool, cut: Option<CutAt>) -> Self {
        let cut = if has_more {
            Some(CutAt::Lines(lines.len()))
        } else {
            cut
        };
        Self {
            lines,
            is_prose,
            cut,
        }
    }

    fn bytes(&self) -> usize {
        self.lines
            .iter()
            .flatten()
            .map(|(_, text)| text.len() + EACH)
            .sum()
    }
}

impl Preview {
    pub fn picture(&self) -> Option<&Picture> {
        match self {
            Self::Picture(picture)
            | Self::Photo(Photo { picture, .. })
            | Self::Page(DocumentPage { picture, .. }) => Some(picture),
            _ => None,
        }
    }

    /// Returns about how much memory the preview takes.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Text(text) => text.bytes(),
            Self::Markdown(text) => text.rendered.bytes() + text.source.bytes(),
            Self::Table(table) => table
                .rows
                .iter()
                .flatten()
                .map(|cell| cell.len() + EACH)
                .sum(),
            Self::Picture(picture)
            | Self::Photo(Photo { picture, .. })
            | Self::Page(DocumentPage { picture, .. }) => picture.rgba.len(),
            Self::Archive(archive) => archive
                .entries
                .iter()
                .map(|entry| entry.name.len() + EACH)
                .sum(),
            Self::Folder(FolderContents {
                folders,
                files,
                pictures,
                ..
            }) => {
                let names = folders.iter().chain(files.iter().map(|file| &file.name));
                names.map(|name| name.len() + 2 * EACH).sum::<usize>()
                    + pictures.len() * size_of::<File>() * 2
            }
            Self::Media(_) | Self::Nothing(_) => EACH,
        }
    }
}

impl Picture {
    /// Returns the color at a position, blended with `background` where the picture is transparent;
    /// `background` outside of it.
    pub fn at(&self, x: u32, y: u32, background: [u8; 3]) -> [u8; 3] {
        let dot = self.row(y).get(x as usize);
        dot.map_or(background, |dot| over(*dot, background))
    }

    /// Returns the pixels of a row; empty outside of the picture.
    pub fn row(&self, y: u32) -> &[[u8; 4]] {
        let (dots, _) = self.rgba.as_chunks::<4>();
        let width = self.width as usize;
        let rest = dots.get(y as usize * width..);
        rest.and_then(|rest| rest.get(..width)).unwrap_or_default()
    }

    /// Returns the picture blended with `background`, without transparency.
    #[must_use]
    pub fn over(&self, background: [u8; 3]) -> Self {
        let (dots, _) = self.rgba.as_chunks::<4>();
        let opaque = |dot: &[u8; 4]| {
            let [red, green, blue] = over(*dot, background);
            [red, green, blue, u8::MAX]
        };
        Self {
            rgba: dots.iter().flat_map(opaque).collect(),
            ..*self
        }
    }
}

/// Blends a pixel with the color behind it.
pub fn over([red, green, blue, alpha]: [u8; 4], background: [u8; 3]) -> [u8; 3] {
    let mut mixed = [red, green, blue];
    if alpha == u8::MAX {
        return mixed;
    }
    for (channel, under) in mixed.iter_mut().zip(background) {
        let sum =
            u16::from(*channel) * u16::from(alpha) + u16::from(under) * u16::from(u8::MAX - alpha);
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
        let picture = Picture {
            width: 3,
            height: 1,
            rgba: rgba.into(),
        };
        let background = [250, 255, 0];
        let colors = [0, 1, 2, 3].map(|x| picture.at(x, 0, background));
        assert_eq!(
            colors,
            [[200, 0, 0], background, [240, 204, 20], background]
        );
        let [one, two, three, _] = colors.map(|[red, green, blue]| [red, green, blue, 255]);
        assert_eq!(
            picture.over(background).rgba.to_vec(),
            [one, two, three].concat()
        );
    }
}
