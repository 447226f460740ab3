//! Uploads: one multipart request for each file, streamed from the disk and hashed on the way
//! (`contract.md#uploads`). Memory use does not grow with the file size. The last bytes are sent
//! only after all of them are known to match the version that was read first
//! (`guarantees.md#a-source-that-changes-is-not-stored`).

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use fast_md5::Md5;
use futures::future::BoxFuture;
use futures::stream::{Stream, TryStreamExt, try_unfold};
use reqwest::multipart::{Form, Part};
use reqwest::{Method, StatusCode};
use serde::Serialize;
use tokio::time::Instant;
use url::Url;

use super::bandwidth::Bandwidth;
use super::call;
use super::client::Client;
use super::content::{Chunks, ContentVersion, UploadContent};
use super::error::{Error, Kind};
use super::failure::{Failure, Repeat, Verdict};
use super::files::FilesApi;
use super::http::Transport;
use super::ids::{FileId, FolderId};
use super::model::{DuplicateStrategy, File, ReplaceOptions, UploadOptions};
use super::rate_limit::RequestClass;
use super::retry::{Retries, with_retries};
use super::retry_budget::RetryBudget;
use crate::chunk_worker::Worker;

const CHUNK: usize = 64 << 10;

/// Receives the number of bytes handed over so far; restarts at zero when a file is sent again.
/// Must return at once.
pub type OnBytes = Arc<dyn Fn(u64) + Send + Sync>;

/// The target of an upload: exactly one of the two (`contract.md#uploads`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Destination<'a> {
    /// The id of the folder.
    Id(&'a FolderId),
    /// An absolute path; `/` is the root folder. Missing folders are created, twice if two uploads
    /// race: prefer the id.
    Path(&'a str),
}

/// A file to send.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct NewFile<'a> {
    /// The bytes.
    pub content: UploadContent,
    /// The name with its extension; `None` if the service should choose one from the content.
    pub name: Option<&'a str>,
    /// The target folder.
    pub into: Destination<'a>,
    /// The options of the new file.
    pub options: &'a UploadOptions,
    /// The encoding of a text file; `None` if the service should detect it.
    pub charset: Option<&'a str>,
}

impl<'a> NewFile<'a> {
    /// Creates an upload whose name and encoding the service determines.
    pub fn new(
        content: impl Into<UploadContent>,
        into: Destination<'a>,
        options: &'a UploadOptions,
    ) -> Self {
        Self {
            content: content.into(),
            name: None,
            into,
            options,
            charset: None,
        }
    }
}

/// Called before the end of the body is sent. Until then the service has no whole body, and an
/// error ends the call.
pub type BeforeEnd = Arc<dyn Fn() -> BoxFuture<'static, Result<(), Error>> + Send + Sync>;

/// New content for an existing file.
#[derive(Clone)]
#[non_exhaustive]
pub struct NewContent<'a> {
    /// The bytes.
    pub content: UploadContent,
    /// The name of the file. Required because the service refuses a different extension.
    pub name: &'a str,
    /// The options of the replacement.
    pub options: &'a ReplaceOptions,
    /// The encoding of a text file; `None` if the service should detect it.
    pub charset: Option<&'a str>,
    /// A last check of the file that is being replaced.
    pub before_end: Option<BeforeEnd>,
}

impl<'a> NewContent<'a> {
    /// Creates a replacement whose encoding the service determines.
    pub fn new(
        content: impl Into<UploadContent>,
        name: &'a str,
        options: &'a ReplaceOptions,
    ) -> Self {
        Self {
            content: content.into(),
            name,
            options,
            charset: None,
            before_end: None,
        }
    }
}

/// The outcome of an upload: the stored file, and the bytes that were sent.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Sent {
    /// The stored file.
    pub file: File,
    /// MD5 of the bytes that were sent, lower-case hex.
    pub md5: String,
    /// The number of bytes that were sent.
    pub bytes: u64,
}

