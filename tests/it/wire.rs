//! The requests that the client sends, and its reading of handwritten responses. The service here
//! is raw bytes.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use filedeck::api::ids::{FileId, FolderId, TaskId};
use filedeck::api::model::{Access, CreateFolder, File, FileUpdate, ImportRequest, UploadOptions};
use filedeck::api::{Kind, Observation, Observer, Version};
use rstest::rstest;
use serde_json::json;

use crate::support::capture::{Capture, Reply};
use crate::support::changed::changed;
use crate::support::clients::{TOKEN, client, versioned_client};

const FILE: &str = r#"{"id":"7","createdAt":"2026-11-21T08:30:00.000Z","updatedAt":"2026-11-21T08:30:00.000Z","archived":false,
    "access":"PRIVATE","name":"logo","extension":"png","path":"/logo.png","size":5,"shape":"unknown to us"}"#;

fn ok(body: &str) -> Reply {
    Reply::Answer(
        200,
        vec![("content-type", "application/json".to_owned())],
        body.to_owned(),
    )
}

/// A file whose size and sum the service does not give.
fn described() -> File {
    serde_json::from_value(json!({ "id": "7", "archived": false })).unwrap()
}

fn bearer() -> String {
    format!("Bearer {TOKEN}")
}

#[tokio::test]
async fn every_call_carries_the_token_and_unknown_fields_are_kept() {
    let service = Capture::start(|_, _| ok(FILE)).await;
    let file = client(&service.url)
        .files()
        .get(&FileId::new("7"))
        .await
        .unwrap();
    assert_eq!(file.extra["shape"], "unknown to us");
    let seen = service.seen();
    assert_eq!(seen[0].call(), "GET /files/v3/files/7");
    assert_eq!(seen[0].header("authorization"), Some(bearer().as_str()));
}

#[tokio::test]
async fn a_download_that_leads_elsewhere_leaves_the_token_behind() {
    let elsewhere = Capture::start(|_, _| Reply::Answer(200, vec![], "bytes".to_owned())).await;
    let target = elsewhere
        .url
        .join("/blob?signature=canary")
        .unwrap()
        .to_string();
    let service =
        Capture::start(move |_, _| Reply::status(302, &[("location", target.as_str())])).await;
    let client = client(&service.url);
    let download = client.files().download(&described()).bytes(9);
    assert_eq!(download.await.unwrap(), "bytes");
    assert_eq!(
        service.seen()[0].header("authorization"),
        Some(bearer().as_str())
    );
    assert_eq!(elsewhere.seen()[0].header("authorization"), None);
}

#[tokio::test]
async fn the_token_does_not_come_back_when_a_foreign_host_sends_us_home() {
    let home = Arc::new(Mutex::new(String::new()));
    let elsewhere = Capture::start({
        let home = home.clone();
        move |_, _| Reply::status(302, &[("location", home.lock().unwrap().as_str())])
    })
    .await;
    let away = elsewhere.url.to_string();
    let service = Capture::start(move |seen, _| match seen.target.as_str() {
        "/end" => Reply::Answer(200, vec![], "bytes".to_owned()),
        _ => Reply::status(302, &[("location", away.as_str())]),
    })
    .await;
    *home.lock().unwrap() = service.url.join("/end").unwrap().to_string();
    client(&service.url)
        .files()
        .download(&described())
        .bytes(9)
        .await
        .unwrap();
    let end = service
        .seen()
        .into_iter()
        .find(|seen| seen.target == "/end")
        .unwrap();
    assert_eq!(end.header("authorization"), None);
}

#[tokio::test]
async fn an_address_of_a_file_is_fetched_without_the_token_even_at_home() {
    let service = Capture::start(|_, _| Reply::Answer(200, vec![], "bytes".to_owned())).await;
    client(&service.url)
        .files()
        .fetch(service.url.join("/hubfs/logo.png").unwrap().as_str())
        .bytes(9)
        .await
        .unwrap();
    assert_eq!(service.seen()[0].header("authorization"), None);
}

