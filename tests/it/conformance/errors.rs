//! `wire.md` §0 and §9: how the service words what it refuses, whatever the resource.

use reqwest::Method;
use rstest::rstest;
use serde_json::json;

use super::play::{Step, get, play, post, raw};

/// A search whose path and query are this long together.
fn address_of(length: usize) -> String {
    let search = "/files/v3/files/search?colour=";
    format!("{search}{}", "r".repeat(length - search.len()))
}

#[rstest]
#[case::no_token(vec![get("/files/v3/files/{a}").anonymous().fails(401, "INVALID_AUTHENTICATION", "Authentication credentials not found")])]
#[case::no_token_for_limits(vec![get("/crm/v3/limits/records").anonymous().fails(401, "INVALID_AUTHENTICATION", "")])]
#[case::an_unknown_route_is_a_page(vec![get("/files/v3/unknown").answers(404).header("content-type", "text/html; charset=utf-8")])]
#[case::an_unknown_version_is_a_page(vec![get("/files/v4/files/{a}").answers(404).header("content-type", "text/html; charset=utf-8")])]
#[case::there_is_no_list_of_files(vec![get("/files/v3/files").answers(405).header("content-type", "text/html; charset=utf-8")])]
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
