//! Turns an HTTP response into a value or a typed error: status, problem body, correlation id,
//! retry delay, size limits. Messages never contain an address, which may hold a signature.

use std::collections::HashSet;
use std::time::{Duration, SystemTime};

use bytes::{Bytes, BytesMut};
use httpdate::parse_http_date;
use jiff::{SignedDuration, Timestamp};
use reqwest::header::{DATE, HeaderMap, LOCATION, RETRY_AFTER};
use reqwest::{Response, StatusCode, Url};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::captive_portal;
use super::error::{Error, Kind, NextStep, reason};
use super::failure::{Failure, Verdict};
use super::model::{Problem, ProblemDetail};
use super::proxies::in_words;
use crate::tls::{Distrust, tls_error};

/// The largest JSON answer that is read, fifty times the size of a page of 100 files.
const LARGEST_JSON: usize = 8 << 20;
const LARGEST_PROBLEM: usize = 256 << 10;

/// The longest window of a rate limit, for a 429 that does not name its window
/// (`contract.md#rate-limits`).
const DEFAULT_RATE_WAIT: Duration = Duration::from_secs(10);

/// The duration of the lock that a 423 reports (`contract.md#errors`).
const LOCK_LASTS: Duration = Duration::from_secs(2);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Responder {
    /// The account's service, which reports missing things in its own words.
    Api,
    /// Any host that a file's address leads to.
    Host,
}

/// Reads the request budget from the response headers: the maximum in a window, and the requests
/// left.
pub(super) fn budget(headers: &HeaderMap) -> Option<(u32, u32)> {
    let number = |name| headers.get(name)?.to_str().ok()?.trim().parse().ok();
    Some((
        number("x-hubspot-ratelimit-max").filter(|max| *max > 0)?,
        number("x-hubspot-ratelimit-remaining")?,
    ))
}

/// The lead of the service's clock over ours, from `Date`; `None` if the response may be from
/// another server.
pub(super) fn ahead(headers: &HeaderMap, now: Timestamp) -> Option<SignedDuration> {
    if captive_portal::is_html(headers) || headers.contains_key(LOCATION) {
        return None;
    }
    let date = parse_http_date(headers.get(DATE)?.to_str().ok()?).ok()?;
    Some(Timestamp::try_from(date).ok()?.duration_since(now))
}

/// Passes on the responses that the contract names for a call, and turns any other into a failure.
pub(super) async fn check(
    response: Response,
    speaker: Responder,
    expected: &[StatusCode],
) -> Result<Response, Failure> {
    let status = response.status();
    if expected.contains(&status) {
        return Ok(response);
    }
    let headers = response.headers().clone();
    // If the body cannot be read, the status suffices.
    let body = read(response, LARGEST_PROBLEM).await.unwrap_or_default();
    if speaker == Responder::Api
        && let Some(failure) = captive_portal::failure(status, &headers, &body)
    {
        return Err(failure);
    }
    if status.is_success() {
        return Err(unrecognized(status, &headers));
    }
    Err(failure(status, speaker, &headers, &body))
}

pub(super) async fn json<T: DeserializeOwned>(response: Response) -> Result<T, Failure> {
    let (status, headers) = (response.status(), response.headers().clone());
    let body = read(response, LARGEST_JSON).await?;
    // Validating UTF-8 once is cheaper than validating each string.
    let read = std::str::from_utf8(&body)
        .map_or_else(|_| serde_json::from_slice(&body), serde_json::from_str);
    read.map_err(|error| {
        captive_portal::failure(status, &headers, &body).unwrap_or_else(|| {
            let message = format!("The service answered with unexpected JSON: {error}");
            let error = Error::new(Kind::Decode, message)
                .then(NextStep::CheckAddress)
                .caused_by(error);
            Failure::new(
                Error {
                    correlation_id: correlation_id(&headers),
                    ..error
                },
                Verdict::Unrecognized,
            )
        })
    })
}

/// The failure for an unexpected success status, or a 404 not in the API's words: from a proxy, or
/// a changed API.
fn unrecognized(status: StatusCode, headers: &HeaderMap) -> Failure {
    let with = if captive_portal::is_html(headers) {
        " with a web page"
    } else {
        ""
    };
    let message =
        format!("The service answered {status}{with}, which is not an answer to this call");
    let error = Error {
        status: Some(status.as_u16()),
        ..Error::new(Kind::Decode, message).then(NextStep::CheckAddress)
    };
    Failure::new(
        Error {
            correlation_id: correlation_id(headers),
            ..error
        },
        Verdict::Unrecognized,
    )
}

