//! Measures the cost of a page of a folder over HTTP, in a small folder and in a large one, for
//! every order and direction, at the start and at the highest offset; the cost of searches over the
//! account; and that of the engine: the first names, and the whole folder next to a bare drain:
//! `cargo bench --bench pages`.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark that cannot go on should panic; it prints"
)]

#[path = "shared/large_folder.rs"]
mod large_folder;
#[path = "shared/served.rs"]
mod served;
#[path = "shared/server_database.rs"]
mod server_database;

use std::time::{Duration, Instant};

use filedeck::api::ids::FolderId;
use filedeck::api::search::{FileSearch, LAST_OFFSET, PAGE, SortBy};
use filedeck::api::{Client, Endpoint};
use filedeck::engine::message::{FolderRef, Sort};
use filedeck::engine::question::{List, ListAll};
use filedeck::engine::source_accounts::SourceAccounts;
use filedeck::engine::{
    self, AtOnce, EngineSetup, Event, Journal, OpId, QueueMode, Request, SessionId,
};
use futures::StreamExt as _;
use large_folder::fill;
use secrecy::SecretString;
use served::{Served, TOKEN};

const SIZES: [i64; 3] = [20, 1_000, 100_000];
const LIMIT: i64 = 100;
const LATE_OFFSET: i64 = 9_900;
/// The number of reads of a whole folder, and of its first names, so short that other work of the
/// machine shows.
const ROUNDS: u64 = 5;
const FIRST_ROUNDS: u64 = 100;
const ORDERS: [&str; 11] = [
    "id",
    "name",
    "extension",
    "type",
    "access",
    "size",
    "height",
    "width",
    "createdAt",
    "updatedAt",
    "expiresAt",
];

fn main() {
    // `cargo test --all-targets` runs benchmarks, too, without `--bench`: it must not take minutes.
    if !std::env::args().any(|word| word == "--bench") {
        return;
    }
    rustls::crypto::ring::default_provider()
        .install_default()
        .ok();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    for files in SIZES {
        let dir = tempfile::tempdir().unwrap();
        fill(dir.path(), files);
        let served = Served::start(&served::binary(), dir.path());
        runtime.block_on(measure_opening(&served, files));
        runtime.block_on(measure_searches(&served, files));
        if files > LIMIT {
            runtime.block_on(measure(&served, files));
        }
    }
}

async fn measure(served: &Served, files: i64) {
    let http = reqwest::Client::new();
    let page = async |query: String| {
        let url = format!(
            "{}/files/v3/files/search?parentFolderIds=1&limit={LIMIT}&{query}",
            served.base_url
        );
        p50(&http, &url).await
    };
    let late = LATE_OFFSET.min(files - LIMIT);
    for order in ORDERS {
        for direction in ["", "-"] {
            let first = page(format!("sort={direction}{order}")).await;
            let last = page(format!("sort={direction}{order}&after={late}")).await;
            println!(
                "{files} files, sort={direction}{order}: p50 {first:.2?} at the start, {last:.2?} at {late}"
            );
        }
    }
    let first = page("sort=id&idGte=101".to_owned()).await;
    let last = page(format!("sort=id&idGte={}", 100 + files - LIMIT)).await;
    println!(
        "{files} files, sort=id&idGte=: p50 {first:.2?} from the first, {last:.2?} from the last hundred on"
    );
}

/// First pages over the whole account, as the screen requests them.
const SEARCHES: [&str; 6] = [
    "name=00042&sort=name",
    "name=nowhere&sort=name",
    "allowsAnonymousAccess=false&sort=name",
    "type=AUDIO&sort=name",
    "sizeGte=1&sort=-size",
    "updatedAtGte=2000-01-01&sort=-updatedAt",
];

async fn measure_searches(served: &Served, files: i64) {
    let http = reqwest::Client::new();
    for search in SEARCHES {
        let url = format!(
            "{}/files/v3/files/search?limit={LIMIT}&{search}",
            served.base_url
        );
        println!(
            "{files} files, {search}: p50 {:.2?}",
            p50(&http, &url).await
        );
    }
}

/// Opens the folder through the engine as the screen does, and reads all of it.
async fn measure_opening(served: &Served, files: i64) {
    let client = client(served);
    let journal = Journal::in_memory("bench").await.unwrap();
    let (caller, at_once) = (QueueMode::Screen, AtOnce::default());
    let setup = EngineSetup {
        client: client.clone(),
        journal,
        caller,
        at_once,
        read_only: false,
        sources: SourceAccounts::default(),
        leaves_tasks: false,
        drawer: None,
    };
    let (handle, mut events) = engine::spawn(setup);
    let place = FolderRef {
        id: Some(FolderId::new("1")),
        path: "/large".to_owned(),
    };
    let mut number = 0;
    let mut ask = async |request: Request| {
        number += 1;
        let (op, begun) = (
            OpId {
                session: SessionId::FIRST,
                number,
            },
            Instant::now(),
        );
        handle.submit(op, request).unwrap();
        while !matches!(events.recv().await.unwrap(), Event::Done { op: of, .. } if of == op) {}
        begun.elapsed()
    };
    let (mut first, mut whole, mut drained) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..FIRST_ROUNDS {
        first.push(
            ask(Request::List(List {
                of: place.clone().into(),
                sort: Sort::default(),
                after: None,
            }))
            .await,
        );
    }
    for _ in 0..ROUNDS {
        whole.push(
            ask(Request::ListAll(ListAll {
                of: place.clone().into(),
            }))
            .await,
        );
        let begun = Instant::now();
        drain(&client).await;
        drained.push(begun.elapsed());
    }
    let [first, whole, drained] = [first, whole, drained].map(median);
    let ratio = whole.as_secs_f64() / drained.as_secs_f64();
    println!(
        "{files} files: first names {first:.2?}; whole {whole:.2?}, a bare drain {drained:.2?}: {ratio:.2} times"
    );
    handle.shutdown().await;
}

fn client(served: &Served) -> Client {
    Client::new(Endpoint::new(
        served.base_url.parse().unwrap(),
        SecretString::from(TOKEN),
    ))
    .unwrap()
}

/// Reads all pages of the folder in order of id, four offsets at once, and drops them.
async fn drain(client: &Client) {
    let mut from = Some("1".to_owned());
    while let Some(id) = from.take() {
        let page = async |offset: u32| {
            let mut search = FileSearch::default();
            search.filter.parents = vec![FolderId::new("1")];
            search.filter.id_from = Some(id.clone());
            search.filter.sort = vec![SortBy::ID];
            search.filter.after = (offset > 0).then_some(offset);
            client.files().search(&search).await.unwrap()
        };
        let offsets = (0..LAST_OFFSET).step_by(PAGE as usize);
        let mut pages = futures::stream::iter(offsets).map(page).buffered(4);
        while let Some(page) = pages.next().await {
            from = page
                .results
                .last()
                .map(|file| (file.id.as_str().parse::<u64>().unwrap() + 1).to_string());
            if page.next_after().is_none() && page.results.len() < PAGE as usize {
                return;
            }
        }
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// The median duration of up to fifty requests, one after another, for half a second.
async fn p50(http: &reqwest::Client, url: &str) -> Duration {
    let start = Instant::now();
    let mut times = Vec::new();
    while times.len() < 5 || (times.len() < 50 && start.elapsed() < Duration::from_millis(500)) {
        let begun = Instant::now();
        let answer = http.get(url).bearer_auth(TOKEN).send().await.unwrap();
        assert_eq!(answer.status(), 200);
        answer.bytes().await.unwrap();
        times.push(begun.elapsed());
    }
    median(times)
}
