//! What goes for good: expired files, erased files, and the bytes that nobody names any more.

use std::path::Path;

use filedeck::service::fetch::AllowedNetwork;
use jiff::SignedDuration;
use serde_json::json;

use crate::support::service::TestService;
use crate::support::web::Web;

const DAY: SignedDuration = SignedDuration::from_hours(24);
const CONTENT: &[u8] = b"canary-content-5d1f";
const NAME: &str = "canary-name-77aa.txt";

/// Whether the bytes occur in any file of the data directory.
fn on_disk(service: &TestService, needle: &[u8]) -> bool {
    fn search(folder: &Path, needle: &[u8]) -> bool {
        std::fs::read_dir(folder).unwrap().any(|entry| {
            let path = entry.unwrap().path();
            if path.is_dir() {
                return search(&path, needle);
            }
            // Gone between the listing and the look is as good as not found.
            std::fs::read(&path).unwrap_or_default().windows(needle.len()).any(|window| window == needle)
        })
    }
    search(&service.dir.path().join("data"), needle)
}

/// Waits for what the jobs do on their own time.
async fn until(service: &TestService, done: impl Fn() -> bool) {
    service.get_until("/healthz", |_| done()).await;
}

/// Makes the jobs go through everything once: they erase a file of this call's own.
async fn full_round(service: &TestService) {
    let name = format!("round-{}.txt", service.clock.now().as_millisecond());
    let file = service.upload("/", &name, b"round", json!({"access": "PRIVATE"})).await.expect(201).id();
    service.delete(&format!("/files/v3/files/{file}/gdpr-delete")).await.expect(204);
    until(service, || !on_disk(service, name.as_bytes())).await;
}

#[tokio::test]
async fn a_file_is_there_until_its_last_millisecond_and_then_gone_for_good() {
    let service = TestService::start().await;
    let id = service.upload("/", NAME, CONTENT, json!({"access": "PRIVATE", "ttl": "P1D"})).await.expect(201).id();
    let path = format!("/files/v3/files/{id}");
    service.clock.advance(DAY - SignedDuration::from_millis(1));
    service.get(&path).await.expect(200);
    assert!(on_disk(&service, CONTENT));
    service.clock.advance(SignedDuration::from_millis(1));
    service.get(&path).await.expect(404);
    until(&service, || !on_disk(&service, NAME.as_bytes())).await;
    service.clock.advance(SignedDuration::from_secs(59));
    until(&service, || !on_disk(&service, CONTENT)).await;
    service.delete(&format!("{path}/gdpr-delete")).await.expect(404);
}

#[tokio::test]
async fn a_time_that_was_moved_is_kept() {
    let service = TestService::start().await;
    let id = service.upload("/", NAME, CONTENT, json!({"access": "PRIVATE", "ttl": "P1D"})).await.expect(201).id();
    let path = format!("/files/v3/files/{id}");
    service.patch(&path, json!({"clearExpires": true})).await.expect(200);
    service.clock.advance(DAY);
    let other = service.upload("/", "b.txt", b"b", json!({"access": "PRIVATE", "ttl": "P1D"})).await.expect(201).id();
    service.clock.advance(DAY);
    service.get_until(&format!("/files/v3/files/{other}"), |answer| answer.status == 404).await;
    service.get(&path).await.expect(200);
}

#[tokio::test]
async fn what_expired_while_the_service_was_down_goes_after_the_start() {
    let service = TestService::start().await;
    service.upload("/", NAME, CONTENT, json!({"access": "PRIVATE", "ttl": "P2D"})).await.expect(201);
    let kept = service.upload("/", "kept.txt", b"kept", json!({"access": "PRIVATE", "ttl": "P6M"})).await.expect(201);
    let (dir, clock) = service.stop().await;
    clock.advance(30 * DAY);
    let service = TestService::start_in(dir, clock).await;
    service.get("/files/v3/files/stat/canary-name-77aa.txt").await.expect(404);
    service.get(&format!("/files/v3/files/{}", kept.id())).await.expect(200);
    // The clock jumped as far as the service can tell, so it waits a little before it deletes anything.
    full_round(&service).await;
    assert!(on_disk(&service, NAME.as_bytes()));
    service.clock.advance(SignedDuration::from_secs(30));
    until(&service, || !on_disk(&service, NAME.as_bytes())).await;
    service.clock.advance(SignedDuration::from_secs(30));
    until(&service, || !on_disk(&service, CONTENT)).await;
    service.get(&format!("/files/v3/files/{}", kept.id())).await.expect(200);
}

