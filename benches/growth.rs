//! What a store costs as it grows: a page, a search by name, details, a folder's new name, an erasure, a start and an end at
//! 1,000, 100,000 and 1,000,000 files, and how many times what they cost at the fewest: `cargo bench --bench growth`.
//! `FILEDECK_BENCH_FILES` is the largest of these (1000000).
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark that cannot go on should panic; it prints")]

#[path = "shared/large_folder.rs"]
mod large_folder;
#[path = "shared/served.rs"]
mod served;

use std::path::Path;
use std::time::{Duration, Instant};

use large_folder::fill;
use reqwest::multipart::{Form, Part};
use reqwest::{Client, Method};
use rusqlite::Connection;
use serde_json::json;
use served::{Served, TOKEN};

const SIZES: [i64; 3] = [1_000, 100_000, 1_000_000];
const ROUNDS: usize = 100;
const STARTS: usize = 5;
/// Folders that are renamed with the large one.
const BELOW: usize = 100;
/// Of the large folder, and of the first file in it.
const FOLDER: i64 = 1;
const FIRST_FILE: i64 = 101;

fn main() {
    // `cargo test` passes over benchmarks unless it is told to run them; it must not take minutes then.
    if !std::env::args().any(|word| word == "--bench") {
        return;
    }
    let largest = std::env::var("FILEDECK_BENCH_FILES").ok().and_then(|value| value.parse().ok()).unwrap_or(i64::MAX);
    rustls::crypto::ring::default_provider().install_default().ok();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut fewest: Vec<Duration> = Vec::new();
    for files in SIZES.into_iter().filter(|files| *files <= largest) {
        let dir = tempfile::tempdir().unwrap();
        fill(dir.path(), files);
        println!("{files} files, index of their names: {:.2?}", runtime.block_on(index_names(dir.path())));
        let found = runtime.block_on(measure(dir.path()));
        if fewest.is_empty() {
            fewest = found.iter().map(|(_, time)| *time).collect();
        }
        for ((what, time), first) in found.iter().zip(&fewest) {
            let ratio = time.as_secs_f64() / first.as_secs_f64();
            println!("{files} files, {what}: p50 {time:.2?}, {ratio:.2} times");
        }
    }
}

/// Gives how long it takes behind a start until all names are in their index, but for a few.
async fn index_names(dir: &Path) -> Duration {
    let _served = Served::start(&served::binary(), dir);
    let begun = Instant::now();
    let database = Connection::open(dir.join("filedeck.db")).unwrap();
    let is_done = "SELECT COUNT(*) < 128 FROM files WHERE id > (SELECT upto FROM names_indexed)";
    while !database.query_row(is_done, [], |row| row.get::<_, bool>(0)).unwrap() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    begun.elapsed()
}

async fn measure(dir: &Path) -> Vec<(&'static str, Duration)> {
    let mut served = start(dir).1;
    let (mut starts, mut after_kills, mut first_uploads) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..STARTS {
        drop(served);
        let begun = Instant::now();
        let (took, anew) = start(dir);
        after_kills.push(took);
        Asked::of(&anew).upload().await;
        first_uploads.push(begun.elapsed());
        stop(anew);
        let (took, anew) = start(dir);
        starts.push(took);
        served = anew;
    }
    let asked = Asked::of(&served);
    let page = |query: &str| format!("/files/search?limit=100&{query}");
    let in_folder = |query: &str| page(&format!("parentFolderIds={FOLDER}&{query}"));
    let mut found = vec![
        ("start", median(starts)),
        ("start after a kill", median(after_kills)),
        // It waits until all bytes were looked at.
        ("start after a kill with a first upload", median(first_uploads)),
        ("page by name", asked.get(&in_folder("sort=name")).await),
        ("page by name at 900", asked.get(&in_folder("sort=name&after=900")).await),
        ("page by size from the largest", asked.get(&in_folder("sort=-size")).await),
        ("page of the account by update", asked.get(&page("sort=-updatedAt")).await),
        ("page of the account by access", asked.get(&page("sort=access")).await),
        ("page of the account by expiry", asked.get(&page("sort=-expiresAt")).await),
        ("rare name", asked.get(&page("name=file-7919")).await),
        ("rare name by update", asked.get(&page("name=file-7919&sort=-updatedAt")).await),
        ("rare name in the folder by size", asked.get(&in_folder("name=file-7919&sort=-size")).await),
        ("name that no file has", asked.get(&page("name=file-00&sort=name")).await),
        ("name that all files have", asked.get(&page("name=FILE-&sort=name")).await),
        ("details", asked.get(&format!("/files/{FIRST_FILE}")).await),
        ("new name of the folder", asked.rename().await),
        ("erasure", asked.erase().await),
    ];
    // What was erased is due within the minute, or at the end: then the database is rewritten.
    found.push(("end after erasures", stop(served)));
    found
}

/// Until it accepts connections.
fn start(dir: &Path) -> (Duration, Served) {
    let begun = Instant::now();
    let served = Served::start(&served::binary(), dir);
    (begun.elapsed(), served)
}

/// As a person or the system ends it. Gives how long that took.
fn stop(mut served: Served) -> Duration {
    let begun = Instant::now();
    #[cfg(unix)]
    rustix::process::kill_process(rustix::process::Pid::from_child(&served.child), rustix::process::Signal::TERM)
        .unwrap();
    #[cfg(not(unix))]
    served.child.kill().unwrap();
    served.child.wait().unwrap();
    begun.elapsed()
}

struct Asked {
    http: Client,
    base: String,
}

impl Asked {
    fn of(served: &Served) -> Self {
        Self { http: Client::new(), base: format!("{}/files/v3", served.base_url) }
    }

    async fn upload(&self) {
        let form = Form::new()
            .part("file", Part::text("new").file_name("new.txt"))
            .text("options", json!({"access": "PRIVATE", "overwrite": true}).to_string())
            .text("folderPath", "/new");
        let request = self.http.post(format!("{}/files", self.base)).bearer_auth(TOKEN).multipart(form);
        assert!(request.send().await.unwrap().status().is_success());
    }

    async fn get(&self, path: &str) -> Duration {
        let mut times = Vec::new();
        for _ in 0..ROUNDS {
            times.push(self.ask(Method::GET, path, None).await);
        }
        median(times)
    }

    async fn rename(&self) -> Duration {
        for number in 0..BELOW {
            let body = json!({"name": format!("below-{number}"), "parentFolderId": FOLDER.to_string()});
            self.ask(Method::POST, "/folders", Some(body)).await;
        }
        let mut times = Vec::new();
        for round in 0..ROUNDS {
            let body = json!({"name": format!("large-{round}")});
            times.push(self.ask(Method::PATCH, &format!("/folders/{FOLDER}"), Some(body)).await);
        }
        median(times)
    }

    async fn erase(&self) -> Duration {
        let mut times = Vec::new();
        for id in (FIRST_FILE + 1..).take(ROUNDS) {
            times.push(self.ask(Method::DELETE, &format!("/files/{id}/gdpr-delete"), None).await);
        }
        median(times)
    }

    async fn ask(&self, method: Method, path: &str, body: Option<serde_json::Value>) -> Duration {
        let begun = Instant::now();
        let request = self.http.request(method, format!("{}{path}", self.base)).bearer_auth(TOKEN);
        let request = match body {
            Some(body) => request.json(&body),
            None => request,
        };
        let answer = request.send().await.unwrap();
        assert!(answer.status().is_success(), "{path}: {}", answer.status());
        answer.bytes().await.unwrap();
        begun.elapsed()
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