/// Converts an error in sending or in reading the answer, and judges if the call may have had an
/// effect.
pub(super) fn transport(error: reqwest::Error) -> Failure {
    // Only the host: the rest of an address may be secret.
    let host = error
        .url()
        .and_then(|url| Some(url.host_str()?.to_owned() + &port(url)));
    let host = host.unwrap_or_else(|| "the service".to_owned());
    let proxy = error.url().and_then(in_words);
    let error = error.without_url();
    if let Some(distrust) = Distrust::of(&error) {
        let message = format!("{host} is not trusted: {}", distrust.reason);
        let untrusted = Error {
            next: distrust.lacks_authority.then_some(NextStep::AddAuthority),
            ..Error::new(Kind::Unreachable, message)
        };
        return Failure::new(untrusted.caused_by(error), Verdict::Final);
    }
    let next = next_step(&error, proxy.is_some());
    let (kind, what) = if error.is_connect() {
        let what = match next {
            Some(NextStep::CheckHost) => format!("There is no host {host}"),
            Some(NextStep::CheckScheme) => format!("{host} does not use TLS"),
            _ => format!("Cannot connect to {host}{}", proxy.unwrap_or_default()),
        };
        (Kind::Unreachable, what)
    } else if error.is_timeout() {
        (Kind::Timeout, format!("No answer from {host} in time"))
    } else {
        (Kind::Network, format!("The connection to {host} failed"))
    };
    let verdict = match &error {
        error if error.is_builder() => Verdict::Final,
        error if error.is_connect() && tls_error(error).is_none() => Verdict::Unprocessed,
        error if error.is_connect() => Verdict::Final,
        _ => Verdict::Doubtful,
    };
    let message = format!("{what}: {}", reason(innermost(&error)));
    let failed = Error {
        next,
        ..Error::new(kind, message)
    };
    Failure::new(failed.caused_by(error), verdict)
}

/// Returns the next step after a connection that was not made, if only one thing can be wrong.
fn next_step(error: &reqwest::Error, is_through_proxy: bool) -> Option<NextStep> {
    if !error.is_connect() {
        return None;
    }
    if let Some(tls) = tls_error(error) {
        let is_plain = matches!(tls, rustls::Error::InvalidMessage(_));
        return is_plain.then_some(NextStep::CheckScheme);
    }
    // The connector's type for it is private.
    let is_unknown = causes(error).any(|cause| cause.to_string() == "dns error");
    match is_through_proxy {
        true if innermost(error).is::<std::io::Error>() => Some(NextStep::CheckProxy),
        false if is_unknown => Some(NextStep::CheckHost),
        _ => None,
    }
}

fn port(url: &Url) -> String {
    url.port()
        .map(|port| format!(":{port}"))
        .unwrap_or_default()
}

