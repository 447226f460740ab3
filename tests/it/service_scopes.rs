//! Tokens with scopes and an expiry, over raw HTTP: the scopes that each route requires, and the wording of refusals
//! (`contract.md#scopes`, `contract.md#errors`).
//!
//! Seen to fail, each planted alone: unchecked scopes, tokens without an expiry, digests accepted as tokens.

use filedeck::service::TokenFile;
use jiff::SignedDuration;
use reqwest::Method;
use rstest::rstest;
use serde_json::json;

use crate::support::http;
use crate::support::service::{Answer, TestService, answer};

/// A service that accepts these tokens besides its own; the name of each is also its value.
async fn service(tokens: &[(&str, &[&str])]) -> TestService {
    let entries: Vec<_> =
        tokens.iter().map(|(name, scopes)| json!({ "name": name, "token": name, "scopes": scopes })).collect();
    service_with(json!({ "tokens": entries })).await
}

async fn service_with(list: serde_json::Value) -> TestService {
    let TokenFile::List(tokens) = TokenFile::parse(&list.to_string()).unwrap() else { panic!("not a list") };
    TestService::configured(|options| options.listed_tokens = tokens).await
}

async fn call(service: &TestService, token: &str, method: Method, path: &str) -> Answer {
    answer(http::client().request(method, service.url(path)).bearer_auth(token)).await
}

/// The scopes that refusals list.
const READ: [&str; 3] = ["files", "files.read", "files.ui_hidden.read"];
const WRITE: [&str; 3] = ["files", "files.write", "files.ui_hidden.write"];
const DELETE: [&str; 3] = ["files", "files.delete", "files.ui_hidden.write"];

/// Every scope of files, the hidden ones in both spellings.
const SCOPES: [&str; 8] = [
    "files",
    "files.read",
    "files.write",
    "files.delete",
    "files.ui_hidden.read",
    "files.ui_hidden.write",
    "files_ui_hidden.read",
    "files_ui_hidden.write",
];

#[rstest]
#[case::upload(Method::POST, "/files/v3/files", WRITE)]
#[case::replacement(Method::PUT, "/files/v3/files/1", WRITE)]
#[case::update(Method::PATCH, "/files/v3/files/1", WRITE)]
#[case::details(Method::GET, "/files/v3/files/1", READ)]
#[case::stat(Method::GET, "/files/v3/files/stat/a", READ)]
#[case::search(Method::GET, "/files/v3/files/search", READ)]
#[case::signed_address(Method::GET, "/files/v3/files/1/signed-url", READ)]
#[case::download(Method::GET, "/files/v3/files/1/download", READ)]
#[case::deletion(Method::DELETE, "/files/v3/files/1", DELETE)]
#[case::permanent_deletion(Method::DELETE, "/files/v3/files/1/gdpr-delete", DELETE)]
#[case::import(Method::POST, "/files/v3/files/import-from-url/async", WRITE)]
#[case::status_of_an_import(Method::GET, "/files/v3/files/import-from-url/async/tasks/x/status", READ)]
#[case::folder(Method::POST, "/files/v3/folders", WRITE)]
#[case::folder_details(Method::GET, "/files/v3/folders/1", READ)]
#[case::folder_search(Method::GET, "/files/v3/folders/search", READ)]
#[case::folder_update(Method::PATCH, "/files/v3/folders/1", WRITE)]
#[case::folder_task(Method::POST, "/files/v3/folders/update/async", WRITE)]
#[case::status_of_a_folder_task(Method::GET, "/files/v3/folders/update/async/tasks/x/status", WRITE)]
#[case::folder_deletion(Method::DELETE, "/files/v3/folders/a", DELETE)]
#[case::of_a_dated_version(Method::DELETE, "/files/2026-09/folders/a", DELETE)]
#[tokio::test]
async fn a_route_of_files_opens_to_any_one_of_its_scopes(
    #[case] method: Method,
    #[case] path: &str,
    #[case] scopes: [&str; 3],
) {
    let tokens = SCOPES.each_ref().map(|scope| (*scope, std::slice::from_ref(scope)));
    let service =
        service(&[&tokens[..], &[("crm.objects.contacts.read", &["crm.objects.contacts.read"])]].concat()).await;
    for (token, _) in tokens.iter().chain([&("crm.objects.contacts.read", [].as_slice())]) {
        let answer = call(&service, token, method.clone(), path).await;
        if scopes.contains(&token.replace("files_ui", "files.ui").as_str()) {
            assert_ne!(answer.status, 403, "{token}: {}", answer.text());
            continue;
        }
        let body = answer.expect(403).json();
        assert_eq!((&body["status"], &body["category"]), (&json!("error"), &json!("MISSING_SCOPES")), "{token}");
        assert_eq!(body["errors"][0]["context"]["requiredGranularScopes"], json!(scopes), "{token}");
        assert!(body["correlationId"].is_string());
    }
}

