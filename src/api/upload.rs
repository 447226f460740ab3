//! Bytes on their way up: one multipart request for each file, streamed from the disk and hashed on the way
//! (`contract.md#uploads`). Memory does not grow with the file.

use std::fs::Metadata;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use std::{io, mem};

use bytes::Bytes;
use fast_md5::Md5;
use futures::TryStreamExt;
use reqwest::multipart::{Form, Part};
use reqwest::{Method, StatusCode};
use serde::Serialize;
use tokio::io::AsyncReadExt;
use tokio::time::Instant;
use tokio_util::io::ReaderStream;
use url::Url;

use super::bandwidth::Bandwidth;
use super::call;
use super::client::Client;
use super::error::{Error, Kind};
use super::failure::{Failure, Repeat, Verdict};
use super::http::Transport;
use super::ids::{FileId, FolderId};
use super::model::{DuplicateStrategy, File, ReplaceOptions, UploadOptions};
use super::rate_limit::RequestClass;
use super::retry::{Retries, with_retries};
use super::retry_budget::RetryBudget;
use crate::chunk_worker::Worker;
use crate::regular_file::{self, Links};

const CHUNK: usize = 64 << 10;

/// Told the bytes handed over so far; starts again at zero when a file is sent again. Must return at once.
pub type OnBytes = Arc<dyn Fn(u64) + Send + Sync>;

/// Where an upload goes: exactly one of the two (`contract.md#uploads`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Destination<'a> {
    /// By its id.
    Id(&'a FolderId),
    /// Absolute; `/` is the root folder. Missing folders are made, twice if two uploads race: prefer the id.
    Path(&'a str),
}

/// A file to send.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct NewFile<'a> {
    /// The local file.
    pub local: &'a Path,
    /// With its extension; without one the service makes it of the content.
    pub name: Option<&'a str>,
    /// The folder that it goes into.
    pub into: Destination<'a>,
    /// How the file is created.
    pub options: &'a UploadOptions,
    /// The encoding of a text; without it the service looks at the bytes.
    pub charset: Option<&'a str>,
}

impl<'a> NewFile<'a> {
    /// A file whose name and encoding the service finds out.
    pub fn new(local: &'a Path, into: Destination<'a>, options: &'a UploadOptions) -> Self {
        Self { local, name: None, into, options, charset: None }
    }
}

/// What was sent, and what the service made of it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Sent {
    /// The stored file.
    pub file: File,
    /// MD5 of the bytes that were sent, lower-case hex.
    pub md5: String,
    /// How many bytes were sent.
    pub bytes: u64,
}

impl Client {
    /// Sends one file. Not repeated after a lost answer: a blind second try would make a second file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or why the call failed. In doubt, it may have been stored.
    pub async fn upload(&self, file: &NewFile<'_>, on_bytes: &OnBytes) -> Result<Sent, Error> {
        let mut fields: Vec<_> = file.name.map(|name| ("fileName", name.to_owned())).into_iter().collect();
        fields.push(("options", to_json(file.options)?));
        fields.extend(hunch(file.charset));
        fields.push(match file.into {
            Destination::Id(id) => ("folderId", id.to_string()),
            Destination::Path(path) => ("folderPath", path.to_owned()),
        });
        // An existing file may be answered as it is (`contract.md#uploads`).
        let returns_existing = file.options.duplicate_validation_strategy == Some(DuplicateStrategy::ReturnExisting);
        let expected: &[_] =
            if returns_existing { &[StatusCode::CREATED, StatusCode::OK] } else { &[StatusCode::CREATED] };
        let outgoing = Outgoing { method: Method::POST, url: self.paths().files(), fields, name: file.name, expected };
        self.send_file(&outgoing, (file.local, Links::Followed), Repeat::Unsafe, on_bytes).await
    }

