//! Files of this machine that change while they are uploaded.

use std::io::{Seek as _, SeekFrom, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

use filedeck::api::model::File as Stored;
use filedeck::api::{Client, Error, Sent};
use md5::{Digest as _, Md5};

use super::*;
use crate::support::changed::changed;
use crate::support::random::Random;

const CASES: u64 = 60;
const LARGEST: usize = 400_000;
const OLD: &[u8] = b"what was there before";

#[derive(Debug, Clone, Copy, PartialEq)]
enum Sending {
    New,
    Overwriting,
    Replacing,
}

fn sum(bytes: &[u8]) -> String {
    hex::encode(Md5::digest(bytes))
}

/// Overwrites a part of a file, keeping its size and its modification time.
fn write_over(path: &Path, from: usize, bytes: &[u8]) {
    let mut file = fs::File::options().write(true).open(path).unwrap();
    let time = file.metadata().unwrap().modified().unwrap();
    file.seek(SeekFrom::Start(from as u64)).unwrap();
    file.write_all(bytes).unwrap();
    file.set_modified(time).unwrap();
}

async fn send(
    client: &Client,
    how: Sending,
    local: &Path,
    old: &FileId,
    on_bytes: impl Fn(u64) + Send + Sync + 'static,
) -> Result<Sent, Error> {
    if how == Sending::Replacing {
        return client
            .files()
            .replace(&client.files().get(old).await?)
            .from_path(local)
            .access(Access::Private)
            .on_progress(on_bytes)
            .send()
            .await;
    }
    let options = changed(options(Access::Private), |options| {
        options.overwrite = Some(how == Sending::Overwriting);
    });
    client
        .files()
        .upload("/a.bin")
        .from_path(local)
        .options(options)
        .on_progress(on_bytes)
        .send()
        .await
}

async fn stored(client: &Client) -> Option<String> {
    let Stored { file_md5, .. } = client.files().stat("/a.bin").await.ok()?.file?;
    file_md5
}

#[rstest]
#[case::a_new_file(Sending::New)]
#[case::an_upload_that_overwrites(Sending::Overwriting)]
#[case::a_replacement(Sending::Replacing)]
#[tokio::test]
async fn what_is_stored_is_one_version_of_a_file_that_changes_under_way(#[case] how: Sending) {
    let service = TestService::start().await;
    let client = client_of(&service, Version::V3);
    let dir = tempfile::tempdir().unwrap();
    let (mut refused, mut whole) = (0, 0);
    for seed in 0..CASES {
        let mut random = Random::seeded(seed);
        let old = match how {
            Sending::New => FileId::new("0"),
            _ => FileId::new(
                service
                    .upload(
                        "/",
                        "a.bin",
                        OLD,
                        json!({ "access": "PRIVATE", "overwrite": true }),
                    )
                    .await
                    .id(),
            ),
        };
        let size = random.below(LARGEST) + 1;
        let (from, instant) = (random.below(size), random.below(size));
        let before = random.bytes(size);
        let length = random.below(size - from) + 1;
        let new = random.bytes(length);
        let mut after = before.clone();
        after[from..from + length].copy_from_slice(&new);
        let source = local(&dir, "a.bin", &before);
        let (changing, is_changed) = (source.clone(), AtomicBool::new(false));
        let on_bytes = move |done| {
            if done > instant as u64 && !is_changed.swap(true, Ordering::SeqCst) {
                write_over(&changing, from, &new);
            }
        };
        let sent = send(&client, how, &source, &old, on_bytes).await;
        let stored = stored(&client).await;
        match sent {
            Ok(_) => {
                whole += 1;
                assert!(
                    [sum(&before), sum(&after)].map(Some).contains(&stored),
                    "{seed}: a mixture is stored"
                );
                client
                    .files()
                    .delete(&service_id(&client).await)
                    .await
                    .unwrap();
            }
            Err(error) => {
                refused += 1;
                assert!(
                    error.message.contains("changed while it was sent"),
                    "{seed}: {error}"
                );
                assert!(
                    error.kind == Kind::Local && !error.in_doubt,
                    "{seed}: {error:?}"
                );
                let expected = (how != Sending::New).then(|| sum(OLD));
                assert_eq!(stored, expected, "{seed}: something was stored");
            }
        }
    }
    assert!(
        refused > 5 && whole > 5,
        "{refused} refused, {whole} stored"
    );
}

async fn service_id(client: &Client) -> FileId {
    client
        .files()
        .stat("/a.bin")
        .await
        .unwrap()
        .file
        .unwrap()
        .id
}

#[rstest]
#[case::grown(b"longer than before")]
#[case::cut_short(b"x")]
#[case::emptied(b"")]
#[tokio::test]
async fn a_file_of_another_size_is_not_stored(#[case] after: &'static [u8]) {
    let service = TestService::start().await;
    let client = client_of(&service, Version::V3);
    let dir = tempfile::tempdir().unwrap();
    let source = local(&dir, "a.bin", &b"before".repeat(40_000));
    let changing = source.clone();
    let on_bytes = move |_| fs::write(&changing, after).unwrap();
    let error = send(&client, Sending::New, &source, &FileId::new("0"), on_bytes)
        .await
        .unwrap_err();
    assert!(
        error.message.contains("changed while it was sent"),
        "{error}"
    );
    assert_eq!(stored(&client).await, None);
}

#[tokio::test]
async fn a_file_that_is_removed_under_way_is_stored_whole() {
    let service = TestService::start().await;
    let client = client_of(&service, Version::V3);
    let dir = tempfile::tempdir().unwrap();
    let bytes = b"before".repeat(40_000);
    let source = local(&dir, "a.bin", &bytes);
    let removed = source.clone();
    let on_bytes = move |_| drop(fs::remove_file(&removed));
    send(&client, Sending::New, &source, &FileId::new("0"), on_bytes)
        .await
        .unwrap();
    assert_eq!(stored(&client).await, Some(sum(&bytes)));
}
