//! Measures the embedded service, each figure next to a raw probe of the same disk in the same
//! minute, because the cost of a sync differs tenfold between machines and hours: `cargo bench
//! --bench durable`. `FILEDECK_BENCH_MIB` is the size of each of the eight large uploads (1024),
//! `FILEDECK_BENCH_SECONDS` the duration of each part (5). `FILEDECK_BENCH_BINARY` may name several
//! binaries, separated by commas, which take turns of a second each.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark that cannot go on should panic; it prints"
)]

#[path = "shared/served.rs"]
mod served;
#[path = "shared/server_database.rs"]
mod server_database;

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use reqwest::multipart::{Form, Part};
use served::{Served, TOKEN};
use tokio::task::JoinHandle;

/// The bytes per write of the raw probe.
const SMALL: usize = 64 * 1024;

/// The time for which one service is measured before the next takes its turn.
const TURN: Duration = Duration::from_secs(1);

fn main() {
    // `cargo test --all-targets` runs benchmarks, too, without `--bench`: it must not take minutes.
    if !std::env::args().any(|word| word == "--bench") {
        return;
    }
    let seconds = Duration::from_secs(setting("FILEDECK_BENCH_SECONDS", 5));
    let dir = tempfile::tempdir().unwrap();
    for writers in [1, 8, 16] {
        report(
            &format!("raw: {writers} threads, 64 KiB write, sync, rename, folder sync"),
            &raw(dir.path(), writers, seconds),
        );
    }
    rustls::crypto::ring::default_provider()
        .install_default()
        .ok();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let started = |(number, binary): (usize, OsString)| {
            Service::start(&binary, &dir.path().join(number.to_string()))
        };
        let binaries = served::binary()
            .to_string_lossy()
            .split(',')
            .map(OsString::from)
            .collect::<Vec<_>>();
        let services: Vec<_> = binaries.into_iter().enumerate().map(started).collect();
        for (kib, writers) in [(16, 1), (16, 8), (16, 16), (64, 1), (64, 8), (64, 16)] {
            let bytes = Bytes::from(vec![7_u8; kib * 1024]);
            let what = format!("uploads: {writers} at once, {kib} KiB, answered 201");
            by_turns(&what, &services, seconds, async |service| {
                service.uploads(writers, &bytes).await
            })
            .await;
        }
        for readers in [1, 64] {
            let what = format!("details: {readers} at once");
            by_turns(&what, &services, seconds, async |service| {
                service.details(readers).await
            })
            .await;
        }
        let mebibytes = setting("FILEDECK_BENCH_MIB", 1024);
        for service in &services {
            let before = service.resident_kib("VmRSS");
            service.large_uploads(8, mebibytes).await;
            let peak = service.resident_kib("VmHWM");
            println!(
                "{}: resident: {} MiB before, {} MiB at the peak of 8 uploads of {mebibytes} MiB",
                service.name,
                before / 1024,
                peak / 1024
            );
        }
    });
    report("raw: 8 threads, again", &raw(dir.path(), 8, seconds));
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|value| value.parse().ok())
        .unwrap_or(default)
}

/// The duration of each operation, and of all of them together.
struct Times {
    each: Vec<Duration>,
    wall: Duration,
}

fn report(what: &str, times: &Times) {
    let mut each = times.each.clone();
    each.sort();
    let at = |share: usize| {
        each.get((each.len() * share / 100).min(each.len().saturating_sub(1)))
            .copied()
            .unwrap_or_default()
    };
    #[expect(
        clippy::cast_precision_loss,
        reason = "counts of a few seconds are small"
    )]
    let rate = each.len() as f64 / times.wall.as_secs_f64();
    println!(
        "{what}: {rate:.0}/s, p50 {:.2?}, p99 {:.2?}",
        at(50),
        at(99)
    );
}

/// Measures the cost of durability without a service.
fn raw(dir: &Path, threads: usize, seconds: Duration) -> Times {
    let folder = dir.join("raw");
    fs::create_dir_all(&folder).unwrap();
    let start = Instant::now();
    let each = std::thread::scope(|scope| {
        let run = |thread: usize| {
            let folder = &folder;
            scope.spawn(move || {
                let bytes = vec![7_u8; SMALL];
                let mut times = Vec::new();
                while start.elapsed() < seconds {
                    let begun = Instant::now();
                    let part = folder.join(format!("{thread}.part"));
                    let mut file = File::create(&part).unwrap();
                    file.write_all(&bytes).unwrap();
                    file.sync_all().unwrap();
                    fs::rename(&part, folder.join(format!("{thread}-{}", times.len()))).unwrap();
                    File::open(folder).unwrap().sync_all().unwrap();
                    times.push(begun.elapsed());
                }
                times
            })
        };
        let threads: Vec<_> = (0..threads).map(run).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect()
    });
    let wall = start.elapsed();
    fs::remove_dir_all(&folder).unwrap();
    Times { each, wall }
}

