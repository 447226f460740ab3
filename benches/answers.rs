//! Measures how many requests per second the embedded service answers over 64 busy connections,
//! each kind next to a bare axum server, and to nginx where it is installed, in the same minute:
//! `cargo bench --bench answers`. `FILEDECK_BENCH_SECONDS` is the duration of each part (5).
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark that cannot go on should panic; it prints"
)]

#[path = "shared/bare.rs"]
mod bare;
#[path = "shared/large_folder.rs"]
mod large_folder;
#[path = "shared/others.rs"]
mod others;
#[path = "shared/served.rs"]
mod served;
#[path = "shared/server_database.rs"]
mod server_database;

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use bytes::Bytes;
use reqwest::multipart::{Form, Part};
use served::{Served, TOKEN};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

const CONNECTIONS: usize = 64;
const FILES: u64 = 1_000;
const SMALL: usize = 16 * 1024;
/// The approximate size of a response with the details of a file.
const BARE: usize = 700;

fn main() {
    // `cargo test --all-targets` runs benchmarks, too, without `--bench`: it must not take minutes.
    if !std::env::args().any(|word| word == "--bench") {
        return;
    }
    let seconds = std::env::var("FILEDECK_BENCH_SECONDS")
        .ok()
        .and_then(|value| value.parse().ok())
        .unwrap_or(5);
    let seconds = Duration::from_secs(seconds);
    rustls::crypto::ring::default_provider()
        .install_default()
        .ok();
    let (dir, others) = (
        tempfile::tempdir().unwrap(),
        tokio::runtime::Runtime::new().unwrap(),
    );
    let bare = others.block_on(serve_bare());
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
        large_folder::fill(dir.path(), FILES.cast_signed());
        let served = Served::start(&served::binary(), dir.path());
        let address = served.base_url.trim_start_matches("http://").parse().unwrap();
        let small = upload(&served).await;
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("small.bin"), [7_u8; SMALL]).unwrap();
        let nginx = others::nginx(folder.path());

        let answer = ask("a bare answer", bare, seconds, |_| "/answer".to_owned()).await;
        let bytes = ask("a bare answer of 16 KiB", bare, seconds, |_| "/bytes".to_owned()).await;
        let details = |turn: u64| format!("/files/v3/files/{}", 101 + turn % FILES);
        let details = ask("details of a file", address, seconds, details).await;
        let list =
            |turn: u64| format!("/files/v3/files/search?parentFolderIds=1&sort=name&limit=100&after={}", turn % 10);
        let list = ask("a list of 100", address, seconds, list).await;
        let read = ask("a read of 16 KiB", address, seconds, |_| format!("/files/v3/files/{small}/download")).await;
        let nginx = match &nginx {
            Some(nginx) => {
                ask(&format!("a file of 16 KiB, {}", nginx.name), nginx.address, seconds, |_| "/small.bin".to_owned())
                    .await
            }
            None => f64::NAN,
        };
        let again = ask("a bare answer, again", bare, seconds, |_| "/answer".to_owned()).await;
        let answer = f64::midpoint(answer, again);
        println!(
            "beside the bare answers: details {:.2}, lists {:.3}, reads {:.2}; reads beside nginx {:.2}",
            details / answer,
            list / answer,
            read / bytes,
            read / nginx
        );
    });
}

/// Serves responses that cost nothing but the server itself.
async fn serve_bare() -> SocketAddr {
    let bytes = |size| {
        move || async move {
            (
                [(CONTENT_TYPE, "application/json")],
                Bytes::from_static(&[b'.'; SMALL]).slice(..size),
            )
        }
    };
    let router = Router::new()
        .route("/answer", get(bytes(BARE)))
        .route("/bytes", get(bytes(SMALL)));
    bare::serve(router).await
}

async fn upload(served: &Served) -> String {
    let form = Form::new()
        .text("options", r#"{"access":"PRIVATE"}"#)
        .text("folderPath", "/small")
        .part(
            "file",
            Part::bytes(vec![7_u8; SMALL]).file_name("small.bin"),
        );
    let url = format!("{}/files/v3/files", served.base_url);
    let answer = reqwest::Client::new()
        .post(url)
        .bearer_auth(TOKEN)
        .multipart(form)
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), 201);
    let body: serde_json::Value = answer.json().await.unwrap();
    body["id"].as_str().unwrap().to_owned()
}

/// Requests `path` of each turn, prints the results, and returns the number of responses per
/// second.
async fn ask(
    what: &str,
    address: SocketAddr,
    seconds: Duration,
    path: impl Fn(u64) -> String,
) -> f64 {
    let start = Instant::now();
    let path = &path;
    let connection = async |first: u64| {
        let mut connection = Connection::open(address).await;
        let mut times = Vec::new();
        for turn in (first..).step_by(CONNECTIONS) {
            let begun = Instant::now();
            if begun - start >= seconds {
                break;
            }
            connection.get(&path(turn)).await;
            times.push(begun.elapsed());
        }
        times
    };
    let mut times = futures::future::join_all((0..CONNECTIONS as u64).map(connection))
        .await
        .concat();
    times.sort();
    let at = |share: usize| {
        times
            .get(times.len() * share / 100)
            .copied()
            .unwrap_or_default()
    };
    #[expect(
        clippy::cast_precision_loss,
        reason = "counts of a few seconds are small"
    )]
    let rate = times.len() as f64 / start.elapsed().as_secs_f64();
    println!(
        "{what}: {rate:.0}/s, p50 {:.2?}, p99 {:.2?}",
        at(50),
        at(99)
    );
    rate
}

/// A minimal HTTP client, which leaves the machine to the service.
struct Connection {
    stream: TcpStream,
    request: String,
    buffer: Vec<u8>,
}

impl Connection {
    async fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Self {
            stream,
            request: String::new(),
            buffer: vec![0; 256 * 1024],
        }
    }

    async fn get(&mut self, path: &str) {
        self.request.clear();
        write!(
            self.request,
            "GET {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {TOKEN}\r\n\r\n"
        )
        .unwrap();
        self.stream
            .write_all(self.request.as_bytes())
            .await
            .unwrap();
        let (mut filled, mut wanted) = (0, None);
        while wanted.is_none_or(|wanted| filled < wanted) {
            let read = self.stream.read(&mut self.buffer[filled..]).await.unwrap();
            assert!(read > 0, "the connection was closed");
            filled += read;
            wanted = wanted.or_else(|| length(&self.buffer[..filled]));
        }
    }
}

/// The length of a response with status 200, including its head; `None` until the whole head has
/// arrived.
fn length(answer: &[u8]) -> Option<usize> {
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&answer[..end]).unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    let mut headers = head.lines().filter_map(|line| line.split_once(": "));
    let (_, length) = headers
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .unwrap();
    Some(end + 4 + length.parse::<usize>().unwrap())
}
