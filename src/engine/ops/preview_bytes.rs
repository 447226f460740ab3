//! Fetches the bytes of a preview, from the account (never with the token) or from the local disk.

use std::io::{Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::Path;

use super::local_place::blocking;
use crate::api::model::{Access, File, ThumbnailSize};
use crate::api::{Client, Error, Failure, Kind, Repeat, ResponseBody, SignedUrlOptions};
use crate::regular_file::{self, Links};

/// The most bytes of a picture or a document.
pub(super) const MOST_OF_A_PICTURE: u64 = 8 * 1024 * 1024;

pub(super) enum ByteSource<'a> {
    Account(&'a Client, &'a File),
    Disk { path: &'a Path, size: u64 },
}

impl ByteSource<'_> {
    pub(super) fn size(&self) -> Option<u64> {
        match self {
            Self::Account(_, file) => file.size,
            Self::Disk { size, .. } => Some(*size),
        }
    }

    pub(super) async fn fetch(&self, part: &FetchPart) -> Result<FetchedBytes, Error> {
        match self {
            Self::Account(client, file) => fetch(client, file, part).await,
            Self::Disk { path, size } => read(path, *size, part).await,
        }
    }

    pub(super) async fn attempt(&self, part: &FetchPart) -> Result<FetchedBytes, Failure> {
        match self {
            Self::Account(client, file) => attempt(client, file, part).await,
            Self::Disk { path, size } => Ok(read(path, *size, part).await?),
        }
    }
}

pub(super) enum FetchPart {
    Bytes(Range<u64>),
    /// The whole file, or a smaller copy of that size.
    Picture(Option<ThumbnailSize>),
}

pub(super) struct FetchedBytes {
    pub(super) bytes: Vec<u8>,
    /// Set if the file has more bytes.
    pub(super) is_cut: bool,
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
    let start = if let FetchPart::Bytes(range) = part {
        range.start
    } else {
        0
    };
    let mut download = open(client, file, part).await?;
    if download.start() != start {
        return Err(Error::new(
            Kind::Decode,
            "The service sent a different part of the file",
        )
        .into());
    }
    // A growing vector would leave up to as much memory again behind in pieces.
    let announced = download.length().unwrap_or(0).min(most);
    let mut bytes = Vec::with_capacity(usize::try_from(announced).unwrap_or(0));
    let mut is_cut =
        matches!(part, FetchPart::Bytes(range) if file.size.is_some_and(|size| size > range.end));
    while let Some(chunk) = download.chunk().await? {
        let room = usize::try_from(most).unwrap_or(usize::MAX) - bytes.len();
        bytes.extend_from_slice(chunk.get(..room.min(chunk.len())).unwrap_or_default());
        if chunk.len() > room {
            is_cut = true;
            break;
        }
        // This is all that was requested: do not wait for the rest of a longer response.
        if chunk.len() == room && matches!(part, FetchPart::Bytes(_)) {
            break;
        }
    }
    Ok(FetchedBytes { bytes, is_cut })
}

/// Opens a public file's own URL, unless a smaller copy is requested; otherwise a signed one.
async fn open(client: &Client, file: &File, part: &FetchPart) -> Result<ResponseBody, Failure> {
    let size = match part {
        FetchPart::Bytes(_) => None,
        FetchPart::Picture(size) => size.clone(),
    };
    let public = file
        .url
        .as_deref()
        .filter(|_| size.is_none() && file.access.as_ref().is_some_and(Access::is_public));
    if let Some(url) = public {
        match get(client, url, part).await {
            // The file may have been made private since.
            Err(failure)
                if matches!(
                    failure.error.kind,
                    Kind::NotFound | Kind::Forbidden | Kind::Refused
                ) => {}
            answer => return answer,
        }
    }
    let signed = client
        .files()
        .signed_url(
            &file.id,
            &SignedUrlOptions {
                size,
                ..SignedUrlOptions::default()
            },
        )
        .await?;
    get(client, &signed.url, part).await
}

async fn get(client: &Client, url: &str, part: &FetchPart) -> Result<ResponseBody, Failure> {
    match part {
        FetchPart::Bytes(range) => client.files().open_part(url, range.clone()).await,
        FetchPart::Picture(_) => client.files().open_address(url, None).await,
    }
}

/// Reads from the disk. Never blocks on a pipe or a device in the file's place: it is refused.
async fn read(path: &Path, size: u64, part: &FetchPart) -> Result<FetchedBytes, Error> {
    let (start, most) = match part {
        FetchPart::Bytes(range) => (range.start, range.end - range.start),
        FetchPart::Picture(_) => (0, MOST_OF_A_PICTURE),
    };
    let path = path.to_owned();
    blocking(move || {
        let unreadable = |error| Error::local(&format!("Cannot read {}", path.display()), &error);
        let mut file = regular_file::open(&path, Links::Followed).map_err(unreadable)?;
        file.seek(SeekFrom::Start(start)).map_err(unreadable)?;
        let mut bytes = Vec::new();
        file.take(most)
            .read_to_end(&mut bytes)
            .map_err(unreadable)?;
        Ok(FetchedBytes {
            bytes,
            is_cut: size > start.saturating_add(most),
        })
    })
    .await?
}
