//! Uploads: one multipart request for each file, streamed from the disk and hashed on the way
//! (`contract.md#uploads`). Memory use does not grow with the file size. The last bytes are sent
//! only after all of them are known to match the version that was read first
//! (`guarantees.md#a-source-that-changes-is-not-stored`).

use std::fmt;
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
use tokio::io::AsyncRead;
use tokio::time::Instant;
use tokio_util::io::ReaderStream;
use url::Url;

use super::bandwidth::Bandwidth;
use super::call;
use super::client::Client;
use super::content::{Chunks, ContentVersion, UploadContent, UploadSource};
use super::error::{Error, Kind};
use super::failure::{Failure, Repeat, Verdict};
use super::files::FilesApi;
use super::http::Transport;
use super::ids::{FileId, FolderId};
use super::model::{Access, DuplicateStrategy, File, ReplaceOptions, UploadOptions};
use super::rate_limit::RequestClass;
use super::retry::{Retries, with_retries};
use super::retry_budget::RetryBudget;
use crate::chunk_worker::Worker;

const CHUNK: usize = 64 << 10;

/// Receives the number of bytes handed over so far; restarts at zero when a file is sent again.
type OnBytes = Arc<dyn Fn(u64) + Send + Sync>;

/// Called before the end of the body is sent. Until then the service has no whole body, and an
/// error ends the call.
pub type BeforeEnd = Arc<dyn Fn() -> BoxFuture<'static, Result<(), Error>> + Send + Sync>;

/// An upload that lacks its bytes.
#[derive(Debug)]
#[must_use = "an upload needs bytes, and has to be sent"]
pub struct UploadTarget<'a, T> {
    client: &'a Client,
    target: T,
}

/// An upload of a [`NewFile`] or of [`NewContent`].
#[must_use = "an upload does nothing until it is sent"]
pub struct Upload<'a, T> {
    client: &'a Client,
    target: T,
    source: UploadSource,
    charset: Option<String>,
    on_progress: OnBytes,
}

/// The place and the options of a new file.
#[derive(Debug, Clone)]
pub struct NewFile {
    folder: Destination,
    /// `None` if the service chooses one from the content.
    name: Option<String>,
    options: UploadOptions,
}

/// The target of an upload: exactly one of the two (`contract.md#uploads`).
#[derive(Debug, Clone)]
enum Destination {
    Id(FolderId),
    /// Missing folders are created, twice if two uploads race.
    Path(String),
}

/// A file that gets new content, and the options of the replacement.
pub struct NewContent {
    id: FileId,
    name: String,
    options: ReplaceOptions,
    before_end: Option<BeforeEnd>,
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

impl<'a> FilesApi<'a> {
    /// Prepares the upload of a new private file to an absolute path, whose missing folders are
    /// created, twice if two uploads race. After a final `/`, the service chooses the name.
    pub fn upload(self, path: &str) -> UploadTarget<'a, NewFile> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let is_absolute = path.starts_with('/');
        let folder = match folder {
            "" if is_absolute => "/",
            folder => folder,
        };
        UploadTarget {
            client: self.client,
            target: NewFile {
                folder: Destination::Path(folder.to_owned()),
                name: (!name.is_empty()).then(|| name.to_owned()),
                options: UploadOptions::new(Access::Private),
            },
        }
    }

    /// Prepares the replacement of a file's content; the file keeps its id, address, access level
    /// and expiry.
    pub fn replace(self, file: &File) -> UploadTarget<'a, NewContent> {
        // The levels of hidden files can be read, but not set.
        let access = file.access.clone();
        UploadTarget {
            client: self.client,
            target: NewContent {
                id: file.id.clone(),
                name: file.full_name(),
                options: ReplaceOptions {
                    access: access.filter(|level| Access::SETTABLE.contains(level)),
                    ttl: None,
                    expires_at: file.expires_at,
                },
                before_end: None,
            },
        }
    }
}

