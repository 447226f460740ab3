//! Previews files and folders. Fetches no more than can be shown, and never sends the token to get
//! file contents.

use std::cmp::Reverse;

use super::local_content::LocalContent;
use super::perform::{OpContext, Perform};
use super::preview_bytes::{ByteSource, FetchPart, FetchedBytes, MOST_OF_A_PICTURE};
use crate::api::model::{File, ThumbnailSize};
use crate::api::text::visible;
use crate::api::{Client, Error};
use crate::drawing::{DrawRequest, Drawer};
use crate::engine::message::{Entry, FolderRef};
use crate::engine::ops::list::{self, ListMemory};
use crate::engine::ops::thumbnail::thumbnail;
use crate::engine::preview::{
    self, FolderContents, FolderFile, NoPreview, PartialFile, PartialLook, Preview, PreviewKind,
    PreviewTarget,
};
use crate::engine::question::{GetPreview, ListPage};

/// The bytes of a text to fetch.
const START: u64 = 64 * 1024;
/// The largest picture, in bytes, to fetch as it is, without a request for a smaller copy.
const SMALL_PICTURE: u64 = 512 * 1024;
/// The same for a thumbnail.
const SMALL_THUMBNAIL: u64 = 32 * 1024;
/// The longest edges of the two smaller copies that can be requested
/// (`contract.md#signed-addresses`).
const THUMB_EDGE: u32 = 100;
const MEDIUM_EDGE: u32 = 300;
/// The most pictures of a folder to return.
const MOST_THUMBNAILS: usize = 6;

/// Previews a file or a folder. A picture is scaled down to its room, in pixels.
pub async fn preview(
    client: &Client,
    memory: &ListMemory,
    drawer: Option<&Drawer>,
    GetPreview {
        subject,
        room,
        is_thumbnail,
        page,
    }: &GetPreview,
) -> Result<Preview, Error> {
    let (room, is_thumbnail) = (*room, *is_thumbnail);
    let (source, name, extension, kind) = match subject {
        PreviewTarget::Folder(place) => return folder(client, memory, place).await,
        PreviewTarget::File(file) => {
            let extension = file.extension.clone().unwrap_or_default();
            (
                ByteSource::Account(client, file),
                file.full_name(),
                extension,
                file.kind.as_ref(),
            )
        }
        PreviewTarget::Local(path) => {
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let extension = path
                .extension()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            match LocalContent::of(path).await? {
                LocalContent::Folder(contents) => return Ok(Preview::Folder(contents)),
                LocalContent::File { size } => {
                    (ByteSource::Disk { path, size }, name, extension, None)
                }
            }
        }
    };
    match PreviewKind::of(&extension, kind) {
        _ if source.size() == Some(0) => Ok(Preview::Nothing(NoPreview::Empty)),
        PreviewKind::Facts(_) => Ok(Preview::Nothing(NoPreview::Binary)),
        kind @ (PreviewKind::Archive | PreviewKind::Office(_) | PreviewKind::Media) => {
            by_parts(&source, kind, &extension).await
        }
        PreviewKind::Drawn(kind) => {
            drawn(
                &source,
                drawer,
                DrawRequest {
                    kind,
                    room,
                    page: *page,
                },
            )
            .await
        }
        PreviewKind::Picture => {
            Box::pin(picture(&source, drawer, &extension, room, is_thumbnail)).await
        }
        PreviewKind::Text | PreviewKind::Markdown | PreviewKind::Table => {
            let FetchedBytes { bytes, is_cut } = source.fetch(&FetchPart::Bytes(0..START)).await?;
            Ok(preview::of_start(name, extension, bytes, is_cut).await)
        }
    }
}

async fn picture(
    source: &ByteSource<'_>,
    drawer: Option<&Drawer>,
    extension: &str,
    room: (u32, u32),
    is_thumbnail: bool,
) -> Result<Preview, Error> {
    let Some(drawer) = drawer else {
        return Ok(Preview::Nothing(NoPreview::Binary));
    };
    let copy = if let ByteSource::Account(_, file) = source {
        copy(file, room)
    } else {
        None
    };
    // A copy has lost the camera's metadata.
    let has_facts = copy.is_some() && !is_thumbnail && is_photo(extension);
    let start = async {
        let part = FetchPart::Bytes(0..START);
        // A single attempt: the facts merely accompany the picture.
        if has_facts {
            source.attempt(&part).await.ok()
        } else {
            None
        }
    };
    let part = FetchPart::Picture(copy);
    let (fetched, start) = tokio::join!(source.fetch(&part), start);
    match fetched? {
        FetchedBytes {
            bytes,
            is_cut: true,
        } => Ok(preview::too_large(&bytes)),
        FetchedBytes {
            bytes,
            is_cut: false,
        } => Ok(preview::of_picture(drawer, bytes, start.map(|start| start.bytes), room).await),
    }
}

