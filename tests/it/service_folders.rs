//! Folders over raw HTTP: create, read, rename, move, delete.

use serde_json::json;

use crate::support::service::TestService;

#[tokio::test]
async fn a_folder_can_be_created_read_renamed_and_deleted_with_what_is_in_it() {
    let service = TestService::start().await;
    let parent = service.post("/files/v3/folders", json!({ "name": "a" })).await.expect(201);
    assert_eq!(parent.header("content-type"), Some("application/json"));
    let parent = parent.id();
    let child = service.post("/files/v3/folders", json!({ "name": "b c", "parentFolderId": parent })).await;
    let child = child.expect(201).json();
    assert_eq!(child["path"], "/a/b c");
    service.upload("/a/b c", "deep.txt", b"x", json!({ "access": "PRIVATE" })).await.expect(201);

    let renamed = service.patch(&format!("/files/v3/folders/{parent}"), json!({ "name": "z" })).await;
    assert_eq!(renamed.expect(200).json()["path"], "/z");
    let moved = service.get("/files/v3/files/stat/z/b%20c/deep.txt").await.expect(200).json();
    assert_eq!(moved["file"]["path"], "/z/b c/deep.txt");

    assert_eq!(service.delete("/files/v3/folders/%2Fz").await.expect(204).body, b"");
    service.get("/files/v3/files/stat/z/b%20c/deep.txt").await.expect(404);
}

#[tokio::test]
async fn what_was_stored_is_there_after_a_restart() {
    let service = TestService::start().await;
    let id = service.upload("/", "kept.txt", b"kept", json!({ "access": "PRIVATE" })).await.expect(201).id();
    let (dir, clock) = service.stop().await;
    let service = TestService::start_in(dir, clock).await;
    let bytes = service.get(&format!("/files/v3/files/{id}/download")).await.expect(200);
    assert_eq!(bytes.body, b"kept");
}
