//! The real service on a free port, in a directory of its own, with a clock that only moves when a
//! test moves it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use filedeck::drawing::Drawer;
use filedeck::service::clock::Clock;
use filedeck::service::{self, RunningService, ServiceOptions, TokenSource};
use reqwest::header::HeaderMap;
use reqwest::{Method, StatusCode};
use secrecy::ExposeSecret as _;
use serde_json::Value;
use tempfile::TempDir;
use tokio::net::TcpStream;

#[cfg(feature = "s3")]
use super::bucket::TestBucket;
use super::disk::files_below;
use super::http;
pub use super::http::listener;

pub const START: &str = "2026-11-21T08:30:00Z";

pub struct TestService {
    pub clock: Clock,
    pub running: RunningService,
    pub dir: TempDir,
    /// The bucket of the service, if the whole run uses buckets.
    #[cfg(feature = "s3")]
    bucket: Option<TestBucket>,
    http: reqwest::Client,
}

/// The environment variable that makes every service of a test keep its bytes in a bucket: the
/// tests of the contract are written once for both places.
#[cfg(feature = "s3")]
const IN_BUCKETS: &str = "FILEDECK_TEST_BUCKETS";

/// A raw response, not interpreted by the wire types.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error} in {}", String::from_utf8_lossy(&self.body)))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    #[track_caller]
    #[expect(
        clippy::return_self_not_must_use,
        reason = "the status is what is asked about"
    )]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status.as_u16(), status, "{}", self.text());
        self
    }

    #[track_caller]
    pub fn id(&self) -> String {
        self.json()["id"].as_str().unwrap().to_owned()
    }
}

/// Makes the service accept these tokens, too; a second call replaces the list of a running
/// service.
pub fn list_tokens(data_dir: &Path, list: &Value) -> PathBuf {
    let file = data_dir.with_file_name("tokens.json");
    let fresh = file.with_extension("part");
    filedeck::secret_file::create(&fresh, &list.to_string().into()).unwrap();
    std::fs::rename(fresh, &file).unwrap();
    file
}

impl TestService {
    pub async fn start() -> Self {
        Self::start_in(
            tempfile::tempdir().unwrap(),
            Clock::manual(START.parse().unwrap()),
        )
        .await
    }

    /// Starts on a directory that an earlier service may have left.
    pub async fn start_in(dir: TempDir, clock: Clock) -> Self {
        Self::start_with(dir, clock, |_| {}).await
    }

    pub async fn start_with(
        dir: TempDir,
        clock: Clock,
        configure: impl FnOnce(&mut ServiceOptions),
    ) -> Self {
        let mut options = ServiceOptions::new(dir.path().join("data"));
        options.clock = clock.clone();
        options.token = TokenSource::Given("fdk-test-token".to_owned().into());
        options.drawer =
            option_env!("CARGO_BIN_EXE_filedeck").map(|program| Drawer::new(program.into()));
        #[cfg(feature = "postgres")]
        {
            options.database = super::server_database::for_directory(dir.path()).await;
        }
        configure(&mut options);
        #[cfg(feature = "postgres")]
        if options.test_api {
            // A reset restores a file.
            options.database = None;
        }
        #[cfg(feature = "s3")]
        let bucket = match std::env::var_os(IN_BUCKETS) {
            Some(_) if options.bucket.is_none() => {
                Some(TestBucket::in_folder(&dir.path().join("bucket")).await)
            }
            _ => None,
        };
        #[cfg(feature = "s3")]
        {
            options.bucket = options.bucket.or_else(|| Some(bucket.as_ref()?.options()));
        }
        let running = service::serve(listener().await, options).await.unwrap();
        Self {
            clock,
            running,
            dir,
            #[cfg(feature = "s3")]
            bucket,
            http: http::client(),
        }
    }

    pub async fn configured(configure: impl FnOnce(&mut ServiceOptions)) -> Self {
        Self::start_with(
            tempfile::tempdir().unwrap(),
            Clock::manual(START.parse().unwrap()),
            configure,
        )
        .await
    }