#[rstest]
#[case::custom_properties("custom-properties", "tickets", "crm.schemas.custom.read")]
#[case::calculated_properties("calculated-properties", "crm.objects.deals.write", "files")]
#[case::records("records", "crm.objects.contacts.read", "files")]
#[case::pipelines("pipelines", "e-commerce", "files")]
#[case::labels("associations/labels", "crm.objects.companies.read", "files")]
#[case::sources("associations/records/from", "media_bridge.read", "files")]
#[case::targets("associations/records/0-1/to", "crm.objects.contacts.read", "files")]
#[case::pair("associations/records/0-1/0-2", "crm.objects.contacts.read", "files")]
#[case::custom_types("custom-object-types", "crm.schemas.custom.read", "crm.objects.contacts.read")]
#[tokio::test]
async fn a_report_opens_to_a_crm_scope(#[case] report: &str, #[case] opens: &str, #[case] does_not: &str) {
    let service = service(&[("good", &[opens]), ("bad", &[does_not])]).await;
    for path in [format!("/crm/v3/limits/{report}"), format!("/crm/limits/2026-03/{report}")] {
        call(&service, "good", Method::GET, &path).await.expect(200);
        let refusal = call(&service, "bad", Method::GET, &path).await.expect(403).json();
        assert_eq!(refusal["category"], "MISSING_SCOPES");
        let wanted = refusal["errors"][0]["context"]["requiredGranularScopes"].as_array().unwrap();
        assert!(!wanted.is_empty() && !wanted.contains(&json!(does_not)), "{wanted:?}");
    }
}

#[tokio::test]
async fn a_refused_call_changes_nothing() {
    let service = service(&[("reader", &["files.read"])]).await;
    let id = service.upload("/", "a.txt", b"a", json!({ "access": "PRIVATE" })).await.expect(201).id();
    let path = format!("/files/v3/files/{id}");
    call(&service, "reader", Method::DELETE, &path).await.expect(403);
    call(&service, "reader", Method::GET, &path).await.expect(200);
}

#[tokio::test]
async fn a_token_ends_when_its_list_says_and_the_answer_says_since_when() {
    let list = json!({ "tokens": [
        { "name": "short", "token": "short", "scopes": ["*"], "expires_at": "2026-11-21T09:00:00Z" }
    ] });
    let service = service_with(list).await;
    let path = "/files/v3/files/search";
    service.clock.advance(SignedDuration::from_millis(30 * 60 * 1000 - 1));
    call(&service, "short", Method::GET, path).await.expect(200);
    service.clock.advance(SignedDuration::from_millis(5001));
    let refusal = call(&service, "short", Method::GET, path).await.expect(401).json();
    assert_eq!(refusal["category"], "EXPIRED_AUTHENTICATION");
    assert_eq!(refusal["context"], json!({ "expire time": ["2026-11-21T09:00:00.000Z"] }));
    assert!(refusal["message"].as_str().unwrap().contains("5 second(s) ago"), "{refusal}");
    service.get(path).await.expect(200);
}

#[tokio::test]
async fn a_token_listed_by_its_digest_opens_and_the_digest_does_not() {
    // SHA-256 of "abc".
    let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    let service = service_with(json!({ "tokens": [{ "name": "ci", "sha256": digest, "scopes": ["files"] }] })).await;
    call(&service, "abc", Method::GET, "/files/v3/files/search").await.expect(200);
    call(&service, digest, Method::GET, "/files/v3/files/search").await.expect(401);
}

#[rstest]
#[case::as_the_service_spells_them("files.ui_hidden.read", "files.ui_hidden.write")]
#[case::as_the_guide_spells_them("files_ui_hidden.read", "files_ui_hidden.write")]
#[tokio::test]
async fn a_hidden_file_is_there_by_id_for_its_own_scopes_only(#[case] reads: &str, #[case] writes: &str) {
    let service =
        service(&[("all-files", &["files"]), ("hidden-reader", &[reads]), ("hidden-writer", &[writes])]).await;
    let id = service.upload("/", "a.txt", b"a", json!({ "access": "PUBLIC_INDEXABLE" })).await.expect(201).id();
    service.hide(&id).await;
    let path = format!("/files/v3/files/{id}");
    for read in [path.clone(), format!("{path}/signed-url"), format!("{path}/download")] {
        let refusal = call(&service, "all-files", Method::GET, &read).await.expect(403).json();
        assert_eq!(refusal["errors"][0]["context"]["requiredGranularScopes"], json!(["files.ui_hidden.read"]));
        call(&service, "hidden-reader", Method::GET, &read).await.expect(200);
    }
    let file = call(&service, "hidden-reader", Method::GET, &path).await.json();
    assert_eq!(file["access"], "HIDDEN_PRIVATE");
    service.get("/files/v3/files/stat/a.txt").await.expect(404);
    assert_eq!(service.get("/files/v3/files/search").await.expect(200).json()["results"], json!([]));

    for (method, path) in [(Method::PATCH, path.clone()), (Method::PUT, path.clone()), (Method::DELETE, path.clone())] {
        let request = http::client().request(method, service.url(&path)).bearer_auth("all-files");
        let refusal = answer(request.json(&json!({}))).await.expect(403).json();
        assert_eq!(refusal["errors"][0]["context"]["requiredGranularScopes"], json!(["files.ui_hidden.write"]));
    }
    call(&service, "all-files", Method::DELETE, &format!("{path}/gdpr-delete")).await.expect(403);
    call(&service, "hidden-writer", Method::DELETE, &format!("{path}/gdpr-delete")).await.expect(204);
}