impl<'a, T> UploadTarget<'a, T> {
    /// Sends the bytes of a local file; a link is followed. The file is read twice, so that only
    /// one version of it is stored.
    pub fn from_path(self, path: impl AsRef<Path>) -> Upload<'a, T> {
        self.from_content(path.as_ref().into())
    }

    /// Sends bytes that are in memory.
    pub fn from_bytes(self, bytes: impl Into<Bytes>) -> Upload<'a, T> {
        self.from(UploadSource::Bytes(bytes.into()))
    }

    /// Sends the bytes of a reader, of which there must be `length`. They can be read once only, so
    /// the upload is one attempt.
    pub fn from_reader(
        self,
        reader: impl AsyncRead + Send + 'static,
        length: u64,
    ) -> Upload<'a, T> {
        self.from_stream(ReaderStream::with_capacity(reader, CHUNK), length)
    }

    /// Sends the bytes of a stream, of which there must be `length`. They can be read once only, so
    /// the upload is one attempt.
    pub fn from_stream<E: Into<Box<dyn std::error::Error + Send + Sync>>>(
        self,
        bytes: impl Stream<Item = Result<Bytes, E>> + Send + 'static,
        length: u64,
    ) -> Upload<'a, T> {
        self.from(UploadSource::once(bytes, length))
    }

    /// Sends the bytes of a local file or of a file of an account.
    pub fn from_content(self, content: UploadContent) -> Upload<'a, T> {
        self.from(UploadSource::Content(content))
    }

    fn from(self, source: UploadSource) -> Upload<'a, T> {
        let Self { client, target } = self;
        Upload {
            client,
            target,
            source,
            charset: None,
            on_progress: Arc::new(|_| {}),
        }
    }
}

impl<T> Upload<'_, T> {
    /// Sets the encoding of a text file; without one, the service detects it.
    pub fn charset<'c>(mut self, charset: impl Into<Option<&'c str>>) -> Self {
        self.charset = charset.into().map(str::to_owned);
        self
    }

    /// Calls `on_progress` with the number of bytes handed over so far, which restarts when the
    /// file is sent again. It must return at once.
    pub fn on_progress(mut self, on_progress: impl Fn(u64) + Send + Sync + 'static) -> Self {
        self.on_progress = Arc::new(on_progress);
        self
    }
}

impl Upload<'_, NewFile> {
    /// Sets the folder, in place of that of the path, which `None` keeps.
    pub fn folder<'f>(mut self, folder: impl Into<Option<&'f FolderId>>) -> Self {
        if let Some(id) = folder.into() {
            self.target.folder = Destination::Id(id.clone());
        }
        self
    }

    /// Sets the name, in place of that of the path, which `None` keeps.
    pub fn name<'n>(mut self, name: impl Into<Option<&'n str>>) -> Self {
        if let Some(name) = name.into() {
            self.target.name = Some(name.to_owned());
        }
        self
    }

    /// Sets the access level.
    pub fn access(mut self, access: Access) -> Self {
        self.target.options.access = access;
        self
    }

    /// Sets all options, the access level included.
    pub fn options(mut self, options: UploadOptions) -> Self {
        self.target.options = options;
        self
    }

    /// Sends the file. Not retried after a lost response: a blind second try would create a second
    /// file.
    ///
    /// # Errors
    ///
    /// If the bytes cannot be read or the call fails. If in doubt, the file may have been stored.
    pub async fn send(self) -> Result<Sent, Error> {
        let NewFile {
            folder,
            name,
            options,
        } = self.target;
        let mut fields: Vec<_> = name.iter().map(|name| ("fileName", name.clone())).collect();
        fields.push(("options", to_json(&options)?));
        fields.extend(self.charset.map(|charset| ("charsetHunch", charset)));
        fields.push(match folder {
            Destination::Id(id) => ("folderId", id.to_string()),
            Destination::Path(path) if path.starts_with('/') => ("folderPath", path),
            Destination::Path(_) => return Err(no_folder(name.as_deref().unwrap_or_default())),
        });
        // The service may answer with an existing file (`contract.md#uploads`).
        let returns_existing =
            options.duplicate_validation_strategy == Some(DuplicateStrategy::ReturnExisting);
        let expected: &[_] = if returns_existing {
            &[StatusCode::CREATED, StatusCode::OK]
        } else {
            &[StatusCode::CREATED]
        };
        let outgoing = Outgoing {
            method: Method::POST,
            url: self.client.paths().files(),
            fields,
            name,
            expected,
            repeat: Repeat::Unsafe,
            before_end: None,
            on_progress: self.on_progress,
        };
        self.client
            .send_file(&outgoing, self.source.version().await?)
            .await
    }
}

