//! Imports over raw HTTP: the request, the task's status, the stored file, and forbidden URLs.

use std::collections::HashMap;

use filedeck::service::network::Network;
use jiff::SignedDuration;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::disk::files_below;
use crate::support::pictures::PNG_HEAD;
use crate::support::service::TestService;
use crate::support::web::Web;

const START_IMPORT: &str = "/files/v3/files/import-from-url/async";

async fn service() -> TestService {
    TestService::configured(|options| options.import_allow = Network::loopback().to_vec()).await
}

fn status_path(accepted: &Value) -> String {
    format!(
        "{START_IMPORT}/tasks/{}/status",
        accepted["id"].as_str().unwrap()
    )
}

/// Starts an import and advances the clock so that it runs.
async fn import(service: &TestService, body: Value) -> String {
    let accepted = service.post(START_IMPORT, body).await.expect(202).json();
    service.clock.advance(SignedDuration::from_secs(1));
    status_path(&accepted)
}

#[tokio::test]
async fn an_import_goes_from_pending_over_processing_to_complete() {
    let service = service().await;
    let web = Web::serving(&[("/deep/logo.png", PNG_HEAD)]).await;
    web.hold();
    let body = json!({
        "url": web.url("/deep/logo.png"), "access": "PRIVATE", "name": "our logo", "folderPath": "/brand/new",
        "ttl": "P1D"
    });
    let accepted = service.post(START_IMPORT, body).await.expect(202).json();
    let path = status_path(&accepted);
    assert_eq!(accepted["links"]["status"], service.url(&path));
    let pending = service.get(&path).await.expect(200).json();
    assert_eq!(
        pending,
        json!({"taskId": accepted["id"], "status": "PENDING", "requestedAt": "2026-11-21T08:30:00.000Z",
               "startedAt": "2026-11-21T08:30:00.000Z", "completedAt": "2026-11-21T08:30:00.000Z",
               "numErrors": 0, "errors": []}),
        "times that have not come are there all the same, and never lie ahead"
    );
    assert_eq!(
        web.connections(),
        0,
        "a pending import has not asked the address"
    );
    service.get("/files/v3/folders/%2Fbrand").await.expect(404);

    service.clock.advance(SignedDuration::from_secs(1));
    let processing = service.task_until(&path, "PROCESSING").await;
    assert_eq!(processing["startedAt"], "2026-11-21T08:30:01.000Z");
    assert_eq!(processing["completedAt"], "2026-11-21T08:30:01.000Z");

    web.release();
    let complete = service.task_until(&path, "COMPLETE").await;
    assert_eq!(complete["numErrors"], 0);
    let file = &complete["result"];
    assert_eq!(file["path"], "/brand/new/our logo.png");
    assert_eq!(
        (&file["width"], &file["height"], &file["type"]),
        (&json!(3), &json!(2), &json!("IMG"))
    );
    assert_eq!(file["access"], "PRIVATE");
    assert_eq!(
        file["expiresAt"], 1_795_336_201_000_i64,
        "a day after the file was there"
    );
    let id = file["id"].as_str().unwrap();
    assert_eq!(
        service
            .get(&format!("/files/v3/files/{id}/download"))
            .await
            .expect(200)
            .body,
        PNG_HEAD
    );
}

#[tokio::test]
async fn an_import_of_one_dated_version_is_followed_in_another() {
    let service = service().await;
    let web = Web::serving(&[("/a.txt", b"hello")]).await;
    let body = json!({"url": web.url("/a.txt"), "access": "PUBLIC_INDEXABLE", "folderPath": "/", "overwrite": false,
                      "duplicateValidationScope": "ENTIRE_PORTAL", "duplicateValidationStrategy": "NONE"});
    let accepted = service
        .post("/files/2026-03/files/import-from-url/async", body)
        .await
        .expect(202)
        .json();
    service.clock.advance(SignedDuration::from_secs(1));
    let path = format!(
        "/files/2026-09/files/import-from-url/async/tasks/{}/status",
        accepted["id"].as_str().unwrap()
    );
    assert_eq!(
        service.task_until(&path, "COMPLETE").await["result"]["path"],
        "/a.txt"
    );
}