    /// Puts new content under a file's id and address; `name` is that of the file, since the service takes no other
    /// extension, and `charset` the encoding of a text. `links` says whether `local` may be a link.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or why the call failed. In doubt, it may have been replaced.
    pub async fn replace_file(
        &self,
        id: &FileId,
        (local, links): (&Path, Links),
        name: &str,
        options: &ReplaceOptions,
        charset: Option<&str>,
        on_bytes: &OnBytes,
    ) -> Result<Sent, Error> {
        let fields = [("options", to_json(options)?)].into_iter().chain(hunch(charset)).collect();
        let (url, expected) = (self.paths().file(id)?, &[StatusCode::OK]);
        let outgoing = Outgoing { method: Method::PUT, url, fields, name: Some(name), expected };
        self.send_file(&outgoing, (local, links), Repeat::Safe, on_bytes).await
    }

    async fn send_file(
        &self,
        outgoing: &Outgoing<'_>,
        (local, links): (&Path, Links),
        repeat: Repeat,
        on_bytes: &OnBytes,
    ) -> Result<Sent, Error> {
        let patience = self.patience();
        let attempt = async || {
            self.acquire(RequestClass::Transfer, &patience).await;
            let source = Arc::new(UploadSource::new(on_bytes.clone(), patience.clone(), self.bandwidth().clone()));
            let (form, length) = outgoing.form(local, links, &source).await?;
            let request = self.form(outgoing.method.clone(), outgoing.url.clone(), form)?;
            let answered = async {
                let response = self.exchange(request, Transport::Bytes, &patience).await?;
                call::json(self.accept(response, outgoing.expected, &patience).await?, &patience).await
            };
            let result = tokio::select! {
                result = patience.watch(answered) => result,
                () = source.unanswered(length, self.timing().answer()) => {
                    patience.give_up();
                    Err(unanswered())
                }
            };
            let file = result.map_err(|failure| source.judge(failure, length))?;
            // It is stored, whatever became of the thread that hashes.
            let unhashed =
                |error| Failure::new(Error::local("The file could not be hashed", &error), Verdict::Doubtful);
            Ok(Sent { file, md5: source.md5().await.map_err(unhashed)?, bytes: length })
        };
        Ok(with_retries(Retries::new(repeat, self.observer(), patience.clone()), attempt).await?)
    }
}

/// What does not change from one attempt to the next.
struct Outgoing<'a> {
    method: Method,
    url: Url,
    fields: Vec<(&'static str, String)>,
    /// None keeps what the local file is called to ourselves.
    name: Option<&'a str>,
    /// The successes that the contract names.
    expected: &'a [StatusCode],
}

impl Outgoing<'_> {
    /// The form of one attempt, and the length of the file in it.
    async fn form(&self, local: &Path, links: Links, source: &Arc<UploadSource>) -> Result<(Form, u64), Failure> {
        let file = opened(local, links).await.map_err(|error| unreadable(local, &error))?;
        let length = file.metadata().await.map_err(|error| unreadable(local, &error))?.len();
        let (paced, sent, failed) = (source.clone(), source.clone(), source.clone());
        let bytes = ReaderStream::with_capacity(file.take(length), source.bandwidth.turn(CHUNK))
            .and_then(move |chunk| Arc::clone(&paced).paced(chunk))
            .inspect_ok(move |chunk| sent.passed(chunk.len()))
            .inspect_err(move |error| failed.failed(error));
        let media_type = mime_guess::from_path(self.name.map_or(local, Path::new)).first_or_octet_stream();
        let part = Part::stream_with_length(reqwest::Body::wrap_stream(bytes), length)
            .mime_str(media_type.as_ref())
            .map_err(call::transport)?;
        let part = match self.name {
            Some(name) => part.file_name(part_name(name)),
            None => part,
        };
        let form = self.fields.iter().fold(Form::new(), |form, (name, value)| form.text(*name, value.clone()));
        Ok((form.part("file", part), length))
    }
}

/// What the disk says of a local file; anything but a regular file is refused. Opens nothing: opening a pipe would wait
/// for who writes into it.
///
/// # Errors
///
/// If it is not a regular file or cannot be read.
pub async fn sendable(local: &Path, links: Links) -> Result<Metadata, Error> {
    let path = local.to_owned();
    let metadata = blocking(move || links.metadata(&path)).await.map_err(|error| unreadable(local, &error))?;
    let what = match &metadata {
        metadata if metadata.is_file() => return Ok(metadata.clone()),
        metadata if metadata.is_dir() => "a folder; name the files in it",
        metadata if metadata.is_symlink() => "a link; name the regular file instead",
        _ => "a pipe, a device or a socket; only regular files can be sent",
    };
    Err(Error::new(Kind::Refused, format!("{} is {what}", local.display())))
}

