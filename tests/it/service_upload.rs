//! Uploads over raw HTTP: the form, the options, refusals and leftovers.

use jiff::{SignedDuration, Timestamp};
use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::support::database;
use crate::support::http;
use crate::support::pictures::PNG_HEAD;
use crate::support::service::{Answer, TestService, answer, form};

fn public() -> Value {
    json!({ "access": "PUBLIC_INDEXABLE" })
}

async fn stored_files(service: &TestService) -> Vec<String> {
    let page = service
        .get("/files/v3/files/search?limit=100&sort=id")
        .await
        .expect(200)
        .json();
    page["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["path"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn an_upload_answers_201_with_the_file_and_its_details_can_be_read() {
    let service = TestService::start().await;
    let folder = service
        .post("/files/v3/folders", json!({ "name": "marketing" }))
        .await
        .expect(201)
        .id();
    let created = service
        .upload("/marketing", "logo.png", PNG_HEAD, public())
        .await
        .expect(201)
        .json();
    let url = service.url("/hubfs/marketing/logo.png");
    let id = created["id"].as_str().unwrap().to_owned();
    assert!(
        id.len() == 12 && id.bytes().all(|byte| byte.is_ascii_digit()),
        "{id}"
    );
    assert_eq!(
        created,
        json!({
            "id": id,
            "createdAt": "2026-11-21T08:30:00.000Z",
            "updatedAt": "2026-11-21T08:30:00.000Z",
            "archived": false,
            "parentFolderId": folder,
            "name": "logo",
            "path": "/marketing/logo.png",
            "size": 29,
            "height": 2,
            "width": 3,
            "encoding": "png",
            "type": "IMG",
            "extension": "png",
            "defaultHostingUrl": url,
            "url": url,
            "isUsableInContent": true,
            "access": "PUBLIC_INDEXABLE",
            "fileMd5": "c01907e766c05d56d15aa2f99eb497e5",
            "sourceGroup": "CONTENT",
        })
    );
    assert_eq!(
        service
            .get(&format!("/files/v3/files/{id}"))
            .await
            .expect(200)
            .json(),
        created
    );
    assert_eq!(service.fetch(&url).await.expect(200).body, PNG_HEAD);
}

#[rstest]
#[case::file_first(&["file", "fileName", "options", "folderPath", "charsetHunch"])]
#[case::file_last(&["folderPath", "options", "charsetHunch", "fileName", "file"])]
#[case::file_between(&["options", "file", "folderPath", "fileName", "charsetHunch"])]
#[tokio::test]
async fn the_parts_may_come_in_any_order(#[case] order: &[&str]) {
    let service = TestService::start().await;
    let form = order
        .iter()
        .fold(reqwest::multipart::Form::new(), |form, name| match *name {
            "file" => form.part(
                "file",
                reqwest::multipart::Part::bytes(b"x".to_vec()).file_name("sent.txt"),
            ),
            "options" => form.text("options", public().to_string()),
            "folderPath" => form.text("folderPath", "/new/folder"),
            "fileName" => form.text("fileName", "asked"),
            other => form.text(other.to_owned(), "windows-1252"),
        });
    let file = service.post_form(form).await.expect(201).json();
    assert_eq!(file["path"], "/new/folder/asked.txt");
    assert_eq!(file["encoding"], "windows-1252");
}

#[rstest]
#[case::options_missing(None, Some("/"), "options parameter is required")]
#[case::options_not_json(Some("access=PRIVATE"), Some("/"), "options")]
#[case::access_missing(Some("{}"), Some("/"), "access")]
#[case::access_unknown(Some(r#"{"access":"SECRET"}"#), Some("/"), "access must be one of")]
#[case::access_hidden(
    Some(r#"{"access":"HIDDEN_PRIVATE"}"#),
    Some("/"),
    "hidden files cannot be created"
)]
#[case::ttl_of_an_hour(
    Some(r#"{"access":"PRIVATE","ttl":"PT1H"}"#),
    Some("/"),
    "at least 1 day"
)]
#[case::ttl_of_two_years(
    Some(r#"{"access":"PRIVATE","ttl":"P2Y"}"#),
    Some("/"),
    "at most 1 year"
)]
#[case::ttl_unreadable(Some(r#"{"access":"PRIVATE","ttl":"soon"}"#), Some("/"), "ISO 8601")]
#[case::expiry_unreadable(
    Some(r#"{"access":"PRIVATE","expiresAt":"soon"}"#),
    Some("/"),
    "expiresAt must be a time"
)]
#[case::expiry_past(
    Some(r#"{"access":"PRIVATE","expiresAt":"2020-01-01T00:00:00Z"}"#),
    Some("/"),
    "in the future"
)]
#[case::strategy_unknown(
    Some(r#"{"access":"PRIVATE","duplicateValidationStrategy":"ASK"}"#),
    Some("/"),
    "duplicateValidationStrategy"
)]
#[case::scope_unknown(
    Some(r#"{"access":"PRIVATE","duplicateValidationScope":"HERE"}"#),
    Some("/"),
    "duplicateValidationScope"
)]
#[case::no_folder(
    Some(r#"{"access":"PRIVATE"}"#),
    None,
    "one of folderId and folderPath is required"
)]
#[case::folder_path_climbing(Some(r#"{"access":"PRIVATE"}"#), Some("/a/../b"), "not names")]
#[case::folder_path_with_nul(Some(r#"{"access":"PRIVATE"}"#), Some("/a\0b"), "control characters")]
#[tokio::test]
async fn bad_options_and_folders_answer_400_and_store_nothing(
    #[case] options: Option<&str>,
    #[case] folder: Option<&str>,
    #[case] message: &str,
) {
    let service = TestService::start().await;
    let mut form = form("a.txt", b"x");
    if let Some(options) = options {
        form = form.text("options", options.to_owned());
    }
    if let Some(folder) = folder {
        form = form.text("folderPath", folder.to_owned());
    }
    assert_refused(
        service.post_form(form).await,
        400,
        Some("VALIDATION_ERROR"),
        message,
    );
    assert_eq!(stored_files(&service).await, [""; 0]);
    service.wait_for_blobs(|count| count == 0).await;
}

