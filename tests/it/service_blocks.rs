//! Files of many blocks: checked block by block while they are sent, with checksums that live as
//! long as the bytes.

use std::path::PathBuf;

use filedeck::service::maintenance::{self, Damage};
use jiff::SignedDuration;
use reqwest::Method;
use rstest::rstest;
use serde_json::json;

use crate::support::database;
use crate::support::disk::{self, files_below};
use crate::support::maintenance::{backup, verify};
use crate::support::random::Random;
use crate::support::service::{TestService, answer, form};

const BLOCK: usize = 128 * 1024;
/// Three blocks and a little more; no two blocks are equal.
const SIZE: usize = 3 * BLOCK + 1000;

fn bytes(seed: u64, size: usize) -> Vec<u8> {
    Random::seeded(seed).bytes(size)
}

async fn stored() -> (TestService, Vec<u8>, String) {
    let service = TestService::start().await;
    let bytes = bytes(1, SIZE);
    let file = service
        .upload(
            "/",
            "large.bin",
            &bytes,
            json!({ "access": "PUBLIC_INDEXABLE" }),
        )
        .await
        .expect(201);
    let id = file.id();
    (service, bytes, id)
}

fn database_of(service: &TestService) -> PathBuf {
    service.dir.path().join("data/filedeck.db")
}

fn damage(service: &TestService, at: usize) {
    let path = files_below(&service.dir.path().join("data/blobs"))
        .pop()
        .unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[at] ^= 1;
    std::fs::write(path, bytes).unwrap();
}

/// The status, the bytes that arrived, and `true` if the response was complete.
async fn read(service: &TestService, range: &str) -> (u16, Vec<u8>, bool) {
    let request = service
        .request(Method::GET, "/hubfs/large.bin")
        .header("range", range);
    let mut response = request.send().await.unwrap();
    let (status, mut got) = (response.status().as_u16(), Vec::new());
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) => got.extend_from_slice(&chunk),
            Ok(None) => return (status, got, true),
            Err(_) => return (status, got, false),
        }
    }
}

#[rstest]
#[case::of_one_block(BLOCK)]
#[case::of_one_block_and_a_byte(BLOCK + 1)]
#[case::of_two_blocks(2 * BLOCK)]
#[case::of_many_lots(3 * 1024 * 1024 + 17)]
#[tokio::test]
async fn a_file_comes_back_as_it_went_in(#[case] size: usize) {
    let service = TestService::start().await;
    let bytes = bytes(2, size);
    let file = service
        .upload(
            "/",
            "large.bin",
            &bytes,
            json!({ "access": "PUBLIC_INDEXABLE" }),
        )
        .await
        .expect(201);
    let md5 = <md5::Md5 as md5::Digest>::digest(&bytes);
    assert_eq!(file.json()["fileMd5"], json!(hex::encode(md5)));
    let (status, got, is_complete) = read(&service, "").await;
    assert!(status == 200 && is_complete && got == bytes);
    let found = verify(&service.dir.path().join("data")).await.unwrap();
    assert!(found.is_sound(), "{found:?}");
}

#[rstest]
#[case::in_a_block(BLOCK + 7, BLOCK + 8)]
#[case::a_block(BLOCK, 2 * BLOCK)]
#[case::across_blocks(BLOCK - 1, 2 * BLOCK + 1)]
#[case::to_the_end(2 * BLOCK + 5, SIZE)]
#[case::the_last_byte(SIZE - 1, SIZE)]
#[case::all(0, SIZE)]
#[tokio::test]
async fn a_range_is_the_bytes_that_it_names(#[case] start: usize, #[case] end: usize) {
    let (service, bytes, _) = stored().await;
    let (status, got, is_complete) = read(&service, &format!("bytes={start}-{}", end - 1)).await;
    assert!(status == 206 && is_complete && got == bytes[start..end]);
}

