//! Measures the costs of a growing store: a page, a search by name, details, renaming a folder, an
//! erasure, a start and a shutdown at 1,000, 100,000 and 1,000,000 files, and each as a multiple of
//! the cost at the smallest size: `cargo bench --bench growth`. `FILEDECK_BENCH_FILES` is the
//! largest of these sizes (1000000). On PostgreSQL: `tests/scale/with-postgres -- cargo bench
//! --bench growth`.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark that cannot go on should panic; it prints"
)]

#[path = "shared/asked.rs"]
mod asked;
#[path = "shared/large_folder.rs"]
mod large_folder;
#[path = "shared/served.rs"]
mod served;
#[path = "shared/server_database.rs"]
mod server_database;

use std::path::Path;
use std::time::{Duration, Instant};

use asked::Asked;
use large_folder::fill;
use reqwest::Method;
use rusqlite::Connection;
use serde_json::json;
use served::Served;

const SIZES: [i64; 3] = [1_000, 100_000, 1_000_000];
const ROUNDS: usize = 100;
const STARTS: usize = 5;
/// The number of folders that are renamed with the large one.
const BELOW: usize = 100;
/// The ids of the large folder and of the first file in it.
const FOLDER: i64 = 1;
const FIRST_FILE: i64 = 101;

fn main() {
    // `cargo test --all-targets` runs benchmarks, too, without `--bench`: it must not take minutes.
    if !std::env::args().any(|word| word == "--bench") {
        return;
    }
    let largest = std::env::var("FILEDECK_BENCH_FILES")
        .ok()
        .and_then(|value| value.parse().ok())
        .unwrap_or(i64::MAX);
    rustls::crypto::ring::default_provider()
        .install_default()
        .ok();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let mut fewest: Vec<Duration> = Vec::new();
    for files in SIZES.into_iter().filter(|files| *files <= largest) {
        let dir = tempfile::tempdir().unwrap();
        fill(dir.path(), files);
        if let Some(address) = server_database::address(dir.path()) {
            println!(
                "{files} files, {} bytes of tables and indexes each",
                table_bytes(&address) / files
            );
        } else {
            println!(
                "{files} files, index of their names: {:.2?}",
                runtime.block_on(index_names(dir.path()))
            );
        }
        let found = runtime.block_on(measure(dir.path(), few_names(files)));
        if fewest.is_empty() {
            fewest = found.iter().map(|(_, time)| *time).collect();
        }
        for ((what, time), first) in found.iter().zip(&fewest) {
            let ratio = time.as_secs_f64() / first.as_secs_f64();
            println!("{files} files, {what}: p50 {time:.2?}, {ratio:.2} times");
        }
    }
}

/// A part of a name that occurs in 111 to 116 of this many files.
fn few_names(files: i64) -> &'static str {
    match files {
        1_000 => "file-7",
        100_000 => "file-791",
        _ => "file-7919",
    }
}

