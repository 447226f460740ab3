//! Sends raw requests and checks the responses: prompt, in the API's form if there is a body, with
//! nothing stored.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::support::service::TestService;

/// The time after which an exchange counts as hung. It does not measure speed: the stopped clock of
/// the timeouts shows that a refusal is prompt.
const HANGING: Duration = Duration::from_mins(1);

pub(super) const OPTIONS: &str = "--x\r\ncontent-disposition: form-data; name=\"options\"\r\n\r\n{\"access\":\"PUBLIC_INDEXABLE\"}\r\n";
pub(super) const FOLDER: &str =
    "--x\r\ncontent-disposition: form-data; name=\"folderPath\"\r\n\r\n/\r\n";
pub(super) const FILE: &str = "--x\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\ncontent-type: text/plain\r\n\r\nabc\r\n";
pub(super) const END: &str = "--x--\r\n";

pub(super) fn field(name: &str, value: impl AsRef<[u8]>) -> Vec<u8> {
    part(
        format!("content-disposition: form-data; name=\"{name}\""),
        value,
    )
}

pub(super) fn part(headers: impl AsRef<[u8]>, value: impl AsRef<[u8]>) -> Vec<u8> {
    [
        b"--x\r\n",
        headers.as_ref(),
        b"\r\n\r\n",
        value.as_ref(),
        b"\r\n",
    ]
    .concat()
}

pub(super) fn file_named(name: &str) -> Vec<u8> {
    part(
        format!("content-disposition: form-data; name=\"file\"; filename=\"{name}\""),
        b"abc",
    )
}

/// A complete valid form with these parts added at its end.
pub(super) fn good_and(parts: impl AsRef<[u8]>) -> Vec<u8> {
    [
        FILE.as_bytes(),
        OPTIONS.as_bytes(),
        FOLDER.as_bytes(),
        parts.as_ref(),
        END.as_bytes(),
    ]
    .concat()
}

pub(super) fn form(parts: &[&str]) -> Vec<u8> {
    [parts.concat().as_bytes(), END.as_bytes()].concat()
}

#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) body: String,
}

/// The head of an upload; `lines` are the headers besides host, token and connection.
pub(super) fn head(service: &TestService, lines: &str) -> Vec<u8> {
    let token = service.token();
    format!(
        "POST /files/v3/files HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\
         connection: close\r\n{lines}\r\n"
    )
    .into_bytes()
}

pub(super) fn upload(service: &TestService, content_type: &str, body: &[u8]) -> Vec<u8> {
    let mut request = head(
        service,
        &format!(
            "content-type: {content_type}\r\ncontent-length: {}\r\n",
            body.len()
        ),
    );
    request.extend_from_slice(body);
    request
}

/// Sends a request and reads its response, or until the connection ends. With `hang_up`, nothing
/// more can follow the request; otherwise the sender stays ready to send. No timeout of the service
/// expires, so a response did not wait for one.
pub(super) async fn exchange(
    service: &TestService,
    request: &[u8],
    hang_up: bool,
) -> Option<Reply> {
    let (mut reading, mut writing) = service.connect().await.into_split();
    // The service may refuse and close while there is more to send.
    let _ = writing.write_all(request).await;
    if hang_up {
        let _ = writing.shutdown().await;
    }
    let mut answer = Vec::new();
    let read = async {
        // Bytes received before a reset count.
        while !is_whole(&answer) && reading.read_buf(&mut answer).await.unwrap_or(0) > 0 {}
    };
    let ended = with_time_standing_still(read).await;
    assert!(
        ended,
        "the service waits for more than it was sent: {}",
        String::from_utf8_lossy(&answer)
    );
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Some(Reply {
        status,
        body: body.to_owned(),
    })
}

/// Runs this while tokio's clock, which drives all timeouts of the service, is stopped. Returns
/// `false` if it hangs.
async fn with_time_standing_still(work: impl Future<Output = ()>) -> bool {
    // After a conflict, a statement on a database server is retried after a pause, which would
    // never end.
    if std::env::var_os("FILEDECK_TEST_DATABASE").is_some() {
        return tokio::time::timeout(HANGING, work).await.is_ok();
    }
    // A paused clock advances by itself when everything else is idle, but not while blocking work
    // is running.
    let (over, wait) = std::sync::mpsc::channel::<()>();
    let hanging = tokio::task::spawn_blocking(move || wait.recv_timeout(HANGING));
    tokio::time::pause();
    let ended = tokio::select! {
        () = work => true,
        _ = hanging => false,
    };
    tokio::time::resume();
    drop(over);
    ended
}

/// Returns `true` if the head and the body are complete. The connection may stay open for data
/// still being sent.
fn is_whole(answer: &[u8]) -> bool {
    let answer = String::from_utf8_lossy(answer);
    let Some((head, body)) = answer.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head.lines().find_map(|line| {
        line.to_lowercase()
            .strip_prefix("content-length: ")?
            .parse()
            .ok()
    });
    length.is_some_and(|length: usize| body.len() >= length)
}

/// Checks that the form is refused with this status and the API's error.
#[track_caller]
pub(super) fn check_refusal(reply: &Reply, status: u16) {
    assert_eq!(reply.status, status, "{}", reply.body);
    let body: Value = serde_json::from_str(&reply.body).unwrap();
    assert_eq!(body["status"], "error", "{body}");
    let category = if status == 415 {
        Value::Null
    } else {
        json!("VALIDATION_ERROR")
    };
    assert_eq!(body["category"], category, "{body}");
    assert!(
        body["correlationId"].is_string() && body["message"].is_string(),
        "{body}"
    );
}

/// Checks that the form is refused with this status, that nothing is left of it, and that the next
/// upload works.
pub(super) async fn refuses(content_type: &str, body: &[u8], status: u16) {
    let service = TestService::start().await;
    let reply = exchange(&service, &upload(&service, content_type, body), false).await;
    check_refusal(&reply.unwrap(), status);
    nothing_is_left(&service).await;
}

/// Checks that there is no file, no folder, and nothing on the disk, and that a valid upload works.
pub(super) async fn nothing_is_left(service: &TestService) {
    for kind in ["files", "folders"] {
        let found = service
            .get(&format!("/files/v3/{kind}/search"))
            .await
            .expect(200)
            .json();
        assert_eq!(found, json!({ "results": [] }));
    }
    service.wait_for_blobs(|count| count == 0).await;
    let body = form(&[FILE, OPTIONS, FOLDER]);
    let reply = exchange(
        service,
        &upload(service, "multipart/form-data; boundary=x", &body),
        false,
    )
    .await
    .unwrap();
    assert_eq!(reply.status, 201, "{}", reply.body);
}
