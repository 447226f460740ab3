use rstest::rstest;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use filedeck::cli::local_store::LocalStore;
use filedeck::cli::store_claim::{Claim, published};
use secrecy::ExposeSecret as _;
use tokio::net::{TcpListener, TcpStream};

use super::binary::{Binary, Serving};
use crate::support::database::{first_round, lock};
use crate::support::http;

async fn opened(dir: &Path) -> anyhow::Result<LocalStore> {
    LocalStore::open(dir, None, &|_| {}).await
}

#[test]
fn with_nothing_configured_the_verbs_work_on_a_store_of_this_machine() {
    let binary = Binary::new();
    let first = binary.run(&["ls"]).expect(0);
    assert!(
        first.stdout.lines().count() > 2,
        "the sample library is missing: {first:?}"
    );
    binary.write("mine.txt", b"mine");
    binary.run(&["put", "mine.txt", "/"]).expect(0);
    binary.run(&["ls", "/mine.txt"]).expect(0);
    assert!(binary.store_dir().join("token").exists());
    assert!(!binary.store_dir().join("holder.json").exists());
}

#[test]
fn the_sample_library_comes_once_and_what_was_deleted_stays_deleted() {
    let binary = Binary::new();
    let names: Vec<String> = binary
        .run(&["ls"])
        .expect(0)
        .stdout
        .lines()
        .map(|name| format!("/{name}"))
        .collect();
    let words: Vec<&str> = ["rm", "--yes"]
        .into_iter()
        .chain(names.iter().map(String::as_str))
        .collect();
    binary.run(&words).expect(0);
    assert_eq!(binary.run(&["ls"]).expect(0).stdout, "");
}

#[test]
fn a_store_that_another_filedeck_serves_is_shared() {
    let binary = Binary::new();
    let mut serving = Serving::start(&binary, &[]);
    binary.write("mine.txt", b"mine");
    binary.run(&["put", "mine.txt", "/"]).expect(0);
    assert_eq!(binary.run(&["ls"]).expect(0).stdout, "mine.txt\n");
    assert_eq!(serving.end("TERM"), 0);
    assert_eq!(binary.run(&["ls"]).expect(0).stdout, "mine.txt\n");
}

#[test]
fn an_address_left_by_a_killed_holder_does_not_matter() {
    let binary = Binary::new();
    let mut serving = Serving::start(&binary, &[]);
    serving.end("KILL");
    assert!(binary.store_dir().join("holder.json").exists());
    binary.run(&["ls"]).expect(0);
}

#[tokio::test]
async fn when_the_holder_ends_another_goes_on_at_the_same_address() {
    let dir = tempfile::tempdir().unwrap();
    let holder = opened(dir.path()).await.unwrap();
    let guest = opened(dir.path()).await.unwrap();
    let address = holder.address().base_url.clone();
    assert_eq!(guest.address().base_url, address);
    holder.close().await;
    let target = (address.host_str().unwrap(), address.port().unwrap());
    let answered = async {
        while TcpStream::connect(target).await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), answered)
        .await
        .unwrap();
    guest.close().await;
}

/// Checks that the store is waited for, longer than while its holder only seems to start, and
/// opened after that.
async fn assert_waited_for(dir: &Path, holder: Claim) {
    let other = opened(dir);
    tokio::pin!(other);
    tokio::time::pause();
    assert!(
        tokio::time::timeout(Duration::from_mins(1), &mut other)
            .await
            .is_err()
    );
    tokio::time::resume();
    drop(holder);
    other.await.unwrap().close().await;
}

#[tokio::test]
async fn the_port_of_the_last_start_is_used_again_unless_it_is_taken() {
    let dir = tempfile::tempdir().unwrap();
    let mut ports = Vec::new();
    for is_taken in [false, false, true] {
        let _other = match ports.last() {
            Some(port) if is_taken => Some(TcpListener::bind(("127.0.0.1", *port)).await.unwrap()),
            _ => None,
        };
        let store = opened(dir.path()).await.unwrap();
        ports.push(store.address().base_url.port().unwrap());
        store.close().await;
    }
    assert_eq!(ports[0], ports[1]);
    assert_ne!(ports[1], ports[2]);
}

#[tokio::test]
async fn who_wants_the_store_gives_up_on_a_holder_that_never_answers() {
    let dir = tempfile::tempdir().unwrap();
    opened(dir.path()).await.unwrap().close().await;
    let _silent = Claim::take_soon(dir.path()).await.unwrap().unwrap();
    tokio::time::pause();
    let error = opened(dir.path()).await.unwrap_err();
    assert!(
        format!("{error:#}").contains("stop it and try again"),
        "{error:#}"
    );
}

/// A holder that has announced its end.
async fn ending(dir: &Path) -> Claim {
    let holder = opened(dir).await.unwrap();
    let published = published(dir).unwrap().unwrap();
    holder.close().await;
    let ending = Claim::take_soon(dir).await.unwrap().unwrap();
    ending.publish(&published).unwrap();
    ending.announce_end();
    ending
}

#[tokio::test]
async fn who_wants_the_store_waits_as_long_as_its_holder_ends() {
    let dir = tempfile::tempdir().unwrap();
    let ending = ending(dir.path()).await;
    assert_waited_for(dir.path(), ending).await;
}