/// Runs the part on each service for a second in turn, until each has had all its seconds.
async fn by_turns(
    what: &str,
    services: &[Service],
    seconds: Duration,
    part: impl AsyncFn(&Service) -> Times,
) {
    let mut all: Vec<_> = services
        .iter()
        .map(|_| Times {
            each: Vec::new(),
            wall: Duration::ZERO,
        })
        .collect();
    while all.iter().any(|times| times.wall < seconds) {
        for (service, times) in services.iter().zip(&mut all) {
            let turn = part(service).await;
            times.each.extend(turn.each);
            times.wall += turn.wall;
        }
    }
    for (service, times) in services.iter().zip(&all) {
        report(&format!("{}: {what}", service.name), times);
    }
}

struct Service {
    name: String,
    served: Served,
    client: Client,
}

/// Cheap to clone: each writer and each reader owns one in a task of its own.
#[derive(Clone)]
struct Client {
    base_url: Arc<str>,
    http: reqwest::Client,
}

impl Service {
    fn start(binary: &OsStr, dir: &Path) -> Self {
        let served = Served::start(binary, dir);
        let base_url = format!("{}/files/v3/files", served.base_url).into();
        let name = Path::new(binary)
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        Self {
            name,
            served,
            client: Client {
                base_url,
                http: reqwest::Client::new(),
            },
        }
    }

    async fn uploads(&self, writers: usize, bytes: &Bytes) -> Times {
        let start = Instant::now();
        let writer = |_| {
            let (client, bytes) = (self.client.clone(), bytes.clone());
            tokio::spawn(async move {
                let mut times = Vec::new();
                while start.elapsed() < TURN {
                    let begun = Instant::now();
                    client.upload(bytes.clone()).await;
                    times.push(begun.elapsed());
                }
                times
            })
        };
        let each = all((0..writers).map(writer)).await.concat();
        Times {
            each,
            wall: start.elapsed(),
        }
    }

    async fn details(&self, readers: usize) -> Times {
        let id = self.client.upload(Bytes::from_static(b"details")).await;
        let url = format!("{}/{id}", self.client.base_url);
        let start = Instant::now();
        let reader = |_| {
            let (client, url) = (self.client.clone(), url.clone());
            tokio::spawn(async move {
                let mut times = Vec::new();
                while start.elapsed() < TURN {
                    let begun = Instant::now();
                    let answer = client
                        .http
                        .get(&url)
                        .bearer_auth(TOKEN)
                        .send()
                        .await
                        .unwrap();
                    assert_eq!(answer.status(), 200);
                    answer.bytes().await.unwrap();
                    times.push(begun.elapsed());
                }
                times
            })
        };
        let each = all((0..readers).map(reader)).await.concat();
        Times {
            each,
            wall: start.elapsed(),
        }
    }

    async fn large_uploads(&self, count: usize, mebibytes: u64) {
        let upload = |_| {
            let client = self.client.clone();
            tokio::spawn(async move {
                let chunk = Bytes::from(vec![7_u8; 1024 * 1024]);
                let chunks = futures::stream::iter(
                    (0..mebibytes).map(move |_| Ok::<_, std::io::Error>(chunk.clone())),
                );
                let body = reqwest::Body::wrap_stream(chunks);
                client
                    .send(Part::stream_with_length(body, mebibytes * 1024 * 1024))
                    .await
            })
        };
        all((0..count).map(upload)).await;
    }

    fn resident_kib(&self, field: &str) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.served.child.id()))
            .unwrap_or_default();
        let line = status
            .lines()
            .find(|line| line.starts_with(field))
            .unwrap_or_default()
            .to_owned();
        line.split_whitespace()
            .nth(1)
            .and_then(|kib| kib.parse().ok())
            .unwrap_or_default()
    }
}

impl Client {
    async fn upload(&self, bytes: Bytes) -> String {
        let length = bytes.len() as u64;
        self.send(Part::stream_with_length(bytes, length)).await
    }

    async fn send(&self, part: Part) -> String {
        let form = Form::new()
            .text("options", r#"{"access":"PRIVATE"}"#)
            .text("folderPath", "/bench")
            .text("fileName", format!("{}.bin", uuid::Uuid::new_v4()))
            .part("file", part.file_name("bench.bin"));
        let answer = self
            .http
            .post(&*self.base_url)
            .bearer_auth(TOKEN)
            .multipart(form)
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status(), 201);
        let body: serde_json::Value = answer.json().await.unwrap();
        body["id"].as_str().unwrap().to_owned()
    }
}

/// Waits for the results of all tasks, which run from the moment they are spawned.
async fn all<T>(tasks: impl Iterator<Item = JoinHandle<T>>) -> Vec<T> {
    futures::future::join_all(tasks)
        .await
        .into_iter()
        .map(Result::unwrap)
        .collect()
}
