//! Uploads of bytes in memory, of readers and of streams, against handwritten responses: what can
//! be read once is sent once.

use std::io::Cursor;

use bytes::Bytes;
use filedeck::api::model::File;
use filedeck::api::{Client, Error, Kind, Sent};
use futures::stream;
use rstest::rstest;
use serde_json::json;

use crate::support::capture::{Capture, Reply};
use crate::support::clients::client;

const TEXT: &[u8] = b"hello";
const MD5: &str = "5d41402abc4b2a76b9719d911017c592";

#[derive(Debug, Clone, Copy, PartialEq)]
enum Origin {
    Memory,
    Reader,
    Stream,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Call {
    Upload,
    Replace,
}

/// Sends the text, of which there are said to be `length` bytes.
async fn send(client: &Client, call: Call, origin: Origin, length: u64) -> Result<Sent, Error> {
    let chunks = stream::iter(
        TEXT.chunks(2)
            .map(|chunk| Ok::<_, std::io::Error>(Bytes::from(chunk))),
    );
    let files = client.files();
    if call == Call::Upload {
        let target = files.upload("/a.txt");
        return match origin {
            Origin::Memory => target.from_bytes(TEXT),
            Origin::Reader => target.from_reader(Cursor::new(TEXT), length),
            Origin::Stream => target.from_stream(chunks, length),
        }
        .send()
        .await;
    }
    let target = files.replace(&described());
    match origin {
        Origin::Memory => target.from_bytes(TEXT),
        Origin::Reader => target.from_reader(Cursor::new(TEXT), length),
        Origin::Stream => target.from_stream(chunks, length),
    }
    .send()
    .await
}

fn described() -> File {
    let file = json!({ "id": "7", "name": "a", "extension": "txt", "access": "PRIVATE", "archived": false });
    serde_json::from_value(file).unwrap()
}

fn stored(call: Call) -> Reply {
    let status = if call == Call::Upload { 201 } else { 200 };
    Reply::json(status, &json!({ "id": "7", "archived": false }))
}

#[rstest]
#[tokio::test]
async fn the_bytes_arrive_with_their_sum_whatever_they_come_from(
    #[values(Call::Upload, Call::Replace)] call: Call,
    #[values(Origin::Memory, Origin::Reader, Origin::Stream)] origin: Origin,
) {
    let service = Capture::start(move |_, _| stored(call)).await;
    let sent = send(&client(&service.url), call, origin, 5).await.unwrap();
    assert_eq!((sent.bytes, sent.md5.as_str()), (5, MD5));
    let seen = service.seen().remove(0);
    assert!(seen.text().contains("\r\n\r\nhello\r\n"), "{}", seen.text());
    let length = seen.body.len().to_string();
    assert_eq!(seen.header("content-length"), Some(length.as_str()));
}

#[rstest]
#[tokio::test]
async fn a_source_of_another_length_is_not_sent_to_its_end(
    #[values(Origin::Reader, Origin::Stream)] origin: Origin,
    #[values(4, 6, 0)] length: u64,
) {
    let service = Capture::start(|_, _| stored(Call::Upload)).await;
    let client = client(&service.url);
    let error = send(&client, Call::Upload, origin, length)
        .await
        .unwrap_err();
    assert_eq!((error.kind, error.in_doubt), (Kind::Local, false));
    assert!(
        error
            .message
            .contains(&format!("does not have {length} bytes")),
        "{error}"
    );
    assert!(service.seen().is_empty(), "the service has a whole body");
}

#[rstest]
#[case::memory(Origin::Memory, 2)]
#[case::reader(Origin::Reader, 1)]
#[case::stream(Origin::Stream, 1)]
#[tokio::test]
async fn after_a_refusal_only_what_can_be_read_again_is_sent_again(
    #[case] origin: Origin,
    #[case] attempts: usize,
    #[values(Call::Upload, Call::Replace)] call: Call,
) {
    let service = Capture::start(move |_, before| match before {
        0 => Reply::status(429, &[("retry-after", "0")]),
        _ => stored(call),
    })
    .await;
    let sent = send(&client(&service.url), call, origin, 5).await;
    assert_eq!(service.seen().len(), attempts);
    match sent {
        Ok(_) => assert_eq!(origin, Origin::Memory),
        Err(error) => assert_eq!((error.kind, error.in_doubt), (Kind::RateLimited, false)),
    }
}

#[rstest]
#[tokio::test]
async fn a_lost_answer_leaves_what_can_be_read_once_in_doubt(
    #[values(Call::Upload, Call::Replace)] call: Call,
    #[values(Origin::Reader, Origin::Stream)] origin: Origin,
) {
    let service = Capture::start(|_, _| Reply::Cut).await;
    let error = send(&client(&service.url), call, origin, 5)
        .await
        .unwrap_err();
    assert!(error.in_doubt, "{error}");
    assert_eq!(service.seen().len(), 1);
}

#[tokio::test]
async fn a_path_that_names_no_folder_is_refused_before_anything_is_sent() {
    let service = Capture::start(|_, _| stored(Call::Upload)).await;
    let client = client(&service.url);
    let upload = client.files().upload("a.txt").from_bytes(TEXT);
    let error = upload.send().await.unwrap_err();
    assert_eq!(error.kind, Kind::Refused);
    assert!(error.message.contains("a.txt"), "{error}");
    assert!(service.seen().is_empty());
}
