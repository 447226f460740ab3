//! The service as the tests of another program start it.

use filedeck::service::{self, TemporaryService};
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

/// The status of a search for all files.
async fn search(service: &TemporaryService) -> StatusCode {
    let url = service.base_url().join("files/v3/files/search").unwrap();
    let request = http::client()
        .get(url)
        .bearer_auth(service.token().expose_secret());
    request.send().await.unwrap().status()
}

#[tokio::test]
async fn a_reset_returns_to_the_options_that_the_service_was_built_with() {
    let service = TemporaryService::builder()
        .sample()
        .token("of-a-test".into())
        .fault("status=503,times=1")
        .start()
        .await
        .unwrap();
    assert_eq!(service.token().expose_secret(), "of-a-test");
    for _ in 0..2 {
        assert_eq!(search(&service).await, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(search(&service).await, StatusCode::OK);
        let served = service.requests();
        let statuses: Vec<_> = served.iter().map(|request| request.status).collect();
        assert_eq!(statuses, [Some(503), Some(200)]);
        assert_eq!(
            (served[0].method.as_str(), served[0].path.as_str()),
            ("GET", "/files/v3/files/search")
        );
        service.reset().await.unwrap();
        assert!(service.requests().is_empty());
    }
}

#[tokio::test]
async fn the_clock_starts_where_it_was_set_and_can_be_moved() {
    let start = "2027-03-01T10:00:00Z".parse().unwrap();
    let service = TemporaryService::builder()
        .clock(start)
        .start()
        .await
        .unwrap();
    let url = service.base_url().join("__filedeck/clock").unwrap();
    let now = async || {
        let request = http::client()
            .get(url.clone())
            .bearer_auth(service.token().expose_secret());
        answer(request).await.expect(200).json()["now"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert!(now().await.starts_with("2027-03-01T10:0"));
    service.advance(std::time::Duration::from_hours(24));
    assert!(now().await.starts_with("2027-03-02T10:0"));
}

#[tokio::test]
async fn a_fault_in_the_wrong_form_is_named_at_the_start() {
    let error = TemporaryService::builder()
        .fault("status=often")
        .start()
        .await
        .unwrap_err();
    assert!(error.to_string().contains("status=often"), "{error}");
}
