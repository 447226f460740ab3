//! Measures the uploads, details and pages per second of one, two and four processes that share a
//! database and a bucket, over 16 connections, and the processor time per request in them and in
//! PostgreSQL: `tests/scale/with-postgres -- cargo bench --bench processes`. The server of the
//! bucket runs in the benchmark. `FILEDECK_BENCH_SECONDS` is the duration of each part (10).
#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark that cannot go on should panic; it prints"
)]
#![expect(clippy::cast_precision_loss, reason = "counts of a few minutes")]

#[path = "shared/asked.rs"]
mod asked;
#[expect(
    dead_code,
    reason = "these do not start each with a database of its own"
)]
#[path = "shared/served.rs"]
mod served;
#[path = "shared/server_database.rs"]
mod server_database;

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use asked::Asked;
use futures::future::join_all;
use hyper_util::rt::TokioIo;
use reqwest::Method;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use served::{Served, TOKEN};
use tokio::net::TcpListener;

const CONNECTIONS: usize = 16;
const KEY: &str = "bench";

fn main() {
    // `cargo test --all-targets` runs benchmarks, too, without `--bench`: it must not take minutes.
    if !std::env::args().any(|word| word == "--bench") {
        return;
    }
    if std::env::var_os("FILEDECK_TEST_DATABASE").is_none() {
        println!("without FILEDECK_TEST_DATABASE nothing is measured");
        return;
    }
    let seconds = std::env::var("FILEDECK_BENCH_SECONDS")
        .ok()
        .and_then(|value| value.parse().ok())
        .unwrap_or(10);
    let seconds = Duration::from_secs(seconds);
    rustls::crypto::ring::default_provider()
        .install_default()
        .ok();
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let root = tempfile::tempdir().unwrap();
        let bucket = serve_bucket(&root.path().join("objects")).await;
        for count in [1, 2, 4] {
            measure(root.path(), &bucket, count, seconds).await;
        }
    });
}

/// Starts an S3 server with the bucket `files` in this folder, and returns its address.
async fn serve_bucket(root: &Path) -> String {
    fs::create_dir_all(root.join("files")).unwrap();
    let mut builder = S3ServiceBuilder::new(s3s_fs::FileSystem::new(root).unwrap());
    builder.set_auth(SimpleAuth::from_single(KEY, KEY));
    let s3 = builder.build();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let connection = hyper::server::conn::http1::Builder::new();
            tokio::spawn(connection.serve_connection(TokioIo::new(stream), s3.clone()));
        }
    });
    address
}

async fn measure(root: &Path, bucket: &str, count: usize, time: Duration) {
    let database = server_database::address(&root.join(format!("of{count}"))).unwrap();
    let objects = format!("s3://files/of{count}");
    let processes: Vec<Served> = (0..count)
        .map(|number| {
            let dir = root.join(format!("{count}-{number}"));
            fs::create_dir_all(&dir).unwrap();
            let environment = [
                ("AWS_ACCESS_KEY_ID", KEY),
                ("AWS_SECRET_ACCESS_KEY", KEY),
                ("AWS_ENDPOINT_URL", bucket),
                ("AWS_ALLOW_HTTP", "true"),
            ];
            let args = ["--database", &database, "--objects", &objects];
            Served::start_with(&served::binary(), &dir, &args, &environment)
        })
        .collect();
    let asked: Vec<Asked> = processes
        .iter()
        .map(|process| Asked::of(&process.base_url))
        .collect();
    let next = AtomicUsize::new(0);
    let pids: Vec<u32> = processes.iter().map(|process| process.child.id()).collect();
    for what in ["uploads", "details", "pages of 100"] {
        let id = first_id(&processes[0]).await;
        let (before, begun) = (Cpu::now(&pids), Instant::now());
        let connection = async |number: usize| {
            let (asked, mut done) = (&asked[number % count], 0_usize);
            while begun.elapsed() < time {
                match what {
                    "uploads" => {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        asked.upload(format!("{number}.txt")).await;
                    }
                    "details" => {
                        asked.ask(Method::GET, &format!("/files/{id}"), None).await;
                    }
                    _ => {
                        asked
                            .ask(Method::GET, "/files/search?limit=100&sort=name", None)
                            .await;
                    }
                }
                done += 1;
            }
            done
        };
        let done: usize = join_all((0..CONNECTIONS).map(connection))
            .await
            .into_iter()
            .sum();
        let (took, cpu) = (begun.elapsed(), Cpu::now(&pids));
        println!(
            "{count} processes, {what}: {:.0} a second; a request takes {:.2} ms of a core in filedeck, {:.2} ms in PostgreSQL",
            done as f64 / took.as_secs_f64(),
            (cpu.filedeck - before.filedeck) / done as f64,
            (cpu.postgres - before.postgres) / done as f64,
        );
    }
}

/// The id of the first file; empty if there is none.
async fn first_id(served: &Served) -> String {
    let page = format!(
        "{}/files/v3/files/search?limit=1&sort=createdAt",
        served.base_url
    );
    let page = reqwest::Client::new()
        .get(page)
        .bearer_auth(TOKEN)
        .send()
        .await
        .unwrap();
    let page: serde_json::Value = page.json().await.unwrap();
    page["results"][0]["id"]
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

/// Processor time, in milliseconds.
struct Cpu {
    filedeck: f64,
    postgres: f64,
}

impl Cpu {
    fn now(pids: &[u32]) -> Self {
        let tick = 1000.0 / rustix::param::clock_ticks_per_second() as f64;
        let (mut filedeck, mut postgres) = (0, 0);
        for entry in fs::read_dir("/proc").unwrap().flatten() {
            let Ok(stat) = fs::read_to_string(entry.path().join("stat")) else {
                continue;
            };
            let Some((head, rest)) = stat.rsplit_once(") ") else {
                continue;
            };
            let fields: Vec<u64> = rest
                .split(' ')
                .map(|field| field.parse().unwrap_or_default())
                .collect();
            // The time of the process itself, and that of its children that have ended.
            let (own, children) = (fields[11] + fields[12], fields[13] + fields[14]);
            if head.ends_with("(postgres") {
                postgres += own + children;
            } else if pids
                .iter()
                .any(|pid| head.split(' ').next() == Some(&pid.to_string()))
            {
                filedeck += own;
            }
        }
        Self {
            filedeck: filedeck as f64 * tick,
            postgres: postgres as f64 * tick,
        }
    }
}
