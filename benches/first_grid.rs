//! Measures the time until the pictures of a first full grid arrive from a service in a process of
//! its own, and those of the next visit, which come from the disk: `cargo bench --bench
//! first_grid`. The grid requests six at a time.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark that cannot go on should panic; it prints"
)]

#[path = "shared/large_pictures.rs"]
#[expect(dead_code, reason = "others make more of them")]
mod large_pictures;
#[path = "shared/served.rs"]
mod served;
#[path = "shared/server_database.rs"]
mod server_database;

use std::time::{Duration, Instant};

use filedeck::api::model::File;
use filedeck::api::{Client, Endpoint};
use filedeck::engine::preview::{Preview, PreviewTarget};
use filedeck::engine::question::GetPreview;
use filedeck::engine::source_accounts::SourceAccounts;
use filedeck::engine::{
    Answer, AtOnce, EngineSetup, Event, Journal, OpId, QueueMode, SessionId, spawn,
};
use large_pictures::Jpeg;
use reqwest::multipart::{Form, Part};
use secrecy::SecretString;
use served::{Served, TOKEN};

const PICTURES: usize = 40;
/// The approximate size of each picture.
const BYTES: usize = 200_000;
const AT_ONCE: usize = 6;
/// The space for a picture in colored cells.
const ROOM: (u32, u32) = (96, 96);
const GOAL: Duration = Duration::from_millis(400);
const ROUNDS: usize = 5;

#[tokio::main]
async fn main() {
    // `cargo test --all-targets` runs benchmarks, too, without `--bench`.
    if !std::env::args().any(|word| word == "--bench") {
        return;
    }
    rustls::crypto::ring::default_provider()
        .install_default()
        .ok();
    let bytes = Jpeg {
        size: (1_600, 1_200),
        noise: 15,
        ..Jpeg::flat(1_600, 1_200, false)
    }
    .bytes();
    println!(
        "{PICTURES} pictures of {} KB each, goal {GOAL:?} (meant: {} KB)",
        bytes.len() / 1_000,
        BYTES / 1_000
    );
    let (mut firsts, mut nexts) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        // Each round has a store of its own because the service keeps the copies that it has made.
        let (store, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let served = Served::start(&served::binary(), &store.path().join("store"));
        let files = upload(&served, &bytes).await;
        let journal = Journal::open(&state.path().join("journal.db"), "bench")
            .await
            .unwrap();
        firsts.push(look(&served, &journal, &files).await);
        nexts.push(look(&served, &journal, &files).await);
    }
    for (which, times) in [("first", &mut firsts), ("next", &mut nexts)] {
        times.sort();
        let mark = if times[ROUNDS / 2] > GOAL { "!" } else { "" };
        println!(
            "{which} look: {mark}{:.1?}, {:.1?} at best",
            times[ROUNDS / 2],
            times[0]
        );
    }
}

async fn upload(served: &Served, bytes: &[u8]) -> Vec<File> {
    let http = reqwest::Client::new();
    let mut files = Vec::new();
    for number in 0..PICTURES {
        // No two pictures are the same.
        let content = [bytes, &number.to_be_bytes()].concat();
        let form = Form::new()
            .part(
                "file",
                Part::bytes(content).file_name(format!("{number}.jpg")),
            )
            .text("folderPath", "/")
            .text("options", r#"{"access":"PRIVATE"}"#);
        let url = format!("{}/files/v3/files", served.base_url.trim_end_matches('/'));
        let answer = http
            .post(url)
            .bearer_auth(TOKEN)
            .multipart(form)
            .send()
            .await
            .unwrap();
        files.push(
            serde_json::from_slice(&answer.error_for_status().unwrap().bytes().await.unwrap())
                .unwrap(),
        );
    }
    files
}

/// Runs an engine of its own, so that nothing is left of the last run but the data on the disk.
async fn look(served: &Served, journal: &Journal, files: &[File]) -> Duration {
    let client = Client::new(Endpoint::new(
        served.base_url.parse().unwrap(),
        SecretString::from(TOKEN),
    ));
    let (handle, mut events) = spawn(EngineSetup {
        client: client.unwrap(),
        journal: journal.clone(),
        caller: QueueMode::Screen,
        at_once: AtOnce::default(),
        read_only: false,
        sources: SourceAccounts::default(),
        leaves_tasks: false,
        drawer: None,
    });
    let begun = Instant::now();
    let mut waiting = files.iter().zip(1..);
    let mut ask = || {
        let Some((file, number)) = waiting.next() else {
            return;
        };
        let subject = PreviewTarget::File(Box::new(file.clone()));
        let op = OpId {
            session: SessionId::FIRST,
            number,
        };
        handle
            .submit(
                op,
                GetPreview {
                    subject,
                    room: ROOM,
                    is_thumbnail: true,
                    page: 0,
                },
            )
            .unwrap();
    };
    (0..AT_ONCE).for_each(|_| ask());
    let mut seen = 0;
    while seen < files.len() {
        if let Event::Done { result, .. } = events.recv().await.unwrap() {
            assert!(
                matches!(result, Ok(Answer::GetPreview(Preview::Picture(_)))),
                "{result:?}"
            );
            seen += 1;
            ask();
        }
    }
    let took = begun.elapsed();
    handle.shutdown().await;
    took
}
