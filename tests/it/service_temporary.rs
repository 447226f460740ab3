//! The service as the tests of another program start it.

use filedeck::service;
use reqwest::StatusCode;
use secrecy::ExposeSecret as _;

use crate::support::http;
use crate::support::pictures::picture;
use crate::support::service::{answer, form};

#[tokio::test]
async fn it_answers_with_its_token_and_stops_when_it_is_dropped() {
    let service = service::start().await.unwrap();
    let files = service.base_url().join("files/v3/files/search").unwrap();
    let asked = http::client()
        .get(files.clone())
        .bearer_auth(service.token().expose_secret());
    assert_eq!(asked.send().await.unwrap().status(), StatusCode::OK);
    let without = http::client().get(files.clone()).send().await.unwrap();
    assert_eq!(without.status(), StatusCode::UNAUTHORIZED);
    let dir = service.dir().to_owned();
    drop(service);
    let refused = async { while http::client().get(files.clone()).send().await.is_ok() {} };
    tokio::time::timeout(std::time::Duration::from_secs(20), refused)
        .await
        .unwrap();
    assert!(!dir.exists());
}

#[tokio::test]
async fn several_run_side_by_side_and_leave_nothing_behind() {
    let (one, other) = (
        service::start().await.unwrap(),
        service::start().await.unwrap(),
    );
    assert_ne!(one.base_url(), other.base_url());
    assert_ne!(one.token().expose_secret(), other.token().expose_secret());
    let dirs = [one.dir().to_owned(), other.dir().to_owned()];
    assert!(dirs.iter().all(|dir| dir.exists()));
    one.shutdown().await;
    other.shutdown().await;
    assert!(!dirs.iter().any(|dir| dir.exists()));
}

#[tokio::test]
async fn originals_take_the_place_of_copies_in_another_size() {
    let service = service::start().await.unwrap();
    let (http, files) = (
        http::client(),
        service.base_url().join("files/v3/files/").unwrap(),
    );
    let token = service.token().expose_secret();
    let form = form("a.png", &picture())
        .text("options", r#"{"access":"PRIVATE"}"#)
        .text("folderPath", "/");
    let upload = http
        .post(service.base_url().join("files/v3/files").unwrap())
        .bearer_auth(token)
        .multipart(form);
    let id = answer(upload).await.expect(201).id();
    let sign = http
        .get(files.join(&format!("{id}/signed-url?size=icon")).unwrap())
        .bearer_auth(token);
    let signed = answer(sign).await.expect(200).json();
    assert_eq!(
        (&signed["width"], &signed["height"]),
        (&400.into(), &200.into())
    );
    let copy = answer(http.get(signed["url"].as_str().unwrap()))
        .await
        .expect(200);
    assert_eq!(copy.body, picture());
}
