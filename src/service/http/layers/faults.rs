//! Injects the faults of the rules in front of the routes.

mod body;

use std::time::Duration;

use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse as _, Response};

use super::rate_limit::refusal as over_the_limit;
use crate::service::answer::error::ApiError;
use crate::service::http::faults::{Fault, Faults};
use crate::service::policy;

const LOCKED: u16 = 423;
/// Not in the HTTP registry; the real service's own status.
const MIGRATING: u16 = 477;
/// The page of a guest network that is shown instead of every response.
const SIGN_IN: &str = "<!doctype html><title>Guest WiFi</title><h1>Please sign in</h1>";

/// Returns the response to the request, changed or replaced as the rules say.
pub(crate) async fn around(faults: &Faults, request: Request, next: Next) -> Response {
    let met = faults.meet(request.method(), request.uri().path());
    for fault in &met {
        match fault {
            Fault::Delay(time) => tokio::time::sleep(*time).await,
            Fault::Refuse {
                status,
                retry_after,
            } => {
                return refusal(failure(*status), retry_after.or(usual_wait(*status)));
            }
            Fault::Lock(_) => return refusal(failure(LOCKED), None),
            Fault::RateLimit {
                policy,
                retry_after,
            } => return refusal(over_the_limit(policy), *retry_after),
            Fault::Portal => return Html(SIGN_IN).into_response(),
            Fault::CutBody { .. } | Fault::SlowBody { .. } => {}
        }
    }
    let response = next.run(request).await;
    met.iter().fold(response, |response, fault| match fault {
        Fault::CutBody { after } => response.map(|whole| body::cut(whole, *after)),
        Fault::SlowBody { bytes_per_second } => {
            response.map(|whole| body::slow(whole, *bytes_per_second))
        }
        Fault::Delay(_)
        | Fault::Refuse { .. }
        | Fault::Lock(_)
        | Fault::RateLimit { .. }
        | Fault::Portal => response,
    })
}

/// The real service's message for a status; for others, a note that a rule caused it
/// (`contract.md#errors`).
fn failure(status: u16) -> ApiError {
    let message = match status {
        LOCKED => "The resource is locked; try again in 2 seconds".to_owned(),
        MIGRATING => {
            "The account is being migrated to another data center; try again later".to_owned()
        }
        500 => "internal error".to_owned(),
        status => format!("refused with {status} by a fault rule"),
    };
    ApiError::new(
        StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
        message,
    )
}

/// A migration always states its duration.
fn usual_wait(status: u16) -> Option<Duration> {
    (status == MIGRATING).then_some(policy::MIGRATION_TAKES)
}

fn refusal(error: ApiError, retry_after: Option<Duration>) -> Response {
    let mut response = error.into_response();
    if let Some(time) = retry_after {
        response
            .headers_mut()
            .insert(header::RETRY_AFTER, HeaderValue::from(time.as_secs()));
    }
    response
}