impl FilesApi<'_> {
    /// Sends one file. Not retried after a lost response: a blind second try would create a second
    /// file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or the call fails. If in doubt, it may have been stored.
    pub async fn upload(self, file: &NewFile<'_>, on_bytes: &OnBytes) -> Result<Sent, Error> {
        let mut fields: Vec<_> = file
            .name
            .map(|name| ("fileName", name.to_owned()))
            .into_iter()
            .collect();
        fields.push(("options", to_json(file.options)?));
        fields.extend(hunch(file.charset));
        fields.push(match file.into {
            Destination::Id(id) => ("folderId", id.to_string()),
            Destination::Path(path) => ("folderPath", path.to_owned()),
        });
        // The service may answer with an existing file (`contract.md#uploads`).
        let returns_existing =
            file.options.duplicate_validation_strategy == Some(DuplicateStrategy::ReturnExisting);
        let expected: &[_] = if returns_existing {
            &[StatusCode::CREATED, StatusCode::OK]
        } else {
            &[StatusCode::CREATED]
        };
        let outgoing = Outgoing {
            method: Method::POST,
            url: self.client.paths().files(),
            fields,
            name: file.name,
            expected,
            before_end: None,
        };
        let version = file.content.version().await?;
        self.client
            .send_file(&outgoing, version, Repeat::Unsafe, on_bytes)
            .await
    }

    /// Replaces the content of a file, which keeps its id and address.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or the call fails. If in doubt, it may have been replaced.
    pub async fn replace(
        self,
        id: &FileId,
        content: &NewContent<'_>,
        on_bytes: &OnBytes,
    ) -> Result<Sent, Error> {
        let fields = [("options", to_json(content.options)?)]
            .into_iter()
            .chain(hunch(content.charset))
            .collect();
        let (url, expected, before_end) = (
            self.client.paths().file(id)?,
            &[StatusCode::OK],
            content.before_end.clone(),
        );
        let outgoing = Outgoing {
            method: Method::PUT,
            url,
            fields,
            name: Some(content.name),
            expected,
            before_end,
        };
        let version = content.content.version().await?;
        self.client
            .send_file(&outgoing, version, Repeat::Safe, on_bytes)
            .await
    }
}

impl Client {
    async fn send_file(
        &self,
        outgoing: &Outgoing<'_>,
        version: ContentVersion,
        repeat: Repeat,
        on_bytes: &OnBytes,
    ) -> Result<Sent, Error> {
        let (patience, version) = (self.patience(), Arc::new(version));
        let length = version.length();
        patience.moved();
        let attempt = async || {
            self.acquire(RequestClass::Transfer, &patience).await;
            let bandwidth = self.bandwidth().clone();
            let source = Arc::new(UploadSource {
                version: version.clone(),
                state: Mutex::new(TransferState {
                    done: 0,
                    sum: [0; 16],
                    moved: Instant::now(),
                    error: None,
                }),
                on_bytes: on_bytes.clone(),
                patience: patience.clone(),
                bandwidth,
                before_end: outgoing.before_end.clone(),
            });
            let form = outgoing.form(&source).await?;
            let request = self.form(outgoing.method.clone(), outgoing.url.clone(), form)?;
            let answered = async {
                let response = self.exchange(request, Transport::Bytes, &patience).await?;
                call::json(self.accept(response, outgoing.expected).await?).await
            };
            let result = tokio::select! {
                result = patience.watch(answered) => result,
                () = source.unanswered(length, self.timing().answer()) => {
                    patience.give_up();
                    Err(unanswered())
                }
            };
            let file = result.map_err(|failure| source.judge(failure, length))?;
            Ok(Sent {
                file,
                md5: source.md5(),
                bytes: length,
            })
        };
        Ok(with_retries(
            Retries::new(repeat, self.observer(), patience.clone()),
            attempt,
        )
        .await?)
    }
}

struct Outgoing<'a> {
    method: Method,
    url: Url,
    fields: Vec<(&'static str, String)>,
    /// `None` hides the local file name from the service.
    name: Option<&'a str>,
    /// The success statuses that the contract names.
    expected: &'a [StatusCode],
    before_end: Option<BeforeEnd>,
}

impl Outgoing<'_> {
    async fn form(&self, source: &Arc<UploadSource>) -> Result<Form, Failure> {
        let length = source.version.length();
        let chunks = source.version.open(source.bandwidth.turn(CHUNK)).await?;
        let bytes = source.clone().bytes(chunks);
        let name = self.name.map_or(source.version.name(), Path::new);
        let media_type = mime_guess::from_path(name).first_or_octet_stream();
        let part = Part::stream_with_length(reqwest::Body::wrap_stream(bytes), length)
            .mime_str(media_type.as_ref())
            .map_err(call::transport)?;
        let part = match self.name {
            Some(name) => part.file_name(part_name(name)),
            None => part,
        };
        let form = self.fields.iter().fold(Form::new(), |form, (name, value)| {
            form.text(*name, value.clone())
        });
        Ok(form.part("file", part))
    }
}

