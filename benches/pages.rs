//! What a page of a folder costs over HTTP, in a small folder and in a large one, for every order and direction, at the
//! start and as far into it as an offset goes: `cargo bench --bench pages`.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark that cannot go on should panic; it prints")]

#[path = "shared/served.rs"]
mod served;

use std::path::Path;
use std::time::{Duration, Instant};

use served::{Served, TOKEN};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};

const SIZES: [i64; 2] = [1_000, 100_000];
const LIMIT: i64 = 100;
const LAST_OFFSET: i64 = 9_900;
const ORDERS: [&str; 11] =
    ["id", "name", "extension", "type", "access", "size", "height", "width", "createdAt", "updatedAt", "expiresAt"];

fn main() {
    // `cargo test` passes over benchmarks unless it is told to run them; it must not take minutes then.
    if !std::env::args().any(|word| word == "--bench") {
        return;
    }
    rustls::crypto::ring::default_provider().install_default().ok();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for files in SIZES {
        let dir = tempfile::tempdir().unwrap();
        // The first start makes the database.
        drop(Served::start(dir.path()));
        runtime.block_on(fill(dir.path(), files));
        let served = Served::start(dir.path());
        runtime.block_on(measure(&served, files));
    }
}

/// Puts rows of files into one folder, with every order another one.
async fn fill(dir: &Path, files: i64) {
    let mut database = SqliteConnectOptions::new().filename(dir.join("filedeck.db")).connect().await.unwrap();
    sqlx::query(
        "INSERT INTO folders (id, name, name_folded, path, created_at, updated_at)
         VALUES (1, 'large', 'large', '/large', 0, 0)",
    )
    .execute(&mut database)
    .await
    .unwrap();
    sqlx::query(
        "WITH RECURSIVE
           numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $1),
           files_to_be (n, mixed) AS (SELECT n, n * 7919 % 1000003 FROM numbers)
         INSERT INTO files (id, folder_id, stem, stem_folded, extension, full_name, blob, size, md5, sha256, kind,
           media_type, width, height, access, usable, source_group, created_at, updated_at, expires_at)
         SELECT 100 + n, 1, 'file-' || mixed, 'file-' || mixed, 'e' || (n % 5), 'file-' || mixed || '.e' || (n % 5),
           hex(randomblob(16)), mixed, lower(hex(randomblob(16))), lower(hex(randomblob(32))),
           CASE n % 3 WHEN 0 THEN 'IMG' WHEN 1 THEN 'DOCUMENT' ELSE 'OTHER' END, 'application/octet-stream',
           CASE n % 3 WHEN 0 THEN mixed % 4000 END, CASE n % 3 WHEN 0 THEN mixed % 3000 END,
           CASE n % 2 WHEN 0 THEN 'PRIVATE' ELSE 'PUBLIC_INDEXABLE' END, 1, 'CONTENT',
           1700000000000 + n * 1000, 1700000000000 + mixed * 1000,
           CASE n % 10 WHEN 0 THEN 4000000000000 + mixed END
         FROM files_to_be",
    )
    .bind(files)
    .execute(&mut database)
    .await
    .unwrap();
    database.close().await.unwrap();
}

async fn measure(served: &Served, files: i64) {
    let http = reqwest::Client::new();
    let page = async |query: String| {
        let url = format!("{}/files/v3/files/search?parentFolderIds=1&limit={LIMIT}&{query}", served.base_url);
        p50(&http, &url).await
    };
    let late = LAST_OFFSET.min(files - LIMIT);
    for order in ORDERS {
        for direction in ["", "-"] {
            let first = page(format!("sort={direction}{order}")).await;
            let last = page(format!("sort={direction}{order}&after={late}")).await;
            println!("{files} files, sort={direction}{order}: p50 {first:.2?} at the start, {last:.2?} at {late}");
        }
    }
    let first = page("sort=id&idGte=101".to_owned()).await;
    let last = page(format!("sort=id&idGte={}", 100 + files - LIMIT)).await;
    println!("{files} files, sort=id&idGte=: p50 {first:.2?} from the first, {last:.2?} from the last hundred on");
}

/// The median of up to fifty answers, one after the other, for half a second.
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
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