#[rstest]
#[case::no_url(json!({"access": "PRIVATE", "folderPath": "/"}), "url")]
#[case::no_access(json!({"url": "http://example.com/a", "folderPath": "/"}), "access")]
#[case::hidden(json!({"url": "http://example.com/a", "access": "HIDDEN_PRIVATE", "folderPath": "/"}), "hidden")]
#[case::unknown_access(json!({"url": "http://example.com/a", "access": "PUBLIC", "folderPath": "/"}), "access")]
#[case::no_folder(json!({"url": "http://example.com/a", "access": "PRIVATE"}), "folderId and folderPath")]
#[case::both_folders(
    json!({"url": "http://example.com/a", "access": "PRIVATE", "folderPath": "/", "folderId": "1"}), "together"
)]
#[case::short_ttl(json!({"url": "http://example.com/a", "access": "PRIVATE", "folderPath": "/", "ttl": "PT1H"}), "ttl")]
#[case::long_ttl(json!({"url": "http://example.com/a", "access": "PRIVATE", "folderPath": "/", "ttl": "P2Y"}), "ttl")]
#[case::past(
    json!({"url": "http://example.com/a", "access": "PRIVATE", "folderPath": "/", "expiresAt": "2020-01-01T00:00:00Z"}),
    "future"
)]
#[case::no_time(
    json!({"url": "http://example.com/a", "access": "PRIVATE", "folderPath": "/", "expiresAt": "soon"}), "expiresAt"
)]
#[case::strategy(
    json!({"url": "http://example.com/a", "access": "PRIVATE", "folderPath": "/",
           "duplicateValidationStrategy": "SOMETIMES"}),
    "duplicateValidationStrategy"
)]
#[case::scope(
    json!({"url": "http://example.com/a", "access": "PRIVATE", "folderPath": "/",
           "duplicateValidationScope": "GALAXY"}),
    "duplicateValidationScope"
)]
#[case::climbing_name(
    json!({"url": "http://example.com/a", "access": "PRIVATE", "folderPath": "/", "name": "../a"}), "name"
)]
#[case::escape_in_name(
    json!({"url": "http://example.com/a", "access": "PRIVATE", "folderPath": "/", "name": "a\u{1b}[2J"}), "name"
)]
#[case::file_url(json!({"url": "file:///etc/passwd", "access": "PRIVATE", "folderPath": "/"}), "http")]
#[case::credentials(json!({"url": "http://u:p@example.com/", "access": "PRIVATE", "folderPath": "/"}), "password")]
#[case::no_object(json!("http://example.com/a"), "JSON object")]
#[tokio::test]
async fn a_bad_request_is_refused_and_starts_nothing(#[case] body: Value, #[case] mention: &str) {
    let service = service().await;
    let problem = service.post(START_IMPORT, body).await.expect(400).json();
    assert_eq!(problem["category"], "VALIDATION_ERROR");
    assert!(problem["correlationId"].is_string());
    assert!(
        problem["message"].as_str().unwrap().contains(mention),
        "{problem}"
    );
}

#[tokio::test]
async fn a_folder_that_is_not_there_is_refused_at_once() {
    let service = service().await;
    let body = json!({"url": "http://example.com/a", "access": "PRIVATE", "folderId": 4711});
    let problem = service.post(START_IMPORT, body).await.expect(404).json();
    assert_eq!(problem["category"], "OBJECT_NOT_FOUND");
}

#[tokio::test]
async fn a_task_id_that_is_none_cannot_be_decoded() {
    let service = service().await;
    let problem = service
        .get(&format!("{START_IMPORT}/tasks/not%2Fan%20id/status"))
        .await
        .expect(400)
        .json();
    assert_eq!(problem["message"], "Provided ID could not be decoded.");
    assert_eq!(problem["context"]["id"], json!(["not/an id"]));
    service
        .get(&format!(
            "{START_IMPORT}/tasks/AAAAAAAAAAAAAAAAAAAAAA/status"
        ))
        .await
        .expect(404);
}

// Seen to fail when IP address literals are not checked.
#[tokio::test]
async fn addresses_inside_are_never_asked_and_all_failures_sound_the_same() {
    let service = TestService::start().await;
    let web = Web::serving(&[("/secret.txt", b"secret")]).await;
    let port = web
        .url("/")
        .rsplit(':')
        .next()
        .unwrap()
        .trim_end_matches('/')
        .to_owned();
    let mut messages = Vec::new();
    for host in [
        "127.0.0.1",
        "localhost",
        "[::ffff:127.0.0.1]",
        "2130706433",
        "0x7f.1",
        "0.0.0.0",
        "no-such.invalid",
    ] {
        let url = format!("http://{host}:{port}/secret.txt");
        let path = import(
            &service,
            json!({"url": url, "access": "PRIVATE", "folderPath": "/"}),
        )
        .await;
        let canceled = service.task_until(&path, "CANCELED").await;
        assert_eq!(canceled["numErrors"], 1);
        assert_eq!(canceled["result"], Value::Null);
        let error = &canceled["errors"][0];
        for member in [
            "status", "category", "message", "context", "links", "errors",
        ] {
            assert!(!error[member].is_null(), "{member} in {error}");
        }
        messages.push(error["message"].as_str().unwrap().to_owned());
    }
    messages.dedup();
    assert_eq!(messages, ["The file could not be fetched from the url."]);
    assert_eq!(web.connections(), 0);
}