#[track_caller]
fn assert_refused(answer: Answer, status: u16, category: Option<&str>, message: &str) {
    let answer = answer.expect(status);
    let body = answer.json();
    assert_eq!(body["status"], "error");
    assert_eq!(body.get("category").and_then(Value::as_str), category);
    assert_eq!(
        body["correlationId"].as_str(),
        answer.header("x-hubspot-correlation-id")
    );
    assert!(
        body["message"].as_str().unwrap().contains(message),
        "{body}"
    );
}

#[rstest]
#[case::climbing("../a.txt", "must not hold '/'")]
#[case::dots("..", "not names")]
#[case::nul("a\0.txt", "control characters")]
#[case::escape("a\u{1b}[2J.txt", "control characters")]
#[case::long(&format!("{}.txt", "x".repeat(252)), "255 bytes")]
#[tokio::test]
async fn bad_names_answer_400_and_store_nothing(#[case] name: &str, #[case] message: &str) {
    let service = TestService::start().await;
    let form = form("sent.txt", b"x")
        .text("fileName", name.to_owned())
        .text("options", public().to_string());
    assert_refused(
        service.post_form(form.text("folderPath", "/")).await,
        400,
        Some("VALIDATION_ERROR"),
        message,
    );
    assert_eq!(stored_files(&service).await, [""; 0]);
}

#[tokio::test]
async fn both_folder_fields_answer_400_and_an_unknown_folder_id_404() {
    let service = TestService::start().await;
    let both = form("a.txt", b"x")
        .text("options", public().to_string())
        .text("folderId", "5")
        .text("folderPath", "/");
    assert_refused(
        service.post_form(both).await,
        400,
        Some("VALIDATION_ERROR"),
        "cannot be set together",
    );
    let unknown = form("a.txt", b"x")
        .text("options", public().to_string())
        .text("folderId", "5");
    assert_refused(
        service.post_form(unknown).await,
        404,
        Some("OBJECT_NOT_FOUND"),
        "5",
    );
    service.wait_for_blobs(|count| count == 0).await;
}

#[tokio::test]
async fn exactly_one_file_is_taken() {
    let service = TestService::start().await;
    let none = reqwest::multipart::Form::new()
        .text("options", public().to_string())
        .text("folderPath", "/");
    assert_refused(
        service.post_form(none).await,
        400,
        Some("VALIDATION_ERROR"),
        "file parameter is required",
    );
    let part = reqwest::multipart::Part::bytes(b"y".to_vec()).file_name("b.txt");
    let two = form("a.txt", b"x")
        .part("file", part)
        .text("options", public().to_string())
        .text("folderPath", "/");
    assert_refused(
        service.post_form(two).await,
        400,
        Some("VALIDATION_ERROR"),
        "exactly one file",
    );
    service.wait_for_blobs(|count| count == 0).await;
}

