//! Tokens with scopes and an expiry, over raw HTTP: the scopes that each route requires, and the
//! wording of refusals (`contract.md#scopes`, `contract.md#errors`).
//!
//! Seen to fail, each planted alone: unchecked scopes, tokens without an expiry, digests accepted
//! as tokens.

use std::time::Duration;

use filedeck::service::maintenance;
use jiff::SignedDuration;
use reqwest::Method;
use rstest::rstest;
use serde_json::json;

use crate::support::http;
use crate::support::service::{Answer, TestService, answer, list_tokens};

/// A service that accepts these tokens besides its own; the name of each is also its value.
async fn service(tokens: &[(&str, &[&str])]) -> TestService {
    let entries: Vec<_> = tokens
        .iter()
        .map(|(name, scopes)| json!({ "name": name, "token": name, "scopes": scopes }))
        .collect();
    service_with(json!({ "tokens": entries })).await
}

async fn service_with(list: serde_json::Value) -> TestService {
    TestService::configured(|options| {
        options.token_file = Some(list_tokens(&options.data_dir, &list));
        options.tokens_read_every = Duration::from_millis(20);
    })
    .await
}

async fn call(service: &TestService, token: &str, method: Method, path: &str) -> Answer {
    answer(
        http::client()
            .request(method, service.url(path))
            .bearer_auth(token),
    )
    .await
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
#[case::status_of_an_import(
    Method::GET,
    "/files/v3/files/import-from-url/async/tasks/x/status",
    READ
)]
#[case::folder(Method::POST, "/files/v3/folders", WRITE)]
#[case::folder_details(Method::GET, "/files/v3/folders/1", READ)]
#[case::folder_search(Method::GET, "/files/v3/folders/search", READ)]
#[case::folder_update(Method::PATCH, "/files/v3/folders/1", WRITE)]
#[case::folder_task(Method::POST, "/files/v3/folders/update/async", WRITE)]
#[case::status_of_a_folder_task(
    Method::GET,
    "/files/v3/folders/update/async/tasks/x/status",
    WRITE
)]
#[case::folder_deletion(Method::DELETE, "/files/v3/folders/a", DELETE)]
#[case::of_a_dated_version(Method::DELETE, "/files/2026-09/folders/a", DELETE)]
#[tokio::test]
async fn a_route_of_files_opens_to_any_one_of_its_scopes(
    #[case] method: Method,
    #[case] path: &str,
    #[case] scopes: [&str; 3],
) {
    let tokens = SCOPES
        .each_ref()
        .map(|scope| (*scope, std::slice::from_ref(scope)));
    let service = service(
        &[
            &tokens[..],
            &[("crm.objects.contacts.read", &["crm.objects.contacts.read"])],
        ]
        .concat(),
    )
    .await;
    for (token, _) in tokens
        .iter()
        .chain([&("crm.objects.contacts.read", [].as_slice())])
    {
        let answer = call(&service, token, method.clone(), path).await;
        if scopes.contains(&token.replace("files_ui", "files.ui").as_str()) {
            assert_ne!(answer.status, 403, "{token}: {}", answer.text());
            continue;
        }
        let body = answer.expect(403).json();
        assert_eq!(
            (&body["status"], &body["category"]),
            (&json!("error"), &json!("MISSING_SCOPES")),
            "{token}"
        );
        assert_eq!(
            body["errors"][0]["context"]["requiredGranularScopes"],
            json!(scopes),
            "{token}"
        );
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
#[case::custom_types(
    "custom-object-types",
    "crm.schemas.custom.read",
    "crm.objects.contacts.read"
)]
#[tokio::test]
async fn a_report_opens_to_a_crm_scope(
    #[case] report: &str,
    #[case] opens: &str,
    #[case] does_not: &str,
) {
    let service = service(&[("good", &[opens]), ("bad", &[does_not])]).await;
    for path in [
        format!("/crm/v3/limits/{report}"),
        format!("/crm/limits/2026-03/{report}"),
    ] {
        call(&service, "good", Method::GET, &path).await.expect(200);
        let refusal = call(&service, "bad", Method::GET, &path)
            .await
            .expect(403)
            .json();
        assert_eq!(refusal["category"], "MISSING_SCOPES");
        let wanted = refusal["errors"][0]["context"]["requiredGranularScopes"]
            .as_array()
            .unwrap();
        assert!(
            !wanted.is_empty() && !wanted.contains(&json!(does_not)),
            "{wanted:?}"
        );
    }
}

#[tokio::test]
async fn a_refused_call_changes_nothing() {
    let service = service(&[("reader", &["files.read"])]).await;
    let id = service
        .upload("/", "a.txt", b"a", json!({ "access": "PRIVATE" }))
        .await
        .expect(201)
        .id();
    let path = format!("/files/v3/files/{id}");
    call(&service, "reader", Method::DELETE, &path)
        .await
        .expect(403);
    call(&service, "reader", Method::GET, &path)
        .await
        .expect(200);
}