#[tokio::test]
async fn a_broken_transfer_is_canceled_and_leaves_nothing() {
    let service = service().await;
    let cut = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf".to_vec();
    let web = Web::answering(HashMap::from([("/cut.bin".to_owned(), cut)])).await;
    for path in ["/cut.bin", "/missing.bin"] {
        let path = import(
            &service,
            json!({"url": web.url(path), "access": "PRIVATE", "folderPath": "/new"}),
        )
        .await;
        service.task_until(&path, "CANCELED").await;
    }
    service.get("/files/v3/folders/%2Fnew").await.expect(404);
    let blobs = files_below(&service.dir.path().join("data/blobs"));
    assert_eq!(blobs, Vec::<std::path::PathBuf>::new());
}

#[tokio::test]
async fn a_duplicate_is_returned_or_refused_as_the_request_says() {
    let service = service().await;
    let web = Web::serving(&[("/same.txt", b"same")]).await;
    let old = service
        .upload("/", "old.txt", b"same", json!({"access": "PRIVATE"}))
        .await
        .expect(201)
        .id();
    let body = |strategy| {
        json!({"url": web.url("/same.txt"), "access": "PRIVATE", "folderPath": "/made",
               "duplicateValidationScope": "ENTIRE_PORTAL", "duplicateValidationStrategy": strategy})
    };
    let path = import(&service, body("RETURN_EXISTING")).await;
    assert_eq!(
        service.task_until(&path, "COMPLETE").await["result"]["id"],
        old.as_str()
    );
    service.get("/files/v3/folders/%2Fmade").await.expect(404);
    let path = import(&service, body("REJECT")).await;
    let canceled = service.task_until(&path, "CANCELED").await;
    assert_eq!(canceled["errors"][0]["category"], "OBJECT_ALREADY_EXISTS");
}

#[tokio::test]
async fn an_import_that_a_stop_cut_short_is_done_after_the_next_start_and_once() {
    let service = service().await;
    let web = Web::serving(&[("/late.txt", b"late")]).await;
    web.hold();
    let path = import(
        &service,
        json!({"url": web.url("/late.txt"), "access": "PRIVATE", "folderPath": "/"}),
    )
    .await;
    service.task_until(&path, "PROCESSING").await;
    let (dir, clock) = service.stop().await;
    web.release();
    let service = TestService::start_with(dir, clock, |options| {
        options.import_allow = Network::loopback().to_vec();
    })
    .await;
    service.task_until(&path, "COMPLETE").await;
    let (dir, clock) = service.stop().await;
    let service = TestService::start_in(dir, clock).await;
    let listed = service
        .get("/files/v3/files/search")
        .await
        .expect(200)
        .json();
    assert_eq!(listed["results"].as_array().unwrap().len(), 1);
    assert_eq!(listed["results"][0]["path"], "/late.txt");
}

#[tokio::test]
async fn more_imports_than_run_at_once_are_all_done() {
    let service = service().await;
    let web = Web::serving(&[("/n.txt", b"n")]).await;
    web.hold();
    let mut paths = Vec::new();
    for _ in 0..9 {
        let body = json!({"url": web.url("/n.txt"), "access": "PRIVATE", "folderPath": "/"});
        let accepted = service.post(START_IMPORT, body).await.expect(202).json();
        paths.push(status_path(&accepted));
    }
    service.clock.advance(SignedDuration::from_secs(1));
    service.task_until(&paths[3], "PROCESSING").await;
    assert_eq!(service.get(&paths[4]).await.json()["status"], "PENDING");
    web.release();
    for path in &paths {
        service.task_until(path, "COMPLETE").await;
    }
    assert_eq!(web.connections(), 9, "each is fetched once");
    let listed = service.get("/files/v3/files/search").await.json();
    assert_eq!(listed["results"].as_array().unwrap().len(), 9);
}