/// Opens a local file to be read, and refuses all but a regular file once more: what lies there may be another now than
/// when it was looked at.
///
/// # Errors
///
/// If it is not a regular file or cannot be opened.
pub async fn opened(local: &Path, links: Links) -> io::Result<tokio::fs::File> {
    let local = local.to_owned();
    blocking(move || regular_file::open(&local, links)).await.map(tokio::fs::File::from_std)
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> io::Result<T> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(io::Error::other(error)))
}

fn unreadable(local: &Path, error: &io::Error) -> Error {
    Error::local(&format!("Cannot read {}", local.display()), error)
}

/// The part's own file name: the true one goes in `fileName`, this one only shows the extension to servers that
/// read nothing but plain ASCII here.
fn part_name(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
    name.chars().map(plain).collect()
}

fn hunch(charset: Option<&str>) -> Option<(&'static str, String)> {
    charset.map(|charset| ("charsetHunch", charset.to_owned()))
}

fn to_json(options: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(options)
        .map_err(|error| Error::new(Kind::Internal, format!("The options could not be written as JSON: {error}")))
}

fn unanswered() -> Failure {
    let message = "The service did not answer after the last byte";
    Failure::new(Error::new(Kind::Timeout, message), Verdict::Doubtful)
}

/// One pass over a local file: counts, hashes and remembers when a byte last moved.
struct UploadSource {
    state: Mutex<TransferState>,
    /// Behind the bytes that are sent: taken at the end.
    hash: tokio::sync::Mutex<Worker<Md5>>,
    on_bytes: OnBytes,
    patience: RetryBudget,
    bandwidth: Bandwidth,
}

struct TransferState {
    done: u64,
    moved: Instant,
    error: Option<Error>,
}

impl UploadSource {
    fn new(on_bytes: OnBytes, patience: RetryBudget, bandwidth: Bandwidth) -> Self {
        let state = TransferState { done: 0, moved: Instant::now(), error: None };
        let hash = tokio::sync::Mutex::new(Worker::new(Md5::new()));
        Self { state: Mutex::new(state), hash, on_bytes, patience, bandwidth }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, TransferState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn paced(self: Arc<Self>, chunk: Bytes) -> io::Result<Bytes> {
        self.bandwidth.take(chunk.len(), &self.patience).await;
        self.hash.lock().await.add(chunk.clone()).await?;
        Ok(chunk)
    }

    fn passed(&self, bytes: usize) {
        let done = {
            let mut state = self.lock();
            state.done += bytes as u64;
            state.moved = Instant::now();
            state.done
        };
        self.patience.moved();
        (self.on_bytes)(done);
    }

    fn failed(&self, error: &io::Error) {
        self.lock().error = Some(Error::local("The file could not be read to its end", error));
    }

    /// Ends when the answer has not come for so long after the last byte.
    async fn unanswered(&self, length: u64, wait: Duration) {
        loop {
            let (done, moved) = {
                let state = self.lock();
                (state.done, state.moved)
            };
            if done < length {
                tokio::time::sleep(wait / 8).await;
            } else if moved.elapsed() < wait {
                tokio::time::sleep_until(moved + wait).await;
            } else {
                return;
            }
        }
    }

    /// A broken connection is the disk's fault if reading failed. Without its last byte, nothing can have resulted from
    /// it.
    fn judge(&self, failure: Failure, length: u64) -> Failure {
        let mut state = self.lock();
        match state.error.take() {
            Some(error) => error.into(),
            None if state.done < length && failure.verdict == Verdict::Doubtful => {
                Failure { verdict: Verdict::Unprocessed, ..failure }
            }
            None => failure,
        }
    }

    /// Of all that has passed; asked at the end, once. Fails if the thread that hashes has.
    async fn md5(&self) -> io::Result<String> {
        let hash = mem::replace(&mut *self.hash.lock().await, Worker::new(Md5::new()));
        Ok(hex::encode(hash.finish().await?.finalize()))
    }
}