#[tokio::test]
async fn redirects_of_a_download_end_after_five() {
    let service = Capture::start(|_, before| {
        Reply::status(302, &[("location", format!("/{before}").as_str())])
    })
    .await;
    assert!(
        client(&service.url)
            .files()
            .download(&described())
            .bytes(9)
            .await
            .is_err()
    );
    assert_eq!(service.seen().len(), 6);
}

#[tokio::test]
async fn an_api_call_follows_no_redirect() {
    let elsewhere = Capture::start(|_, _| ok(FILE)).await;
    let target = elsewhere.url.to_string();
    let service =
        Capture::start(move |_, _| Reply::status(307, &[("location", target.as_str())])).await;
    let error = client(&service.url)
        .files()
        .get(&FileId::new("7"))
        .await
        .unwrap_err();
    assert_eq!((error.kind, error.status), (Kind::Portal, Some(307)));
    assert!(elsewhere.seen().is_empty());
}

#[rstest]
#[case::other_scheme("file:///etc/passwd")]
#[case::data("data:text/plain,x")]
#[case::nonsense("not an address")]
#[tokio::test]
async fn only_http_addresses_are_fetched(#[case] address: &str) {
    let service = Capture::start(|_, _| Reply::Cut).await;
    assert!(
        client(&service.url)
            .files()
            .fetch(address)
            .bytes(9)
            .await
            .is_err()
    );
    assert!(service.seen().is_empty());
}

#[tokio::test]
async fn no_error_shows_a_signature_or_the_token() {
    let service = Capture::start(|_, _| Reply::Cut).await;
    let client = client(&service.url);
    // A cut POST is not repeated, so this takes no waiting.
    let cut = client
        .folders()
        .create(&changed(CreateFolder::default(), |new| {
            new.name = "a".to_owned();
        }))
        .await
        .unwrap_err();
    let nowhere = client
        .files()
        .fetch("http://127.0.0.1:1/x?signature=canary-signature")
        .bytes(9);
    let nowhere = tokio::time::timeout(Duration::from_secs(30), nowhere)
        .await
        .unwrap()
        .unwrap_err();
    for error in [cut, nowhere] {
        assert!(matches!(error.kind, Kind::Network | Kind::Unreachable));
        assert!(
            !format!("{error:?} {error}").contains("canary"),
            "{error:?}"
        );
    }
}

