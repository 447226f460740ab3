//! The handlers of the test API.

use std::path::{Path, PathBuf};

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, Timestamp};
use serde::{Deserialize, Serialize};

use super::request_log::{RequestLog, RequestReport, ServedRequest};
use crate::api::model::time;
use crate::service::answer::error::ApiError;
use crate::service::clock::ClockReading;
use crate::service::content::data_dir;
use crate::service::http::extract::JsonBody;
use crate::service::http::faults::{FaultRule, Faults};
use crate::service::policy;
use crate::service::state::AppState;
use crate::service::store::{EmbeddedDatabase, StoreError};

/// The state that a test can change and a reset restores. Cheap enough to clone.
#[derive(Clone)]
pub(crate) struct TestControls {
    state: AppState,
    database: EmbeddedDatabase,
    faults: Faults,
    first_faults: Vec<FaultRule>,
    pub(super) requests: RequestLog,
    sample: PathBuf,
}

impl TestControls {
    /// Copies the contents of the store for resets. Must be called before anything is served.
    pub(crate) async fn prepare(
        state: &AppState,
        database: &EmbeddedDatabase,
        dir: &Path,
        faults: &Faults,
    ) -> Result<Self, StoreError> {
        let sample = data_dir::sample_copy(dir);
        state.blobs.keep(database.copy_sample(&sample).await?);
        let first_faults = faults.rules();
        Ok(Self {
            state: state.clone(),
            database: database.clone(),
            faults: faults.clone(),
            first_faults,
            requests: RequestLog::default(),
            sample,
        })
    }

    /// Restores the state at the start; see `reset` of the API.
    pub(crate) async fn reset(&self) -> Result<(), StoreError> {
        let state = &self.state;
        // The check at the start must not see rows disappear.
        state.names_checked.wait().await;
        let alone = state.round.lock().await;
        self.database
            .return_to_sample(&self.sample, Timestamp::now())
            .await?;
        state.clock.restore();
        drop(alone);
        self.faults.set(self.first_faults.clone());
        state.store.forget_requests();
        self.requests.clear();
        // Blobs that no row names anymore are removed after the response.
        state.work.notify_one();
        Ok(())
    }

    pub(crate) fn served_requests(&self) -> Vec<ServedRequest> {
        self.requests.served()
    }
}

/// Restores files, folders, tasks, usage, ids, faults and quotas to their state at the start,
/// restores the machine's clock, and clears the request log.
pub(super) async fn reset(State(controls): State<TestControls>) -> Result<StatusCode, ApiError> {
    // A client that disconnects must not interrupt the reset.
    let whole = tokio::spawn(async move { controls.reset().await }).await;
    whole.map_err(|error| ApiError::internal("go back to the start", &error))??;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ClockReport {
    #[serde(with = "time::iso")]
    now: Option<Timestamp>,
    /// The difference to the machine's clock; positive if ahead.
    moved_by: SignedDuration,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClockTime {
    now: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClockMove {
    by: String,
}

pub(super) async fn clock(State(controls): State<TestControls>) -> Json<ClockReport> {
    let ClockReading { now, moved_by } = controls.state.clock.read();
    // The machine's clock moved on while this one was set, and nobody needs less than milliseconds.
    let moved_by = moved_by.round(jiff::Unit::Millisecond).unwrap_or(moved_by);
    Json(ClockReport {
        now: Some(now),
        moved_by,
    })
}

pub(super) async fn set_clock(
    State(controls): State<TestControls>,
    JsonBody(wanted): JsonBody<ClockTime>,
) -> Result<Json<ClockReport>, ApiError> {
    let time = time::parse(&wanted.now).ok_or_else(|| {
        ApiError::validation("now must be a time, as in 2027-01-31T00:00:00Z")
            .with_context("now", &wanted.now)
    })?;
    move_to(controls, time).await
}

pub(super) async fn advance_clock(
    State(controls): State<TestControls>,
    JsonBody(wanted): JsonBody<ClockMove>,
) -> Result<Json<ClockReport>, ApiError> {
    let span: Span = wanted.by.parse().map_err(|_| {
        ApiError::validation("by must be a period, as in P1D, PT90M or -PT1H")
            .with_context("by", &wanted.by)
    })?;
    let moved = controls
        .state
        .clock
        .now()
        .to_zoned(TimeZone::UTC)
        .checked_add(span);
    let moved = moved.map_err(|_| out_of_range().with_context("by", &wanted.by))?;
    move_to(controls, moved.timestamp()).await
}

pub(super) async fn restore_clock(State(controls): State<TestControls>) -> Json<ClockReport> {
    controls.state.clock.restore();
    clock(State(controls)).await
}

async fn move_to(controls: TestControls, time: Timestamp) -> Result<Json<ClockReport>, ApiError> {
    if !policy::CLOCK_YEARS.contains(&time.to_zoned(TimeZone::UTC).year()) {
        return Err(out_of_range().with_context("now", time.to_string()));
    }
    controls.state.clock.move_to(time);
    Ok(clock(State(controls)).await)
}

fn out_of_range() -> ApiError {
    let (first, last) = (policy::CLOCK_YEARS.start(), policy::CLOCK_YEARS.end());
    ApiError::validation(format!("the clock goes from {first} to {last}"))
}

/// Rules in the syntax of `serve --fault`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FaultWords {
    faults: Vec<String>,
}

pub(super) async fn faults(State(controls): State<TestControls>) -> Json<FaultWords> {
    Json(FaultWords {
        faults: controls
            .faults
            .rules()
            .iter()
            .map(ToString::to_string)
            .collect(),
    })
}

/// Replaces all rules, or none if one is invalid.
pub(super) async fn set_faults(
    State(controls): State<TestControls>,
    JsonBody(wanted): JsonBody<FaultWords>,
) -> Result<Json<FaultWords>, ApiError> {
    let read = |words: &String| {
        words
            .parse::<FaultRule>()
            .map_err(|error| ApiError::validation(error.to_string()).with_context("fault", words))
    };
    let rules = wanted
        .faults
        .iter()
        .map(read)
        .collect::<Result<Vec<_>, _>>()?;
    controls.faults.set(rules);
    Ok(faults(State(controls)).await)
}

pub(super) async fn clear_faults(State(controls): State<TestControls>) -> StatusCode {
    controls.faults.clear();
    StatusCode::NO_CONTENT
}

pub(super) async fn requests(State(controls): State<TestControls>) -> Json<RequestReport> {
    Json(controls.requests.report())
}

pub(super) async fn clear_requests(State(controls): State<TestControls>) -> StatusCode {
    controls.requests.clear();
    StatusCode::NO_CONTENT
}