#[tokio::test]
async fn a_clock_that_jumped_and_came_back_has_deleted_nothing() {
    let service = TestService::start().await;
    let id = service.upload("/", NAME, CONTENT, json!({"access": "PRIVATE", "ttl": "P3M"})).await.expect(201).id();
    let path = format!("/files/v3/files/{id}");
    service.clock.advance(400 * DAY);
    service.get(&path).await.expect(404);
    full_round(&service).await;
    service.clock.advance(SignedDuration::from_secs(20));
    full_round(&service).await;
    service.clock.advance(-400 * DAY);
    service.get(&path).await.expect(200);
    full_round(&service).await;
    service.get(&path).await.expect(200);
}

#[tokio::test]
async fn an_erased_file_leaves_neither_name_nor_content_nor_origin() {
    let service = TestService::configured(|options| options.import_allow = AllowedNetwork::loopback().to_vec()).await;
    let web = Web::serving(&[("/canary-url-31c0", CONTENT)]).await;
    let body = json!({"url": web.url("/canary-url-31c0"), "access": "PRIVATE", "name": NAME, "folderPath": "/"});
    let accepted = service.post("/files/v3/files/import-from-url/async", body).await.expect(202).json();
    let task = format!("/files/v3/files/import-from-url/async/tasks/{}/status", accepted["id"].as_str().unwrap());
    service.clock.advance(SignedDuration::from_secs(1));
    let id = service.task_until(&task, "COMPLETE").await["result"]["id"].as_str().unwrap().to_owned();
    assert!([CONTENT, NAME.as_bytes(), b"canary-url-31c0"].iter().all(|needle| on_disk(&service, needle)));

    service.delete(&format!("/files/v3/files/{id}/gdpr-delete")).await.expect(204);
    service.get(&format!("/files/v3/files/{id}")).await.expect(404);
    until(&service, || !on_disk(&service, NAME.as_bytes())).await;
    service.clock.advance(SignedDuration::from_mins(1));
    until(&service, || !on_disk(&service, CONTENT)).await;
    assert!(!on_disk(&service, b"canary-url-31c0"));
}

#[tokio::test]
async fn a_deleted_file_keeps_its_bytes_until_it_is_erased() {
    let service = TestService::start().await;
    let id = service.upload("/", NAME, CONTENT, json!({"access": "PUBLIC_INDEXABLE"})).await.expect(201).id();
    service.delete(&format!("/files/v3/files/{id}")).await.expect(204);
    service.fetch(&service.url(&format!("/hubfs/{NAME}"))).await.expect(404);
    full_round(&service).await;
    service.clock.advance(SignedDuration::from_mins(1));
    full_round(&service).await;
    assert!(on_disk(&service, CONTENT));
    service.delete(&format!("/files/v3/files/{id}/gdpr-delete")).await.expect(204);
    until(&service, || !on_disk(&service, NAME.as_bytes())).await;
    service.clock.advance(SignedDuration::from_mins(1));
    until(&service, || !on_disk(&service, CONTENT)).await;
}

#[tokio::test]
async fn the_bytes_that_a_replacement_put_aside_go_too() {
    let service = TestService::start().await;
    let id = service.upload("/", "a.txt", CONTENT, json!({"access": "PRIVATE"})).await.expect(201).id();
    let part = reqwest::multipart::Part::bytes(b"new".to_vec()).file_name("a.txt");
    let form = reqwest::multipart::Form::new().part("file", part).text("options", r#"{"access":"PRIVATE"}"#);
    let request = service.request(reqwest::Method::PUT, &format!("/files/v3/files/{id}")).multipart(form);
    crate::support::service::answer(request).await.expect(200);
    service.clock.advance(SignedDuration::from_mins(1));
    until(&service, || !on_disk(&service, CONTENT)).await;
    assert_eq!(service.get(&format!("/files/v3/files/{id}/download")).await.expect(200).body, b"new");
}

#[tokio::test]
async fn a_task_that_ended_long_ago_is_forgotten() {
    let service = TestService::start().await;
    let body = json!({"url": "http://127.0.0.1/canary-url-31c0", "access": "PRIVATE", "folderPath": "/"});
    let accepted = service.post("/files/v3/files/import-from-url/async", body).await.expect(202).json();
    let task = format!("/files/v3/files/import-from-url/async/tasks/{}/status", accepted["id"].as_str().unwrap());
    service.clock.advance(SignedDuration::from_secs(1));
    service.task_until(&task, "CANCELED").await;
    service.clock.advance(31 * DAY);
    full_round(&service).await;
    service.get(&task).await.expect(200);
    service.clock.advance(SignedDuration::from_secs(30));
    full_round(&service).await;
    service.get(&task).await.expect(404);
}
