use proptest::prelude::*;
use rstest::rstest;

use super::*;
use crate::api::AdvicePlace;
use crate::api::model::{File, Folder};
use crate::hostile;

fn failed(status: u16, headers: &[(&'static str, &'static str)], body: &str) -> Failure {
    let headers = headers
        .iter()
        .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
        .collect();
    failure(
        StatusCode::from_u16(status).unwrap(),
        Responder::Api,
        &headers,
        body.as_bytes(),
    )
}

#[test]
fn a_full_problem_gives_message_category_correlation_and_details() {
    let body = r#"{"status":"error","message":"This app hasn't been granted all required scopes.","correlationId":"019db16f-1",
        "category":"MISSING_SCOPES","links":{"scopes":"https://example.com"},
        "errors":[{"message":"One or more of the following scopes are required.","context":{"requiredGranularScopes":["files","files.read"]}}]}"#;
    let error = failed(403, &[], body).error;
    assert_eq!((error.kind, error.status), (Kind::Forbidden, Some(403)));
    assert_eq!(error.category.as_deref(), Some("MISSING_SCOPES"));
    assert_eq!(error.correlation_id.as_deref(), Some("019db16f-1"));
    assert_eq!(error.message, "The token lacks the scope files.read");
    assert_eq!(
        error
            .advice(AdvicePlace::Command)
            .as_deref()
            .unwrap_or_default(),
        "Add one of the scopes files, files.read to the token, or use another account."
    );
    assert_eq!(
        error.details,
        [
            "This app hasn't been granted all required scopes.",
            "One or more of the following scopes are required.; requiredGranularScopes: files, files.read"
        ]
    );
}

#[rstest]
#[case::html(
    403,
    "<html><h1>Error 403</h1></html>",
    Kind::Forbidden,
    "The service answered 403 Forbidden"
)]
#[case::not_found_by_somebody_else(
    404,
    "<html>",
    Kind::Decode,
    "The service answered 404 Not Found, which is not an answer to this call"
)]
#[case::not_found_without_a_name(
    404,
    r#"{"message":"no"}"#,
    Kind::Decode,
    "The service answered 404 Not Found, which is not an answer to this call"
)]
#[case::not_found(404, r#"{"message":"no","correlationId":"c"}"#, Kind::NotFound, "no")]
#[case::empty(502, "", Kind::Server, "The service answered 502 Bad Gateway")]
#[case::without_a_name(524, "", Kind::Server, "The service answered with status 524")]
#[case::message_only(400, r#"{"message":"no"}"#, Kind::Invalid, "no")]
#[case::null_message(
    500,
    r#"{"message":null}"#,
    Kind::Server,
    "The service answered 500 Internal Server Error"
)]
#[case::errors_as_text(400, r#"{"message":"no","errors":["a","b"]}"#, Kind::Invalid, "no")]
#[case::odd_context(
    400,
    r#"{"message":"no","context":"text","errors":[7]}"#,
    Kind::Invalid,
    "no"
)]
#[case::an_array(400, "[1]", Kind::Invalid, "The service answered 400 Bad Request")]
fn any_body_gives_a_usable_error(
    #[case] status: u16,
    #[case] body: &str,
    #[case] kind: Kind,
    #[case] message: &str,
) {
    let error = failed(status, &[], body).error;
    assert_eq!((error.kind, error.message.as_str()), (kind, message));
}

#[test]
fn a_cause_that_the_message_names_is_not_repeated() {
    let body = r#"{"message":"Bad id: 7","errors":[{"message":"Bad id"},{"message":"not a number"},{"message":"not a number"}]}"#;
    assert_eq!(failed(400, &[], body).error.details, ["not a number"]);
}

#[test]
fn the_correlation_id_is_taken_from_the_header_where_the_body_has_none() {
    let error = failed(500, &[("x-hubspot-correlation-id", "abc")], "").error;
    assert_eq!(error.correlation_id.as_deref(), Some("abc"));
}

#[test]
fn a_lock_is_waited_for_until_it_is_over() {
    let failure = failed(423, &[], "");
    assert_eq!(
        (failure.error.retry_after, failure.pause),
        (None, Duration::from_secs(2))
    );
}

#[rstest]
#[case::seconds(&[("retry-after", "7")], "", 7)]
#[case::date_by_the_services_clock(
    &[("retry-after", "Fri, 20 Nov 2026 10:00:30 GMT"), ("date", "Fri, 20 Nov 2026 10:00:00 GMT")], "", 30)]
