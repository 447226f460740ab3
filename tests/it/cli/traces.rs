//! Spans of `serve`, as an OpenTelemetry collector receives them.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value::Value};
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use prost::Message as _;
use reqwest::Method;
use rstest::rstest;
use serde_json::json;

use super::binary::{Binary, Serving, TOKEN, authority, get_status};
use super::client::Client;
#[cfg(feature = "s3")]
use crate::support::bucket::{ADDRESS, KEY_ID, SECRET, TestBucket};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const CALLER: &str = "b7ad6b7169203331";
const HEADER: &str = "x-collector-key: of-the-collector";

struct Collector {
    address: String,
    received: mpsc::Receiver<(String, Vec<u8>)>,
}

impl Collector {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let (sender, received) = mpsc::channel();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = BufReader::new(stream.unwrap());
                let mut head = String::new();
                while !head.ends_with("\r\n\r\n") {
                    assert!(stream.read_line(&mut head).unwrap() > 0, "cut off: {head}");
                }
                let length = head
                    .lines()
                    .find_map(|line| line.strip_prefix("content-length: "))
                    .unwrap();
                let mut body = vec![0; length.parse().unwrap()];
                stream.read_exact(&mut body).unwrap();
                // Sent before the response, so that it is there when the exporter has its response.
                let _ = sender.send((head, body));
                let answer = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
                stream.get_mut().write_all(answer).unwrap();
            }
        });
        Self { address, received }
    }

    /// The spans received so far; fails if any of the secrets is in them.
    fn spans(&self, secrets: &[&str]) -> Vec<Span> {
        let mut spans = Vec::new();
        for (head, body) in self.received.try_iter() {
            assert!(
                head.starts_with("POST /v1/traces ") && head.contains(HEADER),
                "{head}"
            );
            let bytes = String::from_utf8_lossy(&body);
            for secret in secrets {
                assert!(!bytes.contains(secret), "{secret} is in {bytes}");
            }
            for of_a_process in ExportTraceServiceRequest::decode(&*body)
                .unwrap()
                .resource_spans
            {
                let resource = of_a_process.resource.unwrap();
                assert_eq!(text(&resource.attributes, "service.name"), Some("filedeck"));
                spans.extend(
                    of_a_process
                        .scope_spans
                        .into_iter()
                        .flat_map(|scope| scope.spans),
                );
            }
        }
        spans
    }

    fn binary(&self) -> Binary {
        Binary::new()
            .env("FILEDECK_SERVICE_TOKEN", TOKEN)
            .env("FILEDECK_LOG", "off")
            .env("OTEL_EXPORTER_OTLP_ENDPOINT", &self.address)
            .env(
                "OTEL_EXPORTER_OTLP_HEADERS",
                "x-collector-key=of-the-collector",
            )
    }
}

fn get_in_trace(base_url: &str, path: &str) {
    let mut stream = TcpStream::connect(authority(base_url)).unwrap();
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n\
         traceparent: 00-{TRACE}-{CALLER}-01\r\nConnection: close\r\n\r\n"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

fn text<'a>(attributes: &'a [KeyValue], key: &str) -> Option<&'a str> {
    match value(attributes, key)? {
        Value::StringValue(text) => Some(text),
        other => panic!("{key} is {other:?}"),
    }
}

fn value<'a>(attributes: &'a [KeyValue], key: &str) -> Option<&'a Value> {
    attributes
        .iter()
        .find(|attribute| attribute.key == key)?
        .value
        .as_ref()?
        .value
        .as_ref()
}

fn named<'a>(spans: &'a [Span], name: &str) -> &'a Span {
    let names: Vec<_> = spans.iter().map(|span| &span.name).collect();
    spans
        .iter()
        .find(|span| span.name == name)
        .unwrap_or_else(|| panic!("{name} is missing: {names:?}"))
}

