//! A raw HTTP server that records requests and sends the responses of a test, byte by byte: it
//! shows what the client really sends, which a service of this project, sharing the wire types,
//! could not.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use url::Url;

use super::http::listener;

/// A recorded request. Header names are in lower case.
#[derive(Debug, Clone)]
pub struct Seen {
    pub method: String,
    pub target: String,
    pub(super) headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Seen {
    async fn read(stream: &mut TcpStream) -> Option<Self> {
        let mut seen = Self::begun(stream).await?;
        seen.read_to(stream, seen.length()).await?;
        Some(seen)
    }

    /// Reads a request up to its body, possibly with the beginning of that.
    pub(super) async fn begun(stream: &mut TcpStream) -> Option<Self> {
        let mut bytes = Vec::new();
        let head_end = loop {
            if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
                break at;
            }
            (stream.read_buf(&mut bytes).await.ok()? > 0).then_some(())?;
        };
        let body = bytes.split_off(head_end + 4);
        let head = String::from_utf8_lossy(&bytes);
        let mut lines = head.lines();
        let mut words = lines.next()?.split(' ').map(str::to_owned);
        let (method, target) = (words.next()?, words.next()?);
        let headers = lines.filter_map(|line| line.split_once(':'));
        let headers = headers
            .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
            .collect();
        Some(Self {
            method,
            target,
            headers,
            body,
        })
    }

    /// Reads on until this much of the body has arrived.
    pub(super) async fn read_to(&mut self, stream: &mut TcpStream, length: usize) -> Option<()> {
        while self.body.len() < length {
            (stream.read_buf(&mut self.body).await.ok()? > 0).then_some(())?;
        }
        Some(())
    }

    /// The declared length of the body; chunked bodies are not supported.
    pub(super) fn length(&self) -> usize {
        self.header("content-length")
            .map_or(0, |value| value.parse().unwrap())
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(found, _)| found == name)
            .map(|(_, value)| value.as_str())
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// Method and path without the query, such as `POST /files/v3/files`.
    pub fn call(&self) -> String {
        format!(
            "{} {}",
            self.method,
            self.target.split('?').next().unwrap_or_default()
        )
    }

    pub fn query(&self, key: &str) -> Vec<String> {
        let url = Url::parse("http://h").unwrap().join(&self.target).unwrap();
        url.query_pairs()
            .filter(|(found, _)| found == key)
            .map(|(_, value)| value.into_owned())
            .collect()
    }
}

pub enum Reply {
    /// Status line, headers and body; the end of the connection is added, and the length unless
    /// the headers have one: with a larger one, the body is cut.
    Answer(u16, Vec<(&'static str, String)>, String),
    Bytes(u16, Vec<(&'static str, String)>, Vec<u8>),
    /// Closes the connection without a response.
    Cut,
    /// Keeps the connection open and never responds.
    Silence,
}

impl Reply {
    pub fn json(status: u16, body: &serde_json::Value) -> Self {
        Self::Answer(
            status,
            vec![("content-type", "application/json".to_owned())],
            body.to_string(),
        )
    }

    pub fn status(status: u16, headers: &[(&'static str, &str)]) -> Self {
        Self::Answer(
            status,
            headers
                .iter()
                .map(|(name, value)| (*name, (*value).to_owned()))
                .collect(),
            String::new(),
        )
    }
}

type Script = Arc<dyn Fn(&Seen, usize) -> Reply + Send + Sync>;

pub struct Capture {
    pub url: Url,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Capture {
    /// Starts the server; `script` gets each request and the number of earlier ones.
    pub async fn start(script: impl Fn(&Seen, usize) -> Reply + Send + Sync + 'static) -> Self {
        let listener = listener().await;
        let url = Url::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (script, log): (Script, _) = (Arc::new(script), seen.clone());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, script.clone(), log.clone()));
            }
        });
        Self { url, seen }
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    pub fn calls(&self) -> Vec<String> {
        self.seen().iter().map(Seen::call).collect()
    }
}

async fn serve(mut stream: TcpStream, script: Script, log: Arc<Mutex<Vec<Seen>>>) {
    let Some(seen) = Seen::read(&mut stream).await else {
        return;
    };
    let before = {
        let mut log = log.lock().unwrap();
        log.push(seen.clone());
        log.len() - 1
    };
    match script(&seen, before) {
        Reply::Answer(status, headers, body) => {
            answer(&mut stream, status, &headers, body.as_bytes()).await;
        }
        Reply::Bytes(status, headers, body) => answer(&mut stream, status, &headers, &body).await,
        Reply::Cut => {}
        Reply::Silence => std::future::pending().await,
    }
}

async fn answer(
    stream: &mut TcpStream,
    status: u16,
    headers: &[(&'static str, String)],
    body: &[u8],
) {
    let headers = headers.iter().fold(String::new(), |all, (name, value)| {
        all + name + ": " + value + "\r\n"
    });
    let length = if headers.contains("content-length: ") {
        String::new()
    } else {
        format!("content-length: {}\r\n", body.len())
    };
    let head = format!("HTTP/1.1 {status} -\r\n{headers}{length}connection: close\r\n\r\n");
    stream
        .write_all(&[head.as_bytes(), body].concat())
        .await
        .ok();
    stream.shutdown().await.ok();
}
