//! `contract.md#imports`: imports from a URL.

use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};

use super::play::{LARGEST, Step, get, play, post, raw};

const START: &str = "/files/v3/files/import-from-url/async";
const STATUS: &str = "/files/v3/files/import-from-url/async/tasks/{task}/status";

/// An import of the web server's picture into `/docs`, with these further fields.
fn import(further: &Value) -> Step {
    let mut body = json!({"url": "{web}/deep/logo.png", "access": "PRIVATE", "folderId": "{docs}", "name": "n.png"});
    for (name, value) in further.as_object().unwrap() {
        if value.is_null() {
            body.as_object_mut().unwrap().remove(name);
        } else {
            body[name] = value.clone();
        }
    }
    post(START, body).answers(202).keep("task", "/id")
}

fn ends(status: Value) -> Step {
    get(STATUS).after(2).with(status).eventually()
}

#[rstest]
#[case::accepted_with_id_and_a_map_of_links(vec![post(START, json!({
    "url": "{web}/page.txt", "access": "PRIVATE", "folderPath": "/docs"
})).answers(202).with(json!({"id": "<text>", "links": {"status": "<contains>/files/v3/files/import-from-url/async/tasks/"}}))])]
#[case::pending_at_first(vec![import(&json!({})), get(STATUS).with(json!({
    "taskId": "{task}", "status": "PENDING", "requestedAt": "2026-11-21T08:30:00.000Z", "startedAt": "2026-11-21T08:30:00.000Z",
    "completedAt": "2026-11-21T08:30:00.000Z", "result": "<absent>"}))])]
#[case::complete_with_the_file(vec![import(&json!({})), ends(json!({
    "taskId": "{task}", "status": "COMPLETE", "startedAt": "<time>", "completedAt": "<time>", "numErrors": 0,
    "errors": [], "result": {"path": "/docs/n.png", "type": "IMG", "width": 400, "access": "PRIVATE"}}))])]
#[case::without_a_name_it_takes_the_addresss(vec![
    import(&json!({"name": null, "folderId": "{other}"})),
    ends(json!({"status": "COMPLETE", "result": {"path": "/other/logo.png"}}))])]
#[case::folders_of_a_path_are_made(vec![
    import(&json!({"folderId": null, "folderPath": "/brand/new"})),
    ends(json!({"status": "COMPLETE", "result": {"path": "/brand/new/n.png"}}))])]
#[case::a_taken_name_gets_a_number(vec![
    import(&json!({"name": "logo.png"})), ends(json!({"result": {"path": "/docs/logo-1.png"}}))])]
#[case::overwrite(vec![
    import(&json!({"name": "logo.png", "overwrite": true})),
    ends(json!({"result": {"path": "/docs/logo.png"}})),
    get("/files/v3/files/{logo}").answers(404)])]
#[case::ttl(vec![
    import(&json!({"ttl": "P1D"})), ends(json!({"status": "COMPLETE", "result": {"expiresAt": "<integer>"}}))])]
#[case::expires_at(vec![
    import(&json!({"expiresAt": "2026-12-24T00:00:00Z"})), ends(json!({"result": {"expiresAt": 1_798_070_400_000_i64}}))])]
#[case::duplicate_rejected_cancels(vec![
    import(&json!({"duplicateValidationStrategy": "REJECT", "duplicateValidationScope": "ENTIRE_PORTAL"})),
    ends(json!({"status": "CANCELED", "numErrors": 1, "errors": [{
        "status": "error", "category": "OBJECT_ALREADY_EXISTS", "message": "<text>", "context": {}, "links": {}, "errors": []}],
        "result": "<absent>"}))])]
#[case::the_largest_file(vec![
    import(&json!({"url": "{web}/largest.txt", "name": "n.txt"})), ends(json!({"status": "COMPLETE", "result": {"size": LARGEST}}))])]
#[case::a_file_over_the_size_cancels(vec![
    import(&json!({"url": "{web}/larger.txt", "name": "n.txt"})), ends(json!({"status": "CANCELED", "numErrors": 1,
        "errors": [{"message": "<contains>larger than"}], "result": "<absent>"})),
    get("/files/v3/files/stat/docs/n.txt").answers(404)])]
#[case::duplicate_returned(vec![
    import(&json!({"duplicateValidationStrategy": "RETURN_EXISTING"})),
    ends(json!({"status": "COMPLETE", "result": {"id": "{logo}"}}))])]
#[case::an_address_without_a_file_cancels(vec![
    import(&json!({"url": "{web}/missing.png"})), ends(json!({"status": "CANCELED", "numErrors": 1, "errors": [{
        "status": "error", "category": "<text>", "message": "<text>", "context": {}, "links": {}, "errors": []}]}))])]
#[case::url_is_required(vec![import_without("url").refused("url")])]
#[case::access_is_required(vec![import_without("access").refused("access")])]
#[case::a_folder_is_required(vec![import_without("folderId").refused("folderPath")])]
#[case::both_folder_fields(vec![post(START, json!({
    "url": "{web}/page.txt", "access": "PRIVATE", "folderPath": "/docs", "folderId": "{docs}"})).refused("together")])]
#[case::a_folder_by_number(vec![
    raw(Method::POST, START, "application/json", r#"{"url":"{web}/page.txt","access":"PRIVATE","folderId":{docs}}"#).answers(202)])]
#[case::a_missing_folder(vec![post(START, json!({
    "url": "{web}/page.txt", "access": "PRIVATE", "folderId": "999"})).fails(404, "OBJECT_NOT_FOUND", "999")])]
#[case::a_body_that_is_a_list(vec![post(START, json!(["{web}/page.txt", "PRIVATE"])).refused("JSON object")])]
#[case::a_body_of_another_type(vec![raw(Method::POST, START, "text/plain", "url").answers(415)])]
#[case::hidden_access(vec![post(START, json!({
    "url": "{web}/page.txt", "access": "HIDDEN_PRIVATE", "folderPath": "/docs"})).refused("hidden")])]
#[case::no_web_address(vec![post(START, json!({
    "url": "ftp://example.com/a", "access": "PRIVATE", "folderPath": "/docs"})).refused("")])]
#[case::ttl_out_of_bounds(vec![post(START, json!({
    "url": "{web}/page.txt", "access": "PRIVATE", "folderPath": "/docs", "ttl": "P2Y"})).refused("ttl")])]
#[case::a_bad_task_id(vec![get("/files/v3/files/import-from-url/async/tasks/a%20b/status").answers(400).with(json!({
    "status": "error", "message": "Provided ID could not be decoded.", "context": {"id": ["a b"]}, "correlationId": "<uuid>"}))])]
#[tokio::test]
async fn import_row(#[case] steps: Vec<Step>) {
    play(steps).await;
}

fn import_without(name: &str) -> Step {
    let mut body = json!({"url": "{web}/page.txt", "access": "PRIVATE", "folderId": "{docs}"});
    body.as_object_mut().unwrap().remove(name);
    post(START, body)
}
