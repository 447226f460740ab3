//! A bucket on an S3 server in this process, which checks signatures and checksums and can be made
//! to fail.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use filedeck::service::{BucketAddress, BucketOptions, BucketSettings};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use s3s::auth::SimpleAuth;
use s3s::service::{S3Service, S3ServiceBuilder};
use s3s::{Body, HttpError};
use s3s_fs::FileSystem;
use tokio::task::AbortHandle;
use url::Url;

use super::disk::files_below;
use super::http::listener;

pub const KEY_ID: &str = "AKIDFILEDECKTESTS";
pub const SECRET: &str = "secret-of-the-bucket-that-nobody-else-knows";
/// The address in `options`.
pub const ADDRESS: &str = "s3://files/store";

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Mood {
    #[default]
    Sound,
    RefusesBytes,
    /// Refuses further objects once it has stored this many.
    FullAfter(usize),
    /// Refuses to return objects, but lists them.
    RefusesReads,
    /// Responds that it is not available.
    Away,
    /// Never responds.
    Stalled,
    /// Stores, but never responds.
    StoresUnsaid,
}

/// A bucket that is stopped on drop.
pub struct TestBucket {
    pub endpoint: Url,
    root: PathBuf,
    rules: Arc<Rules>,
    server: AbortHandle,
}

struct Rules {
    s3: S3Service,
    root: PathBuf,
    mood: Mutex<Mood>,
    /// The versions of each key if the bucket keeps them: the server itself has none.
    versions: Option<Mutex<BTreeMap<String, Vec<String>>>>,
    /// The requests, without the signature.
    calls: Mutex<Vec<String>>,
}

impl Drop for TestBucket {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl TestBucket {
    /// The bucket `files`, whose objects are in this folder; it may contain some already.
    pub async fn in_folder(root: &Path) -> Self {
        Self::start(root, false).await
    }

    /// Does the same as `in_folder`, but keeps versions of its objects.
    pub async fn with_versions(root: &Path) -> Self {
        Self::start(root, true).await
    }

    async fn start(root: &Path, keeps_versions: bool) -> Self {
        std::fs::create_dir_all(root.join("files")).unwrap();
        let mut builder = S3ServiceBuilder::new(FileSystem::new(root).unwrap());
        builder.set_auth(SimpleAuth::from_single(KEY_ID, SECRET));
        let rules = Arc::new(Rules {
            s3: builder.build(),
            root: root.join("files"),
            mood: Mutex::default(),
            versions: keeps_versions.then(Mutex::default),
            calls: Mutex::default(),
        });
        let listener = listener().await;
        let endpoint = format!("http://{}", listener.local_addr().unwrap())
            .parse()
            .unwrap();
        let answering = rules.clone();
        let server = tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let rules = answering.clone();
                let answer = service_fn(move |request| rules.clone().answer(request));
                let connection = hyper::server::conn::http1::Builder::new();
                tokio::spawn(connection.serve_connection(TokioIo::new(stream), answer));
            }
        });
        Self {
            endpoint,
            root: root.join("files"),
            rules,
            server: server.abort_handle(),
        }
    }

    /// Options for a service that stores its bytes here, with short timeouts.
    pub fn options(&self) -> BucketOptions {
        self.options_with(SECRET)
    }

    pub fn options_with(&self, secret: &str) -> BucketOptions {
        let address: BucketAddress = ADDRESS.parse().unwrap();
        let settings = self
            .variables(secret)
            .map(|(name, value)| (name, value.into()));
        let mut options = BucketOptions::new(address, BucketSettings::from_variables(settings));
        options.patience = Duration::from_secs(2);
        options
    }

    pub fn variables(&self, secret: &str) -> [(&'static str, String); 5] {
        [
            ("AWS_ACCESS_KEY_ID", KEY_ID.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", secret.to_owned()),
            ("AWS_REGION", "us-east-1".to_owned()),
            (
                "AWS_ENDPOINT_URL",
                self.endpoint.as_str().trim_end_matches('/').to_owned(),
            ),
            ("AWS_ALLOW_HTTP", "true".to_owned()),
        ]
    }

    /// The options for this bucket at an address that refuses so many connections before it is
    /// there.
    pub async fn options_after(&self, mut refused: usize) -> BucketOptions {
        let upstream = self.endpoint.socket_addrs(|| None).unwrap()[0];
        let listener = listener().await;
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                if refused > 0 {
                    refused -= 1;
                    continue;
                }
                tokio::spawn(async move {
                    let mut server = tokio::net::TcpStream::connect(upstream).await.unwrap();
                    let _ = tokio::io::copy_bidirectional(&mut stream, &mut server).await;
                });
            }
        });
        let variables = self.variables(SECRET).map(|(name, value)| {
            let value = if name == "AWS_ENDPOINT_URL" {
                endpoint.clone()
            } else {
                value
            };
            (name, value.into())
        });
        BucketOptions::new(
            ADDRESS.parse().unwrap(),
            BucketSettings::from_variables(variables),
        )
    }

    pub fn set_mood(&self, mood: Mood) {
        *self.rules.mood.lock().unwrap() = mood;
    }

    pub fn blobs(&self) -> Vec<PathBuf> {
        let is_blob = |path: &PathBuf| path.file_name().is_some_and(|name| name.len() == 32);
        files_below(&self.root)
            .into_iter()
            .filter(is_blob)
            .collect()
    }

    /// The number of requests so far with this beginning, such as `GET /files?versions`.
    pub fn calls(&self, start: &str) -> usize {
        self.rules
            .calls
            .lock()
            .unwrap()
            .iter()
            .filter(|call| call.starts_with(start))
            .count()
    }

    pub fn versions(&self) -> usize {
        let versions = self.rules.versions.as_ref().unwrap().lock().unwrap();
        versions
            .iter()
            .filter(|(key, _)| !key.contains("/filedeck"))
            .map(|(_, versions)| versions.len())
            .sum()
    }
}