#[tokio::test]
async fn a_token_ends_when_its_list_says_and_the_answer_says_since_when() {
    let list = json!({ "tokens": [
        { "name": "short", "token": "short", "scopes": ["*"], "expires_at": "2026-11-21T09:00:00Z" }
    ] });
    let service = service_with(list).await;
    let path = "/files/v3/files/search";
    service
        .clock
        .advance(SignedDuration::from_millis(30 * 60 * 1000 - 1));
    call(&service, "short", Method::GET, path).await.expect(200);
    service.clock.advance(SignedDuration::from_millis(5001));
    let refusal = call(&service, "short", Method::GET, path)
        .await
        .expect(401)
        .json();
    assert_eq!(refusal["category"], "EXPIRED_AUTHENTICATION");
    assert_eq!(
        refusal["context"],
        json!({ "expire time": ["2026-11-21T09:00:00.000Z"] })
    );
    assert!(
        refusal["message"]
            .as_str()
            .unwrap()
            .contains("5 second(s) ago"),
        "{refusal}"
    );
    service.get(path).await.expect(200);
}

#[tokio::test]
async fn a_token_listed_by_its_digest_opens_and_the_digest_does_not() {
    // SHA-256 of "abc".
    let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    let service = service_with(
        json!({ "tokens": [{ "name": "ci", "sha256": digest, "scopes": ["files"] }] }),
    )
    .await;
    call(&service, "abc", Method::GET, "/files/v3/files/search")
        .await
        .expect(200);
    call(&service, digest, Method::GET, "/files/v3/files/search")
        .await
        .expect(401);
}

#[rstest]
#[case::as_the_service_spells_them("files.ui_hidden.read", "files.ui_hidden.write")]
#[case::as_the_guide_spells_them("files_ui_hidden.read", "files_ui_hidden.write")]
#[tokio::test]
async fn a_hidden_file_is_there_by_id_for_its_own_scopes_only(
    #[case] reads: &str,
    #[case] writes: &str,
) {
    let service = service(&[
        ("all-files", &["files"]),
        ("hidden-reader", &[reads]),
        ("hidden-writer", &[writes]),
    ])
    .await;
    let id = service
        .upload("/", "a.txt", b"a", json!({ "access": "PUBLIC_INDEXABLE" }))
        .await
        .expect(201)
        .id();
    service.hide(&id).await;
    let path = format!("/files/v3/files/{id}");
    let missing = call(&service, "all-files", Method::GET, "/files/v3/files/1")
        .await
        .expect(404)
        .json();
    for read in [
        path.clone(),
        format!("{path}/signed-url"),
        format!("{path}/download"),
    ] {
        let refusal = call(&service, "all-files", Method::GET, &read)
            .await
            .expect(404)
            .json();
        assert_eq!(refusal["category"], missing["category"]);
        call(&service, "hidden-reader", Method::GET, &read)
            .await
            .expect(200);
    }
    let file = call(&service, "hidden-reader", Method::GET, &path)
        .await
        .json();
    assert_eq!(file["access"], "HIDDEN_PRIVATE");
    service.get("/files/v3/files/stat/a.txt").await.expect(404);
    assert_eq!(
        service
            .get("/files/v3/files/search")
            .await
            .expect(200)
            .json()["results"],
        json!([])
    );

    for (method, path) in [
        (Method::PATCH, path.clone()),
        (Method::PUT, path.clone()),
        (Method::DELETE, path.clone()),
    ] {
        let request = http::client()
            .request(method, service.url(&path))
            .bearer_auth("all-files");
        answer(request.json(&json!({}))).await.expect(404);
    }
    call(
        &service,
        "all-files",
        Method::DELETE,
        &format!("{path}/gdpr-delete"),
    )
    .await
    .expect(404);
    call(
        &service,
        "hidden-writer",
        Method::DELETE,
        &format!("{path}/gdpr-delete"),
    )
    .await
    .expect(204);
}

// Every way in which a file can be reached without its id.
#[tokio::test]
async fn a_hidden_file_is_neither_a_duplicate_nor_overwritten_nor_deleted_with_its_folder() {
    let service = service(&[("all-files", &["files"])]).await;
    let hidden = service
        .upload("/a/b", "x.txt", b"secret", json!({ "access": "PRIVATE" }))
        .await
        .expect(201)
        .id();
    let beside = service
        .upload("/a/b", "y.txt", b"open", json!({ "access": "PRIVATE" }))
        .await
        .expect(201)
        .id();
    service.hide(&hidden).await;
    for strategy in ["REJECT", "RETURN_EXISTING"] {
        let options = json!({ "access": "PRIVATE", "duplicateValidationStrategy": strategy });
        let other = service
            .upload("/c", &format!("{strategy}.txt"), b"secret", options)
            .await
            .expect(201)
            .json();
        assert_eq!(other["name"], strategy);
        assert_ne!(other["id"], hidden.as_str());
        service.erase(other["id"].as_str().unwrap()).await;
    }
    let options = json!({ "access": "PRIVATE", "overwrite": true });
    let numbered = service
        .upload("/a/b", "x.txt", b"other", options)
        .await
        .expect(201)
        .json();
    assert_eq!(numbered["name"], "x-1");
    for folder in ["/files/v3/folders/a", "/files/v3/folders/a%2Fb"] {
        call(&service, "all-files", Method::DELETE, folder)
            .await
            .expect(403);
        service.get(folder).await.expect(200);
    }
    for file in [&hidden, &beside] {
        service
            .get(&format!("/files/v3/files/{file}"))
            .await
            .expect(200);
    }
    service.delete("/files/v3/folders/a").await.expect(204);
    service
        .get(&format!("/files/v3/files/{hidden}"))
        .await
        .expect(404);
}