// Seen to fail with the path of a request in its span, with a `traceparent` that is ignored, and
// with spans of work that no request caused.
#[test]
fn a_request_is_a_span_in_the_trace_of_its_caller_and_has_no_names_and_no_token() {
    let collector = Collector::start();
    let binary = collector.binary();
    let mut serving = Serving::start(&binary, &["--fault", "status=503,path=/files/v3/folders/7"]);
    let url = serving.base_url().to_owned();
    binary.write("secret-plan.txt", b"plan");
    let put = binary.run(&["put", "--json", "secret-plan.txt", "/"]);
    let id = put.expect(0).json_lines()[0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    get_in_trace(
        &url,
        "/files/v3/files/stat/secret-plan.txt?properties=secret-name",
    );
    for (path, status) in [
        (&*format!("/files/v3/files/{id}"), 200),
        (
            &format!("/signed/{id}/secret-plan.txt?expires=1&signature=secret-00"),
            403,
        ),
        ("/files/v3/folders/7", 503),
    ] {
        assert_eq!(get_status(&url, path, Some(TOKEN)), status, "{path}");
    }
    assert_eq!(serving.end("TERM"), 0);

    let spans = collector.spans(&["secret-", TOKEN, "signature"]);
    let stat = named(&spans, "GET /files/v3/files/stat/{*path}");
    assert_eq!(
        (
            hex::encode(&stat.trace_id),
            hex::encode(&stat.parent_span_id)
        ),
        (TRACE.to_owned(), CALLER.to_owned()),
        "{stat:#?}"
    );
    assert_eq!(stat.kind(), SpanKind::Server);
    assert_eq!(text(&stat.attributes, "http.request.method"), Some("GET"));
    assert_eq!(
        text(&stat.attributes, "http.route"),
        Some("/files/v3/files/stat/{*path}")
    );
    assert_eq!(
        value(&stat.attributes, "http.response.status_code"),
        Some(&Value::IntValue(200))
    );
    assert_eq!(
        text(&stat.attributes, "filedeck.correlation_id").map(str::len),
        Some(36)
    );
    let read = spans
        .iter()
        .find(|span| span.parent_span_id == stat.span_id)
        .unwrap();
    assert_eq!(
        (&*read.name, hex::encode(&read.trace_id)),
        ("database read", TRACE.to_owned()),
        "{read:#?}"
    );
    let upload = named(&spans, "POST /files/v3/files");
    assert!(upload.parent_span_id.is_empty(), "{upload:#?}");
    let written: Vec<_> = spans
        .iter()
        .filter(|span| span.parent_span_id == upload.span_id)
        .collect();
    assert!(
        written.iter().any(|span| span.name == "database write"),
        "{written:#?}"
    );
    assert_eq!(
        text(
            &named(&spans, "GET /files/v3/files/{id}").attributes,
            "filedeck.object_id"
        ),
        Some(&*id)
    );
    let outcome = |name| {
        named(&spans, name)
            .status
            .clone()
            .unwrap_or_default()
            .code()
    };
    assert_eq!(outcome("GET /signed/{id}/{name}"), StatusCode::Unset);
    assert_eq!(
        outcome("GET /files/v3/folders/{*folder}"),
        StatusCode::Error
    );
    // The background work of the service belongs to no trace.
    let is_request = |span: &Span| span.kind() == SpanKind::Server;
    let has_parent = |span: &Span| {
        spans
            .iter()
            .any(|other| other.span_id == span.parent_span_id)
    };
    assert!(
        spans
            .iter()
            .all(|span| is_request(span) || has_parent(span)),
        "{spans:#?}"
    );
}

// Seen to fail when jobs are in no span.
#[test]
fn an_import_and_a_folder_update_are_spans_above_what_they_ask_of_the_database() {
    let collector = Collector::start();
    // Polling for a task makes many spans.
    let binary = collector.binary().env("OTEL_BSP_MAX_QUEUE_SIZE", "100000");
    let mut serving = Serving::start(&binary, &[]);
    let client = Client::new(&serving);
    let tasks = async {
        let (_, folder) = client
            .ask(
                Method::POST,
                "/folders",
                Some(json!({"name": "secret-plans"})),
            )
            .await;
        let update = json!({"id": folder["id"], "name": "secret-drafts"});
        let (_, update) = client
            .ask(Method::POST, "/folders/update/async", Some(update))
            .await;
        let update = update["id"].as_str().unwrap().to_owned();
        client
            .task(&format!("/folders/update/async/tasks/{update}/status"))
            .await;
        // The service refuses to fetch from this machine.
        let import = client
            .try_import("http://127.0.0.1:9/secret-plan.txt", "secret-plan")
            .await
            .unwrap()
            .unwrap();
        assert_eq!(client.task(&import).await["status"], "CANCELED");
        [
            ("folder update", update),
            ("import", import.split('/').nth(5).unwrap().to_owned()),
        ]
    };
    let tasks = tokio::runtime::Runtime::new().unwrap().block_on(tasks);
    assert_eq!(serving.end("TERM"), 0);
    let spans = collector.spans(&["secret-", TOKEN]);
    for ((job, task), outcome) in tasks
        .into_iter()
        .zip([StatusCode::Unset, StatusCode::Error])
    {
        let span = named(&spans, job);
        assert_eq!(
            (span.kind(), text(&span.attributes, "filedeck.object_id")),
            (SpanKind::Internal, Some(&*task))
        );
        assert!(span.parent_span_id.is_empty(), "{span:#?}");
        assert_eq!(span.status.clone().unwrap_or_default().code(), outcome);
        let below: Vec<_> = spans
            .iter()
            .filter(|other| other.parent_span_id == span.span_id)
            .collect();
        assert!(
            below.iter().any(|span| span.name == "database write"),
            "{job}: {below:#?}"
        );
    }
}

// Seen to fail when the task that stores an upload is in no span.
#[cfg(feature = "s3")]
#[test]
fn what_a_request_asks_of_the_bucket_is_below_its_span_without_keys_and_credentials() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let root = tempfile::tempdir().unwrap();
    let bucket = runtime.block_on(TestBucket::in_folder(root.path()));
    let collector = Collector::start();
    let variables = bucket.variables(SECRET);
    let binary = variables
        .iter()
        .fold(collector.binary(), |binary, (name, value)| {
            binary.env(name, value)
        });
    let mut serving = Serving::start(&binary, &["--data-dir", "store", "--objects", ADDRESS]);
    let account = Binary::new()
        .env("FILEDECK_BASE_URL", serving.base_url())
        .env("FILEDECK_TOKEN", TOKEN);
    account.write("secret-plan.txt", b"plan");
    account.run(&["put", "secret-plan.txt", "/"]).expect(0);
    assert_eq!(serving.end("TERM"), 0);
    let [blob] = &*bucket.blobs() else {
        panic!("{:?}", bucket.blobs())
    };
    let key = blob.file_name().unwrap().to_str().unwrap();
    let spans = collector.spans(&["secret-", TOKEN, SECRET, KEY_ID, key]);
    let (upload, put) = (
        named(&spans, "POST /files/v3/files"),
        named(&spans, "bucket PUT"),
    );
    assert_eq!(
        (put.kind(), &put.parent_span_id),
        (SpanKind::Client, &upload.span_id),
        "{put:#?}"
    );
    assert_eq!(
        value(&put.attributes, "http.response.status_code"),
        Some(&Value::IntValue(200))
    );
}

