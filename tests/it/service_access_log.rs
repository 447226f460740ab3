//! The access log: who did what, and nothing secret.

use std::path::PathBuf;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::http;
use crate::support::service::{Answer, TestService, answer, list_tokens};

async fn service() -> (TestService, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("access.log");
    let path = log.clone();
    let list = json!({ "tokens": [{ "name": "cleaner", "token": "secret-of-cleaner", "scopes": ["files"] }] });
    let clock = filedeck::service::clock::Clock::system();
    let service = TestService::start_with(dir, clock, |options| {
        options.access_log = Some(log);
        options.token_file = Some(list_tokens(&options.data_dir, &list));
    })
    .await;
    (service, path)
}

async fn cleaner(service: &TestService, method: Method, path: &str) -> Answer {
    answer(
        http::client()
            .request(method, service.url(path))
            .bearer_auth("secret-of-cleaner"),
    )
    .await
}

/// Stops the service, which writes the last lines.
async fn lines(service: TestService, log: &std::path::Path) -> (String, Vec<Value>) {
    let _dir = service.stop().await;
    let text = std::fs::read_to_string(log).unwrap();
    let lines = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    (text, lines)
}

#[tokio::test]
async fn every_deletion_has_a_line_that_says_who_deleted_what() {
    let (service, log) = service().await;
    let mut ids = Vec::new();
    for name in ["a.txt", "b.txt", "c.txt"] {
        ids.push(
            service
                .upload(
                    "/press",
                    name,
                    name.as_bytes(),
                    json!({ "access": "PRIVATE" }),
                )
                .await
                .expect(201)
                .id(),
        );
    }
    cleaner(
        &service,
        Method::DELETE,
        &format!("/files/v3/files/{}", ids[0]),
    )
    .await
    .expect(204);
    let erased = cleaner(
        &service,
        Method::DELETE,
        &format!("/files/v3/files/{}/gdpr-delete", ids[1]),
    )
    .await
    .expect(204);
    service.delete("/files/v3/folders/press").await.expect(204);
    let correlation = erased.header("x-request-id").unwrap().to_owned();
    let (_, lines) = lines(service, &log).await;
    let found: Vec<_> = lines
        .iter()
        .filter(|line| line["object"]["deleted"] == true)
        .map(|line| {
            (
                &line["token"],
                &line["method"],
                &line["object"]["type"],
                &line["object"]["path"],
            )
        })
        .collect();
    let (file, folder) = (json!("file"), json!("folder"));
    let (cleaner, owner, delete) = (json!("cleaner"), json!("owner"), json!("DELETE"));
    let paths = [
        json!("/press/a.txt"),
        json!("/press/b.txt"),
        json!("/press"),
    ];
    assert_eq!(
        found,
        [
            (&cleaner, &delete, &file, &paths[0]),
            (&cleaner, &delete, &file, &paths[1]),
            (&owner, &delete, &folder, &paths[2]),
        ]
    );
    let line = lines
        .iter()
        .find(|line| line["correlationId"] == correlation.as_str())
        .unwrap();
    assert_eq!(
        (&line["object"]["id"], &line["status"], &line["peer"]),
        (&json!(ids[1]), &json!(204), &json!("127.0.0.1"))
    );
}

#[tokio::test]
async fn every_request_has_a_line_without_token_query_or_signature() {
    let (service, log) = service().await;
    let id = service
        .upload(
            "/",
            "a.txt",
            b"twelve bytes",
            json!({ "access": "PRIVATE" }),
        )
        .await
        .expect(201)
        .id();
    let signed = cleaner(
        &service,
        Method::GET,
        &format!("/files/v3/files/{id}/signed-url"),
    )
    .await
    .expect(200)
    .json();
    let url = signed["url"].as_str().unwrap();
    service.fetch(url).await.expect(200);
    let wrong = http::client()
        .get(service.url("/files/v3/files/search"))
        .bearer_auth("wrong-token");
    answer(wrong).await.expect(401);
    let (text, lines) = lines(service, &log).await;
    let signature = url.split("signature=").nth(1).unwrap();
    for secret in [
        "secret-of-cleaner",
        "wrong-token",
        "fdk-test-token",
        signature,
        "signature",
        "expires",
    ] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
    let statuses: Vec<_> = lines
        .iter()
        .map(|line| (line["status"].as_u64().unwrap(), &line["token"]))
        .collect();
    let (owner, cleaner) = (json!("owner"), json!("cleaner"));
    assert_eq!(
        statuses,
        [
            (201, &owner),
            (200, &cleaner),
            (200, &cleaner),
            (401, &Value::Null)
        ]
    );
    assert_eq!(
        (&lines[0]["object"]["path"], &lines[2]["bytes"]),
        (&json!("/a.txt"), &json!(12))
    );
    assert_eq!(lines[2]["path"], format!("/signed/{id}/a.txt"));
}
