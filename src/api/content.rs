//! The bytes of an upload: of a local file, or of a file of an account, which are streamed through
//! this machine. Either is sent as it was before its first byte
//! (`guarantees.md#a-source-that-changes-is-not-stored`).

use std::error::Error as StdError;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use bytes::Bytes;
use futures::stream::{BoxStream, Stream, StreamExt as _, TryStreamExt as _, try_unfold, unfold};
use tokio::io::AsyncReadExt as _;
use tokio_util::io::ReaderStream;

use super::client::Client;
use super::error::{Error, Kind};
use super::failure::Failure;
use super::files::SignedUrlOptions;
use super::local_file::{self, md5_of, sendable};
use super::model::{File, SignedUrl};
use crate::regular_file::Links;

/// The bytes of an upload.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum UploadContent {
    /// The bytes of a local file.
    Local {
        /// The path of the file.
        path: PathBuf,
        /// The treatment of a link in its place.
        links: Links,
    },
    /// The bytes of a file of an account.
    Remote(Box<RemoteContent>),
}

/// A file of an account whose bytes go to another one, or to another folder.
#[derive(Debug, Clone)]
pub struct RemoteContent {
    client: Client,
    file: File,
}

impl From<&Path> for UploadContent {
    /// Follows a link at the path.
    fn from(path: &Path) -> Self {
        Self::Local {
            path: path.to_owned(),
            links: Links::Followed,
        }
    }
}

impl From<&PathBuf> for UploadContent {
    /// Follows a link at the path.
    fn from(path: &PathBuf) -> Self {
        Self::from(path.as_path())
    }
}

impl UploadContent {
    /// Creates the content of a file as the account of `client` described it.
    pub fn remote(client: &Client, file: File) -> Self {
        Self::Remote(Box::new(RemoteContent {
            client: client.clone(),
            file,
        }))
    }

    /// Returns the number of bytes.
    ///
    /// # Errors
    ///
    /// If a local file cannot be sent, or the account does not give the size.
    pub async fn length(&self) -> Result<u64, Error> {
        match self {
            Self::Local { path, links } => Ok(sendable(path, *links).await?.len()),
            Self::Remote(content) => content.length(),
        }
    }

    /// Returns the MD5. Reads the whole content, unless an account gives the sum.
    ///
    /// # Errors
    ///
    /// If the content cannot be read.
    pub async fn md5(&self) -> Result<[u8; 16], Error> {
        match self {
            Self::Local { path, links } => md5_of(path, *links).await,
            Self::Remote(content) => match content.md5() {
                Some(md5) => Ok(md5),
                None => content.read_md5().await,
            },
        }
    }

    /// Returns the name by which a person knows it.
    fn shown(&self) -> String {
        match self {
            Self::Local { path, .. } => path.display().to_string(),
            Self::Remote(content) => content.shown(),
        }
    }
}

impl RemoteContent {
    /// Returns the file as the account described it.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Fetches a temporary address of the bytes, for another service to read them.
    ///
    /// # Errors
    ///
    /// The same as those of [`FilesApi::signed_url`](crate::api::FilesApi::signed_url).
    pub async fn signed_url(&self) -> Result<SignedUrl, Error> {
        self.client
            .files()
            .signed_url(&self.file.id, &SignedUrlOptions::default())
            .await
    }

    fn shown(&self) -> String {
        self.file
            .path
            .clone()
            .unwrap_or_else(|| self.file.full_name())
    }

    fn length(&self) -> Result<u64, Error> {
        self.file.size.ok_or_else(|| {
            let message = format!("The account does not give the size of {}", self.shown());
            Error::new(Kind::Refused, message)
        })
    }

    fn md5(&self) -> Option<[u8; 16]> {
        let mut sum = [0; 16];
        hex::decode_to_slice(self.file.file_md5.as_deref()?, &mut sum).ok()?;
        Some(sum)
    }

    async fn read_md5(&self) -> Result<[u8; 16], Error> {
        self.client.files().download(&self.file).md5().await
    }
}

/// Detects a write to a local file without reading its content.
#[derive(Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// The length in bytes.
    pub length: u64,
    modified: Option<SystemTime>,
}

impl Fingerprint {
    /// Takes the fingerprint of what is to be sent.
    ///
    /// # Errors
    ///
    /// If it cannot be sent.
    pub async fn take(content: &UploadContent) -> Result<Self, Error> {
        Ok(match content {
            UploadContent::Local { path, links } => {
                let metadata = sendable(path, *links).await?;
                Self {
                    length: metadata.len(),
                    modified: metadata.modified().ok(),
                }
            }
            UploadContent::Remote(content) => Self {
                length: content.length()?,
                modified: None,
            },
        })
    }

    /// Returns `true` if a local file is unchanged. One that is now gone counts as unchanged.
    pub async fn is_of(&self, content: &UploadContent) -> bool {
        !Self::take(content).await.is_ok_and(|now| now != *self)
    }
}

/// The bytes of an upload, chunk by chunk.
pub(super) type Chunks = BoxStream<'static, Result<Bytes, Failure>>;

/// The source of the bytes of one upload.
pub(super) enum UploadSource {
    Content(UploadContent),
    Bytes(Bytes),
    /// Bytes that can be read once; `None` once they have been.
    Once(Mutex<Option<Chunks>>, u64),
}

