//! The end of the background work.

use std::path::Path;

use axum::http::StatusCode;
use secrecy::SecretString;
use tokio::sync::{Mutex, SetOnce};

use super::*;
use crate::service::access::signing::Signer;
use crate::service::access::tokens::AcceptedTokens;
use crate::service::clock::Clock;
use crate::service::content::blobs::{BlobDirectory, Blobs};
use crate::service::content::data_dir::{self, Lock};
use crate::service::content::reserve::DiskReserve;
use crate::service::fetch::{AddressGuard, FetchLimits, SystemResolver};
use crate::service::metrics::Metrics;
use crate::service::state::SharedState;

async fn state(dir: &Path) -> AppState {
    let blobs = Blobs::from(BlobDirectory::open(dir).unwrap());
    let token = SecretString::from("token");
    AppState::from(SharedState {
        metrics: Metrics::new(),
        _lock: Lock::try_take(dir).unwrap().unwrap(),
        store: Store::open(&data_dir::database(dir), blobs.names()).await.unwrap(),
        blobs,
        room: DiskReserve::of(dir).await,
        clock: Clock::system(),
        tokens: AcceptedTokens::new(&token, Vec::new()),
        signer: Signer::new(&token),
        base_url: "http://127.0.0.1/".parse().unwrap(),
        max_file_bytes: policy::MAX_FILE_BYTES,
        drawer: None,
        work: std::sync::Arc::default(),
        names_checked: SetOnce::new(),
        round: Mutex::new(()),
    })
}

// Fails if work that is stopped before the check of the names simply ends.
#[tokio::test]
async fn a_database_that_goes_before_the_names_are_checked_is_saved() {
    let dir = tempfile::tempdir().unwrap();
    let state = state(dir.path()).await;
    let fetcher = Fetcher::new(
        AddressGuard::new(Vec::new()),
        FetchLimits::new(policy::MAX_FILE_BYTES, policy::IMPORTS_AT_ONCE),
        std::sync::Arc::new(SystemResolver),
    );
    let jobs = Jobs::start(state, fetcher);
    std::fs::remove_file(data_dir::database(dir.path())).unwrap();
    assert!(jobs.stop().await);
    assert!(dir.path().join("filedeck-rescued-1.db").exists());
}

// Fails if the task is counted as canceled twice.
#[tokio::test]
async fn a_task_that_has_ended_elsewhere_is_not_counted() {
    let dir = tempfile::tempdir().unwrap();
    let state = state(dir.path()).await;
    let (task, kind, now) = (TaskId::new("1"), TaskKind::Import, state.clock.now());
    state.store.add_task(&task, kind, "{}", None, now, now).await.unwrap();
    for _ in 0..2 {
        let error = ApiError::new(StatusCode::BAD_GATEWAY, "no answer");
        failure::cancel(&state, (kind, &task), error, now).await.unwrap();
    }
    let text = state.metrics.text(state.store.failures(), None).unwrap();
    let counted = r#"filedeck_tasks_ended_total{kind="import",result="canceled"} 1"#;
    assert!(text.lines().any(|line| line == counted), "{text}");
}
