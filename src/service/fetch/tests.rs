//! Whole fetches from targets on loopback: which are permitted, which are refused, and by which
//! limit.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use rstest::rstest;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::named::TestNames;
use super::*;
use crate::service::network::Network;

const UNREACHABLE: &str = "The file could not be fetched from the url.";

/// A server that sends the same raw bytes for every request, records the requests, and then closes
/// or stays silent.
#[derive(Clone)]
struct Target {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Target {
    async fn answering(answer: impl Into<Vec<u8>>) -> Self {
        Self::start(answer.into(), false).await
    }

    async fn stalling_after(answer: impl Into<Vec<u8>>) -> Self {
        Self::start(answer.into(), true).await
    }

    async fn start(answer: Vec<u8>, stall: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let target = Self {
            address: listener.local_addr().unwrap(),
            connections: Arc::default(),
            heads: Arc::default(),
        };
        let (connections, heads) = (Arc::clone(&target.connections), Arc::clone(&target.heads));
        tokio::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                connections.fetch_add(1, Ordering::SeqCst);
                let (answer, heads) = (answer.clone(), Arc::clone(&heads));
                tokio::spawn(async move {
                    let mut head = vec![0; 4096];
                    let read = stream.read(&mut head).await.unwrap_or(0);
                    heads
                        .lock()
                        .unwrap()
                        .push(String::from_utf8_lossy(&head[..read]).into_owned());
                    let _ = stream.write_all(&answer).await;
                    if stall {
                        std::future::pending::<()>().await;
                    }
                });
            }
        });
        target
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

fn limits() -> FetchLimits {
    FetchLimits::new(1000, 4)
}

fn public_only() -> Fetcher {
    Fetcher::new(AddressGuard::default(), limits(), Arc::new(SystemResolver))
}

fn allowing_loopback() -> Fetcher {
    Fetcher::new(
        AddressGuard::new(Network::loopback().to_vec()),
        limits(),
        Arc::new(SystemResolver),
    )
}