impl UploadSource {
    pub(super) fn once<E: Into<Box<dyn StdError + Send + Sync>>>(
        bytes: impl Stream<Item = Result<Bytes, E>> + Send + 'static,
        length: u64,
    ) -> Self {
        let unreadable = |error: E| {
            let error = error.into();
            let message = format!("The bytes of the upload cannot be read: {error}");
            Error::new(Kind::Local, message).caused_by(error).into()
        };
        Self::Once(Mutex::new(Some(bytes.map_err(unreadable).boxed())), length)
    }

    /// Returns the bytes as they are now.
    pub(super) async fn version(self) -> Result<ContentVersion, Error> {
        let (fingerprint, length, md5) = match &self {
            Self::Content(content) => {
                let fingerprint = Fingerprint::take(content).await?;
                let md5 = match content {
                    UploadContent::Local { path, links } => Some(md5_of(path, *links).await?),
                    UploadContent::Remote(content) => content.md5(),
                };
                let length = fingerprint.length;
                (Some(fingerprint), length, md5)
            }
            Self::Bytes(bytes) => (None, bytes.len() as u64, None),
            Self::Once(_, length) => (None, *length, None),
        };
        Ok(ContentVersion {
            source: self,
            fingerprint,
            length,
            md5,
        })
    }
}

/// The content of an upload as it was before its first byte was sent.
pub(super) struct ContentVersion {
    source: UploadSource,
    /// `None` for bytes that nobody can change.
    fingerprint: Option<Fingerprint>,
    length: u64,
    /// `None` if it is not known before the bytes are sent.
    md5: Option<[u8; 16]>,
}

impl ContentVersion {
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Returns `true` if the bytes can be read again.
    pub(super) fn can_repeat(&self) -> bool {
        !matches!(self.source, UploadSource::Once(..))
    }

    /// Returns the name whose extension gives the media type.
    pub(super) fn name(&self) -> &Path {
        match &self.source {
            UploadSource::Content(UploadContent::Local { path, .. }) => path,
            UploadSource::Content(UploadContent::Remote(content)) => content
                .file
                .path
                .as_deref()
                .map_or(Path::new(""), Path::new),
            UploadSource::Bytes(_) | UploadSource::Once(..) => Path::new(""),
        }
    }

    /// Opens the content for reading; it may have been replaced since.
    pub(super) async fn open(&self, chunk: usize) -> Result<Chunks, Failure> {
        let content = match &self.source {
            UploadSource::Content(content) => content,
            UploadSource::Bytes(bytes) => {
                let rest = bytes.clone();
                let next = move |mut rest: Bytes| {
                    let chunk = rest.split_to(chunk.min(rest.len()));
                    std::future::ready((!chunk.is_empty()).then_some((Ok(chunk), rest)))
                };
                return Ok(unfold(rest, next).boxed());
            }
            UploadSource::Once(chunks, _) => {
                let chunks = chunks.lock().unwrap_or_else(PoisonError::into_inner).take();
                return chunks.ok_or_else(|| {
                    let message = "The bytes of the upload can be read once only";
                    Error::new(Kind::Local, message).into()
                });
            }
        };
        match content {
            UploadContent::Local { path, links } => {
                let file = local_file::open(path, *links).await?.take(self.length());
                let unreadable =
                    |error| Error::local("The file could not be read to its end", &error).into();
                let chunks = ReaderStream::with_capacity(file, chunk);
                Ok(chunks.map_err(unreadable).boxed())
            }
            UploadContent::Remote(content) => {
                let shown = content.shown();
                let download = content.client.files().open(&content.file, None).await;
                let download = download.map_err(|failure| failure.of_source(&shown))?;
                let chunks = try_unfold(download, move |mut download| {
                    let shown = shown.clone();
                    async move {
                        let chunk = download.chunk().await;
                        let chunk = chunk.map_err(|failure| failure.of_source(&shown))?;
                        Ok(chunk.map(|chunk| (chunk, download)))
                    }
                });
                Ok(chunks.boxed())
            }
        }
    }

    /// Fails unless these are the bytes of this version, by MD5 or else by length, and a local file
    /// is still unchanged.
    pub(super) async fn check(&self, length: u64, sum: [u8; 16]) -> Result<(), Error> {
        let is_same = length == self.length && self.md5.is_none_or(|md5| md5 == sum);
        let is_unchanged = match (&self.fingerprint, &self.source) {
            (Some(fingerprint), UploadSource::Content(content)) => fingerprint.is_of(content).await,
            _ => true,
        };
        if is_same && is_unchanged {
            Ok(())
        } else {
            Err(self.is_other())
        }
    }

    /// Returns the error for bytes that are not those of this version.
    pub(super) fn is_other(&self) -> Error {
        let message = match &self.source {
            UploadSource::Content(content) => format!(
                "{} changed while it was sent, and its last bytes were held back; send it again once nothing writes to it",
                content.shown()
            ),
            UploadSource::Bytes(_) | UploadSource::Once(..) => format!(
                "The source of the upload does not have {} bytes, and its last bytes were held back; send it again with its length",
                self.length
            ),
        };
        Error::new(Kind::Local, message)
    }
}