type Answered = Result<Response<Body>, HttpError>;

impl Rules {
    async fn answer(self: Arc<Self>, request: Request<Incoming>) -> Answered {
        let (method, uri) = (request.method().clone(), request.uri().clone());
        self.calls.lock().unwrap().push(format!("{method} {uri}"));
        let stores = matches!(method, Method::PUT | Method::POST);
        let mood = *self.mood.lock().unwrap();
        match mood {
            Mood::FullAfter(left @ 1..) if stores => {
                *self.mood.lock().unwrap() = Mood::FullAfter(left - 1);
            }
            Mood::RefusesBytes | Mood::FullAfter(_) if stores => {
                return Ok(plain(StatusCode::INSUFFICIENT_STORAGE, ""));
            }
            Mood::RefusesReads if method == Method::GET && uri.path().starts_with("/files/") => {
                return Ok(plain(
                    StatusCode::FORBIDDEN,
                    "<Error><Code>AccessDenied</Code></Error>",
                ));
            }
            Mood::Away => return Ok(plain(StatusCode::SERVICE_UNAVAILABLE, "")),
            Mood::Stalled => std::future::pending().await,
            _ => {}
        }
        let answered = self.s3.call(request.map(Body::from)).await?;
        if mood == Mood::StoresUnsaid && stores {
            std::future::pending::<()>().await;
        }
        if answered.status() == StatusCode::FORBIDDEN {
            return Ok(answered);
        }
        Ok(self
            .versioned(&method, uri.path(), uri.query().unwrap_or_default())
            .unwrap_or(answered))
    }

    /// The response of a bucket with versions; `None` if it is the same as without.
    fn versioned(&self, method: &Method, path: &str, query: &str) -> Option<Response<Body>> {
        let mut versions = self.versions.as_ref()?.lock().unwrap();
        let values: BTreeMap<_, _> = url::form_urlencoded::parse(query.as_bytes())
            .into_owned()
            .collect();
        let key = path.strip_prefix("/files/").unwrap_or_default().to_owned();
        if values.contains_key("versioning") {
            let status =
                "<VersioningConfiguration><Status>Suspended</Status></VersioningConfiguration>";
            return Some(plain(StatusCode::OK, status));
        }
        if values.contains_key("object-lock") {
            let none = "<Error><Code>ObjectLockConfigurationNotFoundError</Code></Error>";
            return Some(plain(StatusCode::NOT_FOUND, none));
        }
        if values.contains_key("versions") {
            let of_key = versions
                .iter()
                .filter(|(key, _)| key.starts_with(&values["prefix"]));
            let entries = of_key.flat_map(|(key, ids)| ids.iter().map(move |id| (key, id)));
            let entries = entries.map(|(key, id)| {
                let kind = if id.starts_with("gone") {
                    "DeleteMarker"
                } else {
                    "Version"
                };
                format!("<{kind}><Key>{key}</Key><VersionId>{id}</VersionId></{kind}>")
            });
            let list = entries.collect::<String>();
            let list = format!(
                "<ListVersionsResult><IsTruncated>false</IsTruncated>{list}</ListVersionsResult>"
            );
            return Some(plain(StatusCode::OK, &list));
        }
        if let (&Method::DELETE, Some(version)) = (method, values.get("versionId")) {
            versions
                .entry(key.clone())
                .or_default()
                .retain(|id| id != version);
            if versions[&key].is_empty() {
                let _ = std::fs::remove_file(self.root.join(&key));
            }
            return Some(plain(StatusCode::NO_CONTENT, ""));
        }
        let ids = versions.entry(key).or_default();
        match *method {
            Method::PUT => ids.push(format!("version-{}", ids.len())),
            Method::DELETE => ids.push(format!("gone-{}", ids.len())),
            _ => {}
        }
        None
    }
}

fn plain(status: StatusCode, body: &str) -> Response<Body> {
    let mut answer = Response::new(Body::from(body.to_owned()));
    *answer.status_mut() = status;
    answer
}