#[rstest]
#[case::before_it(0, BLOCK, 206, true)]
#[case::after_it(2 * BLOCK, SIZE, 206, true)]
#[case::other_bytes_of_its_block(BLOCK + 500, BLOCK + 600, 500, true)]
#[case::into_it(100, 2 * BLOCK, 206, false)]
#[case::all(0, SIZE, 206, false)]
#[tokio::test]
async fn no_byte_of_a_damaged_block_is_sent(
    #[case] start: usize,
    #[case] end: usize,
    #[case] expected: u16,
    #[case] ends_well: bool,
) {
    let (service, bytes, _) = stored().await;
    damage(&service, BLOCK + 10);
    let (status, got, is_complete) = read(&service, &format!("bytes={start}-{}", end - 1)).await;
    assert_eq!((status, is_complete), (expected, ends_well));
    if status == 206 {
        let good = if ends_well { end } else { BLOCK };
        assert!(got == bytes[start..good], "{} bytes came", got.len());
    }
}

// The state of an older store, or of one that lost the checksums of a file.
#[rstest]
#[case::whole("", 200)]
#[case::a_part("bytes=5-8", 206)]
#[tokio::test]
async fn a_file_without_sums_is_read_as_it_is_and_has_them_from_then_on(
    #[case] range: &str,
    #[case] expected: u16,
) {
    let (service, bytes, _) = stored().await;
    database::execute(&database_of(&service), "DELETE FROM block_sums");
    let (status, got, is_complete) = read(&service, range).await;
    assert!(status == expected && is_complete && (got == bytes || got == bytes[5..9]));
    damage(&service, BLOCK + 10);
    assert_eq!(
        read(&service, "bytes=0-3").await,
        (206, bytes[..4].to_vec(), true),
        "its block is whole"
    );
}

#[rstest]
#[case::flipped(false)]
#[case::cut(true)]
#[tokio::test]
async fn a_damaged_file_without_sums_is_refused_whatever_is_asked_for_and_gets_none(
    #[case] is_cut: bool,
) {
    let (service, _, _) = stored().await;
    database::execute(&database_of(&service), "DELETE FROM block_sums");
    if is_cut {
        let path = files_below(&service.dir.path().join("data/blobs"))
            .pop()
            .unwrap();
        std::fs::File::options()
            .write(true)
            .open(path)
            .unwrap()
            .set_len(SIZE as u64 - 1)
            .unwrap();
    } else {
        damage(&service, SIZE - 1);
    }
    for range in ["", "bytes=0-3", "bytes=0-3"] {
        assert_eq!(read(&service, range).await.0, 500);
    }
}

#[tokio::test]
async fn sums_that_are_damaged_let_nothing_out_are_told_and_made_anew() {
    let (service, bytes, _) = stored().await;
    database::execute(
        &database_of(&service),
        "UPDATE block_sums SET sums = zeroblob(64)",
    );
    assert_eq!(read(&service, "bytes=0-3").await.0, 500);
    let (dir, clock) = service.stop().await;
    let data = dir.path().join("data");
    let found = verify(&data).await.unwrap();
    assert_eq!(
        found
            .damaged
            .iter()
            .map(|file| &file.damage)
            .collect::<Vec<_>>(),
        [&Damage::Sums]
    );
    maintenance::recover(&data, None, &[]).await.unwrap();
    let service = TestService::start_in(dir, clock).await;
    assert!(read(&service, "").await == (200, bytes, true));
}

#[tokio::test]
async fn sums_that_cannot_be_read_are_a_finding_and_do_not_end_the_verification() {
    let (service, _, _) = stored().await;
    service
        .upload("/", "small.bin", b"small", json!({ "access": "PRIVATE" }))
        .await
        .expect(201);
    let (dir, _) = service.stop().await;
    let data = dir.path().join("data");
    database::execute(&data.join("filedeck.db"), "DROP TABLE block_sums");
    let found = verify(&data).await.unwrap();
    assert!(found.files == 2 && found.damaged.is_empty(), "{found:?}");
    assert!(
        found.database.len() == 1 && found.database[0].contains("/large.bin"),
        "{found:?}"
    );
}

