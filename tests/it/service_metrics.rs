//! The endpoints for operators, without a token: metrics for Prometheus, and readiness.

use std::net::SocketAddr;

use filedeck::service::faults::Faults;
use filedeck::service::{self, ServiceOptions};
use jiff::SignedDuration;
use reqwest::Method;
use rstest::rstest;
use serde_json::json;
use tokio::net::TcpListener;

use crate::support::half_sent::HalfSent;
use crate::support::http;
#[cfg(feature = "postgres")]
use crate::support::server_database;
use crate::support::service::{Answer, TestService, answer};

const IMPORT: &str = "/files/v3/files/import-from-url/async";

#[derive(Debug)]
struct Scrape(String);

impl Scrape {
    async fn of(service: &TestService) -> Self {
        let answer = service.fetch(&service.url("/metrics")).await.expect(200);
        assert_eq!(
            answer.header("content-type"),
            Some("application/openmetrics-text; version=1.0.0; charset=utf-8")
        );
        let text = answer.text();
        assert!(text.ends_with("# EOF\n"), "{text}");
        Self(text)
    }

    /// The metric with this name and these labels, in their order; `None` if there is none.
    fn get(&self, figure: &str) -> Option<f64> {
        self.0
            .lines()
            .find_map(|line| line.strip_prefix(figure)?.strip_prefix(' ')?.parse().ok())
    }
}

