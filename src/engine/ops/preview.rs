//! Previews of files and folders: fetches no more than can be shown, and never sends the token for it.

use std::cmp::Reverse;
use std::ops::Range;

use super::perform::{OpContext, Perform};
use crate::api::model::{Access, File, ThumbnailSize};
use crate::api::text::visible;
use crate::api::{Client, Download, Error, Failure, Kind, Repeat, Signing};
use crate::drawing::{DrawRequest, Drawer};
use crate::engine::message::{Entry, FolderRef};
use crate::engine::ops::list::{self, ListMemory};
use crate::engine::preview::{
    self, FolderContents, FolderFile, NoPreview, PartialFile, PartialLook, Preview, PreviewKind, PreviewTarget,
};
use crate::engine::question::{GetPreview, ListPage};

/// Of a text.
const START: u64 = 64 * 1024;
/// Of a picture, and of a document.
const MOST_OF_A_PICTURE: u64 = 8 * 1024 * 1024;
/// Smaller pictures are fetched as they are, without a request for a smaller copy.
const SMALL_PICTURE: u64 = 512 * 1024;
/// For a thumbnail.
const SMALL_THUMBNAIL: u64 = 32 * 1024;
/// Longest edges of the two smaller copies that are asked for (`contract.md#signed-addresses`).
const THUMB_EDGE: u32 = 100;
const MEDIUM_EDGE: u32 = 300;
/// Pictures of a folder that are told of.
const MOST_THUMBNAILS: usize = 6;

/// What a file or a folder looks like inside. A picture is scaled down to its room, in pixels.
pub async fn preview(
    client: &Client,
    memory: &ListMemory,
    drawer: Option<&Drawer>,
    GetPreview { subject, room, is_thumbnail, page }: &GetPreview,
) -> Result<Preview, Error> {
    let (room, is_thumbnail) = (*room, *is_thumbnail);
    let file = match subject {
        PreviewTarget::Folder(place) => return folder(client, memory, place).await,
        PreviewTarget::File(file) => file,
    };
    let extension = file.extension.clone().unwrap_or_default();
    match PreviewKind::of(&extension, file.kind.as_ref()) {
        _ if file.size == Some(0) => Ok(Preview::Nothing(NoPreview::Empty)),
        PreviewKind::Facts(_) => Ok(Preview::Nothing(NoPreview::Binary)),
        kind @ (PreviewKind::Archive | PreviewKind::Office(_) | PreviewKind::Media) => {
            by_parts(client, file, kind, &extension).await
        }
        PreviewKind::Drawn(kind) => drawn(client, drawer, file, DrawRequest { kind, room, page: *page }).await,
        PreviewKind::Picture => Box::pin(picture(client, file, room, is_thumbnail)).await,
        PreviewKind::Text | PreviewKind::Markdown | PreviewKind::Table => {
            let FetchedBytes { bytes, is_cut } = fetch(client, file, &FetchPart::Bytes(0..START)).await?;
            Ok(preview::of_start(file.full_name(), extension, bytes, is_cut).await)
        }
    }
}

async fn picture(client: &Client, file: &File, room: (u32, u32), is_thumbnail: bool) -> Result<Preview, Error> {
    let copy = copy(file, room);
    // A copy has lost what the camera wrote.
    let has_facts = copy.is_some() && !is_thumbnail && file.extension.as_deref().is_some_and(is_photo);
    let start = async {
        let part = FetchPart::Bytes(0..START);
        // One attempt: it is only beside the picture.
        if has_facts { attempt(client, file, &part).await.ok() } else { None }
    };
    let part = FetchPart::Picture(copy);
    let (fetched, start) = tokio::join!(fetch(client, file, &part), start);
    match fetched? {
        FetchedBytes { bytes, is_cut: true } => Ok(preview::too_large(&bytes)),
        FetchedBytes { bytes, is_cut: false } => {
            Ok(preview::of_picture(bytes, start.map(|start| start.bytes), room).await)
        }
    }
}

/// Fetches all of a document, and has it drawn.
async fn drawn(client: &Client, drawer: Option<&Drawer>, file: &File, request: DrawRequest) -> Result<Preview, Error> {
    let Some(drawer) = drawer else { return Ok(Preview::Nothing(NoPreview::Binary)) };
    if file.size.is_some_and(|size| size > MOST_OF_A_PICTURE) {
        return Ok(Preview::Nothing(NoPreview::TooLarge(None)));
    }
    match fetch(client, file, &FetchPart::Picture(None)).await? {
        FetchedBytes { is_cut: true, .. } => Ok(Preview::Nothing(NoPreview::TooLarge(None))),
        FetchedBytes { bytes, is_cut: false } => Ok(preview::of_document(drawer, request, bytes).await),
    }
}

/// Whether cameras write such files.
fn is_photo(extension: &str) -> bool {
    ["jpg", "jpeg", "tif", "tiff"].iter().any(|known| known.eq_ignore_ascii_case(extension))
}

/// Fetches what is needed to look into a file, part by part.
async fn by_parts(client: &Client, file: &File, kind: PreviewKind, extension: &str) -> Result<Preview, Error> {
    let Some(size) = file.size else { return Ok(Preview::Nothing(NoPreview::Binary)) };
    let mut partial = PartialFile::new(size);
    loop {
        match preview::of_parts(partial, kind, extension.to_owned()).await {
            PartialLook::Seen(preview) => return Ok(preview),
            PartialLook::Lacks(held, range) => {
                partial = held;
                let start = range.start;
                let FetchedBytes { bytes, .. } = fetch(client, file, &FetchPart::Bytes(range)).await?;
                partial.add(start, bytes);
            }
        }
    }
}

