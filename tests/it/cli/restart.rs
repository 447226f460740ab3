//! What `serve` does after it was killed: it answers at once where its database is as it was left, and looks at the bytes
//! beside.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use reqwest::Method;
use rstest::rstest;

use super::binary::{Binary, Serving, TOKEN, names};
use super::client::Client;
use crate::support::database;
use crate::support::disk::files_below;

const WORDS: [&str; 2] = ["--data-dir", "store"];
/// More than a crash can leave without a row.
const MANY: usize = 40;
/// As in a store that has had no round of the background work yet.
const NO_ROUND: &str = "DELETE FROM marks WHERE name = 'trusted_time'";

/// A store that has taken so many files, and its database of before.
async fn served(files: usize) -> (Binary, PathBuf, Serving) {
    let binary = Binary::new().env("FILEDECK_SERVICE_TOKEN", TOKEN);
    let store = binary.work().join("store");
    let mut serving = Serving::start(&binary, &WORDS);
    upload(&serving, "old.txt").await;
    serving.end("TERM");
    let database = store.join("filedeck.db");
    std::fs::copy(&database, binary.work().join("old.db")).unwrap();
    database::execute(&database, NO_ROUND).await;
    let serving = Serving::start(&binary, &WORDS);
    // What comes now stays in the log.
    database::first_round(&store).await;
    for number in 0..files {
        upload(&serving, &format!("new-{number}.txt")).await;
    }
    (binary, store, serving)
}

async fn killed(files: usize) -> (Binary, PathBuf) {
    let (binary, store, mut serving) = served(files).await;
    serving.end("KILL");
    (binary, store)
}

async fn upload(serving: &Serving, name: &str) {
    let (status, answer) = Client::new(serving).try_upload("/", name, name.as_bytes()).await.unwrap();
    assert_eq!(status, 201, "{answer}");
}

/// As a process leaves it that was killed between the bytes and their row, or while it wrote them.
fn leave_blobs(store: &Path, blobs: usize) {
    for number in 0..blobs {
        std::fs::write(store.join(format!("blobs/a/a{number:031}")), "without a row").unwrap();
    }
    std::fs::write(store.join(format!("blobs/b/b{:031}#1", 0)), "hal").unwrap();
}

async fn status(serving: &Serving, name: &str) -> u16 {
    Client::new(serving).ask(Method::GET, &format!("/files/stat/{name}"), None).await.0
}

#[tokio::test]
async fn what_a_kill_left_is_put_in_order_before_new_bytes_are_taken() {
    let (binary, store) = killed(2).await;
    leave_blobs(&store, 5);
    let mut serving = Serving::start(&binary, &WORDS);
    assert_eq!(status(&serving, "new-1.txt").await, 200);
    upload(&serving, "newest.txt").await;
    assert_eq!(files_below(&store.join("aside")).len(), 5);
    assert_eq!(files_below(&store.join("blobs")).len(), 4);
    assert_eq!(serving.end("TERM"), 0);
    assert!(names(&store).contains(&"sealed".to_owned()));
}

// That it answers before it has looked at all bytes shows in that it starts at all.
#[tokio::test]
async fn bytes_that_only_a_look_beside_finds_unknown_stay_and_end_all_answers() {
    let (binary, store) = killed(2).await;
    leave_blobs(&store, MANY);
    let before: HashSet<_> = files_below(&store.join("blobs")).into_iter().collect();
    let mut serving = Serving::start(&binary, &WORDS);
    let given_up = async { while status(&serving, "new-1.txt").await == 200 {} };
    tokio::time::timeout(Duration::from_secs(20), given_up).await.unwrap();
    assert_eq!(status(&serving, "new-1.txt").await, 503);
    assert_eq!(Client::new(&serving).try_upload("/", "newest.txt", b"newest").await.unwrap().0, 503);
    assert_eq!(serving.end("TERM"), 0);
    let log = std::fs::read_to_string(binary.log()).unwrap();
    assert!(log.contains("knows nothing of 40 files") && log.contains("filedeck store recover"), "{log}");
    refused(&binary);
    assert_eq!(files_below(&store.join("blobs")).into_iter().collect::<HashSet<_>>(), before);
    assert!(!names(&store).iter().any(|name| name.starts_with("filedeck-")), "there is nothing to rescue");
    binary.run(&["store", "recover", "--data-dir", "store"]).expect(0);
    let serving = Serving::start(&binary, &WORDS);
    assert_eq!(status(&serving, "new-1.txt").await, 200);
}

fn refused(binary: &Binary) {
    let run = binary.run_within(Duration::from_secs(20), &["serve", "--listen", "127.0.0.1:0", "--data-dir", "store"]);
    assert_eq!(run.stdout, "");
    assert!(run.expect(1).stderr.contains("filedeck store recover"));
}

fn without_log(store: &Path) {
    std::fs::remove_file(store.join("filedeck.db-wal")).unwrap();
    std::fs::remove_file(store.join("filedeck.db-shm")).unwrap();
}

fn copied_over(store: &Path) {
    without_log(store);
    std::fs::copy(store.with_file_name("old.db"), store.join("filedeck.db")).unwrap();
}

fn moved_over(store: &Path) {
    without_log(store);
    std::fs::rename(store.with_file_name("old.db"), store.join("filedeck.db")).unwrap();
}

#[rstest]
#[case::the_older_one_copied_over_it(copied_over)]
#[case::the_older_one_in_its_place(moved_over)]
#[case::without_its_log(without_log)]
#[tokio::test]
async fn a_database_that_is_not_as_the_kill_left_it_is_refused_before_anything_is_answered(#[case] harm: fn(&Path)) {
    let (binary, store) = killed(MANY).await;
    harm(&store);
    refused(&binary);
}

// Seen to fail when the witness knows files by their numbers alone.
#[tokio::test]
async fn an_older_database_copied_below_the_log_of_the_newer_one_is_refused_before_anything_is_answered() {
    let (binary, store, mut serving) = served(MANY).await;
    // All but the last file goes from the log into the database.
    database::execute(&store.join("filedeck.db"), "PRAGMA wal_checkpoint(TRUNCATE)").await;
    upload(&serving, "newest.txt").await;
    serving.end("KILL");
    std::fs::copy(binary.work().join("old.db"), store.join("filedeck.db")).unwrap();
    refused(&binary);
}

#[tokio::test]
async fn a_database_that_lost_rows_after_the_kill_is_refused_before_anything_is_answered() {
    let (binary, store) = killed(MANY).await;
    database::execute(&store.join("filedeck.db"), "DELETE FROM files").await;
    refused(&binary);
}