async fn drawn(
    source: &ByteSource<'_>,
    drawer: Option<&Drawer>,
    request: DrawRequest,
) -> Result<Preview, Error> {
    let Some(drawer) = drawer else {
        return Ok(Preview::Nothing(NoPreview::Binary));
    };
    if source.size().is_some_and(|size| size > MOST_OF_A_PICTURE) {
        return Ok(Preview::Nothing(NoPreview::TooLarge(None)));
    }
    match source.fetch(&FetchPart::Picture(None)).await? {
        FetchedBytes { is_cut: true, .. } => Ok(Preview::Nothing(NoPreview::TooLarge(None))),
        FetchedBytes {
            bytes,
            is_cut: false,
        } => Ok(preview::of_file(drawer, request, &bytes).await),
    }
}

/// Returns `true` if cameras write files of this type.
fn is_photo(extension: &str) -> bool {
    ["jpg", "jpeg", "tif", "tiff"]
        .iter()
        .any(|known| known.eq_ignore_ascii_case(extension))
}

async fn by_parts(
    source: &ByteSource<'_>,
    kind: PreviewKind,
    extension: &str,
) -> Result<Preview, Error> {
    let Some(size) = source.size() else {
        return Ok(Preview::Nothing(NoPreview::Binary));
    };
    let mut partial = PartialFile::new(size);
    loop {
        match preview::of_parts(partial, kind, extension.to_owned()).await {
            PartialLook::Seen(preview) => return Ok(preview),
            PartialLook::Lacks(held, range) => {
                partial = held;
                let start = range.start;
                let FetchedBytes { bytes, .. } = source.fetch(&FetchPart::Bytes(range)).await?;
                partial.add(start, bytes);
            }
        }
    }
}

async fn folder(client: &Client, memory: &ListMemory, place: &FolderRef) -> Result<Preview, Error> {
    let ListPage { entries, next } = list::glance(client, memory, place).await?;
    let mut contents = FolderContents {
        is_all: next.is_none(),
        ..FolderContents::default()
    };
    for entry in entries {
        match entry {
            Entry::Folder(folder) => contents
                .folders
                .push(visible(&folder.full_name()).into_owned()),
            Entry::File(file) => {
                let name = visible(&file.full_name()).into_owned();
                contents.files.push(FolderFile {
                    name,
                    size: file.size,
                    updated_at: file.updated_at,
                });
                contents.bytes = contents.bytes.saturating_add(file.size.unwrap_or(0));
                match contents
                    .by_access
                    .iter_mut()
                    .find(|(access, _)| *access == file.access)
                {
                    Some((_, count)) => *count += 1,
                    None => contents.by_access.push((file.access.clone(), 1)),
                }
                if is_picture(&file) {
                    contents.pictures.push(file);
                }
            }
        }
    }
    contents
        .pictures
        .sort_by_key(|file| Reverse(file.updated_at));
    contents.pictures.truncate(MOST_THUMBNAILS);
    Ok(Preview::Folder(contents))
}

fn is_picture(file: &File) -> bool {
    let kind = PreviewKind::of(
        file.extension.as_deref().unwrap_or_default(),
        file.kind.as_ref(),
    );
    matches!(kind, PreviewKind::Picture) && file.size != Some(0)
}

/// Returns the size of the copy that fills the room; `None` to fetch the picture as it is.
fn copy(file: &File, room: (u32, u32)) -> Option<ThumbnailSize> {
    let (size, small) = match room.0.max(room.1) {
        ..THUMB_EDGE => (ThumbnailSize::Thumb, SMALL_THUMBNAIL),
        THUMB_EDGE..=MEDIUM_EDGE => (ThumbnailSize::Medium, SMALL_PICTURE),
        _ => (ThumbnailSize::Preview, SMALL_PICTURE),
    };
    file.size.is_none_or(|size| size > small).then_some(size)
}

impl Perform for GetPreview {
    async fn perform(self, context: &OpContext) -> Result<Preview, Error> {
        let drawer = context.drawer.as_ref();
        let fetch = Box::pin(preview(&context.client, &context.lists, drawer, &self));
        match &self.subject {
            PreviewTarget::File(file) if self.is_thumbnail => {
                thumbnail(context.thumbnails.as_ref(), drawer, file, self.room, fetch).await
            }
            _ => fetch.await,
        }
    }
}