async fn read(content: &mut FetchedContent) -> Result<Vec<u8>, FetchError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = content.chunk().await? {
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

#[tokio::test]
async fn a_file_is_read_plainly_and_named_by_the_answer() {
    let target = Target::answering(
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Disposition: attachment; filename=\"a b.txt\"\r\n\r\nhello",
    )
    .await;
    let mut content = allowing_loopback().open(&target.url("/x")).await.unwrap();
    assert_eq!(content.file_name(None), "a b.txt");
    assert_eq!(read(&mut content).await.unwrap(), b"hello");
    let heads = target.heads.lock().unwrap();
    assert!(
        heads[0]
            .to_lowercase()
            .contains("accept-encoding: identity"),
        "{}",
        heads[0]
    );
    assert!(!heads[0].to_lowercase().contains("authorization"));
}

/// Spellings of this machine's address (`guarantees.md#imports-do-not-reach-inside`). The listener
/// is on 127.0.0.1, so a request that slipped through would reach it.
#[rstest]
#[case::dotted("127.0.0.1")]
#[case::unspecified("0.0.0.0")]
#[case::decimal("2130706433")]
#[case::hexadecimal("0x7f000001")]
#[case::octal("0177.0.0.1")]
#[case::short("127.1")]
#[case::mapped("[::ffff:127.0.0.1]")]
#[case::mapped_hex("[::ffff:7f00:1]")]
#[case::compatible("[::127.0.0.1]")]
#[case::circled_digits("①②⑦.⓪.⓪.①")]
#[case::full_width_dots("127。0。0。1")]
#[case::trailing_dot("127.0.0.1.")]
#[case::percent_encoded("%31%32%37.0.0.1")]
#[case::loopback_v6("[::1]")]
#[case::unspecified_v6("[::]")]
#[case::name("localhost")]
#[case::name_with_dot("localhost.")]
#[tokio::test]
async fn this_machine_is_out_of_reach_however_it_is_written(#[case] host: &str) {
    let target = Target::answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").await;
    let url = format!("http://{host}:{}/", target.address.port());
    let error = public_only().open(&url).await.unwrap_err();
    assert_eq!(error.to_string(), UNREACHABLE);
    assert_eq!(target.connections(), 0);
}

#[rstest]
#[case::file("file:///etc/passwd")]
#[case::ftp("ftp://example.com/a")]
#[case::gopher("gopher://127.0.0.1:6379/_x")]
#[case::user("http://user@example.com/")]
#[case::password("http://user:secret@example.com/")]
#[case::name_in_brackets("http://[example.com]/")]
#[case::no_host("http:///")]
#[case::relative("/etc/passwd")]
#[case::empty("")]
fn what_is_no_web_address_is_told_so(#[case] url: &str) {
    assert!(
        matches!(check_url(url), Err(FetchError::InvalidUrl(_))),
        "{url}"
    );
}

// Fails if the system resolves the name again; the check of the connected peer is a second defense.
#[tokio::test]
async fn a_name_leads_where_it_was_judged_and_nowhere_else() {
    let inside = Target::answering("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret").await;
    let guard = AddressGuard::new(vec!["127.0.0.2".parse().unwrap()]);
    let fetcher = Fetcher::new(
        guard,
        limits(),
        TestNames::with("localhost", &[&["127.0.0.2"]]),
    );
    let url = format!("http://localhost:{}/", inside.address.port());
    assert_eq!(
        fetcher.open(&url).await.unwrap_err(),
        FetchError::Unreachable
    );
    assert_eq!(inside.connections(), 0);
}

#[tokio::test]
async fn a_name_is_looked_up_once_so_that_it_cannot_change_its_meaning_after_the_judgment() {
    let allowed = Target::answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").await;
    let guard = AddressGuard::new(vec!["127.0.0.1".parse().unwrap()]);
    let names = TestNames::with("files.example.com", &[&["127.0.0.1"], &["127.0.0.2"]]);
    let fetcher = Fetcher::new(guard, limits(), names);
    let url = format!("http://files.example.com:{}/", allowed.address.port());
    let mut content = fetcher.open(&url).await.unwrap();
    assert_eq!(read(&mut content).await.unwrap(), b"ok");
    assert_eq!(
        fetcher.open(&url).await.unwrap_err(),
        FetchError::Unreachable
    );
}

// Fails if only the first address is checked.
#[tokio::test]
async fn every_redirect_is_judged_again() {
    let inside = Target::answering("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret").await;
    let port = inside.address.port();
    for location in [
        // These lead to the listener, but are not allowed.
        format!("http://0.0.0.0:{port}/"),
        format!("http://localhost:{port}/"),
        format!("http://[::ffff:0.0.0.0]:{port}/"),
        "file:///etc/passwd".to_owned(),
        "http://user:secret@127.0.0.1/".to_owned(),
    ] {
        let answer =
            format!("HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n");
        let outside = Target::answering(answer).await;
        let names = TestNames::with("localhost", &[&["0.0.0.0"]]);
        let fetcher = Fetcher::new(
            AddressGuard::new(vec!["127.0.0.1/32".parse().unwrap()]),
            limits(),
            names,
        );
        assert_eq!(
            fetcher.open(&outside.url("/")).await.unwrap_err(),
            FetchError::Unreachable,
            "{location}"
        );
        assert_eq!(outside.connections(), 1);
    }
    assert_eq!(inside.connections(), 0);
}

#[tokio::test]
async fn redirects_are_followed_but_not_for_ever() {
    let file = Target::answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").await;
    let answer = format!(
        "HTTP/1.1 301 Moved\r\nLocation: {}\r\nContent-Length: 0\r\n\r\n",
        file.url("/deep/real%20name.bin")
    );
    let moved = Target::answering(answer).await;
    let mut content = allowing_loopback().open(&moved.url("/old")).await.unwrap();
    assert_eq!(content.file_name(None), "real name.bin");
    assert_eq!(read(&mut content).await.unwrap(), b"ok");

    let circle =
        Target::answering("HTTP/1.1 307 Again\r\nLocation: /\r\nContent-Length: 0\r\n\r\n").await;
    assert_eq!(
        allowing_loopback()
            .open(&circle.url("/"))
            .await
            .unwrap_err(),
        FetchError::TooManyRedirects
    );
    assert_eq!(
        circle.connections(),
        6,
        "the first request and five redirects"
    );
}

// Fails if the bytes are not counted.
#[tokio::test]
async fn a_file_that_grows_over_the_limit_is_given_up() {
    let target = Target::answering(format!("HTTP/1.1 200 OK\r\n\r\n{}", "x".repeat(1001))).await;
    let mut content = allowing_loopback().open(&target.url("/")).await.unwrap();
    assert_eq!(
        read(&mut content).await.unwrap_err(),
        FetchError::TooLarge { limit: 1000 }
    );
}

#[tokio::test]
async fn a_file_that_says_it_is_over_the_limit_is_not_waited_for() {
    let target = Target::stalling_after("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n").await;
    assert_eq!(
        allowing_loopback()
            .open(&target.url("/"))
            .await
            .unwrap_err(),
        FetchError::TooLarge { limit: 1000 }
    );
}

#[tokio::test]
async fn a_file_of_just_the_limit_is_taken() {
    let target = Target::answering(format!("HTTP/1.1 200 OK\r\n\r\n{}", "x".repeat(1000))).await;
    let mut content = allowing_loopback().open(&target.url("/")).await.unwrap();
    assert_eq!(read(&mut content).await.unwrap().len(), 1000);
}

#[rstest]
#[case::cut("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", false)]
#[case::silent("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", true)]
#[case::broken_chunks(
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhalf",
    false
)]
#[tokio::test]
async fn half_a_file_is_no_file(#[case] answer: &str, #[case] stall: bool) {
    let target = if stall {
        Target::stalling_after(answer).await
    } else {
        Target::answering(answer).await
    };
    let mut content = allowing_loopback().open(&target.url("/")).await.unwrap();
    // The paused clock advances to the timeout once nothing else can run.
    tokio::time::pause();
    assert_eq!(
        read(&mut content).await.unwrap_err(),
        FetchError::Interrupted
    );
}