async fn folder(client: &Client, memory: &ListMemory, place: &FolderRef) -> Result<Preview, Error> {
    let ListPage { entries, next } = list::glance(client, memory, place).await?;
    let mut contents = FolderContents { is_all: next.is_none(), ..FolderContents::default() };
    for entry in entries {
        match entry {
            Entry::Folder(folder) => contents.folders.push(visible(&folder.full_name()).into_owned()),
            Entry::File(file) => {
                let name = visible(&file.full_name()).into_owned();
                contents.files.push(FolderFile { name, size: file.size, updated_at: file.updated_at });
                contents.bytes = contents.bytes.saturating_add(file.size.unwrap_or(0));
                match contents.by_access.iter_mut().find(|(access, _)| *access == file.access) {
                    Some((_, count)) => *count += 1,
                    None => contents.by_access.push((file.access.clone(), 1)),
                }
                if is_picture(&file) {
                    contents.pictures.push(file);
                }
            }
        }
    }
    contents.pictures.sort_by_key(|file| Reverse(file.updated_at));
    contents.pictures.truncate(MOST_THUMBNAILS);
    Ok(Preview::Folder(contents))
}

/// Whether there is something to see of it.
fn is_picture(file: &File) -> bool {
    let kind = PreviewKind::of(file.extension.as_deref().unwrap_or_default(), file.kind.as_ref());
    matches!(kind, PreviewKind::Picture) && file.size != Some(0)
}

/// Which bytes are asked for.
enum FetchPart {
    Bytes(Range<u64>),
    /// All of it, or a smaller copy of that size.
    Picture(Option<ThumbnailSize>),
}

/// The copy of a picture that fills the room; none for one that is fetched as it is.
fn copy(file: &File, room: (u32, u32)) -> Option<ThumbnailSize> {
    let (size, small) = match room.0.max(room.1) {
        ..THUMB_EDGE => (ThumbnailSize::Thumb, SMALL_THUMBNAIL),
        THUMB_EDGE..=MEDIUM_EDGE => (ThumbnailSize::Medium, SMALL_PICTURE),
        _ => (ThumbnailSize::Preview, SMALL_PICTURE),
    };
    file.size.is_none_or(|size| size > small).then_some(size)
}

struct FetchedBytes {
    bytes: Vec<u8>,
    /// There is more of it.
    is_cut: bool,
}

async fn fetch(client: &Client, file: &File, part: &FetchPart) -> Result<FetchedBytes, Error> {
    let mut retries = client.retries(Repeat::Read);
    loop {
        match attempt(client, file, part).await {
            Ok(fetched) => return Ok(fetched),
            Err(failure) => retries.after(failure).await?,
        }
    }
}

async fn attempt(client: &Client, file: &File, part: &FetchPart) -> Result<FetchedBytes, Failure> {
    let most = match part {
        FetchPart::Bytes(range) => range.end - range.start,
        FetchPart::Picture(_) => MOST_OF_A_PICTURE,
    };
    let start = if let FetchPart::Bytes(range) = part { range.start } else { 0 };
    let mut download = open(client, file, part).await?;
    if download.start() != start {
        return Err(Error::new(Kind::Decode, "The service sent a different part of the file").into());
    }
    // To grow would leave pieces behind of up to as much again.
    let announced = download.length().unwrap_or(0).min(most);
    let mut bytes = Vec::with_capacity(usize::try_from(announced).unwrap_or(0));
    let mut is_cut = matches!(part, FetchPart::Bytes(range) if file.size.is_some_and(|size| size > range.end));
    while let Some(chunk) = download.chunk().await? {
        let room = usize::try_from(most).unwrap_or(usize::MAX) - bytes.len();
        bytes.extend_from_slice(chunk.get(..room.min(chunk.len())).unwrap_or_default());
        if chunk.len() > room {
            is_cut = true;
            break;
        }
        // All that was asked for: the rest of a longer answer is not waited for.
        if chunk.len() == room && matches!(part, FetchPart::Bytes(_)) {
            break;
        }
    }
    Ok(FetchedBytes { bytes, is_cut })
}

/// From a public file's own address, but for a copy of a picture; else by a signed one.
async fn open(client: &Client, file: &File, part: &FetchPart) -> Result<Download, Failure> {
    let size = match part {
        FetchPart::Bytes(_) => None,
        FetchPart::Picture(size) => size.clone(),
    };
    let public = file.url.as_deref().filter(|_| size.is_none() && file.access.as_ref().is_some_and(Access::is_public));
    if let Some(url) = public {
        match get(client, url, part).await {
            // It may have been made private since.
            Err(failure) if matches!(failure.error.kind, Kind::NotFound | Kind::Forbidden | Kind::Refused) => {}
            answer => return answer,
        }
    }
    let signed = client.signed_url(&file.id, &Signing { size, ..Signing::default() }).await?;
    get(client, &signed.url, part).await
}

async fn get(client: &Client, url: &str, part: &FetchPart) -> Result<Download, Failure> {
    match part {
        FetchPart::Bytes(range) => client.fetch_part(url, range.clone()).await,
        FetchPart::Picture(_) => client.fetch(url, None).await,
    }
}

impl Perform for GetPreview {
    async fn perform(self, context: &OpContext) -> Result<Preview, Error> {
        Box::pin(preview(&context.client, &context.lists, context.drawer.as_ref(), &self)).await
    }
}
