//! Starting and stopping on a data directory: the token, the lock, the leftovers of an earlier
//! process.

use filedeck::service::clock::Clock;
use filedeck::service::{self, Lock, ServiceOptions, StartError, TokenSource, maintenance};
use secrecy::ExposeSecret as _;
use serde_json::json;

use crate::support::disk::files_below;
use crate::support::half_sent::HalfSent;
use crate::support::maintenance::verify;
use crate::support::service::{TestService, listener};

#[tokio::test]
async fn the_token_is_made_at_the_first_start_and_kept() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("deep/data");
    let running = service::serve(listener().await, ServiceOptions::new(&data))
        .await
        .unwrap();
    let token = running.token().expose_secret().to_owned();
    assert!(token.len() == 68 && token.starts_with("fdk-"));
    assert_eq!(std::fs::read_to_string(data.join("token")).unwrap(), token);
    assert!(!format!("{running:?}").contains(&token));
    running.shutdown().await;

    let again = service::serve(listener().await, ServiceOptions::new(&data))
        .await
        .unwrap();
    assert_eq!(again.token().expose_secret(), token);
}

// Seen to fail when the start waits for the lock without letting other tasks run.
#[tokio::test]
async fn a_start_waits_for_the_last_task_of_the_service_before() {
    let dir = tempfile::tempdir().unwrap();
    let last = Lock::try_take(dir.path()).unwrap().unwrap();
    tokio::spawn(async move { drop(last) });
    service::serve(listener().await, ServiceOptions::new(dir.path()))
        .await
        .unwrap();
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_owner_can_read_the_token_and_the_directory() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let _running = service::serve(listener().await, ServiceOptions::new(&data))
        .await
        .unwrap();
    let mode =
        |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&data), mode(&data.join("token"))), (0o700, 0o600));
}

#[tokio::test]
async fn a_token_that_no_client_could_send_stops_the_start() {
    let dir = tempfile::tempdir().unwrap();
    let options = ServiceOptions::new(dir.path());
    std::fs::write(dir.path().join("token"), "\n").unwrap();
    assert!(matches!(
        service::serve(listener().await, options.clone()).await,
        Err(StartError::Token(_))
    ));
    let given = |token: &str| ServiceOptions {
        token: TokenSource::Given(token.into()),
        ..options.clone()
    };
    assert!(matches!(
        service::serve(listener().await, given("two words")).await,
        Err(StartError::Token(_))
    ));
    let running = service::serve(listener().await, given("given\n"))
        .await
        .unwrap();
    assert_eq!(running.token().expose_secret(), "given");
}

#[tokio::test]
async fn two_services_do_not_share_a_directory() {
    let service = TestService::start().await;
    let options = ServiceOptions::new(service.dir.path().join("data"));
    let error = service::serve(listener().await, options.clone())
        .await
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("another filedeck uses the data directory"),
        "{error}"
    );
    let (_dir, _) = service.stop().await;
    service::serve(listener().await, options).await.unwrap();
}

#[tokio::test]
async fn what_was_stored_is_there_after_a_restart() {
    let service = TestService::start().await;
    let id = service
        .upload("/a", "kept.txt", b"kept", json!({ "access": "PRIVATE" }))
        .await
        .expect(201)
        .id();
    let (dir, clock) = service.stop().await;
    let service = TestService::start_in(dir, clock).await;
    let bytes = service
        .get(&format!("/files/v3/files/{id}/download"))
        .await
        .expect(200);
    assert_eq!(bytes.body, b"kept");
    // Ids continue where they stopped.
    let next = service
        .upload("/a", "next.txt", b"", json!({ "access": "PRIVATE" }))
        .await
        .expect(201)
        .id();
    assert!(next > id);
}

#[tokio::test]
async fn bytes_that_lie_in_another_folder_are_put_into_their_place() {
    let service = TestService::start().await;
    let id = service
        .upload("/", "kept.txt", b"kept", json!({ "access": "PRIVATE" }))
        .await
        .expect(201)
        .id();
    let (dir, clock) = service.stop().await;
    let blobs = dir.path().join("data/blobs");
    let blob = files_below(&blobs).pop().unwrap();
    std::fs::create_dir_all(blobs.join("ab/cd")).unwrap();
    std::fs::rename(&blob, blobs.join("ab/cd").join(blob.file_name().unwrap())).unwrap();
    let service = TestService::start_in(dir, clock).await;
    let there = service
        .get_until(&format!("/files/v3/files/{id}/download"), |answer| {
            answer.status == 200
        })
        .await;
    assert_eq!(there.body, b"kept");
}