#[tokio::test]
async fn forms_with_too_many_or_too_large_fields_are_refused() {
    let service = TestService::start().await;
    let many = (0..16).fold(form("a.txt", b"x"), |form, n| {
        form.text(format!("field{n}"), "x")
    });
    assert_refused(
        service.post_form(many).await,
        400,
        Some("VALIDATION_ERROR"),
        "16 parts",
    );
    let large = form("a.txt", b"x").text("options", "x".repeat(70_000));
    assert_refused(
        service.post_form(large).await,
        400,
        Some("VALIDATION_ERROR"),
        "65536 bytes",
    );
}

#[rstest]
#[case::headers_without_end("--x\r\ncontent-disposition: form-data; name=\"file\"; filename=\"")]
#[case::no_boundary("")]
#[tokio::test]
async fn a_form_that_would_fill_the_memory_is_cut(#[case] start: &str) {
    let service = TestService::start().await;
    let request = service
        .request(Method::POST, "/files/v3/files")
        .header("content-type", "multipart/form-data; boundary=x");
    let body = format!("{start}{}", "y".repeat(1_000_000));
    assert_refused(
        answer(request.body(body)).await,
        400,
        Some("VALIDATION_ERROR"),
        "could not be read",
    );
}

#[tokio::test]
async fn a_large_upload_with_a_wrong_token_learns_of_it() {
    let service = TestService::start().await;
    let form = form("a.bin", &vec![0; 20_000_000])
        .text("options", public().to_string())
        .text("folderPath", "/");
    let request = http::client()
        .post(service.url("/files/v3/files"))
        .bearer_auth("wrong")
        .multipart(form);
    assert_refused(
        answer(request).await,
        401,
        Some("INVALID_AUTHENTICATION"),
        "credentials",
    );
}

#[tokio::test]
async fn another_content_type_answers_415() {
    let service = TestService::start().await;
    let request = service
        .request(Method::POST, "/files/v3/files")
        .json(&json!({ "access": "PRIVATE" }));
    assert_refused(answer(request).await, 415, None, "multipart/form-data");
}

#[rstest]
#[case::of_two_gigabytes(None, 3_000_000_000)]
#[case::ordered(Some(20_000_000), 22_000_000)]
#[tokio::test]
async fn a_declared_length_over_the_limit_is_refused_before_the_body_is_read(
    #[case] limit: Option<u64>,
    #[case] length: u64,
) {
    let service = TestService::configured(|options| {
        options.max_file_bytes = limit.unwrap_or(options.max_file_bytes);
    })
    .await;
    let head = format!(
        "POST /files/v3/files HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\n\
         content-type: multipart/form-data; boundary=x\r\ncontent-length: {length}\r\n\r\n",
        service.token()
    );
    let mut stream = service.connect().await;
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut start = [0_u8; 12];
    stream.read_exact(&mut start).await.unwrap();
    assert_eq!(&start, b"HTTP/1.1 400");
}

