//! What a new store begins with.

use std::collections::BTreeSet;

use filedeck::service::clock::Clock;
use filedeck::service::{self, Options};
use serde_json::Value;

use crate::support::disk::files_below;
use crate::support::service::{START, TestService, listener};

async fn all(service: &TestService, what: &str) -> Vec<Value> {
    let page = service.get(&format!("/files/v3/{what}/search?limit=100")).await.expect(200).json();
    page["results"].as_array().unwrap().clone()
}

#[tokio::test]
async fn the_sample_library_shows_every_kind_of_thing() {
    let service = TestService::configured(|options| options.sample = true).await;
    let files = all(&service, "files").await;
    let folders = all(&service, "folders").await;
    assert!(files.len() >= 15, "{}", files.len());
    for access in ["PUBLIC_INDEXABLE", "PUBLIC_NOT_INDEXABLE", "PRIVATE"] {
        assert!(files.iter().any(|file| file["access"] == access), "{access}");
    }
    for extension in ["png", "jpg", "gif", "pdf", "md", "csv", "css", "json", "txt"] {
        assert!(files.iter().any(|file| file["extension"] == extension), "{extension}");
    }
    let images: Vec<_> = files.iter().filter(|file| file["type"] == "IMG").collect();
    assert!(images.iter().all(|file| file["width"].as_u64() > Some(0) && file["height"].as_u64() > Some(0)));
    assert!(files.iter().any(|file| file["expiresAt"].is_i64()));
    let depth = |folder: &Value| folder["path"].as_str().unwrap().matches('/').count();
    assert_eq!(folders.iter().map(depth).max(), Some(3));
    assert!(files.iter().any(|file| !file["path"].as_str().unwrap().is_ascii()));
    let empty = service.get("/files/v3/folders/%2Farchive%2F2024").await.expect(200).json();
    assert!(files.iter().all(|file| file["parentFolderId"] != empty["id"]));
}

#[tokio::test]
async fn the_sample_is_put_in_once_and_what_was_deleted_stays_deleted() {
    let service = TestService::configured(|options| options.sample = true).await;
    let before = all(&service, "files").await;
    let id = before[0]["id"].as_str().unwrap();
    service.delete(&format!("/files/v3/files/{id}")).await.expect(204);
    let (dir, clock) = service.stop().await;
    let service = TestService::start_with(dir, clock, |options| options.sample = true).await;
    assert_eq!(all(&service, "files").await.len(), before.len() - 1);
}

#[tokio::test]
async fn a_fill_that_was_cut_short_is_carried_on() {
    let dir = tempfile::tempdir().unwrap();
    let clock = Clock::manual(START.parse().unwrap());
    let mut options = Options::new(dir.path().join("data"));
    options.clock = clock.clone();
    options.sample = true;
    let blobs = dir.path().join("data/blobs");
    // A runtime of its own: its end waits for what has been begun on the disk, as that of a process does.
    let cut_short = move || {
        tokio::runtime::Runtime::new().unwrap().block_on(async {
            let start = service::start(listener().await, options);
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
    let whole = all(&TestService::configured(|options| options.sample = true).await, "files").await;
    let paths =
        |files: &[Value]| files.iter().map(|file| file["path"].as_str().unwrap().to_owned()).collect::<BTreeSet<_>>();
    assert_eq!((files.len(), paths(&files)), (whole.len(), paths(&whole)));
}

#[tokio::test]
async fn without_it_a_new_store_is_empty() {
    let dir = tempfile::tempdir().unwrap();
    let service = TestService::start_in(dir, Clock::manual(START.parse().unwrap())).await;
    assert!(all(&service, "files").await.is_empty());
}
