//! A strict service refuses names that the live one silently ignores.

use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::service::{TestService, answer, form};

async fn strict() -> TestService {
    TestService::configured(|options| options.strict = true).await
}

fn said(refusal: &Value) -> &str {
    assert_eq!(refusal["category"], "VALIDATION_ERROR", "{refusal}");
    refusal["message"].as_str().unwrap()
}

// Seen to fail without each of the checks: query, JSON, form, options.
#[rstest]
#[case::misspelt(
    Method::GET,
    "/files/v3/files/search?lmit=5",
    Value::Null,
    "parameter 'lmit'; did you mean 'limit'?"
)]
#[case::of_files_only(
    Method::GET,
    "/files/v3/folders/search?sizeGte=5",
    Value::Null,
    "there is no parameter 'sizeGte'"
)]
#[case::another_case(
    Method::GET,
    "/files/v3/files/search?parentFolderIDs=0",
    Value::Null,
    "'parentFolderIds'?"
)]
#[case::where_none_is_taken(
    Method::GET,
    "/files/v3/files/1?properties=id",
    Value::Null,
    "this call takes none"
)]
#[case::signed(
    Method::GET,
    "/files/v3/files/1/signed-url?expirySeconds=5",
    Value::Null,
    "'expirationSeconds'?"
)]
#[case::of_a_report(
    Method::GET,
    "/crm/v3/limits/associations/labels?fromObjectType=0-1",
    Value::Null,
    "'fromObjectTypeId'?"
)]
#[case::new_folder(Method::POST, "/files/v3/folders", json!({"name": "a", "parentFolder": "/"}), "field 'parentFolder'; did you mean 'parentFolderI")]
#[case::changed_folder(Method::PATCH, "/files/v3/folders/1", json!({"nmae": "a"}), "did you mean 'name'?")]
#[case::folder_task(Method::POST, "/files/v3/folders/update/async", json!({"id": "1", "nmae": "a"}), "did you mean 'name'?")]
#[case::changed_file(Method::PATCH, "/files/v3/files/1", json!({"acces": "PRIVATE"}), "did you mean 'access'?")]
#[case::import(Method::POST, "/files/v3/files/import-from-url/async", json!({"url": "http://a.test/a", "overwrit": true}), "did you mean 'overwrite'?")]
#[case::dated(Method::PATCH, "/files/2026-09/files/1", json!({"clearExpiry": true}), "did you mean 'clearExpires'?")]
#[tokio::test]
async fn a_name_that_a_call_does_not_take_is_refused_with_the_nearest_one(
    #[case] method: Method,
    #[case] path: &str,
    #[case] body: Value,
    #[case] wanted: &str,
) {
    let service = strict().await;
    let request = service.request(method, path);
    let request = if body.is_null() {
        request
    } else {
        request.json(&body)
    };
    let refusal = answer(request).await.expect(400).json();
    assert!(said(&refusal).contains(wanted), "{refusal}");
    assert_eq!(
        refusal["context"]["unknown"].as_array().map(Vec::len),
        Some(1)
    );
}

#[rstest]
#[case::field(
    "folderpath",
    "/",
    "options",
    r#"{"access":"PRIVATE"}"#,
    "form field 'folderpath'; did you mean 'folderPath'?"
)]
#[case::unlike_any(
    "colour",
    "red",
    "options",
    r#"{"access":"PRIVATE"}"#,
    "this call takes charsetHunch, file, fileName"
)]
#[case::option(
    "folderPath",
    "/",
    "options",
    r#"{"access":"PRIVATE","overwite":true}"#,
    "field 'overwite'; did you mean 'overwrite'?"
)]
#[tokio::test]
async fn an_upload_is_refused_and_stores_nothing(
    #[case] field: &'static str,
    #[case] value: &'static str,
    #[case] other: &'static str,
    #[case] text: &'static str,
    #[case] wanted: &str,
) {
    let service = strict().await;
    let refusal = service
        .post_form(form("a.txt", b"a").text(field, value).text(other, text))
        .await
        .expect(400)
        .json();
    assert!(said(&refusal).contains(wanted), "{refusal}");
    let found = service
        .get("/files/v3/files/search")
        .await
        .expect(200)
        .json();
    assert_eq!(found["results"], json!([]));
    let id = service
        .upload("/", "a.txt", b"a", json!({"access": "PRIVATE"}))
        .await
        .expect(201)
        .id();
    let replacement =
        form("a.txt", b"b").text("options", r#"{"access":"PRIVATE","overwrite":true}"#);
    let replacing = service
        .request(Method::PUT, &format!("/files/v3/files/{id}"))
        .multipart(replacement);
    let refusal = answer(replacing).await.expect(400).json();
    assert!(
        said(&refusal).contains("there is no field 'overwrite'"),
        "{refusal}"
    );
}

#[tokio::test]
async fn without_it_the_same_names_are_passed_over() {
    let service = TestService::start().await;
    service
        .get("/files/v3/files/search?lmit=5")
        .await
        .expect(200);
    service
        .post(
            "/files/v3/folders",
            json!({"name": "a", "parentFolder": "/"}),
        )
        .await
        .expect(201);
    let options = json!({"access": "PRIVATE", "overwite": true});
    service
        .upload("/", "a.txt", b"a", options)
        .await
        .expect(201);
}

#[tokio::test]
async fn every_name_that_is_described_or_told_by_the_guide_is_taken() {
    let service = strict().await;
    service
        .post("/files/v3/folders", json!({"name": "a"}))
        .await
        .expect(201);
    service
        .post(
            "/files/v3/folders",
            json!({"name": "b", "parentPath": "/a"}),
        )
        .await
        .expect(201);
    service
        .post(
            "/files/v3/folders",
            json!({"name": "c", "parentFolderPath": "/a"}),
        )
        .await
        .expect(201);
    let options = json!({"access": "PRIVATE", "ttl": "P1M", "overwrite": false, "duplicateValidationScope": "ENTIRE_PORTAL",
        "duplicateValidationStrategy": "NONE"});
    let form = form("a.txt", b"a")
        .text("options", options.to_string())
        .text("folderPath", "/a");
    service
        .post_form(form.text("fileName", "b.txt").text("charsetHunch", "UTF-8"))
        .await
        .expect(201);
    let document = service
        .fetch(&service.url("/openapi.json"))
        .await
        .expect(200)
        .json();
    for path in ["/files/v3/files/search", "/files/v3/folders/search"] {
        for parameter in document["paths"][path]["get"]["parameters"]
            .as_array()
            .unwrap()
        {
            service
                .get(&format!("{path}?{}=", parameter["name"].as_str().unwrap()))
                .await
                .expect(200);
        }
    }
    // URLs of bytes accept parameters that browsers and caches add.
    service.get("/hubfs/nothing.png?v=1").await.expect(404);
}
