//! Readers with a row whose bytes have been replaced in the meantime.

use axum::body::to_bytes;
use axum::http::{Request, StatusCode, header};

use super::reply::{self, Delivery};
use crate::api::model::Access;
use crate::service::clock::Clock;
use crate::service::domain::names::{FileName, FolderPath};
use crate::service::http::routes::stored_bytes::{self, Unreadable};
use crate::service::ingest::{self, Spool, Spooled};
use crate::service::state::{AppState, SharedState};
use crate::service::store::{
    Created, DuplicateRule, FileChange, FileRecord, NewFileRow, Placement,
};

async fn state() -> (tempfile::TempDir, AppState) {
    let dir = tempfile::tempdir().unwrap();
    let state = SharedState::for_test(
        dir.path(),
        Clock::manual("2026-11-21T08:30:00Z".parse().unwrap()),
    )
    .await;
    (dir, state)
}

async fn spooled(state: &AppState, bytes: &'static [u8]) -> Spooled {
    let mut spool = Spool::open(state, state.max_file_bytes).await.unwrap();
    spool.write(bytes.into()).await.unwrap();
    spool.finish().await.unwrap()
}

async fn file(state: &AppState, bytes: &'static [u8]) -> FileRecord {
    let new = NewFileRow {
        placement: Placement::Path(FolderPath::parse("/").unwrap()),
        name: FileName::parse("a.txt").unwrap(),
        access: Access::PublicIndexable,
        expires_at: None,
        overwrite: false,
        duplicates: DuplicateRule::default(),
    };
    match ingest::create_file(state, spooled(state, bytes).await, new, None)
        .await
        .unwrap()
    {
        Created::New(record) => record,
        existing @ Created::Existing(_) => panic!("{existing:?}"),
    }
}

/// Replaces the bytes of a file, and removes the old ones from the disk as the clean-up will.
async fn replace(state: &AppState, old: &FileRecord, bytes: &'static [u8], access: Access) {
    let change = FileChange {
        access: Some(access),
        ..FileChange::default()
    };
    ingest::replace_file(
        state,
        spooled(state, bytes).await,
        old.clone(),
        change,
        None,
    )
    .await
    .unwrap();
    state
        .blobs
        .remove(vec![old.content.blob.clone()])
        .await
        .unwrap();
}

// A reader that looked its row up just before the replacement holds `old`.
#[tokio::test]
async fn a_row_whose_bytes_were_replaced_leads_to_the_new_ones() {
    let (_dir, state) = state().await;
    let old = file(&state, b"old").await;
    replace(&state, &old, b"newer", Access::PublicIndexable).await;
    assert!(matches!(
        stored_bytes::whole(&state, &old).await.err(),
        Some(Unreadable::Gone)
    ));
    let now = stored_bytes::again(&state, &old).await.unwrap();
    let bytes = stored_bytes::whole(&state, &now).await.unwrap();
    assert_eq!(to_bytes(bytes, 100).await.unwrap(), "newer");
}

#[tokio::test]
async fn a_replacement_that_closed_the_file_lets_nobody_in_by_the_old_row() {
    let (_dir, state) = state().await;
    let old = file(&state, b"old").await;
    replace(&state, &old, b"secret", Access::Private).await;
    assert_eq!(
        stored_bytes::again(&state, &old).await.unwrap_err().status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn bytes_that_are_lost_are_a_failure_and_no_other_file() {
    let (_dir, state) = state().await;
    let row = file(&state, b"old").await;
    state
        .blobs
        .remove(vec![row.content.blob.clone()])
        .await
        .unwrap();
    assert_eq!(
        stored_bytes::again(&state, &row).await.unwrap_err().status,
        StatusCode::INTERNAL_SERVER_ERROR
    );
}

// Fails if the response does not look the row up again.
#[tokio::test]
async fn a_reader_with_an_old_row_gets_the_new_bytes_whole_or_in_part() {
    let (_dir, state) = state().await;
    let old = file(&state, b"old").await;
    replace(&state, &old, b"newer", Access::PublicIndexable).await;
    for (range, status, expected) in [(None, 200, "newer"), (Some("bytes=2-"), 206, "wer")] {
        let mut request = Request::new(()).into_parts().0;
        request
            .headers
            .extend(range.map(|range| (header::RANGE, range.parse().unwrap())));
        let response = reply::send(&state, &old, &request, Delivery::Download)
            .await
            .unwrap();
        assert_eq!(response.status().as_u16(), status);
        assert_eq!(to_bytes(response.into_body(), 100).await.unwrap(), expected);
    }
}