#[tokio::test]
async fn tokens_change_with_their_file_while_the_service_runs() {
    let service = service(&[("first", &["files"])]).await;
    let search = "/files/v3/files/search";
    call(&service, "first", Method::GET, search)
        .await
        .expect(200);
    list_tokens(
        &service.data_dir(),
        &json!({ "tokens": [{ "name": "new", "token": "second", "scopes": ["files"] }] }),
    );
    until(&service, "second", search, 200).await;
    call(&service, "first", Method::GET, search)
        .await
        .expect(401);
    service.get(search).await.expect(200);
}

async fn until(service: &TestService, token: &str, path: &str, status: u16) {
    let asking = async {
        while call(service, token, Method::GET, path)
            .await
            .status
            .as_u16()
            != status
        {}
    };
    tokio::time::timeout(Duration::from_secs(10), asking)
        .await
        .unwrap();
}

// Seen to fail when the signature is not over its maker, when the scopes are not looked at again,
// and when the file is not.
#[rstest]
#[case::removed(json!([]))]
#[case::replaced(json!([{ "name": "signer", "token": "another", "scopes": ["files"] }]))]
#[case::ended(json!([{ "name": "signer", "token": "signer", "scopes": ["files"], "expires_at": "2026-01-01T00:00:00Z" }]))]
#[case::without_the_scope(json!([{ "name": "signer", "token": "signer", "scopes": ["files.write"] }]))]
#[tokio::test]
async fn a_signed_address_ends_with_the_access_of_its_maker(#[case] tokens: serde_json::Value) {
    let service = service(&[("signer", &["files"]), ("other", &["files"])]).await;
    let id = service
        .upload("/", "a.txt", b"a", json!({ "access": "PRIVATE" }))
        .await
        .expect(201)
        .id();
    let sign = format!("/files/v3/files/{id}/signed-url");
    let signed = call(&service, "signer", Method::GET, &sign)
        .await
        .expect(200)
        .json();
    let own = service.get(&sign).await.expect(200).json();
    let address = |signed: &serde_json::Value| signed["url"].as_str().unwrap().to_owned();
    service.fetch(&address(&signed)).await.expect(200);
    list_tokens(&service.data_dir(), &json!({ "tokens": tokens }));
    let ending = async { while service.fetch(&address(&signed)).await.status.as_u16() != 403 {} };
    tokio::time::timeout(Duration::from_secs(10), ending)
        .await
        .unwrap();
    service.fetch(&address(&own)).await.expect(200);
}

#[tokio::test]
async fn a_signed_address_ends_when_its_file_is_hidden() {
    let service = service(&[("signer", &["files"])]).await;
    let id = service
        .upload("/", "a.txt", b"a", json!({ "access": "PRIVATE" }))
        .await
        .expect(201)
        .id();
    let sign = format!("/files/v3/files/{id}/signed-url");
    let signed = call(&service, "signer", Method::GET, &sign)
        .await
        .expect(200)
        .json();
    let own = service.get(&sign).await.expect(200).json();
    service.hide(&id).await;
    service
        .fetch(signed["url"].as_str().unwrap())
        .await
        .expect(403);
    service
        .fetch(own["url"].as_str().unwrap())
        .await
        .expect(200);
}

// Seen to fail with a key derived from the token.
#[tokio::test]
async fn a_new_key_ends_all_signed_addresses_and_a_restart_none() {
    let service = TestService::start().await;
    let id = service
        .upload("/", "a.txt", b"a", json!({ "access": "PRIVATE" }))
        .await
        .expect(201)
        .id();
    let signed = service
        .get(&format!("/files/v3/files/{id}/signed-url"))
        .await
        .expect(200)
        .json();
    let path = signed["url"]
        .as_str()
        .unwrap()
        .trim_start_matches(&service.url(""))
        .to_owned();
    let (dir, clock) = service.stop().await;
    let service = TestService::start_in(dir, clock).await;
    service.fetch(&service.url(&path)).await.expect(200);
    let options = service.store_options().await;
    let (dir, clock) = service.stop().await;
    maintenance::rotate_key(&options).await.unwrap();
    let service = TestService::start_in(dir, clock).await;
    service.fetch(&service.url(&path)).await.expect(403);
}
