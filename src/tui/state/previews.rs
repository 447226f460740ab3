//! Previews of files and folders: cached by id and modification time up to a byte limit, requested
//! one at a time.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use jiff::{SignedDuration, Timestamp};
use lru::LruCache;
use ratatui::layout::Size;

use super::local_side::LocalRow;
use super::panes::{Panes, TREE_COLUMN_FROM, WIDE_DETAILS, WIDE_FROM};
use super::row::Row;
use super::service_connection::ConnectionLoss;
use crate::api::Error;
use crate::api::ids::FolderId;
use crate::api::model::File;
use crate::engine::OpId;
use crate::engine::message::Target;
use crate::engine::preview::{Preview, PreviewKind};
use crate::tui::widget::picture::Mosaic;

/// The subject of a preview; a changed file gets a new key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PreviewKey {
    subject: PreviewSubject,
    updated: Option<Timestamp>,
    size: PreviewSize,
    /// The page of a document, from 0.
    pub page: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum PreviewSubject {
    Account(Target),
    Local(PathBuf),
}

/// The place where a preview is shown, which decides its resolution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum PreviewSize {
    /// The details.
    Whole,
    /// The thumbnails of a folder.
    Thumbnail,
    Grid,
}

impl PreviewKey {
    pub fn of(row: &Row) -> Self {
        Self {
            subject: PreviewSubject::Account(row.target.clone()),
            updated: row.updated(),
            size: PreviewSize::Whole,
            page: 0,
        }
    }

    pub fn grid(row: &Row) -> Self {
        Self {
            size: PreviewSize::Grid,
            ..Self::of(row)
        }
    }

    pub fn thumbnail(file: &File) -> Self {
        let subject = PreviewSubject::Account(Target::File(file.id.clone()));
        Self {
            subject,
            updated: file.updated_at,
            size: PreviewSize::Thumbnail,
            page: 0,
        }
    }

    pub fn local(path: PathBuf, updated: Option<Timestamp>) -> Self {
        Self {
            subject: PreviewSubject::Local(path),
            updated,
            size: PreviewSize::Whole,
            page: 0,
        }
    }