#[case::date_in_the_past(
    &[("retry-after", "Fri, 20 Nov 2026 09:00:00 GMT"), ("date", "Fri, 20 Nov 2026 10:00:00 GMT")], "", 0)]
#[case::dates_of_old_services(
    &[("retry-after", "Friday, 20-Nov-26 10:00:30 GMT"), ("date", "Fri Nov 20 10:00:00 2026")], "", 30)]
fn a_429_says_how_long_to_wait(
    #[case] headers: &[(&'static str, &'static str)],
    #[case] body: &str,
    #[case] seconds: u64,
) {
    let failure = failed(429, headers, body);
    let asked = Some(Duration::from_secs(seconds));
    assert_eq!(
        (failure.error.retry_after, failure.pause),
        (asked, Duration::ZERO)
    );
    assert_eq!(failure.verdict, Verdict::Unprocessed);
}

#[rstest]
#[case::interval_header(&[("x-hubspot-ratelimit-interval-milliseconds", "4000")], "", 4)]
#[case::secondly(&[], r#"{"policyName":"SECONDLY"}"#, 1)]
#[case::nothing_said(&[], "", 10)]
#[case::nonsense(&[("retry-after", "soon")], "", 10)]
fn a_429_that_names_no_wait_is_not_said_to_have_asked_for_one(
    #[case] headers: &[(&'static str, &'static str)],
    #[case] body: &str,
    #[case] seconds: u64,
) {
    let failure = failed(429, headers, body);
    assert_eq!(
        (failure.error.retry_after, failure.pause),
        (None, Duration::from_secs(seconds))
    );
    assert_eq!(failure.verdict, Verdict::Unprocessed);
}

#[test]
fn a_used_up_day_is_final() {
    let body = r#"{"status":"error","message":"You have reached your daily limit.","errorType":"RATE_LIMIT","policyName":"DAILY"}"#;
    let failure = failed(429, &[], body);
    assert_eq!(
        (failure.error.kind, failure.verdict),
        (Kind::DaySpent, Verdict::Final)
    );
    assert!(
        failure
            .error
            .message
            .contains("at midnight in the account's time zone"),
        "{}",
        failure.error
    );
    assert_eq!(
        failure.error.details,
        ["You have reached your daily limit."]
    );
    assert_eq!(failure.error.category.as_deref(), Some("RATE_LIMIT"));
}

#[rstest]
#[case::behind(&[("date", "Fri, 20 Nov 2026 10:10:00 GMT")], Some(600))]
#[case::ahead(&[("date", "Fri, 20 Nov 2026 09:00:00 GMT")], Some(-3600))]
#[case::not_told(&[], None)]
#[case::nonsense(&[("date", "today")], None)]
#[case::a_page(&[("date", "Fri, 20 Nov 2026 09:00:00 GMT"), ("content-type", "text/html")], None)]
fn an_answer_tells_how_late_it_is(
    #[case] headers: &[(&'static str, &'static str)],
    #[case] seconds: Option<i64>,
) {
    let headers = headers
        .iter()
        .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
        .collect();
    let difference = ahead(&headers, "2026-11-20T10:00:00Z".parse().unwrap());
    assert_eq!(difference.map(|ahead| ahead.as_secs()), seconds);
}

#[rstest]
#[case::both("190", "120", Some((190, 120)))]
#[case::zero_max("0", "0", None)]
#[case::nonsense("many", "1", None)]
fn the_budget_is_read_from_the_headers(
    #[case] max: &str,
    #[case] left: &str,
    #[case] expected: Option<(u32, u32)>,
) {
    let mut headers = HeaderMap::new();
    headers.insert("x-hubspot-ratelimit-max", max.parse().unwrap());
    headers.insert("x-hubspot-ratelimit-remaining", left.parse().unwrap());
    assert_eq!(budget(&headers), expected);
}

proptest! {
    #[test]
    fn hostile_answers_are_refused_or_read(
        body in hostile::text(&[
            r#"{"id":"1","name":"a","extension":"png","access":"PUBLIC_INDEXABLE","size":12,"createdAt":"2026-11-20T08:00:00Z","path":"/a.png"}"#,
            r#"{"status":"error","message":"no","correlationId":"1","category":"X","errors":[{"message":"m","context":{"a":["b"]}}]}"#,
        ]),
        status in 400..600_u16,
    ) {
        let _ = serde_json::from_str::<File>(&body);
        let _ = serde_json::from_str::<Folder>(&body);
        let failure = failed(status, &[], &body);
        prop_assert_eq!(failure.error.status, Some(status));
    }
}