/// Returns the time after a start until all names but a few are in their index.
async fn index_names(dir: &Path) -> Duration {
    let _served = Served::start(&served::binary(), dir);
    let begun = Instant::now();
    let database = Connection::open(dir.join("filedeck.db")).unwrap();
    let is_done = "SELECT COUNT(*) < 128 FROM files WHERE id > (SELECT upto FROM names_indexed)";
    while !database
        .query_row(is_done, [], |row| row.get::<_, bool>(0))
        .unwrap()
    {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let took = begun.elapsed();
    // The segments of the index are merged next, which would distort the following measurements.
    let segments = || {
        let count = "SELECT group_concat(segid) FROM (SELECT DISTINCT segid FROM name_index_idx ORDER BY segid)";
        database
            .query_row(count, [], |row| row.get::<_, Option<String>>(0))
            .unwrap()
    };
    let mut before = None;
    while before.as_ref() != Some(&segments()) {
        before = Some(segments());
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    took
}

/// The bytes that a schema takes up on the disk.
fn table_bytes(address: &str) -> i64 {
    let size = "SELECT SUM(pg_total_relation_size(oid)) FROM pg_class
         WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace";
    server_database::psql(address, size).parse().unwrap()
}

async fn measure(dir: &Path, few: &str) -> Vec<(&'static str, Duration)> {
    let mut served = start(dir).1;
    let (mut starts, mut after_kills, mut first_uploads) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..STARTS {
        drop(served);
        let begun = Instant::now();
        let (took, anew) = start(dir);
        after_kills.push(took);
        Asked::of(&anew.base_url).upload("new.txt".to_owned()).await;
        first_uploads.push(begun.elapsed());
        stop(anew);
        let (took, anew) = start(dir);
        starts.push(took);
        served = anew;
    }
    let asked = Asked::of(&served.base_url);
    let page = |query: &str| format!("/files/search?limit=100&{query}");
    let in_folder = |query: &str| page(&format!("parentFolderIds={FOLDER}&{query}"));
    let mut found = vec![
        ("start", median(starts)),
        ("start after a kill", median(after_kills)),
        // The upload waits until all bytes have been looked at.
        (
            "start after a kill with a first upload",
            median(first_uploads),
        ),
        ("page by name", get(&asked, &in_folder("sort=name")).await),
        (
            "page by name at 900",
            get(&asked, &in_folder("sort=name&after=900")).await,
        ),
        (
            "page by size from the largest",
            get(&asked, &in_folder("sort=-size")).await,
        ),
        (
            "page of the account by update",
            get(&asked, &page("sort=-updatedAt")).await,
        ),
        (
            "page of the account by access",
            get(&asked, &page("sort=access")).await,
        ),
        (
            "page of the account by expiry",
            get(&asked, &page("sort=-expiresAt")).await,
        ),
        // At each size, the same number of files match these.
        (
            "name of one file",
            get(&asked, &page("name=file-791900")).await,
        ),
        (
            "name of one file by update",
            get(&asked, &page("name=file-791900&sort=-updatedAt")).await,
        ),
        (
            "name of a hundred files",
            get(&asked, &page(&format!("name={few}"))).await,
        ),
        (
            "name of a hundred files by update",
            get(&asked, &page(&format!("name={few}&sort=-updatedAt"))).await,
        ),
        (
            "name of a hundred files in the folder by size",
            get(&asked, &in_folder(&format!("name={few}&sort=-size"))).await,
        ),
        (
            "name that no file has",
            get(&asked, &page("name=file-00&sort=name")).await,
        ),
        (
            "name that all files have",
            get(&asked, &page("name=FILE-&sort=name")).await,
        ),
        (
            "details",
            get(&asked, &format!("/files/{FIRST_FILE}")).await,
        ),
        ("upload", upload(&asked).await),
        ("new name of the folder", rename(&asked).await),
        ("erasure", erase(&asked).await),
    ];
    // The erasure is due within a minute, or at shutdown: the database is rewritten then.
    found.push(("end after erasures", stop(served)));
    found
}

/// Starts the service and waits until it accepts connections.
fn start(dir: &Path) -> (Duration, Served) {
    let begun = Instant::now();
    let served = Served::start(&served::binary(), dir);
    (begun.elapsed(), served)
}

/// Stops the service as a person or the system does, and returns the time that took.
fn stop(mut served: Served) -> Duration {
    let begun = Instant::now();
    #[cfg(unix)]
    rustix::process::kill_process(
        rustix::process::Pid::from_child(&served.child),
        rustix::process::Signal::TERM,
    )
    .unwrap();
    #[cfg(not(unix))]
    served.child.kill().unwrap();
    served.child.wait().unwrap();
    begun.elapsed()
}

async fn upload(asked: &Asked) -> Duration {
    let mut times = Vec::new();
    for round in 0..ROUNDS {
        times.push(asked.upload(format!("new-{round}.txt")).await);
    }
    median(times)
}

async fn rename(asked: &Asked) -> Duration {
    for number in 0..BELOW {
        let body = json!({"name": format!("below-{number}"), "parentFolderId": FOLDER.to_string()});
        asked.ask(Method::POST, "/folders", Some(body)).await;
    }
    let mut times = Vec::new();
    for round in 0..ROUNDS {
        let body = json!({"name": format!("large-{round}")});
        times.push(
            asked
                .ask(Method::PATCH, &format!("/folders/{FOLDER}"), Some(body))
                .await,
        );
    }
    median(times)
}

async fn erase(asked: &Asked) -> Duration {
    let mut times = Vec::new();
    for id in (FIRST_FILE + 1..).take(ROUNDS) {
        times.push(
            asked
                .ask(Method::DELETE, &format!("/files/{id}/gdpr-delete"), None)
                .await,
        );
    }
    median(times)
}

async fn get(asked: &Asked, path: &str) -> Duration {
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        times.push(asked.ask(Method::GET, path, None).await);
    }
    median(times)
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