    /// Repeats the request until the response is as wanted, for background work of the service.
    pub async fn get_until(&self, path: &str, wanted: impl Fn(&Answer) -> bool) -> Answer {
        let asking = async {
            loop {
                let answer = self.get(path).await;
                if wanted(&answer) {
                    return answer;
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(20), asking)
            .await
            .unwrap_or_else(|_| panic!("{path} never answered as wanted"))
    }

    /// Erases a file, and waits until its row is gone and it can no longer be erased. Remains in
    /// pages of the database, and its bytes, are removed within the minute.
    pub async fn erase(&self, id: &str) {
        let path = format!("/files/v3/files/{id}/gdpr-delete");
        self.delete(&path).await.expect(204);
        let asking = async { while self.delete(&path).await.status != 404 {} };
        tokio::time::timeout(Duration::from_secs(20), asking)
            .await
            .unwrap_or_else(|_| panic!("{id} is still there"));
    }

    pub async fn task_until(&self, path: &str, status: &str) -> Value {
        self.get_until(path, |answer| answer.json()["status"] == status)
            .await
            .json()
    }

    pub async fn stop(self) -> (TempDir, Clock) {
        self.running.shutdown().await;
        (self.dir, self.clock)
    }

    /// A URL below the service's own, not escaped, so that a test can choose the escapes.
    pub fn url(&self, path: &str) -> String {
        format!(
            "{}{path}",
            self.running.local_url().as_str().trim_end_matches('/')
        )
    }

    pub fn token(&self) -> &str {
        self.running.token().expose_secret()
    }

    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.http
            .request(method, self.url(path))
            .bearer_auth(self.token())
    }

    /// A GET request without a token, to any URL.
    pub async fn fetch(&self, url: &str) -> Answer {
        answer(self.http.get(url)).await
    }

    pub async fn get(&self, path: &str) -> Answer {
        answer(self.request(Method::GET, path)).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        answer(self.request(Method::DELETE, path)).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        answer(self.request(Method::POST, path).json(&body)).await
    }

    pub async fn patch(&self, path: &str, body: Value) -> Answer {
        answer(self.request(Method::PATCH, path).json(&body)).await
    }

    /// A bare connection, for requests that no client would send.
    pub async fn connect(&self) -> TcpStream {
        let url = self.running.local_url();
        TcpStream::connect((url.host_str().unwrap(), url.port().unwrap()))
            .await
            .unwrap()
    }

    /// The number of files among the blobs, complete or not; in a bucket, only complete ones exist.
    pub async fn blob_count(&self) -> usize {
        #[cfg(feature = "s3")]
        if let Some(bucket) = &self.bucket {
            return bucket.blobs().len();
        }
        let root = self.dir.path().join("data/blobs");
        tokio::task::spawn_blocking(move || files_below(&root).len())
            .await
            .unwrap()
    }

    fn blob_files(&self) -> Vec<PathBuf> {
        #[cfg(feature = "s3")]
        if let Some(bucket) = &self.bucket {
            return bucket.blobs();
        }
        files_below(&self.dir.path().join("data/blobs"))
    }

    pub fn damage_blobs(&self) {
        for path in self.blob_files() {
            let mut bytes = std::fs::read(&path).unwrap();
            bytes[0] ^= 1;
            std::fs::write(&path, bytes).unwrap();
        }
    }

    pub fn data_dir(&self) -> PathBuf {
        self.dir.path().join("data")
    }

    /// The options for maintenance of the store.
    #[cfg_attr(
        not(feature = "postgres"),
        expect(clippy::unused_async, reason = "as with a database on a server")
    )]
    pub async fn store_options(&self) -> ServiceOptions {
        ServiceOptions {
            #[cfg(feature = "postgres")]
            database: super::server_database::for_directory(self.dir.path()).await,
            ..ServiceOptions::new(self.data_dir())
        }
    }

    /// Hides a file directly in the database, because no call of the API does that.
    #[cfg_attr(
        not(feature = "postgres"),
        expect(clippy::unused_async, reason = "as with a database on a server")
    )]
    pub async fn hide(&self, id: &str) {
        #[cfg(feature = "postgres")]
        {
            let hide = format!("UPDATE files SET access = 'HIDDEN_PRIVATE' WHERE id = {id}");
            if super::server_database::execute(self.dir.path(), &hide).await {
                return;
            }
        }
        let database = self.dir.path().join("data/filedeck.db");
        let connection = rusqlite::Connection::open(database).unwrap();
        let hidden = connection.execute(
            "UPDATE files SET access = 'HIDDEN_PRIVATE' WHERE id = ?1",
            [id],
        );
        assert_eq!(hidden.unwrap(), 1);
    }

    /// Waits until the number of blobs is right; the service removes unused ones after its
    /// response.
    pub async fn wait_for_blobs(&self, is_right: impl Fn(usize) -> bool) {
        let waiting = async {
            while !is_right(self.blob_count().await) {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), waiting)
            .await
            .unwrap();
    }

    pub async fn upload(&self, folder: &str, name: &str, bytes: &[u8], options: Value) -> Answer {
        let form = form(name, bytes)
            .text("options", options.to_string())
            .text("folderPath", folder.to_owned());
        self.post_form(form).await
    }

    pub async fn post_form(&self, form: reqwest::multipart::Form) -> Answer {
        answer(
            self.request(Method::POST, "/files/v3/files")
                .multipart(form),
        )
        .await
    }
}

pub fn form(name: &str, bytes: &[u8]) -> reqwest::multipart::Form {
    let part = reqwest::multipart::Part::bytes(bytes.to_vec()).file_name(name.to_owned());
    reqwest::multipart::Form::new().part("file", part)
}

pub async fn answer(request: reqwest::RequestBuilder) -> Answer {
    let response = request.send().await.unwrap();
    let (status, headers) = (response.status(), response.headers().clone());
    Answer {
        status,
        headers,
        body: response.bytes().await.unwrap().to_vec(),
    }
}