/// The file name of the multipart part. The real name goes in `fileName`; this one shows the
/// extension in ASCII.
fn part_name(name: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || "._-".contains(c) {
            c
        } else {
            '_'
        }
    };
    name.chars().map(plain).collect()
}

fn hunch(charset: Option<&str>) -> Option<(&'static str, String)> {
    charset.map(|charset| ("charsetHunch", charset.to_owned()))
}

fn to_json(options: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(options).map_err(|error| {
        Error::new(
            Kind::Internal,
            format!("The options could not be written as JSON: {error}"),
        )
    })
}

fn unanswered() -> Failure {
    let message = "The service did not answer after the last byte";
    Failure::new(Error::new(Kind::Timeout, message), Verdict::Doubtful)
}

/// One pass over the content: counts and hashes its bytes, and records when one was last sent.
struct UploadSource {
    version: Arc<ContentVersion>,
    state: Mutex<TransferState>,
    on_bytes: OnBytes,
    patience: RetryBudget,
    bandwidth: Bandwidth,
    before_end: Option<BeforeEnd>,
}

struct TransferState {
    done: u64,
    /// The MD5 of all bytes, once they have been read.
    sum: [u8; 16],
    moved: Instant,
    error: Option<Failure>,
}

struct RestOfFile {
    chunks: Chunks,
    read: u64,
    hash: Worker<Md5>,
    /// A chunk that was read but waits until the next one has been read.
    held: Bytes,
}

impl UploadSource {
    /// Returns the MD5 of the bytes that were sent, lower-case hex.
    fn md5(&self) -> String {
        hex::encode(self.lock().sum)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, TransferState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The bytes of the file. The last chunk follows only after all bytes match the version; until
    /// then the service has no whole body, and an error ends the request.
    fn bytes(
        self: Arc<Self>,
        chunks: Chunks,
    ) -> impl Stream<Item = io::Result<Bytes>> + Send + 'static {
        let rest = RestOfFile {
            chunks,
            read: 0,
            hash: Worker::new(Md5::new()),
            held: Bytes::new(),
        };
        try_unfold(Some((self, rest)), |rest| async {
            let Some((source, rest)) = rest else {
                return Ok(None);
            };
            let next = source.next(rest).await.map_err(|error| {
                source.lock().error = Some(error);
                io::Error::other("the file could not be sent")
            });
            let (chunk, rest) = next?;
            source.passed(chunk.len());
            Ok(Some((chunk, rest.map(|rest| (source, rest)))))
        })
    }

    async fn next(&self, mut rest: RestOfFile) -> Result<(Bytes, Option<RestOfFile>), Failure> {
        let unreadable = |error| Error::local("The file could not be read to its end", &error);
        let Some(chunk) = rest.chunks.try_next().await? else {
            let sum = rest.hash.finish().await.map_err(unreadable)?.finalize();
            self.version.check(rest.read, sum).await?;
            self.lock().sum = sum;
            if let Some(before_end) = &self.before_end {
                before_end().await?;
            }
            return Ok((rest.held, None));
        };
        rest.read += chunk.len() as u64;
        self.bandwidth.take(chunk.len(), &self.patience).await;
        rest.hash.add(chunk.clone()).await.map_err(unreadable)?;
        let held = std::mem::replace(&mut rest.held, chunk);
        Ok((held, Some(rest)))
    }

    fn passed(&self, bytes: usize) {
        if bytes == 0 {
            return;
        }
        let done = {
            let mut state = self.lock();
            state.done += bytes as u64;
            state.moved = Instant::now();
            state.done
        };
        self.patience.moved();
        (self.on_bytes)(done);
    }

    /// Completes once `wait` has passed since the last byte was sent.
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

    /// Blames a broken connection on the disk if reading failed. Without its last byte, a request
    /// has no effect.
    fn judge(&self, failure: Failure, length: u64) -> Failure {
        let mut state = self.lock();
        match state.error.take() {
            Some(failure) => failure,
            None if state.done < length && failure.verdict == Verdict::Doubtful => Failure {
                verdict: Verdict::Unprocessed,
                ..failure
            },
            None => failure,
        }
    }
}