#[tokio::test]
async fn an_upload_is_one_form_with_the_file_last_and_its_length_known() {
    let service = Capture::start(|_, _| Reply::Answer(201, vec![], FILE.to_owned())).await;
    let dir = tempfile::tempdir().unwrap();
    let local = dir.path().join("logo.png");
    std::fs::write(&local, b"hello").unwrap();
    let progress = Arc::new(Mutex::new(Vec::new()));
    let reported = progress.clone();
    let folder = FolderId::new("42");
    let options = changed(UploadOptions::new(Access::Private), |options| {
        options.ttl = Some("P3M".to_owned());
    });
    let sent = client(&service.url)
        .files()
        .upload("Größe \"1\".png")
        .from_path(&local)
        .folder(&folder)
        .options(options)
        .charset("windows-1252")
        .on_progress(move |done| reported.lock().unwrap().push(done))
        .send()
        .await
        .unwrap();
    assert_eq!(
        (sent.bytes, sent.md5.as_str()),
        (5, "5d41402abc4b2a76b9719d911017c592")
    );
    assert_eq!(*progress.lock().unwrap(), [5]);
    let seen = service.seen().remove(0);
    assert_eq!(seen.call(), "POST /files/v3/files");
    assert_eq!(
        seen.header("content-length"),
        Some(seen.body.len().to_string().as_str())
    );
    let body = seen.text();
    assert!(
        body.contains("name=\"charsetHunch\"\r\n\r\nwindows-1252\r\n"),
        "{body}"
    );
    let parts: Vec<_> = body
        .split("Content-Disposition: form-data; ")
        .skip(1)
        .collect();
    let of = |name: &str| {
        parts
            .iter()
            .position(|part| part.starts_with(&format!("name=\"{name}\"")))
            .unwrap()
    };
    assert!(parts[of("fileName")].contains("\r\n\r\nGröße \"1\".png\r\n"));
    assert!(parts[of("folderId")].contains("\r\n\r\n42\r\n"));
    assert!(parts[of("options")].contains(r#"{"access":"PRIVATE","ttl":"P3M"}"#));
    assert_eq!(of("file"), parts.len() - 1);
    assert!(
        parts[of("file")].contains("filename=\"Gr__e__1_.png\"")
            && parts[of("file")].contains("\r\n\r\nhello\r\n")
    );
}

#[tokio::test]
async fn an_upload_without_a_name_tells_the_service_none() {
    let service =
        Capture::start(|_, _| Reply::json(201, &json!({ "id": "7", "archived": false }))).await;
    let dir = tempfile::tempdir().unwrap();
    let local = dir.path().join("secret-plan.txt");
    std::fs::write(&local, b"hello").unwrap();
    client(&service.url)
        .files()
        .upload("/")
        .from_path(&local)
        .send()
        .await
        .unwrap();
    let seen = service.seen().remove(0);
    let body = seen.text();
    assert!(
        !body.contains("secret-plan")
            && !body.contains("fileName")
            && !body.contains("charsetHunch"),
        "{body}"
    );
}

#[tokio::test]
async fn an_upload_whose_answer_is_lost_is_not_sent_again() {
    let service = Capture::start(|_, _| Reply::Cut).await;
    let dir = tempfile::tempdir().unwrap();
    let local = dir.path().join("a.txt");
    std::fs::write(&local, b"hello").unwrap();
    let error = client(&service.url)
        .files()
        .upload("/a.txt")
        .from_path(&local)
        .send()
        .await
        .unwrap_err();
    assert!(error.in_doubt);
    assert_eq!(service.seen().len(), 1);
}

#[tokio::test]
async fn what_the_rate_limit_turned_away_is_sent_again_and_the_wait_is_told() {
    let service = Capture::start(|_, before| match before {
        0 => Reply::status(
            429,
            &[
                ("retry-after", "1"),
                ("x-hubspot-ratelimit-max", "190"),
                ("x-hubspot-ratelimit-remaining", "3"),
            ],
        ),
        _ => Reply::json(201, &json!({ "id": "1", "name": "a", "archived": false })),
    })
    .await;
    let told = Arc::new(Mutex::new(Vec::new()));
    let client = client(&service.url).with_observer(Observer::new(Arc::new({
        let told = told.clone();
        move |seen| told.lock().unwrap().push(seen)
    })));
    client
        .folders()
        .create(&changed(CreateFolder::default(), |new| {
            new.name = "a".to_owned();
        }))
        .await
        .unwrap();
    let told = told.lock().unwrap();
    assert!(told.contains(&Observation::Budget {
        remaining: 3,
        max: 190
    }));
    // The client's own back-off may be a little longer than the requested second.
    let asked = |seen: &Observation| matches!(seen, Observation::Waiting { wait, .. } if *wait >= Duration::from_secs(1));
    assert!(told.iter().any(asked), "{told:?}");
}

fn not_found() -> Reply {
    let body = json!({ "status": "error", "message": "resource not found", "correlationId": "019db16f-1" });
    Reply::json(404, &body)
}

fn page(status: u16) -> Reply {
    Reply::Answer(
        status,
        vec![("content-type", "text/html; charset=utf-8".to_owned())],
        "<h1>Sign in</h1>".to_owned(),
    )
}

#[tokio::test]
async fn a_file_that_is_gone_after_a_doubtful_delete_counts_as_deleted() {
    let service = Capture::start(|_, before| match before {
        0 => Reply::status(503, &[("retry-after", "0")]),
        _ => not_found(),
    })
    .await;
    let client = client(&service.url);
    assert_eq!(client.files().delete(&FileId::new("7")).await, Ok(()));
    assert_eq!(
        client
            .files()
            .delete(&FileId::new("8"))
            .await
            .unwrap_err()
            .kind,
        Kind::NotFound
    );
}

#[rstest]
#[case::a_sign_in_page(page(200), Kind::Portal)]
#[case::an_empty_answer(Reply::status(200, &[]), Kind::Decode)]
#[case::somebody_elses_not_found(page(404), Kind::Decode)]
#[case::accepted(Reply::status(202, &[]), Kind::Decode)]
#[tokio::test(start_paused = true)]
async fn a_deletion_is_done_when_the_service_says_so_and_not_before(
    #[case] reply: Reply,
    #[case] kind: Kind,
) {
    let Reply::Answer(status, headers, body) = reply else {
        unreachable!()
    };
    let service = Capture::start(move |seen, before| match (seen.target.as_str(), before) {
        ("/files/v3/files/9", 4..) => Reply::status(204, &[]),
        _ => Reply::Answer(status, headers.clone(), body.clone()),
    })
    .await;
    let client = client(&service.url);
    let error = client
        .files()
        .gdpr_delete(&FileId::new("7"))
        .await
        .unwrap_err();
    assert_eq!(error.kind, kind);
    assert!(error.in_doubt);
    assert_eq!(
        service.seen().len(),
        4,
        "it is asked again, but not for ever"
    );
    assert_eq!(client.files().delete(&FileId::new("9")).await, Ok(()));
}

#[rstest]
#[case::a_folder("POST /files/v3/folders", 200)]
#[case::an_upload("POST /files/v3/files", 200)]
#[case::an_import("POST /files/v3/files/import-from-url/async", 201)]
#[case::a_change("PATCH /files/v3/files/7", 201)]
#[tokio::test(start_paused = true)]
async fn a_success_that_the_contract_does_not_name_is_none(
    #[case] call: &str,
    #[case] status: u16,
) {
    let service = Capture::start(move |_, _| Reply::Answer(status, vec![], FILE.to_owned())).await;
    let client = client(&service.url);
    let error = match call.split_once(' ').unwrap() {
        ("PATCH", _) => client
            .files()
            .update(&FileId::new("7"), &FileUpdate::default())
            .await
            .unwrap_err(),
        (_, path) if path.ends_with("folders") => client
            .folders()
            .create(&CreateFolder::default())
            .await
            .unwrap_err(),
        (_, path) if path.ends_with("async") => {
            let request =
                json!({ "url": "https://example.com/a", "access": "PRIVATE", "folderPath": "/" });
            client
                .imports()
                .start(&serde_json::from_value(request).unwrap())
                .await
                .unwrap_err()
        }
        _ => {
            let dir = tempfile::tempdir().unwrap();
            let local = dir.path().join("a.txt");
            std::fs::write(&local, b"hello").unwrap();
            let upload = client.files().upload("/a.txt").from_path(&local);
            upload.send().await.unwrap_err()
        }
    };
    assert_eq!(service.calls()[0], call);
    assert_eq!((error.kind, error.status), (Kind::Decode, Some(status)));
    assert!(error.in_doubt);
}

#[tokio::test]
async fn an_existing_file_may_be_answered_with_200_where_that_was_asked_for() {
    let service = Capture::start(|_, _| ok(FILE)).await;
    let dir = tempfile::tempdir().unwrap();
    let local = dir.path().join("a.txt");
    std::fs::write(&local, b"hello").unwrap();
    let options: UploadOptions = serde_json::from_value(
        json!({ "access": "PRIVATE", "duplicateValidationStrategy": "RETURN_EXISTING" }),
    )
    .unwrap();
    assert_eq!(
        client(&service.url)
            .files()
            .upload("/a.txt")
            .from_path(&local)
            .options(options)
            .send()
            .await
            .unwrap()
            .file
            .id,
        FileId::new("7")
    );
}

#[rstest]
#[case::a_web_page(Reply::Answer(200, vec![("content-type", "text/html".to_owned())], "<html>".to_owned()), Kind::Portal, "web page")]
#[case::not_json(Reply::Answer(200, vec![], "{\"id\":".to_owned()), Kind::Decode, "unexpected JSON")]
#[case::endless(Reply::Answer(200, vec![], format!("\"{}\"", "x".repeat(9 << 20))), Kind::Decode, "larger than")]
#[tokio::test]
async fn an_answer_that_is_not_the_contract_is_a_clear_error(
    #[case] reply: Reply,
    #[case] kind: Kind,
    #[case] message: &str,
) {
    let reply = Mutex::new(Some(reply));
    let service =
        Capture::start(move |_, _| reply.lock().unwrap().take().unwrap_or(Reply::Cut)).await;
    let error = client(&service.url)
        .files()
        .get(&FileId::new("7"))
        .await
        .unwrap_err();
    assert_eq!(error.kind, kind);
    assert!(error.message.contains(message), "{error}");
}

#[tokio::test]
async fn the_status_of_an_import_is_asked_at_home_whatever_the_link_says() {
    let elsewhere = Capture::start(|_, _| Reply::Cut).await;
    let link = elsewhere.url.join("/status").unwrap().to_string();
    let service = Capture::start(move |seen, _| match seen.method.as_str() {
        "POST" => Reply::json(
            202,
            &json!({ "id": "AAAA/EZ6=", "links": { "status": link } }),
        ),
        _ => Reply::json(
            200,
            &json!({ "taskId": "AAAA/EZ6=", "status": "SOMETHING_NEW" }),
        ),
    })
    .await;
    let client = client(&service.url);
    let request: ImportRequest = serde_json::from_value(
        json!({ "url": "https://example.com/a", "access": "PRIVATE", "folderPath": "/" }),
    )
    .unwrap();
    let task = client.imports().start(&request).await.unwrap();
    assert_eq!(task.id, TaskId::new("AAAA/EZ6="));
    let status = client.imports().status(&task.id).await.unwrap();
    assert!(!status.status.is_final());
    assert_eq!(
        service.calls(),
        [
            "POST /files/v3/files/import-from-url/async",
            "GET /files/v3/files/import-from-url/async/tasks/AAAA%2FEZ6%3D/status"
        ]
    );
    assert!(elsewhere.seen().is_empty());
}

#[tokio::test]
async fn dated_versions_get_the_fields_that_they_require() {
    let service = Capture::start(|seen, _| match seen.method.as_str() {
        "PATCH" => ok(FILE),
        _ => Reply::json(202, &json!({ "id": "t" })),
    })
    .await;
    let client = versioned_client(&service.url, Version::Dated202603);
    let update = changed(FileUpdate::default(), |update| {
        update.name = Some("b".to_owned());
    });
    client
        .files()
        .update(&FileId::new("7"), &update)
        .await
        .unwrap();
    let request: ImportRequest = serde_json::from_value(
        json!({ "url": "https://example.com/a", "access": "PRIVATE", "folderPath": "/" }),
    )
    .unwrap();
    client.imports().start(&request).await.unwrap();
    let seen = service.seen();
    assert_eq!(seen[0].call(), "PATCH /files/2026-03/files/7");
    assert_eq!(
        seen[0].json(),
        json!({ "name": "b", "clearExpires": false })
    );
    assert_eq!(seen[1].json()["overwrite"], false);
    assert_eq!(seen[1].json()["duplicateValidationStrategy"], "NONE");
    assert_eq!(seen[1].json()["duplicateValidationScope"], "ENTIRE_PORTAL");
}

#[tokio::test]
async fn a_failed_connection_is_a_network_error_without_endless_tries() {
    let client = client(&"http://127.0.0.1:1".parse().unwrap());
    let id = FileId::new("7");
    let error = tokio::time::timeout(Duration::from_secs(30), client.files().get(&id))
        .await
        .unwrap()
        .unwrap_err();
    assert_eq!(error.kind, Kind::Unreachable);
    assert!(
        error.message.contains("Cannot connect to 127.0.0.1:1:"),
        "{error}"
    );
}