#[tokio::test]
async fn who_waits_for_a_holder_that_hangs_in_its_end_says_so_once_and_gives_up_at_last() {
    let dir = tempfile::tempdir().unwrap();
    let _hung = ending(dir.path()).await;
    let said = Mutex::new(Vec::new());
    let tell = |line: &str| said.lock().unwrap().push(line.to_owned());
    tokio::time::pause();
    let error = format!(
        "{:#}",
        LocalStore::open(dir.path(), None, &tell).await.unwrap_err()
    );
    let holder = format!("another filedeck (process {})", std::process::id());
    assert!(
        error.contains(&format!("{holder} has been closing it")),
        "{error}"
    );
    assert!(
        error.contains("wait for it, or stop it if it hangs"),
        "{error}"
    );
    assert_eq!(
        said.into_inner().unwrap(),
        [format!(
            "waiting for {holder}, which is closing the built-in store"
        )]
    );
}

#[tokio::test]
async fn who_waits_counts_anew_when_another_process_has_the_store() {
    let dir = tempfile::tempdir().unwrap();
    let _hung = ending(dir.path()).await;
    let other = opened(dir.path());
    tokio::pin!(other);
    tokio::time::pause();
    assert!(
        tokio::time::timeout(Duration::from_mins(4), &mut other)
            .await
            .is_err()
    );
    std::fs::write(dir.path().join("lock"), "1").unwrap();
    assert!(
        tokio::time::timeout(Duration::from_mins(4), &mut other)
            .await
            .is_err()
    );
    let error = format!("{:#}", other.await.unwrap_err());
    assert!(
        error.contains("(process 1) has been closing it for 5 minutes"),
        "{error}"
    );
}

async fn erase_one_file(client: &reqwest::Client, store: &LocalStore) {
    let at = store.address();
    let url = |path: &str| at.base_url.join(&format!("files/v3/files/{path}")).unwrap();
    let found = client
        .get(url("search?limit=1"))
        .bearer_auth(at.token.expose_secret())
        .send()
        .await
        .unwrap();
    let found: serde_json::Value = found.json().await.unwrap();
    let id = found["results"][0]["id"].as_str().unwrap();
    let erased = client
        .delete(url(&format!("{id}/gdpr-delete")))
        .bearer_auth(at.token.expose_secret())
        .send()
        .await;
    assert_eq!(erased.unwrap().status(), 204);
}

// In a large store it may take long to purge erased data from the database; here another writer
// holds a lock meanwhile, and the erased file makes the shutdown wait for it.
#[tokio::test]
async fn a_holder_says_that_it_ends_and_answers_as_long_as_it_is_busy_with_the_database() {
    let dir = tempfile::tempdir().unwrap();
    let holder = opened(dir.path()).await.unwrap();
    // Made early: it takes its time, and the lock is not held for long.
    let client = http::client();
    // The first round rewrites the database at once, a later one waits for more erasures.
    first_round(dir.path()).await;
    erase_one_file(&client, &holder).await;
    let busy = lock(&dir.path().join("filedeck.db"));
    let closing = tokio::spawn(holder.close());
    let told = async {
        while !published(dir.path()).unwrap().unwrap().is_ending {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), told)
        .await
        .unwrap();
    let address = published(dir.path()).unwrap().unwrap().base_url;
    assert!(
        client
            .get(address.join("healthz").unwrap())
            .send()
            .await
            .unwrap()
            .status()
            .is_success()
    );
    // A newcomer would be cut off soon.
    let other = opened(dir.path());
    tokio::pin!(other);
    assert!(
        tokio::time::timeout(Duration::from_millis(200), &mut other)
            .await
            .is_err()
    );
    drop(busy);
    closing.await.unwrap();
    other.await.unwrap().close().await;
}

#[rstest]
#[case::empty("")]
#[case::blank(" \n")]
fn an_empty_token_is_no_local_store(#[case] token: &str) {
    let binary = Binary::new().env("FILEDECK_TOKEN", token);
    let run = binary.run(&["ls"]).expect(2);
    assert!(
        run.stderr.contains("FILEDECK_TOKEN is set, but empty"),
        "{}",
        run.stderr
    );
    assert!(!binary.store_dir().exists());
    binary.run(&["ls", "--account", "local"]).expect(0);
    Binary::new()
        .env("FILEDECK_TOKEN", token)
        .env("FILEDECK_ACCOUNT", "local")
        .run(&["ls"])
        .expect(0);
}

#[test]
fn a_script_that_names_no_account_is_told_where_it_works() {
    let binary = Binary::new();
    let run = binary.run(&["ls"]).expect(0);
    assert!(
        run.stderr.contains("this is the built-in store"),
        "{}",
        run.stderr
    );
    // It is a warning, which a quiet run of a job has as well.
    let quiet = binary.run(&["ls", "--quiet"]).expect(0);
    assert!(quiet.stderr.contains("this is the built-in store"));
    let named = binary.run(&["ls", "--account", "local"]).expect(0);
    assert_eq!(named.stderr, "");
}
