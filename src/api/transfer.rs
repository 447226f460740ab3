//! Receives a file whole: an interrupted transfer goes on where it was if the service allows it,
//! and its end comes only after the bytes match the service's size and MD5
//! (`guarantees.md#a-download-is-whole-or-not-there`).

use bytes::Bytes;
use fast_md5::Md5;

use super::client::Client;
use super::error::{Error, Kind};
use super::failure::{Failure, Repeat};
use super::model::File;
use super::response_body::{ResponseBody, Resume};
use super::retry::Retries;
use crate::chunk_worker::Worker;

/// The origin of the bytes.
#[derive(Debug)]
pub(super) enum TransferSource {
    File(Box<File>),
    /// A public or signed address.
    Address(String),
}

/// A step of a transfer.
#[derive(Debug)]
pub(super) enum Received {
    Chunk(Bytes),
    /// The file comes again from its first byte: all earlier chunks are void.
    Restart,
}

/// The bytes that were received whole.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Saved {
    /// The number of bytes.
    pub bytes: u64,
    /// Their MD5.
    pub md5: [u8; 16],
}

impl Saved {
    fn matches(&self, file: &File) -> bool {
        file.size.is_none_or(|size| size == self.bytes)
            && file
                .file_md5
                .as_ref()
                .is_none_or(|md5| md5.eq_ignore_ascii_case(&hex::encode(self.md5)))
    }
}

/// A file that is being received.
pub(super) struct Transfer {
    client: Client,
    source: TransferSource,
    retries: Retries,
    body: Option<ResponseBody>,
    /// The number of bytes to come in all; `None` until it is known.
    size: Option<u64>,
    bytes: u64,
    hash: Worker<Md5>,
    resume: Option<Resume>,
    /// Set if the file is fetched for the second time because it was larger than described.
    is_second: bool,
    saved: Option<Saved>,
}

impl Transfer {
    /// Prepares a transfer, whose requests share one budget of retries and time.
    pub(super) fn new(client: &Client, source: TransferSource) -> Self {
        let client = client.with_transfer_budget();
        Self {
            retries: client.retries(Repeat::Read),
            client,
            source,
            body: None,
            size: None,
            bytes: 0,
            hash: Worker::new(Md5::new()),
            resume: None,
            is_second: false,
            saved: None,
        }
    }

    /// Returns the number of bytes and their MD5, after the end.
    pub(super) fn saved(self) -> Result<Saved, Error> {
        self.saved
            .ok_or_else(|| Error::new(Kind::Internal, "The download has no end"))
    }

    /// Returns the next step; `None` at the end, when the bytes are known to be right.
    pub(super) async fn next(&mut self) -> Result<Option<Received>, Error> {
        while self.saved.is_none() {
            match self.step().await {
                Ok(Some(step)) => return Ok(Some(step)),
                Ok(None) => {}
                Err(failure) => {
                    self.body = None;
                    self.retries.after(failure).await?;
                }
            }
        }
        Ok(None)
    }

    async fn step(&mut self) -> Result<Option<Received>, Failure> {
        let Some(body) = &mut self.body else {
            return self.open().await;
        };
        let Some(chunk) = body.chunk().await? else {
            return Ok(self.settle().await?);
        };
        self.bytes += chunk.len() as u64;
        if self.size.is_some_and(|size| self.bytes > size) {
            return Ok(self.fetch_larger().await?);
        }
        self.resume = body.resume(self.bytes);
        self.hash.add(chunk.clone()).await.map_err(unhashed)?;
        Ok(Some(Received::Chunk(chunk)))
    }

    async fn open(&mut self) -> Result<Option<Received>, Failure> {
        if self.resume.is_some() && self.size == Some(self.bytes) {
            return Ok(self.settle().await?);
        }
        let (files, resume) = (self.client.files(), self.resume.as_ref());
        let (body, described) = match &self.source {
            TransferSource::File(file) => (files.open(file, resume).await?, file.size),
            TransferSource::Address(address) => (files.open_address(address, resume).await?, None),
        };
        let is_restart = body.start() != self.bytes;
        if body.start() != 0 && is_restart {
            let message = "The service sent a different part of the file";
            return Err(Error::new(Kind::Decode, message).into());
        }
        let coming = body.length().map(|length| body.start() + length);
        let Some(size) = described.or(coming) else {
            let message = "The service does not say how large the file is, so a cut download could not be detected";
            return Err(Error::new(Kind::Decode, message).into());
        };
        (self.size, self.body) = (Some(size), Some(body));
        Ok(is_restart.then(|| self.restart()))
    }

    fn restart(&mut self) -> Received {
        self.hash = Worker::new(Md5::new());
        (self.bytes, self.resume) = (0, None);
        Received::Restart
    }

    /// Ends the transfer if the bytes match the service's description, which may be newer than the
    /// one at the start.
    async fn settle(&mut self) -> Result<Option<Received>, Error> {
        let hash = std::mem::replace(&mut self.hash, Worker::new(Md5::new()));
        let saved = Saved {
            bytes: self.bytes,
            md5: hash.finish().await.map_err(unhashed)?.finalize(),
        };
        if let TransferSource::File(file) = &self.source
            && !saved.matches(file)
            && !saved.matches(&self.client.files().get(&file.id).await?)
        {
            return Err(differs());
        }
        self.saved = Some(saved);
        Ok(None)
    }

    /// Fetches a file again that is larger than described, if it is described so by now.
    async fn fetch_larger(&mut self) -> Result<Option<Received>, Error> {
        let TransferSource::File(file) = &self.source else {
            return Err(differs());
        };
        let newer = self.client.files().get(&file.id).await?;
        if self.is_second || newer.size <= file.size {
            return Err(differs());
        }
        self.source = TransferSource::File(Box::new(newer));
        (self.is_second, self.body) = (true, None);
        Ok(Some(self.restart()))
    }
}

fn differs() -> Error {
    let message = "The downloaded bytes differ from what the service describes (size or MD5); they were discarded";
    Error::new(Kind::Decode, message)
}

fn unhashed(error: std::io::Error) -> Error {
    Error::new(Kind::Internal, "The bytes could not be hashed").caused_by(error)
}
