//! What a new store begins with.

use filedeck::service::clock::Clock;
use serde_json::{Value, json};

use crate::support::service::{START, TestService};

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
    let service = TestService::start().await;
    // As far as an interrupted start may have come.
    service.upload("/", "Welcome.txt", b"w", json!({"access": "PRIVATE"})).await.expect(201);
    service.upload("/brand", "logo.png", b"l", json!({"access": "PRIVATE"})).await.expect(201);
    let (dir, clock) = service.stop().await;
    let service = TestService::start_with(dir, clock, |options| options.sample = true).await;
    let files = all(&service, "files").await;
    let names: Vec<_> = files.iter().map(|file| file["path"].as_str().unwrap()).collect();
    assert!(names.len() >= 15 && names.iter().all(|name| !name.ends_with("-1.txt") && !name.ends_with("-1.png")));
}

#[tokio::test]
async fn without_it_a_new_store_is_empty() {
    let dir = tempfile::tempdir().unwrap();
    let service = TestService::start_in(dir, Clock::manual(START.parse().unwrap())).await;
    assert!(all(&service, "files").await.is_empty());
}