// Seen to fail with the default endpoint of OpenTelemetry.
#[cfg(target_os = "linux")]
#[rstest]
#[case::that_is_named("http://127.0.0.1:9", true)]
#[case::that_is_not_named("", false)]
fn spans_are_sent_by_a_thread_that_is_there_for_a_collector(
    #[case] endpoint: &str,
    #[case] is_there: bool,
) {
    let binary = Binary::new()
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint)
        .env("OTEL_SERVICE_NAME", "files");
    let serving = Serving::start(&binary, &[]);
    let threads: Vec<_> = std::fs::read_dir(format!("/proc/{}/task", serving.id()))
        .unwrap()
        .map(|task| std::fs::read_to_string(task.unwrap().path().join("comm")).unwrap())
        .collect();
    assert_eq!(
        threads.iter().any(|name| name.starts_with("OpenTelemetry")),
        is_there,
        "{threads:?}"
    );
}

// Seen to take as long as the timeout of the collector, and to warn at each try.
#[rstest]
#[case::that_is_gone(false)]
#[case::that_does_not_answer(true)]
fn a_collector_holds_up_no_request_and_the_end_only_for_seconds(#[case] is_silent: bool) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let _silent = is_silent.then_some(listener);
    let binary = Binary::new()
        .env("FILEDECK_SERVICE_TOKEN", TOKEN)
        .env("FILEDECK_LOG", "filedeck::cli::traces=debug")
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", &endpoint)
        .env("OTEL_EXPORTER_OTLP_TIMEOUT", "60000")
        // The first span is sent at once; the others find the queue full.
        .env("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "1")
        .env("OTEL_BSP_MAX_QUEUE_SIZE", "2");
    let mut serving = Serving::start(&binary, &[]);
    let begun = Instant::now();
    for _ in 0..20 {
        assert_eq!(
            get_status(serving.base_url(), "/files/v3/files/1", Some(TOKEN)),
            404
        );
    }
    assert_eq!(serving.end("TERM"), 0);
    assert!(
        begun.elapsed() < Duration::from_secs(20),
        "{:?}",
        begun.elapsed()
    );
    let log = std::fs::read_to_string(binary.log()).unwrap();
    assert_eq!(log.lines().count(), 1, "{log}");
    assert!(
        log.contains("WARN") && log.contains("the collector of traces does not take spans"),
        "{log}"
    );
}
