//! Single files over raw HTTP: update, replacement, deletion, and lookup by path.

use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::service::{Answer, TestService, answer, form};

async fn stored(service: &TestService) -> String {
    service
        .upload(
            "/docs",
            "a.txt",
            b"one",
            json!({ "access": "PUBLIC_INDEXABLE" }),
        )
        .await
        .expect(201)
        .id()
}

async fn replace(service: &TestService, id: &str, form: reqwest::multipart::Form) -> Answer {
    answer(
        service
            .request(Method::PUT, &format!("/files/v3/files/{id}"))
            .multipart(form),
    )
    .await
}

// Seen to fail when a file's path is read as a folder's.
#[tokio::test]
async fn a_file_in_the_deepest_folder_is_reached_by_its_path() {
    let service = TestService::start().await;
    let folder = "/x".repeat(64);
    let options = json!({ "access": "PUBLIC_INDEXABLE" });
    let file = service
        .upload(&folder, "a.txt", b"deep", options)
        .await
        .expect(201)
        .json();
    let path = format!("{folder}/a.txt");
    let found = service
        .get(&format!("/files/v3/files/stat{path}"))
        .await
        .expect(200)
        .json();
    assert_eq!(found["file"]["id"], file["id"]);
    let page = service
        .get(&format!("/files/v3/files/search?path={path}"))
        .await
        .expect(200)
        .json();
    assert_eq!(page["results"][0]["id"], file["id"]);
    assert_eq!(
        service
            .fetch(file["url"].as_str().unwrap())
            .await
            .expect(200)
            .body,
        b"deep"
    );
    service
        .get(&format!("/files/v3/files/stat{path}/y/z"))
        .await
        .expect(400);
}

#[tokio::test]
async fn an_update_changes_what_it_names_and_leaves_the_rest() {
    let service = TestService::start().await;
    let id = stored(&service).await;
    let path = format!("/files/v3/files/{id}");
    service.clock.advance(jiff::SignedDuration::from_secs(60));
    let update = json!({ "name": "b.c", "access": "PRIVATE", "isUsableInContent": false, "expiresAt": "2026-12-24T00:00:00Z" });
    let file = service.patch(&path, update).await.expect(200).json();
    assert_eq!(file["path"], "/docs/b.c.txt");
    assert_eq!(
        (&file["access"], &file["isUsableInContent"]),
        (&json!("PRIVATE"), &json!(false))
    );
    assert_eq!(file["expiresAt"], json!(1_798_070_400_000_i64));
    assert_eq!(file["createdAt"], "2026-11-21T08:30:00.000Z");
    assert_eq!(file["updatedAt"], "2026-11-21T08:31:00.000Z");

    let file = service
        .patch(&path, json!({ "clearExpires": true, "parentFolderId": 0 }))
        .await
        .expect(200)
        .json();
    assert_eq!(file["path"], "/b.c.txt");
    assert!(file.get("expiresAt").is_none() && file.get("parentFolderId").is_none());
    assert_eq!(file["access"], "PRIVATE");
}

#[rstest]
#[case::hidden(json!({ "access": "HIDDEN_INDEXABLE" }), 400, "hidden")]
#[case::unknown_level(json!({ "access": "SENSITIVE" }), 400, "access")]
#[case::both_folders(json!({ "parentFolderId": 1, "parentFolderPath": "/" }), 400, "together")]
#[case::missing_folder(json!({ "parentFolderPath": "/nowhere" }), 404, "/nowhere")]
#[case::name_taken(json!({ "name": "taken" }), 409, "/docs/taken.txt")]
#[case::name_climbing(json!({ "name": "../a" }), 400, "'/'")]
#[case::name_empty(json!({ "name": "" }), 400, "empty")]
#[case::unreadable_time(json!({ "expiresAt": "later" }), 400, "expiresAt")]
#[case::past(json!({ "expiresAt": 1 }), 400, "future")]
#[case::set_and_cleared(json!({ "expiresAt": "2026-12-24T00:00:00Z", "clearExpires": true }), 400, "together")]
#[tokio::test]
async fn a_bad_update_changes_nothing(
    #[case] update: Value,
    #[case] status: u16,
    #[case] message: &str,
) {
    let service = TestService::start().await;
    let id = stored(&service).await;
    service
        .upload("/docs", "taken.txt", b"two", json!({ "access": "PRIVATE" }))
        .await
        .expect(201);
    let path = format!("/files/v3/files/{id}");
    let before = service.get(&path).await.expect(200).json();
    let refusal = service.patch(&path, update).await.expect(status).json();
    assert!(
        refusal["message"].as_str().unwrap().contains(message),
        "{refusal}"
    );
    assert_eq!(service.get(&path).await.expect(200).json(), before);
}

