//! Uploads over raw HTTP: the form, the options, the answer.

use serde_json::json;

use crate::support::service::TestService;

#[tokio::test]
async fn an_upload_answers_201_with_the_file_and_its_details_can_be_read() {
    let service = TestService::start().await;
    let folder = service.post("/files/v3/folders", json!({ "name": "marketing" })).await.expect(201).id();
    let created = service.upload("/marketing", "logo.txt", b"hello", json!({ "access": "PUBLIC_INDEXABLE" })).await;
    let created = created.expect(201).json();
    assert_eq!(created["parentFolderId"], json!(folder));
    assert_eq!(created["name"], "logo");
    assert_eq!(created["extension"], "txt");
    assert_eq!(created["path"], "/marketing/logo.txt");
    assert_eq!(created["size"], 5);
    assert_eq!(created["fileMd5"], "5d41402abc4b2a76b9719d911017c592");
    assert_eq!(created["createdAt"], "2026-11-21T08:30:00.000Z");
    let id = created["id"].as_str().unwrap();
    let details = service.get(&format!("/files/v3/files/{id}")).await.expect(200).json();
    assert_eq!(details, created);
    let bytes = service.fetch(created["url"].as_str().unwrap()).await.expect(200);
    assert_eq!(bytes.body, b"hello");
}