async fn read(mut response: Response, limit: usize) -> Result<Bytes, Failure> {
    let announced_length = response
        .content_length()
        .and_then(|length| usize::try_from(length).ok())
        .unwrap_or_default();
    let mut body = BytesMut::with_capacity(announced_length.min(limit));
    while let Some(chunk) = response.chunk().await.map_err(transport)? {
        if body.len() + chunk.len() > limit {
            let message = format!("The service's answer is larger than {limit} bytes");
            return Err(Failure::new(
                Error::new(Kind::Decode, message),
                Verdict::Unrecognized,
            ));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

fn failure(status: StatusCode, speaker: Responder, headers: &HeaderMap, body: &[u8]) -> Failure {
    let problem = problem(body);
    let in_own_words = problem.message.is_some() && problem.correlation_id.is_some();
    if status == StatusCode::NOT_FOUND && speaker == Responder::Api && !in_own_words {
        return unrecognized(status, headers);
    }
    let daily =
        status == StatusCode::TOO_MANY_REQUESTS && problem.policy_name.as_deref() == Some("DAILY");
    let kind = if daily {
        Kind::DaySpent
    } else {
        kind(status.as_u16())
    };
    let pause = match kind {
        Kind::RateLimited => rate_wait(problem.policy_name.as_deref(), headers),
        _ if status == StatusCode::LOCKED => LOCK_LASTS,
        _ => Duration::ZERO,
    };
    let problem_text = problem.message.filter(|text| !text.trim().is_empty());
    let (message, own_words) = if daily {
        (DAY_IS_SPENT.to_owned(), problem_text)
    } else {
        (
            problem_text.unwrap_or_else(|| without_message(status)),
            None,
        )
    };
    let error = Error {
        status: Some(status.as_u16()),
        category: problem.category.or(problem.error_type),
        correlation_id: problem.correlation_id.or_else(|| correlation_id(headers)),
        retry_after: retry_after(headers),
        ..Error::new(kind, message)
    };
    let causes = problem
        .errors
        .iter()
        .map(detail)
        .chain(context(&problem.context));
    let details = own_words.into_iter().chain(causes).collect();
    let error = scope_first(Error {
        details: without_repeats(&error.message, details),
        ..error
    });
    let pause = if error.retry_after.is_some() {
        Duration::ZERO
    } else {
        pause
    };
    Failure {
        pause,
        ..Failure::new(error, Verdict::of_status(status.as_u16(), daily))
    }
}

/// The message once the day's requests are used up; the service's own message goes into the
/// details.
const DAY_IS_SPENT: &str = "The account's daily request budget is used up; it is renewed at midnight in the account's time zone";

/// Puts the missing scope before the service's own message, which names it last or not at all.
fn scope_first(error: Error) -> Error {
    let Some(message) = error
        .scope()
        .map(|scope| format!("The token lacks the scope {scope}"))
    else {
        return error;
    };
    let details = [error.message].into_iter().chain(error.details).collect();
    Error {
        message,
        details,
        ..error
    }
}

/// The causes that the message does not already contain, each once.
fn without_repeats(message: &str, details: Vec<String>) -> Vec<String> {
    let mut seen = HashSet::new();
    details
        .into_iter()
        .filter(|detail| !message.contains(detail.as_str()) && seen.insert(detail.clone()))
        .collect()
}

fn without_message(status: StatusCode) -> String {
    match status.canonical_reason() {
        Some(_) => format!("The service answered {status}"),
        None => format!("The service answered with status {}", status.as_u16()),
    }
}

fn kind(status: u16) -> Kind {
    match status {
        300..400 => Kind::Decode,
        401 => Kind::Unauthorized,
        403 => Kind::Forbidden,
        404 => Kind::NotFound,
        408 => Kind::Timeout,
        409 => Kind::Conflict,
        // Locked, and an account being moved: both pass by themselves (`contract.md#errors`).
        423 | 477 => Kind::Server,
        429 => Kind::RateLimited,
        400..500 => Kind::Invalid,
        _ => Kind::Server,
    }
}

/// Parses leniently: a body with an unexpected field still yields its message.
fn problem(body: &[u8]) -> Problem {
    let Ok(value) = serde_json::from_slice::<Value>(body) else {
        return Problem::default();
    };
    let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    Problem::deserialize(&value).unwrap_or_else(|_| Problem {
        message: text("message"),
        correlation_id: text("correlationId"),
        category: text("category"),
        error_type: text("errorType"),
        policy_name: text("policyName"),
        ..Problem::default()
    })
}

fn detail(detail: &ProblemDetail) -> String {
    match detail {
        ProblemDetail::Text(text) => text.clone(),
        ProblemDetail::Object {
            message,
            context: more,
            ..
        } => std::iter::once(message.clone())
            .chain(context(more))
            .collect::<Vec<_>>()
            .join("; "),
    }
}

fn context(
    context: &std::collections::BTreeMap<String, Vec<String>>,
) -> impl Iterator<Item = String> {
    context
        .iter()
        .map(|(name, values)| format!("{name}: {}", values.join(", ")))
}

pub(super) fn correlation_id(headers: &HeaderMap) -> Option<String> {
    ["x-hubspot-correlation-id", "x-request-id"]
        .iter()
        .find_map(|name| headers.get(*name)?.to_str().ok())
        .map(str::to_owned)
}

/// Parses `Retry-After` in seconds or as a date, which is relative to the service's own clock.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let due = parse_http_date(text).ok()?;
    let now = headers
        .get(DATE)
        .and_then(|date| parse_http_date(date.to_str().ok()?).ok());
    Some(
        due.duration_since(now.unwrap_or_else(SystemTime::now))
            .unwrap_or_default(),
    )
}

fn rate_wait(policy: Option<&str>, headers: &HeaderMap) -> Duration {
    if policy == Some("SECONDLY") {
        return Duration::from_secs(1);
    }
    let interval = headers.get("x-hubspot-ratelimit-interval-milliseconds");
    let millis = interval.and_then(|value| value.to_str().ok()?.trim().parse().ok());
    millis.map_or(DEFAULT_RATE_WAIT, Duration::from_millis)
}

fn causes(error: &reqwest::Error) -> impl Iterator<Item = &(dyn std::error::Error + 'static)> {
    let error: &(dyn std::error::Error + 'static) = error;
    std::iter::successors(Some(error), |cause| cause.source())
}

/// The innermost cause is the most informative: reqwest's own messages name the step, not the
/// reason.
fn innermost(error: &reqwest::Error) -> &(dyn std::error::Error + 'static) {
    causes(error).last().unwrap_or(error)
}

#[cfg(test)]
mod tests;
