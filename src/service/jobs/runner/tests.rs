//! The end of the background work.

use axum::http::StatusCode;

use super::*;
use crate::service::clock::Clock;
use crate::service::content::data_dir;
use crate::service::fetch::{AddressGuard, FetchLimits, SystemResolver};
use crate::service::state::SharedState;
use crate::service::store::NewTask;

// Fails if work that is stopped before the check of the names simply ends.
#[tokio::test]
async fn a_database_that_goes_before_the_names_are_checked_is_saved() {
    let dir = tempfile::tempdir().unwrap();
    let state = SharedState::for_test(dir.path(), Clock::system()).await;
    let fetcher = Fetcher::new(
        AddressGuard::new(Vec::new()),
        FetchLimits::new(policy::MAX_FILE_BYTES, policy::IMPORTS_AT_ONCE),
        std::sync::Arc::new(SystemResolver),
    );
    let jobs = Jobs::start(state.clone(), fetcher, StartTime::read(&state).await);
    std::fs::remove_file(data_dir::database(dir.path())).unwrap();
    assert!(jobs.stop().await);
    assert!(dir.path().join("filedeck-rescued-1.db").exists());
}

// Fails if the task is counted as canceled twice.
#[tokio::test]
async fn a_task_that_has_ended_elsewhere_is_not_counted() {
    let dir = tempfile::tempdir().unwrap();
    let state = SharedState::for_test(dir.path(), Clock::system()).await;
    let (task, kind, now) = (TaskId::new("1"), TaskKind::Import, state.clock.now());
    let new = NewTask {
        id: task.clone(),
        kind,
        request: "{}".to_owned(),
        origin: None,
        caller: "owner".to_owned(),
        requested_at: now,
        turn: now,
    };
    state.store.add_task(new).await.unwrap();
    for _ in 0..2 {
        let error = ApiError::new(StatusCode::BAD_GATEWAY, "no answer");
        failure::cancel(&state, (kind, &task), error, now)
            .await
            .unwrap();
    }
    let text = state.metrics.text(state.store.failures(), None).unwrap();
    let counted = r#"filedeck_tasks_ended_total{kind="import",result="canceled"} 1"#;
    assert!(text.lines().any(|line| line == counted), "{text}");
}
