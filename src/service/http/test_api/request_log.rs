//! The latest requests to the API, for tests. A request is listed when it arrives, its status once
//! it is answered. Headers and signatures are not kept.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http_body_util::BodyExt as _;
use jiff::Timestamp;
use serde::{Serialize, Serializer};

use crate::api::model::time;
use crate::service::clock::Clock;
use crate::service::policy;

#[derive(Debug, Clone, Default)]
pub(super) struct RequestLog(Arc<Mutex<LoggedRequests>>);

#[derive(Debug, Default)]
struct LoggedRequests {
    last: VecDeque<LoggedRequest>,
    /// The number of older requests that were dropped.
    dropped: u64,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct LoggedRequest {
    method: String,
    path: String,
    query: Option<String>,
    #[serde(with = "time::iso")]
    time: Option<Timestamp>,
    #[serde(flatten, serialize_with = "write_progress")]
    progress: Arc<RequestProgress>,
}

/// A request to the service.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServedRequest {
    /// The method, such as `GET`.
    pub method: String,
    /// The path, without the query.
    pub path: String,
    /// The query, without signatures.
    pub query: Option<String>,
    /// The status of the answer; `None` before it.
    pub status: Option<u16>,
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct RequestProgress {
    /// Empty until the response.
    #[serde(serialize_with = "write_status")]
    status: OnceLock<u16>,
    /// The bytes of the body received so far.
    body_bytes: AtomicU64,
}

#[derive(Debug, Serialize)]
pub(super) struct RequestReport {
    /// Ordered from oldest to newest.
    requests: Vec<LoggedRequest>,
    dropped: u64,
}

/// Logs a request when it arrives, and its status when it is answered.
pub(super) async fn record(
    State((log, clock)): State<(RequestLog, Clock)>,
    request: Request,
    next: Next,
) -> Response {
    let progress = log.add(&request, clock.now());
    let read = Arc::clone(&progress);
    let request = request.map(|body| {
        Body::new(body.map_frame(move |frame| {
            let size = frame.data_ref().map_or(0, |data| data.len() as u64);
            read.body_bytes.fetch_add(size, Ordering::Relaxed);
            frame
        }))
    });
    let response = next.run(request).await;
    progress.status.get_or_init(|| response.status().as_u16());
    response
}

impl RequestLog {
    fn add(&self, request: &Request, now: Timestamp) -> Arc<RequestProgress> {
        let progress = Arc::<RequestProgress>::default();
        let mut logged = self.lock();
        if logged.last.len() == policy::LOGGED_REQUESTS {
            logged.last.pop_front();
            logged.dropped += 1;
        }
        logged.last.push_back(LoggedRequest {
            method: request.method().to_string(),
            path: request.uri().path().to_owned(),
            query: request.uri().query().map(without_signature),
            time: Some(now),
            progress: Arc::clone(&progress),
        });
        progress
    }

    pub(super) fn report(&self) -> RequestReport {
        let logged = self.lock();
        RequestReport {
            requests: logged.last.iter().cloned().collect(),
            dropped: logged.dropped,
        }
    }

    pub(super) fn served(&self) -> Vec<ServedRequest> {
        let served = |request: &LoggedRequest| ServedRequest {
            method: request.method.clone(),
            path: request.path.clone(),
            query: request.query.clone(),
            status: request.progress.status.get().copied(),
        };
        self.lock().last.iter().map(served).collect()
    }

    pub(super) fn clear(&self) {
        let mut logged = self.lock();
        logged.last.clear();
        logged.dropped = 0;
    }

    fn lock(&self) -> MutexGuard<'_, LoggedRequests> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn write_progress<S: Serializer>(
    progress: &RequestProgress,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    progress.serialize(serializer)
}

fn write_status<S: Serializer>(status: &OnceLock<u16>, serializer: S) -> Result<S::Ok, S::Error> {
    status.get().serialize(serializer)
}

/// Removes the signature from a query string, since it gives access to a file.
fn without_signature(query: &str) -> String {
    let kept = query.split('&').map(|pair| {
        if pair.starts_with("signature=") {
            "signature="
        } else {
            pair
        }
    });
    kept.collect::<Vec<_>>().join("&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_holds_the_last_requests_and_counts_the_others() {
        let log = RequestLog::default();
        for number in 0..policy::LOGGED_REQUESTS + 2 {
            let request = Request::get(format!("/{number}?expires=1&signature=secret"))
                .body(Body::empty())
                .unwrap();
            log.add(&request, Timestamp::UNIX_EPOCH);
        }
        let report = log.report();
        assert_eq!(
            (report.requests.len(), report.dropped),
            (policy::LOGGED_REQUESTS, 2)
        );
        assert_eq!(report.requests[0].path, "/2");
        assert_eq!(
            report.requests[0].query.as_deref(),
            Some("expires=1&signature=")
        );
        log.clear();
        assert_eq!(
            serde_json::to_value(log.report()).unwrap(),
            serde_json::json!({ "requests": [], "dropped": 0 })
        );
    }
}
