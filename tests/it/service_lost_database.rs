//! The loss of the database file under a running service.

use std::path::Path;
use std::time::Duration;

use filedeck::service::maintenance;
use reqwest::Method;
use rstest::rstest;
use serde_json::json;
use tokio::net::TcpStream;

use crate::support::disk::files_below;
use crate::support::half_sent::HalfSent;
use crate::support::service::TestService;

fn remove(data: &Path) {
    std::fs::remove_file(data.join("filedeck.db")).unwrap();
}

fn replace(data: &Path) {
    let other = data.with_file_name("other.db");
    std::fs::copy(data.join("filedeck.db"), &other).unwrap();
    std::fs::rename(other, data.join("filedeck.db")).unwrap();
}

#[rstest]
#[case::removed(remove)]
#[case::replaced(replace)]
#[tokio::test]
async fn nothing_is_acknowledged_any_more_and_what_was_can_be_recovered(#[case] harm: fn(&Path)) {
    let service = TestService::start().await;
    let data = service.dir.path().join("data");
    let id = service
        .upload(
            "/kept",
            "kept.txt",
            b"kept",
            json!({"access": "PUBLIC_INDEXABLE"}),
        )
        .await
        .expect(201)
        .id();
    let file = format!("/files/v3/files/{id}");
    harm(&data);
    service
        .upload("/", "lost.txt", b"lost", json!({"access": "PRIVATE"}))
        .await
        .expect(503);
    service.get(&file).await.expect(503);
    service.delete(&file).await.expect(503);
    service
        .post("/files/v3/folders", json!({"name": "new"}))
        .await
        .expect(503);
    let import =
        json!({"url": "http://127.0.0.1:9/", "access": "PRIVATE", "name": "i", "folderPath": "/"});
    service
        .post("/files/v3/files/import-from-url/async", import)
        .await
        .expect(503);
    service
        .fetch(&service.url("/hubfs/kept/kept.txt"))
        .await
        .expect(503);
    service.fetch(&service.url("/healthz")).await.expect(200);
    service.wait_for_blobs(|count| count == 1).await;

    let (dir, clock) = service.stop().await;
    assert!(
        !data.join("filedeck.db-wal").exists(),
        "the log would damage a database that is put here"
    );
    let recovered = maintenance::recover(&data, Some(&data.join("filedeck-rescued-1.db")), &[])
        .await
        .unwrap();
    assert_eq!((recovered.files, recovered.named), (1, 1), "{recovered:?}");
    let service = TestService::start_in(dir, clock).await;
    assert_eq!(
        service
            .get("/files/v3/files/stat/kept/kept.txt")
            .await
            .expect(200)
            .json()["file"]["id"],
        id
    );
}

// Seen to fail when the file is only checked before a request, and not at its commit.
#[rstest]
#[case::removed(remove)]
#[case::replaced(replace)]
#[tokio::test]
async fn an_upload_under_way_is_not_acknowledged_and_leaves_no_bytes(#[case] harm: fn(&Path)) {
    let service = TestService::start().await;
    let upload = HalfSent::to(&service).await;
    harm(&service.dir.path().join("data"));
    let answer = upload.finish().await;
    assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
    service.wait_for_blobs(|count| count == 0).await;
}

// The background work, which would save the data, has ended by then. Seen to fail when only that
// saves it.
#[rstest]
#[case::removed(remove)]
#[case::replaced(replace)]
#[tokio::test]
async fn what_goes_while_the_service_ends_can_be_recovered(#[case] harm: fn(&Path)) {
    let service = TestService::start().await;
    let data = service.dir.path().join("data");
    service
        .upload("/", "kept.txt", b"kept", json!({"access": "PRIVATE"}))
        .await
        .expect(201);
    let upload = HalfSent::to(&service).await;
    let address = upload.stream.peer_addr().unwrap();
    let stopping = tokio::spawn(service.stop());
    let is_closed = async { while TcpStream::connect(address).await.is_ok() {} };
    tokio::time::timeout(Duration::from_secs(20), is_closed)
        .await
        .unwrap();
    harm(&data);
    let answer = upload.finish().await;
    assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
    let (_dir, _) = stopping.await.unwrap();
    assert!(
        !data.join("filedeck.db-wal").exists(),
        "the log would damage a database that is put here"
    );
    let recovered = maintenance::recover(&data, Some(&data.join("filedeck-rescued-1.db")), &[])
        .await
        .unwrap();
    assert_eq!((recovered.files, recovered.named), (1, 1), "{recovered:?}");
}

#[tokio::test]
async fn every_kind_of_call_answers_503_in_the_form_of_the_api() {
    let service = TestService::start().await;
    remove(&service.dir.path().join("data"));
    for (method, path) in [
        (Method::GET, "/files/v3/files/search"),
        (Method::GET, "/files/v3/folders/search"),
        (Method::GET, "/crm/v3/limits/records"),
        (Method::DELETE, "/files/v3/files/1/gdpr-delete"),
    ] {
        let answer = crate::support::service::answer(service.request(method, path))
            .await
            .expect(503);
        assert_eq!(answer.json()["status"], "error");
    }
    assert_eq!(files_below(&service.dir.path().join("data/blobs")).len(), 0);
}