    fn folder(&self) -> Option<&FolderId> {
        if let PreviewSubject::Account(target) = &self.subject {
            target.folder()
        } else {
            None
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum PreviewState {
    Seen(Preview),
    Failed(Error),
}

/// The way pictures are shown on this screen, which decides the resolution requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PictureSupport {
    /// Not shown.
    None,
    /// Block characters, with four dots per cell.
    #[default]
    Blocks,
    /// Block characters, with six dots per cell.
    Sextants,
    /// Pixels; `cell` is the size of a cell.
    Pixels { cell: Size },
}

/// The limit that keeps what the terminal is sent for a picture below 2 MiB
/// (`guarantees.md#remote-text-does-not-act-on-the-terminal`): three bytes per pixel, in base64.
const MOST_PIXELS: (u32, u32) = (840, 600);

/// The columns and rows of a thumbnail.
pub const THUMBNAIL: (u16, u16) = (15, 5);
/// The dots requested for a thumbnail: the service has copies of that size.
const MOST_OF_THUMBNAIL: u32 = 96;
/// The same for a picture in a grid drawn in pixels.
const MOST_OF_GRID_PIXELS: u32 = 224;
/// The least height that has room for thumbnails, in the details column and in zoomed details.
const TALL_FROM: u16 = 50;
const ZOOMED_TALL_FROM: u16 = 30;

impl PictureSupport {
    /// Returns `true` if the row has a preview.
    pub fn opens(self, row: &Row) -> bool {
        match PreviewKind::of(row.extension(), row.kind.as_ref()) {
            _ if !row.is_file() => true,
            PreviewKind::Facts(_) => false,
            PreviewKind::Picture | PreviewKind::Drawn(_) => self != Self::None,
            _ => true,
        }
    }

    pub fn opens_local(self, row: &LocalRow) -> bool {
        match PreviewKind::of(row.extension(), None) {
            _ if row.entry.is_folder => true,
            PreviewKind::Facts(_) => false,
            PreviewKind::Picture | PreviewKind::Drawn(_) => self != Self::None,
            _ => true,
        }
    }

    /// The width and height in dots of a picture that fills this many cells.
    pub fn dots(self, cells: Size) -> (u32, u32) {
        let cell = self.cell();
        let (across, down) = (
            u32::from(cells.width) * u32::from(cell.width),
            u32::from(cells.height) * u32::from(cell.height),
        );
        match self {
            Self::Pixels { .. } => (across.min(MOST_PIXELS.0), down.min(MOST_PIXELS.1)),
            // A cell has at least two dots across, and pictures have square ones.
            Self::None | Self::Blocks | Self::Sextants => (2 * across, 2 * down),
        }
    }

    pub fn thumbnail_dots(self) -> (u32, u32) {
        let (across, down) = self.dots(THUMBNAIL.into());
        (across.min(MOST_OF_THUMBNAIL), down.min(MOST_OF_THUMBNAIL))
    }

    /// The width and height of a grid picture, in dots: independent of the cells, whose size
    /// changes with the screen.
    pub fn grid_dots(self) -> (u32, u32) {
        match self {
            Self::Pixels { .. } => (MOST_OF_GRID_PIXELS, MOST_OF_GRID_PIXELS),
            Self::None | Self::Blocks | Self::Sextants => (MOST_OF_THUMBNAIL, MOST_OF_THUMBNAIL),
        }
    }

    /// The most pictures for a grid: what the cache holds beside others. More would evict each
    /// other endlessly.
    pub fn most_in_grid(self) -> usize {
        let (width, height) = self.grid_dots();
        let bytes = usize::try_from(width * height * 4).unwrap_or(usize::MAX);
        (MOST_BYTES * 7 / 8 / bytes).min(MOST.get() * 7 / 8)
    }

    /// The number of thumbnails that fit, on a screen of this size.
    pub fn thumbnails(self, panes: Panes, screen: Size) -> usize {
        let least = if panes.zoomed {
            (TREE_COLUMN_FROM, ZOOMED_TALL_FROM)
        } else {
            (WIDE_FROM, TALL_FROM)
        };
        if self == Self::None || panes.plain || screen.width < least.0 || screen.height < least.1 {
            return 0;
        }
        let width = if panes.zoomed {
            screen.width
        } else {
            panes.sizes().details.unwrap_or(WIDE_DETAILS)
        };
        usize::from(width / (THUMBNAIL.0 + 1))
    }

    /// The width and height of a cell: in pixels, or in proportion.
    pub fn cell(self) -> Size {
        match self {
            Self::Pixels { cell } => cell,
            Self::None | Self::Blocks | Self::Sextants => Size::new(1, 2),
        }
    }

    /// The dots of a cell where a picture is drawn in block characters.
    pub fn mosaic(self) -> Mosaic {
        match self {
            Self::Sextants => Mosaic::Sextants,
            Self::None | Self::Blocks | Self::Pixels { .. } => Mosaic::Quadrants,
        }
    }
}

/// The cached previews, the pending request, and the scroll position of the one on the screen.
#[derive(Debug, Clone)]
pub struct Previews {
    kept: LruCache<PreviewKey, CachedPreview>,
    bytes: usize,
    pub asked: Option<(PreviewKey, OpId)>,
    /// The number of rows scrolled off the top.
    pub scroll: usize,
    /// Set if Markdown is shown as source.
    pub shows_source: bool,
    page: u32,
    /// The preview that the cursor is on.
    here: Option<PreviewKey>,
}

#[derive(Debug, Clone)]
struct CachedPreview {
    preview: PreviewState,
    bytes: usize,
    at: Timestamp,
}

const MOST: NonZeroUsize = NonZeroUsize::new(512).unwrap();
const MOST_BYTES: usize = 28 * 1024 * 1024;
/// The lifetime of a folder's preview, because nothing announces a change in a folder.
const FOLDER_KNOWN_FOR: SignedDuration = SignedDuration::from_secs(30);

impl Default for Previews {
    fn default() -> Self {
        Self {
            kept: LruCache::new(MOST),
            bytes: 0,
            asked: None,
            scroll: 0,
            shows_source: false,
            page: 0,
            here: None,
        }
    }
}

impl Previews {
    pub fn of(&self, key: &PreviewKey) -> Option<&PreviewState> {
        self.kept.peek(key).map(|kept| &kept.preview)
    }

    /// The first `most` pictures of a cached folder preview.
    pub fn pictures(&self, folder: &PreviewKey, most: usize) -> &[File] {
        let Some(PreviewState::Seen(Preview::Folder(contents))) = self.of(folder) else {
            return &[];
        };
        contents.pictures.get(..most).unwrap_or(&contents.pictures)
    }

    /// The next preview to request: of `key` itself, then the thumbnails that fit. `None` while a
    /// request is pending.
    pub fn lacks(&self, key: &PreviewKey, thumbnails: usize) -> Option<PreviewKey> {
        let inside = self
            .pictures(key, thumbnails)
            .iter()
            .map(PreviewKey::thumbnail);
        [key.clone()]
            .into_iter()
            .chain(inside)
            .find(|key| self.of(key).is_none())
            .filter(|_| self.asked.is_none())
    }

    /// Records where the cursor is. On a return to an entry, a failed or outdated preview is
    /// dropped.
    pub fn turn_to(&mut self, key: Option<&PreviewKey>, now: Timestamp) {
        if self.here.as_ref() == key {
            return;
        }
        (self.here, self.scroll) = (key.cloned(), 0);
        self.page = key.map_or(0, |key| key.page);
        let Some(key) = key else { return };
        if matches!(self.of(key), Some(PreviewState::Failed(_))) {
            self.remove(key);
        }
        let is_old = |kept: &CachedPreview| now.duration_since(kept.at) >= FOLDER_KNOWN_FOR;
        if self.kept.get(key).is_some_and(is_old) && key.folder().is_some() {
            self.remove(key);
        }
    }

    /// The folder whose preview this operation requests.
    pub fn asked_folder(&self, op: OpId) -> Option<&FolderId> {
        self.asked
            .as_ref()
            .filter(|(_, asked)| *asked == op)?
            .0
            .folder()
    }

    /// Stores the answer to the pending request; drops any other.
    pub fn store_answer(&mut self, op: OpId, preview: PreviewState, now: Timestamp) {
        if let Some((key, _)) = self.asked.take_if(|(_, asked)| *asked == op) {
            self.keep(key, preview, now);
        }
    }

    /// Stores a preview; the least recently used ones are evicted.
    pub fn keep(&mut self, key: PreviewKey, preview: PreviewState, now: Timestamp) {
        let bytes = match &preview {
            PreviewState::Seen(preview) => preview.bytes(),
            PreviewState::Failed(_) => 0,
        };
        self.remove(&key);
        if let Some((_, replaced)) = self.kept.push(
            key,
            CachedPreview {
                preview,
                bytes,
                at: now,
            },
        ) {
            self.bytes = self.bytes.saturating_sub(replaced.bytes);
        }
        self.bytes = self.bytes.saturating_add(bytes);
        while self.bytes > MOST_BYTES && self.kept.len() > 1 {
            let Some((_, oldest)) = self.kept.pop_lru() else {
                break;
            };
            self.bytes = self.bytes.saturating_sub(oldest.bytes);
        }
    }

    /// Drops a preview so that it is requested again.
    pub fn remove(&mut self, key: &PreviewKey) {
        if let Some(kept) = self.kept.pop(key) {
            self.bytes = self.bytes.saturating_sub(kept.bytes);
        }
    }

    /// Drops the previews that failed because of the connection.
    pub fn forget_lost(&mut self) {
        self.forget_failed(|error| ConnectionLoss::of(error.kind).is_some());
    }

    fn forget_failed(&mut self, which: impl Fn(&Error) -> bool) {
        let is_meant =
            |preview: &PreviewState| matches!(preview, PreviewState::Failed(error) if which(error));
        let failed = self.kept.iter().filter(|(_, kept)| is_meant(&kept.preview));
        for key in failed.map(|(key, _)| key.clone()).collect::<Vec<_>>() {
            self.remove(&key);
        }
    }

    /// Switches between rendered Markdown and its source, from the top.
    pub fn toggle_source(&mut self) {
        (self.shows_source, self.scroll) = (!self.shows_source, 0);
    }

    /// Turns to the next or previous page if there is one; returns `true` for a document.
    pub fn turn_page(&mut self, is_next: bool) -> bool {
        let shown = self.here.as_ref().and_then(|key| self.of(key));
        // The next page may still be loading.
        let Some(PreviewState::Seen(Preview::Page(page))) = shown else {
            return self.page > 0;
        };
        let (number, last) = (page.number, page.count.saturating_sub(1));
        self.page = if is_next {
            (number + 1).min(last)
        } else {
            number.saturating_sub(1)
        };
        true
    }

    /// The same key with the page that a document is turned to.
    pub fn at_its_page(&self, key: PreviewKey) -> PreviewKey {
        let is_here = self.here.as_ref().is_some_and(|here| {
            PreviewKey {
                page: 0,
                ..here.clone()
            } == key
        });
        PreviewKey {
            page: if is_here { self.page } else { 0 },
            ..key
        }
    }

    /// Scrolls by `rows` within the preview's length; `hidden_facts` facts beside it can be
    /// scrolled to as well.
    pub fn scroll_by(&mut self, rows: isize, hidden_facts: usize) {
        let length = self
            .here
            .as_ref()
            .and_then(|key| self.of(key))
            .map_or(0, |preview| length(preview, self.shows_source));
        self.scroll = self
            .scroll
            .saturating_add_signed(rows)
            .min(length.saturating_sub(1).max(hidden_facts));
    }
}

/// The number of rows of a preview that can be scrolled.
fn length(preview: &PreviewState, shows_source: bool) -> usize {
    match preview {
        PreviewState::Seen(Preview::Text(text)) => text.lines.len(),
        PreviewState::Seen(Preview::Markdown(text)) if shows_source => text.source.lines.len(),
        PreviewState::Seen(Preview::Markdown(text)) => text.rendered.lines.len(),
        PreviewState::Seen(Preview::Table(table)) => table.rows.len(),
        PreviewState::Seen(Preview::Archive(archive)) => archive.entries.len(),
        PreviewState::Seen(Preview::Folder(contents)) => {
            contents.folders.len() + contents.files.len()
        }
        PreviewState::Seen(
            Preview::Picture(_)
            | Preview::Photo(_)
            | Preview::Page(_)
            | Preview::Media(_)
            | Preview::Nothing(_),
        )
        | PreviewState::Failed(_) => 0,
    }
}