// Fails if a refused connection is reported as such.
#[tokio::test]
async fn refused_closed_and_silent_targets_sound_the_same() {
    let closed = TcpListener::bind("127.0.0.1:0")
        .await
        .unwrap()
        .local_addr()
        .unwrap();
    let silent = Target::stalling_after("").await;
    let hanging_up = Target::answering("").await;
    for (fetcher, url) in [
        (public_only(), hanging_up.url("/")),
        (allowing_loopback(), format!("http://{closed}/")),
        (allowing_loopback(), hanging_up.url("/")),
        (public_only(), "http://no-such-name.invalid/".to_owned()),
    ] {
        assert_eq!(
            fetcher.open(&url).await.unwrap_err().to_string(),
            UNREACHABLE,
            "{url}"
        );
    }
    // The paused clock advances to the timeout once nothing else can run.
    tokio::time::pause();
    assert_eq!(
        allowing_loopback()
            .open(&silent.url("/"))
            .await
            .unwrap_err()
            .to_string(),
        UNREACHABLE
    );
}

#[rstest]
#[case::missing(
    "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
    FetchError::Status(404)
)]
#[case::partial(
    "HTTP/1.1 206 Partial\r\nContent-Length: 0\r\n\r\n",
    FetchError::Status(206)
)]
#[case::redirect_to_nowhere(
    "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n",
    FetchError::Status(302)
)]
#[case::compressed(
    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n",
    FetchError::Encoded
)]
#[tokio::test]
async fn answers_that_are_no_file_are_named(#[case] answer: &str, #[case] expected: FetchError) {
    let target = Target::answering(answer).await;
    assert_eq!(
        allowing_loopback()
            .open(&target.url("/"))
            .await
            .unwrap_err(),
        expected
    );
}

#[tokio::test]
async fn no_more_fetches_run_at_once_than_the_limits_say() {
    let target = Target::answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").await;
    let limits = FetchLimits {
        parallel: 1,
        ..limits()
    };
    let guard = AddressGuard::new(Network::loopback().to_vec());
    let fetcher = Fetcher::new(guard, limits, Arc::new(SystemResolver));
    let first = fetcher.open(&target.url("/")).await.unwrap();
    let url = target.url("/");
    let second = fetcher.open(&url);
    tokio::pin!(second);
    assert!(futures::poll!(&mut second).is_pending());
    assert_eq!(target.connections(), 1);
    drop(first);
    second.await.unwrap();
}