impl Upload<'_, NewContent> {
    /// Sets all options, the access level included.
    pub fn options(mut self, options: ReplaceOptions) -> Self {
        self.target.options = options;
        self
    }

    /// Changes the access level, which `None` keeps.
    pub fn access(mut self, access: impl Into<Option<Access>>) -> Self {
        if let Some(access) = access.into() {
            self.target.options.access = Some(access);
        }
        self
    }

    /// Sets a last check of the file that is being replaced.
    pub fn before_end(mut self, before_end: BeforeEnd) -> Self {
        self.target.before_end = Some(before_end);
        self
    }

    /// Replaces the content of the file.
    ///
    /// # Errors
    ///
    /// If the bytes cannot be read or the call fails. If in doubt, it may have been replaced.
    pub async fn send(self) -> Result<Sent, Error> {
        let NewContent {
            id,
            name,
            options,
            before_end,
        } = self.target;
        let options = ("options", to_json(&options)?);
        let charset = self.charset.map(|charset| ("charsetHunch", charset));
        let outgoing = Outgoing {
            method: Method::PUT,
            url: self.client.paths().file(&id)?,
            fields: std::iter::once(options).chain(charset).collect(),
            name: Some(name),
            expected: &[StatusCode::OK],
            repeat: Repeat::Safe,
            before_end,
            on_progress: self.on_progress,
        };
        self.client
            .send_file(&outgoing, self.source.version().await?)
            .await
    }
}

fn no_folder(name: &str) -> Error {
    let message = format!("{name} is no absolute path: begin with '/', or set the folder");
    Error::new(Kind::Refused, message)
}

impl Client {
    async fn send_file(&self, outgoing: &Outgoing, version: ContentVersion) -> Result<Sent, Error> {
        let (retry_budget, version) = (self.retry_budget(), Arc::new(version));
        let (length, can_repeat) = (version.length(), version.can_repeat());
        let repeat = if can_repeat {
            outgoing.repeat
        } else {
            Repeat::Unsafe
        };
        retry_budget.moved();
        let attempt = async || {
            self.acquire(RequestClass::Transfer, &retry_budget).await;
            let bandwidth = self.bandwidth().clone();
            let source = Arc::new(UploadPass {
                version: version.clone(),
                state: Mutex::new(TransferState {
                    done: 0,
                    sum: [0; 16],
                    moved: Instant::now(),
                    error: None,
                }),
                on_bytes: outgoing.on_progress.clone(),
                retry_budget: retry_budget.clone(),
                bandwidth,
                before_end: outgoing.before_end.clone(),
            });
            let form = outgoing.form(&source).await?;
            let request = self.form(outgoing.method.clone(), outgoing.url.clone(), form)?;
            let answered = async {
                let response = self
                    .exchange(request, Transport::Bytes, &retry_budget)
                    .await?;
                call::json(self.accept(response, outgoing.expected).await?).await
            };
            let result = tokio::select! {
                result = retry_budget.watch(answered) => result,
                () = source.unanswered(length, self.timing().answer()) => {
                    retry_budget.give_up();
                    Err(unanswered())
                }
            };
            let file =
                result.map_err(|failure| source.judge(failure, length).once_only(!can_repeat))?;
            Ok(Sent {
                file,
                md5: source.md5(),
                bytes: length,
            })
        };
        Ok(with_retries(
            Retries::new(repeat, self.observer(), retry_budget.clone()),
            attempt,
        )
        .await?)
    }
}

struct Outgoing {
    method: Method,
    url: Url,
    fields: Vec<(&'static str, String)>,
    /// `None` hides the local file name from the service.
    name: Option<String>,
    /// The success statuses that the contract names.
    expected: &'static [StatusCode],
    repeat: Repeat,
    before_end: Option<BeforeEnd>,
    on_progress: OnBytes,
}

impl Outgoing {
    async fn form(&self, source: &Arc<UploadPass>) -> Result<Form, Failure> {
        let length = source.version.length();
        let chunks = source.version.open(source.bandwidth.turn(CHUNK)).await?;
        let bytes = source.clone().bytes(chunks);
        let name = self.name.as_deref();
        let typed_name = name.map_or(source.version.name(), Path::new);
        let media_type = mime_guess::from_path(typed_name).first_or_octet_stream();
        let part = Part::stream_with_length(reqwest::Body::wrap_stream(bytes), length)
            .mime_str(media_type.as_ref())
            .map_err(call::transport)?;
        let part = match name {
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
struct UploadPass {
    version: Arc<ContentVersion>,
    state: Mutex<TransferState>,
    on_bytes: OnBytes,
    retry_budget: RetryBudget,
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

impl UploadPass {
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
        if rest.read > self.version.length() {
            return Err(self.version.is_other().into());
        }
        self.bandwidth.take(chunk.len(), &self.retry_budget).await;
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
        self.retry_budget.moved();
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

impl<T: fmt::Debug> fmt::Debug for Upload<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Upload")
            .field("target", &self.target)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for NewContent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewContent")
            .field("id", &self.id)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