#[tokio::test]
async fn a_replacement_keeps_id_and_address_and_removes_the_old_bytes_from_sight() {
    let service = TestService::start().await;
    let id = stored(&service).await;
    let before = service.get(&format!("/files/v3/files/{id}")).await.json();
    service.clock.advance(jiff::SignedDuration::from_secs(1));
    let form = form("other.txt", b"second").text(
        "options",
        json!({ "access": "PUBLIC_INDEXABLE" }).to_string(),
    );
    let after = replace(&service, &id, form).await.expect(200).json();
    for field in ["id", "url", "path", "createdAt", "name"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    assert_eq!(
        (&after["size"], &after["updatedAt"]),
        (&json!(6), &json!("2026-11-21T08:30:01.000Z"))
    );
    assert_ne!(after["fileMd5"], before["fileMd5"]);
    assert_eq!(
        service
            .fetch(after["url"].as_str().unwrap())
            .await
            .expect(200)
            .body,
        b"second"
    );
}

#[rstest]
#[case::no_options("a.txt", None, "options parameter is required")]
#[case::no_access("a.txt", Some("{}"), "access is required")]
#[case::another_kind("a.png", Some(r#"{"access":"PRIVATE"}"#), "txt")]
#[tokio::test]
async fn a_bad_replacement_is_refused(
    #[case] name: &str,
    #[case] options: Option<&str>,
    #[case] message: &str,
) {
    let service = TestService::start().await;
    let id = stored(&service).await;
    let mut form = form(name, b"second");
    if let Some(options) = options {
        form = form.text("options", options.to_owned());
    }
    let refusal = replace(&service, &id, form).await.expect(400).json();
    assert!(
        refusal["message"].as_str().unwrap().contains(message),
        "{refusal}"
    );
    let bytes = service
        .get(&format!("/files/v3/files/{id}/download"))
        .await
        .expect(200);
    assert_eq!(bytes.body, b"one");
}

#[tokio::test]
async fn a_deleted_file_is_nowhere_and_can_still_be_erased() {
    let service = TestService::start().await;
    let id = stored(&service).await;
    let path = format!("/files/v3/files/{id}");
    let signed = service
        .get(&format!("{path}/signed-url"))
        .await
        .expect(200)
        .json();
    let signed = signed["url"].as_str().unwrap();
    service.fetch(signed).await.expect(200);

    let deleted = service.delete(&path).await.expect(204);
    assert_eq!(
        (deleted.body.len(), deleted.header("content-type")),
        (0, None)
    );
    service.get(&path).await.expect(404);
    service.get(&format!("{path}/signed-url")).await.expect(404);
    service.get(&format!("{path}/download")).await.expect(404);
    service
        .get("/files/v3/files/stat/docs/a.txt")
        .await
        .expect(404);
    service
        .fetch(&service.url("/hubfs/docs/a.txt"))
        .await
        .expect(404);
    service.fetch(signed).await.expect(404);
    service.delete(&path).await.expect(404);
    service
        .patch(&path, json!({ "name": "back" }))
        .await
        .expect(404);
    assert_eq!(
        service
            .get("/files/v3/files/search")
            .await
            .expect(200)
            .json(),
        json!({ "results": [] })
    );

    service
        .delete(&format!("{path}/gdpr-delete"))
        .await
        .expect(204);
    // The name is free again.
    assert_ne!(stored(&service).await, id);
}

#[tokio::test]
async fn a_permanent_deletion_takes_effect_at_once() {
    let service = TestService::start().await;
    let id = stored(&service).await;
    assert_eq!(
        service
            .delete(&format!("/files/v3/files/{id}/gdpr-delete"))
            .await
            .expect(204)
            .body,
        b""
    );
    service
        .get(&format!("/files/v3/files/{id}"))
        .await
        .expect(404);
    service
        .fetch(&service.url("/hubfs/docs/a.txt"))
        .await
        .expect(404);
    service
        .delete("/files/v3/files/999/gdpr-delete")
        .await
        .expect(404);
}

#[rstest]
#[case::raw("/files/v3/files/stat/docs/a.txt")]
#[case::encoded_whole("/files/v3/files/stat/%2Fdocs%2Fa.txt")]
#[case::doubled_slash("/files/v3/files/stat//docs/a.txt")]
#[tokio::test]
async fn stat_finds_a_file_however_the_path_is_written(#[case] path: &str) {
    let service = TestService::start().await;
    let id = stored(&service).await;
    assert_eq!(
        service.get(path).await.expect(200).json()["file"]["id"],
        json!(id)
    );
}

#[tokio::test]
async fn stat_finds_folders_and_words_a_miss_without_a_category() {
    let service = TestService::start().await;
    stored(&service).await;
    let folder = service
        .get("/files/v3/files/stat/docs")
        .await
        .expect(200)
        .json();
    assert_eq!(folder["folder"]["path"], "/docs");
    let miss = service
        .get("/files/v3/files/stat/nothing/here")
        .await
        .expect(404)
        .json();
    assert_eq!(miss["message"], "No file or folder exists at path");
    assert!(miss.get("category").is_none(), "{miss}");
}

#[rstest]
#[case::zero("0", "id must be > 0", Some("VALIDATION_ERROR"))]
#[case::negative("-4", "id must be > 0", Some("VALIDATION_ERROR"))]
#[case::words("logo", "Unable to parse value for path parameter: fileId", None)]
#[tokio::test]
async fn ids_that_are_none_answer_400(
    #[case] id: &str,
    #[case] message: &str,
    #[case] category: Option<&str>,
) {
    let service = TestService::start().await;
    let refusal = service
        .get(&format!("/files/v3/files/{id}"))
        .await
        .expect(400)
        .json();
    assert_eq!(
        (refusal["message"].as_str(), refusal["category"].as_str()),
        (Some(message), category)
    );
}