#[tokio::test]
async fn requests_are_counted_by_route_method_and_class_of_status() {
    let service = TestService::start().await;
    let id = service
        .upload("/", "a.txt", &[b'x'; 5000], json!({"access": "PRIVATE"}))
        .await
        .expect(201)
        .id();
    for _ in 0..3 {
        service
            .get(&format!("/files/v3/files/{id}"))
            .await
            .expect(200);
    }
    service.get("/files/v3/files/999").await.expect(404);
    service.fetch(&service.url("/nowhere")).await.expect(404);
    let made_up = Method::from_bytes(b"SECRET").unwrap();
    answer(service.request(made_up, "/files/v3/files/search"))
        .await
        .expect(405);
    let scrape = Scrape::of(&service).await;
    for (labels, count) in [
        (r#"route="/files/v3/files",method="POST",status="2xx""#, 1.0),
        (
            r#"route="/files/v3/files/{id}",method="GET",status="2xx""#,
            3.0,
        ),
        (
            r#"route="/files/v3/files/{id}",method="GET",status="4xx""#,
            1.0,
        ),
        (r#"route="unknown",method="GET",status="4xx""#, 1.0),
        (
            r#"route="/files/v3/files/search",method="other",status="4xx""#,
            1.0,
        ),
    ] {
        assert_eq!(
            scrape.get(&format!("filedeck_requests_total{{{labels}}}")),
            Some(count),
            "{labels}: {}",
            scrape.0
        );
    }
    let of_a_file = r#"{route="/files/v3/files/{id}",method="GET"}"#;
    assert_eq!(
        scrape.get(&format!(
            "filedeck_request_duration_seconds_count{of_a_file}"
        )),
        Some(4.0)
    );
    assert_eq!(
        scrape.get("filedeck_requests_under_way"),
        Some(1.0),
        "the scrape itself"
    );
    assert!(
        scrape.get("filedeck_connections_open") >= Some(1.0),
        "{}",
        scrape.0
    );
    assert_eq!(scrape.get("filedeck_connections_refused_total"), Some(0.0));
    let bytes = |name: &str| scrape.get(&format!("filedeck_{name}_bytes_total")).unwrap();
    assert!(
        (5000.0..20_000.0).contains(&bytes("received")),
        "{}",
        scrape.0
    );
    assert!(bytes("sent") > 1000.0, "{}", scrape.0);
}

#[tokio::test]
async fn tasks_are_told_by_kind_and_state_and_counted_as_they_end() {
    let service = TestService::start().await;
    let import =
        json!({"url": "http://127.0.0.1:9/", "access": "PRIVATE", "name": "i", "folderPath": "/"});
    service.post(IMPORT, import).await.expect(202);
    let folder = service
        .post("/files/v3/folders", json!({"name": "a"}))
        .await
        .expect(201)
        .id();
    service
        .post(
            "/files/v3/folders/update/async",
            json!({"id": folder, "name": "b"}),
        )
        .await
        .expect(202);
    // A scrape reads the store before the counters, so a task that ends in between is still
    // reported as running.
    let until = async |figure: &str, value: f64| {
        service
            .get_until("/metrics", |answer| {
                Scrape(answer.text()).get(figure) == Some(value)
            })
            .await;
    };
    let scrape = Scrape::of(&service).await;
    let updates = |state: &str| {
        scrape.get(&format!(
            "filedeck_tasks{{kind=\"folder_update\",state=\"{state}\"}}"
        ))
    };
    assert_eq!(
        [updates("waiting"), updates("running")],
        [Some(1.0), Some(0.0)],
        "{scrape:?}"
    );
    service.clock.advance(SignedDuration::from_millis(200));
    until(
        r#"filedeck_tasks{kind="folder_update",state="running"}"#,
        1.0,
    )
    .await;
    until(
        r#"filedeck_tasks_ended_total{kind="import",result="canceled"}"#,
        1.0,
    )
    .await;
    until(r#"filedeck_tasks{kind="import",state="running"}"#, 0.0).await;
    service.clock.advance(SignedDuration::from_secs(1));
    until(
        r#"filedeck_tasks_ended_total{kind="folder_update",result="complete"}"#,
        1.0,
    )
    .await;
    until(
        r#"filedeck_tasks{kind="folder_update",state="running"}"#,
        0.0,
    )
    .await;
}

#[tokio::test]
async fn bytes_that_wait_to_be_removed_have_an_age() {
    let service = TestService::start().await;
    let id = service
        .upload("/", "a.txt", b"x", json!({"access": "PRIVATE"}))
        .await
        .expect(201)
        .id();
    let age = |scrape: &Scrape| scrape.get("filedeck_unused_blobs_age_seconds").unwrap();
    assert!(age(&Scrape::of(&service).await) < 0.5);
    service.erase(&id).await;
    service.clock.advance(SignedDuration::from_secs(7));
    let scrape = Scrape::of(&service).await;
    assert!((6.9..8.0).contains(&age(&scrape)), "{}", scrape.0);
    for backlog in ["expiry", "erasure"] {
        assert!(
            scrape
                .get(&format!("filedeck_{backlog}_backlog_seconds"))
                .is_some(),
            "{}",
            scrape.0
        );
    }
}

// Seen to fail on PostgreSQL when its tables are not vacuumed.
#[tokio::test]
async fn remains_of_a_permanent_deletion_are_told_until_they_are_gone() {
    let service = TestService::start().await;
    let id = service
        .upload("/", "a.txt", b"x", json!({"access": "PRIVATE"}))
        .await
        .expect(201)
        .id();
    service.erase(&id).await;
    service.clock.advance(SignedDuration::from_secs(29));
    let scrape = Scrape::of(&service).await;
    assert!(
        scrape.get("filedeck_erasure_backlog_seconds").unwrap() > 28.0,
        "{}",
        scrape.0
    );
    service.clock.advance(SignedDuration::from_secs(40));
    let is_gone = |answer: &Answer| {
        Scrape(answer.text()).get("filedeck_erasure_backlog_seconds") == Some(0.0)
    };
    service.get_until("/metrics", is_gone).await;
}

#[cfg(feature = "postgres")]
#[tokio::test]
async fn samples_of_names_go_with_the_remains_of_a_permanent_deletion() {
    let service = TestService::start().await;
    let Some(database) = server_database::connect(service.dir.path()).await else {
        return;
    };
    let is_known = async || {
        let known = "SELECT COUNT(*) > 0 FROM pg_stats WHERE schemaname = current_schema() AND pg_stats::TEXT LIKE '%secret%'";
        database
            .query_one(known, &[])
            .await
            .unwrap()
            .get::<_, bool>(0)
    };
    service
        .upload("/", "kept.txt", b"x", json!({"access": "PRIVATE"}))
        .await
        .expect(201);
    let id = service
        .upload("/", "secret.txt", b"x", json!({"access": "PRIVATE"}))
        .await
        .expect(201)
        .id();
    database.batch_execute("ANALYZE files").await.unwrap();
    assert!(is_known().await);
    service.erase(&id).await;
    service.clock.advance(SignedDuration::from_secs(69));
    let is_gone = |answer: &Answer| {
        Scrape(answer.text()).get("filedeck_erasure_backlog_seconds") == Some(0.0)
    };
    service.get_until("/metrics", is_gone).await;
    assert!(!is_known().await);
}

#[tokio::test]
async fn no_name_no_path_and_no_token_is_in_them() {
    let service = TestService::start().await;
    service
        .upload(
            "/secret-folder",
            "secret.txt",
            b"x",
            json!({"access": "PUBLIC_INDEXABLE"}),
        )
        .await
        .expect(201);
    for path in [
        "/hubfs/secret-folder/secret.txt",
        "/secret",
        "/files/v3/files/stat/secret-folder%2Fsecret.txt",
    ] {
        service.get(path).await;
    }
    answer(service.request(
        Method::from_bytes(b"SECRET").unwrap(),
        "/secret?secret=secret",
    ))
    .await
    .expect(404);
    let import = json!({"url": "http://127.0.0.1:9/secret", "access": "PRIVATE", "name": "secret", "folderPath": "/"});
    service.post(IMPORT, import).await.expect(202);
    let Scrape(text) = Scrape::of(&service).await;
    assert!(text.contains(r#"route="/hubfs/{*path}""#), "{text}");
    assert!(
        !text.to_lowercase().contains("secret") && !text.contains(service.token()),
        "{text}"
    );
}

#[tokio::test]
async fn faults_and_budgets_act_on_the_api_alone_and_a_refusal_is_counted() {
    let service = TestService::configured(|options| {
        options.rate_limits = vec!["2/3600s".parse().unwrap()];
        options.faults = Faults::new(vec!["status=503,times=1".parse().unwrap()]);
    })
    .await;
    for _ in 0..3 {
        Scrape::of(&service).await;
        assert_eq!(
            service
                .fetch(&service.url("/readyz"))
                .await
                .expect(200)
                .text(),
            "ok"
        );
    }
    for status in [503, 200, 200, 429] {
        service.get("/files/v3/files/search").await.expect(status);
    }
    let refused = r#"filedeck_rate_limit_refusals_total{policy="TEN_SECONDLY_ROLLING"}"#;
    assert_eq!(Scrape::of(&service).await.get(refused), Some(1.0));
    let described = service
        .fetch(&service.url("/openapi.json"))
        .await
        .expect(200)
        .text();
    assert!(!described.contains("/metrics") && !described.contains("/readyz"));
}

#[rstest]
#[case::behind_a_proxy("127.0.0.1:0", Some("https://files.example/"), 404)]
#[case::for_other_machines("0.0.0.0:0", None, 404)]
#[case::for_this_machine("127.0.0.1:0", None, 200)]
#[tokio::test]
async fn figures_are_shown_where_only_this_machine_can_ask(
    #[case] listen: SocketAddr,
    #[case] base_url: Option<&str>,
    #[case] status: u16,
) {
    let dir = tempfile::tempdir().unwrap();
    let mut options = ServiceOptions::new(dir.path().join("data"));
    options.base_url = base_url.map(|url| url.parse().unwrap());
    let running = service::serve(TcpListener::bind(listen).await.unwrap(), options)
        .await
        .unwrap();
    let get = async |path: &str| {
        http::client()
            .get(running.local_url().join(path).unwrap())
            .send()
            .await
            .unwrap()
    };
    assert_eq!(get("metrics").await.status(), status);
    assert_eq!(get("readyz").await.status(), 200);
    running.shutdown().await;
}

#[tokio::test]
async fn a_listener_of_their_own_takes_them_from_that_of_the_api() {
    let service = TestService::configured(|options| {
        options.metrics_addr = Some("127.0.0.1:0".parse().unwrap());
    })
    .await;
    for path in ["/metrics", "/readyz"] {
        service.fetch(&service.url(path)).await.expect(404);
    }
    service.fetch(&service.url("/healthz")).await.expect(200);
    let apart = format!("http://{}", service.running.metrics_addr().unwrap());
    for path in ["/readyz", "/healthz"] {
        assert_eq!(
            service
                .fetch(&format!("{apart}{path}"))
                .await
                .expect(200)
                .text(),
            "ok"
        );
    }
    let text = service
        .fetch(&format!("{apart}/metrics"))
        .await
        .expect(200)
        .text();
    let unknown = r#"filedeck_requests_total{route="unknown",method="GET",status="4xx"}"#;
    assert_eq!(
        Scrape(text).get(unknown),
        Some(2.0),
        "those of the API are counted"
    );
    service
        .fetch(&format!("{apart}/files/v3/files/search"))
        .await
        .expect(404);
    let (dir, clock) = service.stop().await;
    assert!(
        http::client()
            .get(format!("{apart}/readyz"))
            .send()
            .await
            .is_err(),
        "it ends with the service"
    );
    drop((dir, clock));
}

#[tokio::test]
async fn a_change_that_the_database_fails_is_counted_and_a_refusal_is_not() {
    let service = TestService::start().await;
    service
        .post("/files/v3/folders", json!({"name": "a"}))
        .await
        .expect(201);
    service
        .post("/files/v3/folders", json!({"name": "a"}))
        .await
        .expect(409);
    let failed = r#"filedeck_database_failures_total{operation="change"}"#;
    assert_eq!(Scrape::of(&service).await.get(failed), Some(0.0));
    let upload = HalfSent::to(&service).await;
    std::fs::remove_file(service.dir.path().join("data/filedeck.db")).unwrap();
    let answer = upload.finish().await;
    assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
    assert!(Scrape::of(&service).await.get(failed) >= Some(1.0));
}

#[tokio::test]
async fn a_service_without_its_database_is_not_ready_and_still_alive() {
    let service = TestService::start().await;
    assert_eq!(
        service
            .fetch(&service.url("/readyz"))
            .await
            .expect(200)
            .text(),
        "ok"
    );
    std::fs::remove_file(service.dir.path().join("data/filedeck.db")).unwrap();
    let answer = service.fetch(&service.url("/readyz")).await.expect(503);
    assert_eq!(answer.text(), "the database is lost; see the log");
    service.fetch(&service.url("/healthz")).await.expect(200);
    Scrape::of(&service).await;
}
