//! The minimum pace of a request body (`guarantees.md#slow-and-large-requests-have-bounds`).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::body::{Body, HttpBody as _};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use futures::{StreamExt as _, stream};
use tokio::time::{Instant, timeout};

use crate::service::answer::error::ApiError;
use crate::service::http::patience::Patience;
use crate::service::policy;

/// Set once a body has arrived too slowly.
#[derive(Clone, Default)]
pub(super) struct BodyPace(Arc<AtomicBool>);

impl BodyPace {
    /// Wraps the body so that it fails when patience runs out: waiting uses it up, and bytes
    /// restore it. Only the time spent waiting for the sender counts, not the time that the service
    /// takes to continue.
    pub(super) fn demand(&self, body: Body, bytes_per_second: u64) -> Body {
        if body.is_end_stream() {
            return body;
        }
        let patience = Patience::new(bytes_per_second, policy::BODY_PATIENCE);
        let start = (body.into_data_stream(), patience, self.clone());
        Body::from_stream(stream::try_unfold(
            start,
            async |(mut body, mut patience, pace)| {
                let began = Instant::now();
                let Ok(next) = timeout(patience.left(), body.next()).await else {
                    pace.0.store(true, Ordering::Relaxed);
                    return Err(axum::Error::new(std::io::Error::from(
                        std::io::ErrorKind::TimedOut,
                    )));
                };
                let Some(chunk) = next.transpose()? else {
                    return Ok(None);
                };
                patience.settle(began.elapsed(), chunk.len());
                Ok(Some((chunk, (body, patience, pace))))
            },
        ))
    }

    /// Replaces the response with 408 if the body arrived too slowly, whatever the handler made of
    /// the cut body.
    pub(super) fn settle(&self, response: Response) -> Response {
        if self.0.load(Ordering::Relaxed) {
            ApiError::new(
                StatusCode::REQUEST_TIMEOUT,
                "the body came too slowly; nothing was stored",
            )
            .into_response()
        } else {
            response
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use axum::Router;
    use axum::body::{Bytes, to_bytes};
    use axum::extract::Request;
    use axum::middleware::{Next, from_fn};
    use axum::routing::post;
    use rstest::rstest;
    use tower::ServiceExt as _;

    use super::*;
    use crate::service::http::layers::trace::correlate;

    const KIB: usize = 1024;

    /// Returns a body of chunks of this size, each after a pause in milliseconds.
    fn trickle(chunks: usize, size: usize, pause: u64) -> Body {
        Body::from_stream(stream::iter(0..chunks).then(move |_| async move {
            tokio::time::sleep(Duration::from_millis(pause)).await;
            Ok::<_, std::io::Error>(Bytes::from(vec![b'.'; size]))
        }))
    }

    /// Sends the body to a handler that reads it to its end; returns the response, and the seconds
    /// until it arrived.
    async fn send(body: Body) -> (Response, u64) {
        let handler = post(async |body: Body| match to_bytes(body, usize::MAX).await {
            Ok(bytes) => (StatusCode::OK, bytes.len().to_string()),
            Err(_) => (StatusCode::BAD_REQUEST, "cut".to_owned()),
        });
        let demand = from_fn(async |request: Request, next: Next| {
            let pace = BodyPace::default();
            pace.settle(
                next.run(request.map(|body| pace.demand(body, KIB as u64)))
                    .await,
            )
        });
        let worded = from_fn(async |request, next: Next| {
            correlate(request, async |request| next.run(request).await).await
        });
        let router = Router::new()
            .route("/", handler)
            .layer(demand)
            .layer(worded);
        let began = Instant::now();
        let response = router
            .oneshot(Request::post("/").body(body).unwrap())
            .await
            .unwrap();
        (response, began.elapsed().as_secs())
    }

    #[rstest]
    #[case::at_the_least_rate(trickle(3600, KIB, 1000), 3600)]
    #[case::in_drops(trickle(100_000, 2, 1), 100)]
    #[case::in_bursts(trickle(20, 30 * KIB, 29_900), 598)]
    #[case::short_but_late(trickle(1, 1, 29_900), 29)]
    #[case::at_once(trickle(5, 64 * KIB, 0), 0)]
    #[case::empty(Body::empty(), 0)]
    #[tokio::test(start_paused = true)]
    async fn a_body_that_keeps_the_pace_is_read_to_its_end(
        #[case] body: Body,
        #[case] seconds: u64,
    ) {
        let (response, took) = send(body).await;
        assert_eq!((response.status(), took), (StatusCode::OK, seconds));
    }

    #[rstest]
    #[case::that_never_begins(trickle(1, 1, 60_000), 30)]
    #[case::that_stops(Body::from_stream(trickle(9, 64 * KIB, 0).into_data_stream().chain(trickle(1, 1, 60_000).into_data_stream())), 30)]
    #[case::of_one_byte_a_second(trickle(1000, 1, 1000), 30)]
    #[case::at_half_the_rate(trickle(1000, KIB / 2, 1000), 59)]
    #[tokio::test(start_paused = true)]
    async fn a_slow_body_answers_408(#[case] body: Body, #[case] seconds: u64) {
        let (response, took) = send(body).await;
        assert_eq!(
            (response.status(), took),
            (StatusCode::REQUEST_TIMEOUT, seconds)
        );
        let body = to_bytes(response.into_body(), KIB).await.unwrap();
        let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(body["status"], "error");
        assert!(body["message"].as_str().unwrap().contains("too slowly"));
    }
}
