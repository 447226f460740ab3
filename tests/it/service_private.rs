//! Permissions of a store: only its owner can read it, even if it was more open before.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use filedeck::service::clock::Clock;
use filedeck::service::{self, ServiceOptions, StartError, TokenSource, maintenance};
use rstest::rstest;
use serde_json::json;

use crate::support::maintenance::backup;
use crate::support::service::{TestService, listener};

fn tree(folder: &Path) -> Vec<PathBuf> {
    let below = std::fs::read_dir(folder).unwrap().flat_map(|entry| {
        let path = entry.unwrap().path();
        if path.is_dir() {
            tree(&path)
        } else {
            vec![path]
        }
    });
    below.chain([folder.to_owned()]).collect()
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

#[track_caller]
fn assert_private(folder: &Path) {
    for path in tree(folder) {
        let expected = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(
            mode(&path),
            expected,
            "{}: {:04o}",
            path.display(),
            mode(&path)
        );
    }
}

async fn store() -> TestService {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("data")).unwrap();
    set_mode(&dir.path().join("data"), 0o755);
    let service = TestService::start_in(dir, Clock::system()).await;
    service
        .upload("/", "a.txt", b"a", json!({"access": "PRIVATE"}))
        .await
        .expect(201);
    service
}

#[tokio::test]
async fn in_an_open_directory_everything_is_private_while_it_is_served() {
    let service = store().await;
    let data = service.dir.path().join("data");
    assert!(data.join("filedeck.db-wal").exists());
    assert_private(&data);
}

#[tokio::test]
async fn a_store_that_was_open_is_closed_at_the_next_start_and_nothing_is_loosened() {
    let (dir, clock) = store().await.stop().await;
    let data = dir.path().join("data");
    for path in tree(&data) {
        set_mode(&path, if path.is_dir() { 0o755 } else { 0o644 });
    }
    set_mode(&data.join("lock"), 0o200);
    let _service = TestService::start_in(dir, clock).await;
    assert_eq!(mode(&data.join("lock")), 0o200);
    set_mode(&data.join("lock"), 0o600);
    assert_private(&data);
}

#[tokio::test]
async fn backups_and_recovered_stores_are_private() {
    let (dir, _) = store().await.stop().await;
    let (data, copy) = (dir.path().join("data"), dir.path().join("copy"));
    std::fs::create_dir(&copy).unwrap();
    set_mode(&copy, 0o755);
    backup(&data, &copy).await.unwrap();
    assert_private(&copy);
    for path in tree(&data) {
        set_mode(&path, if path.is_dir() { 0o755 } else { 0o644 });
    }
    maintenance::recover(&data, None, &[]).await.unwrap();
    assert_private(&data);
}

#[rstest]
#[case::others_read(0o644)]
#[case::group_writes(0o620)]
#[tokio::test]
async fn an_open_token_file_is_refused_with_the_command_that_closes_it(#[case] open: u32) {
    let dir = tempfile::tempdir().unwrap();
    let token = dir.path().join("token");
    std::fs::write(&token, "canary-token").unwrap();
    set_mode(&token, open);
    let options = ServiceOptions {
        token: TokenSource::DataDir,
        ..ServiceOptions::new(dir.path())
    };
    let error = service::serve(listener().await, options.clone())
        .await
        .unwrap_err();
    let StartError::Token(cause) = error else {
        panic!("{error}")
    };
    assert!(
        cause
            .to_string()
            .contains(&format!("chmod 600 '{}'", token.display())),
        "{cause}"
    );
    assert!(!cause.to_string().contains("canary-token"));
    set_mode(&token, 0o600);
    service::serve(listener().await, options).await.unwrap();
}