// Seen to fail when the service starts anew: it then sweeps every blob that the lost database
// referred to.
#[tokio::test]
async fn a_store_that_lost_its_database_is_left_as_it_is() {
    let service = TestService::start().await;
    service
        .upload("/", "kept.txt", b"kept", json!({ "access": "PRIVATE" }))
        .await
        .expect(201);
    let (dir, clock) = service.stop().await;
    let data = dir.path().join("data");
    std::fs::rename(data.join("filedeck.db"), data.join("elsewhere")).unwrap();
    let error = service::serve(listener().await, ServiceOptions::new(&data))
        .await
        .unwrap_err();
    assert!(matches!(error, StartError::NoDatabase { .. }), "{error}");
    assert!(!data.join("filedeck.db").exists());
    std::fs::rename(data.join("elsewhere"), data.join("filedeck.db")).unwrap();
    let service = TestService::start_in(dir, clock).await;
    service
        .get("/files/v3/files/stat/kept.txt")
        .await
        .expect(200);
}

#[tokio::test]
async fn files_that_are_no_blobs_stay_at_a_start() {
    let (dir, clock) = TestService::start().await.stop().await;
    let foreign = dir.path().join("data/blobs/notes.txt");
    std::fs::write(&foreign, b"not ours").unwrap();
    let _service = TestService::start_in(dir, clock).await;
    assert!(foreign.exists());
}

// After a reboot and without a log, nobody knows whether the upload of the pending blob was
// answered. Seen to fail when that blob is set aside all the same.
#[tokio::test]
async fn unfinished_bytes_go_and_pending_ones_that_may_have_been_answered_stay() {
    let service = TestService::start().await;
    service
        .upload("/", "kept.txt", b"kept", json!({ "access": "PRIVATE" }))
        .await
        .expect(201);
    let (dir, clock) = service.stop().await;
    let data = dir.path().join("data");
    let blobs = data.join("blobs");
    let pending = blobs.join("a/abcd0000000000000000000000000000.pending");
    std::fs::write(&pending, "whole").unwrap();
    let fresh = blobs.join("a/abcd0000000000000000000000000003.pending");
    std::fs::write(&fresh, "whole").unwrap();
    std::fs::File::open(&pending)
        .unwrap()
        .set_modified(std::time::UNIX_EPOCH)
        .unwrap();
    std::fs::write(
        blobs.join("a/abcd0000000000000000000000000001.part"),
        "half",
    )
    .unwrap();
    let service = TestService::start_in(dir, clock).await;
    service.wait_for_blobs(|count| count == 2).await;
    assert!(pending.exists());
    assert_eq!(files_below(&data.join("aside")).len(), 1);
    let found = verify(&data).await.unwrap();
    assert!(found.is_sound(), "{found:?}");
    assert_eq!(
        service
            .get("/files/v3/files/stat/kept.txt")
            .await
            .expect(200)
            .json()["file"]["size"],
        4
    );
    let (_dir, _) = service.stop().await;
    let found = verify(&data).await.unwrap();
    assert_eq!((found.doubtful, found.leftovers), (vec![pending], 0));
    let recovered = maintenance::recover(&data, None, &[]).await.unwrap();
    assert_eq!(
        (&*recovered.unanswered, recovered.files),
        (&["abcd0000000000000000000000000000".to_owned()][..], 1)
    );
    assert!(verify(&data).await.unwrap().is_sound());
}

#[tokio::test]
async fn a_stop_lets_a_request_under_way_finish() {
    let service = TestService::start().await;
    let upload = HalfSent::to(&service).await;
    let stopping = tokio::spawn(service.stop());
    tokio::task::yield_now().await;
    let answer = upload.finish().await;
    assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");

    let (dir, clock): (_, Clock) = stopping.await.unwrap();
    let service = TestService::start_in(dir, clock).await;
    service
        .get("/files/v3/files/stat/late.txt")
        .await
        .expect(200);
}
