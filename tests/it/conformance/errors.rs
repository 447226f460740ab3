//! `contract.md#conventions`, `contract.md#errors`: the form of errors, whatever the resource.

use reqwest::Method;
use rstest::rstest;
use serde_json::json;

use super::play::{Step, get, play, post, raw};

fn address_of(length: usize) -> String {
    let search = "/files/v3/files/search?color=";
    format!("{search}{}", "r".repeat(length - search.len()))
}

/// Expects a refusal in the API's form, with an id for support.
fn is_refused(step: Step, status: u16) -> Step {
    step.answers(status)
        .header("content-type", "application/json;charset=utf-8")
        .with(json!({
        "status": "error", "message": "<text>", "correlationId": "<uuid>", "category": "<absent>"}))
}

#[rstest]
#[case::no_token(vec![get("/files/v3/files/{a}").anonymous().fails(401, "INVALID_AUTHENTICATION", "Authentication credentials not found")])]
#[case::no_token_for_limits(vec![get("/crm/v3/limits/records").anonymous().fails(401, "INVALID_AUTHENTICATION", "")])]
#[case::an_unknown_route(vec![is_refused(get("/files/v3/unknown"), 404), is_refused(get("/files/v3/unknown").anonymous(), 404)])]
#[case::an_unknown_version(vec![is_refused(get("/files/v4/files/{a}"), 404)])]
#[case::an_unknown_report(vec![is_refused(get("/crm/v3/limits/unknown"), 404), is_refused(get("/crm/limits/2026-03/unknown"), 404)])]
#[case::there_is_no_list_of_files(vec![
    is_refused(get("/files/v3/files"), 405).header("allow", "POST"), is_refused(get("/files/v3/files").anonymous(), 405).header("allow", "POST"),
    is_refused(get("/files/2026-03/files"), 405).header("allow", "POST"), is_refused(get("/files/2026-09/files"), 405).header("allow", "POST")])]
#[case::limits_are_read_only(vec![is_refused(post("/crm/v3/limits/records", json!({})), 405).header("allow", "GET,HEAD")])]
#[case::a_plain_address_of_nothing(vec![is_refused(get("/hubfs/nothing.txt").anonymous(), 404)])]
#[case::a_private_plain_address(vec![is_refused(get("{logo_url}").anonymous(), 404)])]
#[case::a_signed_address_that_was_altered(vec![is_refused(get("/signed/{a}/a.txt?expires=1&signature=00").anonymous(), 403)])]
#[case::a_range_with_no_byte_in_it(vec![
    is_refused(get("{a_url}").anonymous().sending("range", "bytes=99-"), 416).header("content-range", "bytes */9")])]
#[case::the_key_of_old_opens_nothing(vec![get("/files/v3/files/{a}?hapikey=fdk-test-token").anonymous().answers(401)])]
#[case::a_body_of_another_type(vec![raw(Method::POST, "/files/v3/folders", "text/plain", "name").answers(415)])]
#[case::a_content_type_on_a_read_is_no_matter(vec![raw(Method::GET, "/files/v3/files/{a}", "application/json", "")])]
#[case::a_content_type_on_a_deletion_is_no_matter(vec![raw(Method::DELETE, "/files/v3/files/{a}", "application/json", "").answers(204)])]
#[case::the_longest_address(vec![get(&address_of(16 * 1024))])]
#[case::an_address_that_is_too_long(vec![get(&address_of(16 * 1024 + 1)).answers(414).with(json!({
    "status": "error", "message": "<text>", "correlationId": "<uuid>"}))])]
#[case::a_path_that_is_no_text(vec![get("/files/v3/folders/%ff").refused("UTF-8"), get("/files/v3/files/%ff").refused("UTF-8")])]
#[case::a_path_of_limits_that_is_no_text(vec![
    get("/crm/v3/limits/associations/records/%ff/0-1").refused("UTF-8"), get("/crm/v3/limits/associations/records/%ff/to").refused("UTF-8")])]
#[case::a_signed_address_that_is_no_text(vec![get("/signed/%ff/a").anonymous().refused("UTF-8")])]
#[case::ids_may_be_numbers(vec![
    get("/files/v3/folders/{docs}").with(json!({"id": "<digits>"})),
    post("/files/v3/folders", json!({"name": "n", "parentFolderId": 0})).answers(201).with(json!({"path": "/n"}))])]
#[tokio::test]
async fn error_row(#[case] steps: Vec<Step>) {
    play(steps).await;
}