#[tokio::test]
async fn a_body_cut_in_the_middle_stores_nothing() {
    let service = TestService::start().await;
    let mut stream: TcpStream = service.connect().await;
    let part = "--x\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.bin\"\r\n\r\n";
    let head = format!(
        "POST /files/v3/files HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\n\
         content-type: multipart/form-data; boundary=x\r\ncontent-length: 5000000\r\n\r\n{part}",
        service.token()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(&vec![7_u8; 600_000]).await.unwrap();
    // There is now a file on the disk, under a temporary name.
    service.wait_for_blobs(|count| count > 0).await;
    drop(stream);
    service.wait_for_blobs(|count| count == 0).await;
    assert_eq!(stored_files(&service).await, [""; 0]);
}

#[tokio::test]
async fn a_name_is_made_of_the_content_when_none_is_given() {
    let service = TestService::start().await;
    let part = reqwest::multipart::Part::bytes(PNG_HEAD.to_vec());
    let form = reqwest::multipart::Form::new()
        .part("file", part)
        .text("options", public().to_string());
    let file = service
        .post_form(form.text("folderPath", "/"))
        .await
        .expect(201)
        .json();
    assert_eq!(file["path"], "/c01907e766c0.png");
    assert!(file.get("parentFolderId").is_none());
}

#[tokio::test]
async fn files_of_the_same_name_get_numbers_unless_they_overwrite() {
    let service = TestService::start().await;
    let first = service
        .upload("/", "a.txt", b"1", public())
        .await
        .expect(201)
        .id();
    for (bytes, path) in [(b"2", "/a-1.txt"), (b"3", "/a-2.txt")] {
        assert_eq!(
            service
                .upload("/", "a.txt", bytes, public())
                .await
                .expect(201)
                .json()["path"],
            path
        );
    }
    let options = json!({ "access": "PUBLIC_INDEXABLE", "overwrite": true });
    let over = service
        .upload("/", "a.txt", b"4", options)
        .await
        .expect(201);
    assert_eq!(over.json()["path"], "/a.txt");
    assert_ne!(over.id(), first);
    service
        .get(&format!("/files/v3/files/{first}"))
        .await
        .expect(404);
    assert_eq!(
        service
            .fetch(&service.url("/hubfs/a.txt"))
            .await
            .expect(200)
            .body,
        b"4"
    );
}

// Seen to fail when only names with the same extension are searched for numbers, and when the
// highest is counted on.
#[tokio::test]
async fn numbers_keep_clear_of_every_name_that_is_there() {
    let service = TestService::start().await;
    let whole = service
        .upload("/", "README", b"0", public())
        .await
        .expect(201)
        .id();
    service
        .patch(
            &format!("/files/v3/files/{whole}"),
            json!({ "name": "a-1.txt" }),
        )
        .await
        .expect(200);
    service
        .upload("/", "a-18446744073709551615.txt", b"1", public())
        .await
        .expect(201);
    for path in ["/a.txt", "/a-2.txt", "/a-3.txt"] {
        assert_eq!(
            service
                .upload("/", "a.txt", b"2", public())
                .await
                .expect(201)
                .json()["path"],
            path
        );
    }
}

#[tokio::test]
async fn uploads_at_the_same_time_share_new_folders_and_keep_their_names_apart() {
    let service = TestService::start().await;
    let uploads = (0..12_u8).map(|n| {
        let service = &service;
        async move {
            service
                .upload("/new/deep", "a.txt", &[n], public())
                .await
                .expect(201)
                .json()
        }
    });
    let files = futures::future::join_all(uploads).await;
    let paths: std::collections::BTreeSet<_> = files
        .iter()
        .map(|file| file["path"].as_str().unwrap())
        .collect();
    assert_eq!(paths.len(), 12);
    let folders = service
        .get("/files/v3/folders/search")
        .await
        .expect(200)
        .json();
    assert_eq!(folders["results"].as_array().unwrap().len(), 2);
}

#[rstest]
#[case::none("ENTIRE_PORTAL", "NONE", "/other", 201, true)]
#[case::reject_everywhere("ENTIRE_PORTAL", "REJECT", "/other", 409, false)]
#[case::reject_here("EXACT_FOLDER", "REJECT", "/here", 409, false)]
#[case::reject_elsewhere("EXACT_FOLDER", "REJECT", "/other", 201, true)]
#[case::existing_everywhere("ENTIRE_PORTAL", "RETURN_EXISTING", "/other", 201, false)]
#[case::existing_here("EXACT_FOLDER", "RETURN_EXISTING", "/here", 201, false)]
#[case::existing_elsewhere("EXACT_FOLDER", "RETURN_EXISTING", "/other", 201, true)]
#[tokio::test]
async fn duplicate_rules_hold_for_each_scope_and_strategy(
    #[case] scope: &str,
    #[case] strategy: &str,
    #[case] folder: &str,
    #[case] status: u16,
    #[case] stored: bool,
) {
    let service = TestService::start().await;
    let first = service
        .upload("/here", "a.txt", b"same", public())
        .await
        .expect(201)
        .id();
    let options = json!({ "access": "PRIVATE", "duplicateValidationScope": scope, "duplicateValidationStrategy": strategy });
    let second = service
        .upload(folder, "b.txt", b"same", options)
        .await
        .expect(status);
    match status {
        409 => assert_refused(second, 409, Some("OBJECT_ALREADY_EXISTS"), "/here/a.txt"),
        _ => assert_eq!(second.id() != first, stored),
    }
    assert_eq!(
        stored_files(&service).await.len(),
        if stored { 2 } else { 1 }
    );
    // Nor was a folder created for the refused upload.
    service
        .get("/files/v3/files/stat/other")
        .await
        .expect(if folder == "/other" && stored {
            200
        } else {
            404
        });
    service
        .wait_for_blobs(|count| count == if stored { 2 } else { 1 })
        .await;
}

#[tokio::test]
async fn the_name_says_nothing_about_duplicates() {
    let service = TestService::start().await;
    service
        .upload("/", "a.txt", b"one", public())
        .await
        .expect(201);
    let options = json!({ "access": "PRIVATE", "duplicateValidationStrategy": "REJECT" });
    assert_eq!(
        service
            .upload("/", "a.txt", b"two", options)
            .await
            .expect(201)
            .json()["path"],
        "/a-1.txt"
    );
}

#[rstest]
#[case::shortest("P1D", "2026-11-22T08:30:00Z")]
#[case::longest("P1Y", "2027-11-21T08:30:00Z")]
#[tokio::test]
async fn a_file_with_a_ttl_is_gone_when_its_time_is_over(#[case] ttl: &str, #[case] end: &str) {
    let service = TestService::start().await;
    let options = json!({ "access": "PUBLIC_INDEXABLE", "ttl": ttl });
    let file = service
        .upload("/", "a.txt", b"x", options)
        .await
        .expect(201)
        .json();
    let end: Timestamp = end.parse().unwrap();
    assert_eq!(file["expiresAt"], json!(end.as_millisecond()));
    let details = format!("/files/v3/files/{}", file["id"].as_str().unwrap());
    let left = end.duration_since(service.clock.now());
    service.clock.advance(left - SignedDuration::from_millis(1));
    service.get(&details).await.expect(200);
    service.clock.advance(SignedDuration::from_millis(1));
    service.get(&details).await.expect(404);
    service
        .fetch(file["url"].as_str().unwrap())
        .await
        .expect(404);
    assert_eq!(stored_files(&service).await, [""; 0]);
}

#[rstest]
#[tokio::test]
async fn every_version_of_the_api_is_served(#[values("v3", "2026-03", "2026-09")] version: &str) {
    let service = TestService::start().await;
    let form = form("a.txt", b"x")
        .text("options", public().to_string())
        .text("folderPath", "/");
    let created = answer(
        service
            .request(Method::POST, &format!("/files/{version}/files"))
            .multipart(form),
    )
    .await;
    let id = created.expect(201).id();
    service
        .get(&format!("/files/{version}/files/{id}"))
        .await
        .expect(200);
    let update = service
        .patch(
            &format!("/files/{version}/files/{id}"),
            json!({ "name": "b" }),
        )
        .await;
    if version == "v3" {
        update.expect(200);
    } else {
        assert_refused(
            update,
            400,
            Some("VALIDATION_ERROR"),
            "clearExpires is required",
        );
    }
}

#[tokio::test]
async fn a_file_of_many_megabytes_goes_up_and_down_unchanged() {
    let service = TestService::start().await;
    let bytes: Vec<u8> = (0..5_000_000_u32).flat_map(u32::to_le_bytes).collect();
    let file = service
        .upload("/", "big.bin", &bytes, public())
        .await
        .expect(201)
        .json();
    assert_eq!(file["size"], 20_000_000);
    assert!(
        service
            .fetch(file["url"].as_str().unwrap())
            .await
            .expect(200)
            .body
            == bytes
    );
}

// Seen to fail when a locked database counts as one that may have stored the file: every refused
// upload left its bytes.
#[tokio::test]
async fn an_upload_that_meets_a_locked_database_leaves_no_bytes() {
    let service = TestService::start().await;
    let locked = database::lock(&service.dir.path().join("data/filedeck.db"));
    service
        .upload("/", "late.txt", b"late", json!({"access": "PRIVATE"}))
        .await
        .expect(500);
    service.wait_for_blobs(|count| count == 0).await;
    drop(locked);
    service
        .upload("/", "late.txt", b"late", json!({"access": "PRIVATE"}))
        .await
        .expect(201);
}
