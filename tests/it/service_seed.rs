//! The initial content of a new store.

use std::collections::{BTreeMap, BTreeSet};

use filedeck::service::clock::Clock;
use filedeck::service::{self, ServiceOptions};
use jiff::Timestamp;
use serde_json::Value;

use crate::support::disk::files_below;
use crate::support::service::{START, TestService, listener};

async fn all(service: &TestService, what: &str) -> Vec<Value> {
    let mut all: Vec<Value> = Vec::new();
    loop {
        let page = format!(
            "/files/v3/{what}/search?limit=100&after={}&sort=id",
            all.len()
        );
        let page = service.get(&page).await.expect(200).json();
        all.extend(page["results"].as_array().unwrap().clone());
        if page["paging"].is_null() {
            return all;
        }
    }
}

#[tokio::test]
async fn the_sample_library_shows_every_kind_of_thing() {
    let service = TestService::configured(|options| options.sample = true).await;
    let files = all(&service, "files").await;
    let folders = all(&service, "folders").await;
    for access in [
        "PUBLIC_INDEXABLE",
        "PUBLIC_NOT_INDEXABLE",
        "PRIVATE",
        "SENSITIVE",
    ] {
        assert!(
            files.iter().any(|file| file["access"] == access),
            "{access}"
        );
    }
    // Hidden files can only be read by their id: here, the one that no listing has.
    let id = |entry: &Value| entry["id"].as_str().unwrap().parse::<u64>().unwrap();
    let listed: BTreeSet<u64> = files.iter().chain(&folders).map(id).collect();
    let unlisted = (*listed.first().unwrap()..*listed.last().unwrap())
        .find(|id| !listed.contains(id))
        .unwrap();
    let hidden = service
        .get(&format!("/files/v3/files/{unlisted}"))
        .await
        .expect(200)
        .json();
    assert_eq!(hidden["access"], "HIDDEN_NOT_INDEXABLE");
    let extensions = [
        "png", "jpg", "gif", "webp", "svg", "ico", "pdf", "docx", "xlsx", "zip", "mp4", "wav",
        "md", "csv", "tsv", "css", "ts", "html", "py", "rs", "sql", "yaml", "toml", "sh", "log",
        "json", "txt",
    ];
    for extension in extensions {
        assert!(
            files.iter().any(|file| file["extension"] == extension),
            "{extension}"
        );
    }
    let images: Vec<_> = files
        .iter()
        .filter(|file| file["type"] == "IMG" && file["extension"] != "svg")
        .collect();
    assert!(
        images
            .iter()
            .all(|file| file["width"].as_u64() > Some(0) && file["height"].as_u64() > Some(0))
    );
    let now = START.parse::<Timestamp>().unwrap();
    let days_left =
        |file: &Value| Some((file["expiresAt"].as_i64()? - now.as_millisecond()) / 86_400_000);
    for some in [
        |days| days < Some(7),
        |days| days > Some(20),
        |days: Option<i64>| days.is_none(),
    ] {
        assert!(files.iter().map(days_left).any(some));
    }
    let depth = |folder: &Value| folder["path"].as_str().unwrap().matches('/').count();
    assert_eq!(folders.iter().map(depth).max(), Some(7));
    assert!(
        files
            .iter()
            .any(|file| !file["path"].as_str().unwrap().is_ascii())
    );
    let empty = service
        .get("/files/v3/folders/%2Farchive%2F2024")
        .await
        .expect(200)
        .json();
    assert!(
        files
            .iter()
            .all(|file| file["parentFolderId"] != empty["id"])
    );
}

#[tokio::test]
async fn the_sample_library_has_a_long_folder_a_past_and_files_of_the_same_content() {
    let service = TestService::configured(|options| options.sample = true).await;
    let (files, folders) = (all(&service, "files").await, all(&service, "folders").await);
    let is_receipt = |file: &&Value| {
        file["path"]
            .as_str()
            .unwrap()
            .starts_with("/archive/2025/receipts/")
    };
    assert_eq!(files.iter().filter(is_receipt).count(), 168);
    assert!(
        files
            .iter()
            .any(|file| file["name"].as_str().unwrap().chars().count() > 100)
    );
    let now = START.parse::<Timestamp>().unwrap();
    let came: BTreeSet<Timestamp> = files
        .iter()
        .map(|file| file["createdAt"].as_str().unwrap().parse().unwrap())
        .collect();
    assert!(came.len() > 30 && came.last() <= Some(&now));
    for file in &files {
        let above = folders
            .iter()
            .find(|folder| folder["id"] == file["parentFolderId"]);
        assert!(
            above.is_none_or(|folder| folder["createdAt"].as_str() <= file["createdAt"].as_str()),
            "{file}"
        );
    }
    let mut paths: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for file in &files {
        paths
            .entry(file["fileMd5"].as_str().unwrap())
            .or_default()
            .push(file["path"].as_str().unwrap());
    }
    let twins: Vec<_> = paths.values().filter(|paths| paths.len() > 1).collect();
    assert!((4..20).contains(&twins.len()), "{twins:?}");
}

#[tokio::test]
async fn the_sample_is_put_in_once_and_what_was_deleted_stays_deleted() {
    let service = TestService::configured(|options| options.sample = true).await;
    let before = all(&service, "files").await;
    let id = before[0]["id"].as_str().unwrap();
    service
        .delete(&format!("/files/v3/files/{id}"))
        .await
        .expect(204);
    let (dir, clock) = service.stop().await;
    let service = TestService::start_with(dir, clock, |options| options.sample = true).await;
    assert_eq!(all(&service, "files").await.len(), before.len() - 1);
}

#[tokio::test]
async fn a_fill_that_was_cut_short_is_carried_on() {
    let dir = tempfile::tempdir().unwrap();
    let clock = Clock::manual(START.parse().unwrap());
    let mut options = ServiceOptions::new(dir.path().join("data"));
    options.clock = clock.clone();
    options.sample = true;
    let blobs = dir.path().join("data/blobs");
    // A runtime of its own waits at its end for disk operations in progress, as the end of a
    // process does.
    let cut_short = move || {
        tokio::runtime::Runtime::new().unwrap().block_on(async {
            let start = service::serve(listener().await, options);
            tokio::pin!(start);
            while !blobs.is_dir() || files_below(&blobs).len() < 5 {
                tokio::select! {
                    biased;
                    _ = &mut start => panic!("the start was to be cut short"),
                    () = tokio::task::yield_now() => {}
                }
            }
        });
    };
    std::thread::spawn(cut_short).join().unwrap();
    let service = TestService::start_with(dir, clock, |options| options.sample = true).await;
    let files = all(&service, "files").await;
    let whole = all(
        &TestService::configured(|options| options.sample = true).await,
        "files",
    )
    .await;
    let paths = |files: &[Value]| {
        files
            .iter()
            .map(|file| file["path"].as_str().unwrap().to_owned())
            .collect::<BTreeSet<_>>()
    };
    assert_eq!((files.len(), paths(&files)), (whole.len(), paths(&whole)));
}

#[tokio::test]
async fn without_it_a_new_store_is_empty() {
    let dir = tempfile::tempdir().unwrap();
    let service = TestService::start_in(dir, Clock::manual(START.parse().unwrap())).await;
    assert!(all(&service, "files").await.is_empty());
}
