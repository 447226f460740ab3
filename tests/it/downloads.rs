//! Downloads into memory, a stream and a file, against handwritten responses: cut, resumed, started
//! again, and of other bytes than described.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use filedeck::api::model::File;
use filedeck::api::{Download, Error, Kind};
use futures::TryStreamExt as _;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::capture::{Capture, Reply, Seen};
use crate::support::clients::client;

const TEXT: &str = "hello world";
const MD5: &str = "5eb63bbbe01eeed093cb22bb8f5acdc3";

#[derive(Debug, Clone, Copy, PartialEq)]
enum Target {
    Memory,
    Stream,
    Disk,
}

fn details(size: usize, md5: &str) -> Value {
    json!({ "id": "7", "archived": false, "size": size, "fileMd5": md5 })
}

fn described(size: usize, md5: &str) -> File {
    serde_json::from_value(details(size, md5)).unwrap()
}

fn whole(text: &str) -> Reply {
    Reply::Answer(200, vec![], text.to_owned())
}

/// The first five bytes of eleven.
fn cut(tag: Option<&str>) -> Reply {
    let mut headers = vec![("content-length", "11".to_owned())];
    headers.extend(tag.map(|tag| ("etag", tag.to_owned())));
    Reply::Answer(200, headers, "hello".to_owned())
}

fn rest(seen: &Seen) -> Reply {
    assert_eq!(seen.header("range"), Some("bytes=5-"));
    assert_eq!(seen.header("if-range"), Some("\"a\""));
    let range = ("content-range", "bytes 5-10/11".to_owned());
    Reply::Answer(206, vec![range], " world".to_owned())
}

async fn receive(download: Download<'_>, target: Target, dir: &Path) -> Result<Bytes, Error> {
    match target {
        Target::Memory => download.bytes(TEXT.len()).await,
        Target::Stream => {
            let chunks: Vec<Bytes> = download.stream().try_collect().await?;
            Ok(chunks.concat().into())
        }
        Target::Disk => {
            let path = dir.join("a.txt");
            let saved = download.save_to(&path).await?;
            let bytes = fs::read(path).unwrap();
            assert_eq!(
                (saved.bytes, hex::encode(saved.md5)),
                (bytes.len() as u64, MD5.to_owned())
            );
            Ok(bytes.into())
        }
    }
}

#[rstest]
#[tokio::test]
async fn a_cut_download_goes_on_where_it_was(
    #[values(Target::Memory, Target::Stream, Target::Disk)] target: Target,
) {
    let service = Capture::start(|seen, before| match before {
        0 => cut(Some("\"a\"")),
        _ => rest(seen),
    })
    .await;
    let (dir, client) = (tempfile::tempdir().unwrap(), client(&service.url));
    let progress = Arc::new(Mutex::new(Vec::new()));
    let reported = progress.clone();
    let download = client
        .files()
        .download(&described(11, MD5))
        .on_progress(move |bytes| reported.lock().unwrap().push(bytes));
    assert_eq!(receive(download, target, dir.path()).await.unwrap(), TEXT);
    assert_eq!(service.seen().len(), 2);
    assert_eq!(progress.lock().unwrap().last(), Some(&11));
}

#[rstest]
#[tokio::test]
async fn where_the_service_does_not_resume_a_download_starts_again_unless_its_bytes_are_gone(
    #[values(Target::Memory, Target::Stream, Target::Disk)] target: Target,
) {
    let service = Capture::start(|_, before| match before {
        0 => cut(None),
        _ => whole(TEXT),
    })
    .await;
    let (dir, client) = (tempfile::tempdir().unwrap(), client(&service.url));
    let download = client.files().download(&described(11, MD5));
    let received = receive(download, target, dir.path()).await;
    if target == Target::Stream {
        assert_eq!(received.unwrap_err().kind, Kind::Decode);
    } else {
        assert_eq!(received.unwrap(), TEXT);
    }
}

#[rstest]
#[case::other_bytes("HELLO WORLD")]
#[case::fewer("hello")]
#[case::more("hello worlds")]
#[case::none("")]
#[tokio::test]
async fn other_bytes_than_described_are_an_error_and_leave_the_path_as_it_was(
    #[case] sent: &'static str,
    #[values(Target::Memory, Target::Stream, Target::Disk)] target: Target,
) {
    let service = Capture::start(move |seen, _| match seen.target.as_str() {
        "/files/v3/files/7" => Reply::json(200, &details(11, MD5)),
        _ => whole(sent),
    })
    .await;
    let (dir, client) = (tempfile::tempdir().unwrap(), client(&service.url));
    fs::write(dir.path().join("a.txt"), "before").unwrap();
    let download = client.files().download(&described(11, MD5));
    let error = receive(download, target, dir.path()).await.unwrap_err();
    assert_eq!(error.kind, Kind::Decode, "{error}");
    assert_eq!(fs::read(dir.path().join("a.txt")).unwrap(), b"before");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[rstest]
#[tokio::test]
async fn a_file_that_has_grown_since_it_was_described_is_received_as_it_is_now(
    #[values(Target::Memory, Target::Disk)] target: Target,
) {
    let service = Capture::start(move |seen, _| match seen.target.as_str() {
        "/files/v3/files/7" => Reply::json(200, &details(11, MD5)),
        _ => whole(TEXT),
    })
    .await;
    let (dir, client) = (tempfile::tempdir().unwrap(), client(&service.url));
    let download = client.files().download(&described(5, "old"));
    assert_eq!(receive(download, target, dir.path()).await.unwrap(), TEXT);
}

#[tokio::test]
async fn more_bytes_than_the_limit_are_refused() {
    let service = Capture::start(|_, _| whole(TEXT)).await;
    let client = client(&service.url);
    let download = client.files().download(&described(11, MD5)).bytes(10);
    let error = download.await.unwrap_err();
    assert_eq!(error.kind, Kind::Refused);
    assert!(error.message.contains("more than 10 bytes"), "{error}");
}

#[cfg(unix)]
#[tokio::test]
async fn a_saved_file_replaces_the_one_at_its_path_with_the_mode_of_new_files() {
    use std::os::unix::fs::MetadataExt as _;
    let service = Capture::start(|_, _| whole(TEXT)).await;
    let (dir, client) = (tempfile::tempdir().unwrap(), client(&service.url));
    let (path, other) = (dir.path().join("a.txt"), dir.path().join("b.txt"));
    fs::write(&path, "before").unwrap();
    fs::write(&other, "another").unwrap();
    let download = client.files().download(&described(11, MD5));
    download.save_to(&path).await.unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), TEXT);
    let mode = |path| fs::metadata(path).unwrap().mode();
    assert_eq!(mode(&path), mode(&other));
}

#[tokio::test]
async fn a_folder_that_is_missing_is_an_error_with_its_cause() {
    let service = Capture::start(|_, _| whole(TEXT)).await;
    let (dir, client) = (tempfile::tempdir().unwrap(), client(&service.url));
    let download = client.files().download(&described(11, MD5));
    let error = download
        .save_to(dir.path().join("no/a.txt"))
        .await
        .unwrap_err();
    assert!(error.to_string().contains("a.txt"), "{error}");
    let source = std::error::Error::source(&error).and_then(|source| source.downcast_ref());
    assert_eq!(
        source.map(std::io::Error::kind),
        Some(std::io::ErrorKind::NotFound)
    );
    assert!(service.seen().is_empty());
}