// Checksums reveal whether guessed bytes were once stored.
#[rstest]
#[case::of_a_replaced_file(true)]
#[case::of_an_erased_file(false)]
#[tokio::test]
async fn nothing_of_the_sums_is_left(#[case] is_replaced: bool) {
    let (service, bytes, id) = stored().await;
    let sum = blake3::hash(&bytes[BLOCK..2 * BLOCK]);
    let sum = &sum.as_slice()[..16];
    let data = service.dir.path().join("data");
    assert!(disk::holds(&data, sum));
    if is_replaced {
        let form = form("large.bin", b"small").text("options", "{\"access\":\"PRIVATE\"}");
        let path = format!("/files/v3/files/{id}");
        answer(service.request(Method::PUT, &path).multipart(form))
            .await
            .expect(200);
        let count = database::number(&database_of(&service), "SELECT COUNT(*) FROM block_sums");
        assert_eq!(count, 0);
    } else {
        service.erase(&id).await;
        service.clock.advance(SignedDuration::from_mins(1));
        service
            .get_until("/healthz", |_| !disk::holds(&data, sum))
            .await;
    }
}

#[tokio::test]
async fn a_backup_is_read_by_block() {
    let (service, bytes, _) = stored().await;
    let copy = service.dir.path().join("copy");
    backup(&service.dir.path().join("data"), &copy)
        .await
        .unwrap();
    assert!(verify(&copy).await.unwrap().is_sound());
    let sums = database::number(
        &copy.join("filedeck.db"),
        "SELECT LENGTH(sums) FROM block_sums",
    );
    assert_eq!(
        sums,
        16 * i64::try_from(bytes.len().div_ceil(BLOCK)).unwrap()
    );
}

/// Older versions stored the SHA-256 of the bytes. Seen to fail when only digests of one kind count
/// as the same bytes.
#[rstest]
#[case::small(
    b"abc".to_vec(),
    "UPDATE files SET digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'"
)]
#[case::large(
    vec![0; SIZE],
    "UPDATE files SET digest = '0b7085a9a9d1d6460f5b9ccfe1223ec2c9655296b056c8d3836e319c7a88ef35'"
)]
#[tokio::test]
async fn a_file_of_before_is_read_known_again_and_held_against_its_sha256(
    #[case] bytes: Vec<u8>,
    #[case] as_before: &'static str,
) {
    let service = TestService::start().await;
    let options =
        json!({ "access": "PUBLIC_INDEXABLE", "duplicateValidationStrategy": "RETURN_EXISTING" });
    let id = service
        .upload("/", "large.bin", &bytes, options.clone())
        .await
        .expect(201)
        .id();
    database::execute(&database_of(&service), as_before);
    assert!(read(&service, "").await == (200, bytes.clone(), true));
    assert_eq!(
        service
            .upload("/", "again.bin", &bytes, options)
            .await
            .expect(201)
            .id(),
        id
    );

    let (dir, clock) = service.stop().await;
    let (data, copy) = (dir.path().join("data"), dir.path().join("copy"));
    backup(&data, &copy).await.unwrap();
    assert!(verify(&copy).await.unwrap().is_sound());
    let recovered = maintenance::recover(&data, None, &[]).await.unwrap();
    assert!(
        recovered.files == 1 && recovered.damaged.is_empty(),
        "{recovered:?}"
    );
    let service = TestService::start_in(dir, clock).await;
    damage(&service, bytes.len() - 1);
    assert!(
        !verify(&service.dir.path().join("data"))
            .await
            .unwrap()
            .is_sound()
    );
    let blob = files_below(&copy.join("blobs")).pop().unwrap();
    std::fs::write(blob, vec![1; bytes.len()]).unwrap();
    assert_eq!(verify(&copy).await.unwrap().damaged.len(), 1);
}
