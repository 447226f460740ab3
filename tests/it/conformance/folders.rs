//! `contract.md#folders`: folders, and lookups by path.

use reqwest::Method;
use rstest::rstest;
use serde_json::json;

use super::play::{Step, get, patch, play, post, raw};

const CREATE: &str = "/files/v3/folders";
const UPDATE: &str = "/files/v3/folders/update/async";
const STATUS: &str = "/files/v3/folders/update/async/tasks/{task}/status";

fn create(body: serde_json::Value) -> Step {
    post(CREATE, body).answers(201)
}

#[rstest]
#[case::created_in_the_root(vec![create(json!({"name": "n"})).with(json!({
    "id": "<digits>", "createdAt": "<time>", "updatedAt": "<time>", "archived": false, "name": "n", "path": "/n", "parentFolderId": "<absent>"}))])]
#[case::created_by_parent_id(vec![create(json!({"name": "n", "parentFolderId": "{docs}"})).with(json!({"path": "/docs/n", "parentFolderId": "{docs}"}))])]
#[case::created_by_parent_path(vec![create(json!({"name": "n", "parentPath": "/docs"})).with(json!({"path": "/docs/n"}))])]
#[case::created_by_the_guides_field(vec![create(json!({"name": "n", "parentFolderPath": "/docs/sub"})).with(json!({"path": "/docs/sub/n"}))])]
#[case::created_by_a_number(vec![
    raw(Method::POST, CREATE, "application/json", r#"{"name":"n","parentFolderId":{docs}}"#).answers(201).with(json!({"path": "/docs/n"}))])]
#[case::nulls_are_no_parent(vec![create(json!({"name": "n", "parentFolderId": null, "parentPath": null})).with(json!({"path": "/n"}))])]
#[case::a_body_that_is_a_list(vec![post(CREATE, json!(["n"])).refused("JSON object"), get("/files/v3/folders/n").answers(404)])]
#[case::both_parents(vec![post(CREATE, json!({"name": "n", "parentFolderId": "{docs}", "parentPath": "/docs"})).refused("together")])]
#[case::no_name(vec![post(CREATE, json!({})).refused("name")])]
#[case::a_name_with_a_slash(vec![post(CREATE, json!({"name": "a/b"})).refused("name")])]
#[case::a_taken_name(vec![post(CREATE, json!({"name": "docs"})).fails(409, "OBJECT_ALREADY_EXISTS", "docs")])]
#[case::a_missing_parent_path(vec![post(CREATE, json!({"name": "n", "parentPath": "/nowhere"})).fails(404, "OBJECT_NOT_FOUND", "nowhere")])]
#[case::a_missing_parent_id(vec![post(CREATE, json!({"name": "n", "parentFolderId": "999"})).fails(404, "OBJECT_NOT_FOUND", "999")])]
#[case::read_by_id(vec![get("/files/v3/folders/{sub}").with(json!({"id": "{sub}", "path": "/docs/sub", "parentFolderId": "{docs}"}))])]
#[case::read_by_encoded_path(vec![get("/files/v3/folders/%2Fdocs%2Fsub").with(json!({"id": "{sub}"}))])]
#[case::read_by_raw_path(vec![get("/files/v3/folders/docs/sub").with(json!({"id": "{sub}"}))])]
#[case::read_by_a_path_with_escapes(vec![
    create(json!({"name": "größe & maß"})), get("/files/v3/folders/%2Fgr%C3%B6%C3%9Fe%20%26%20ma%C3%9F").with(json!({"name": "größe & maß"}))])]
#[case::digits_are_an_id(vec![create(json!({"name": "123"})), get("/files/v3/folders/123").fails(404, "OBJECT_NOT_FOUND", "123")])]
#[case::digits_after_a_slash_are_a_path(vec![create(json!({"name": "123"})), get("/files/v3/folders/%2F123").with(json!({"name": "123"}))])]
#[case::zero_is_no_folder(vec![get("/files/v3/folders/0").answers(400).with(json!({
    "category": "VALIDATION_ERROR", "message": "id must be > 0", "context": {"id": ["0"]}}))])]
#[case::an_unknown_folder(vec![get("/files/v3/folders/999").fails(404, "OBJECT_NOT_FOUND", "999")])]
#[case::stat_of_a_file(vec![get("/files/v3/files/stat/docs/a.txt").with(json!({"file": {"id": "{a}", "path": "/docs/a.txt"}, "folder": "<absent>"}))])]
#[case::stat_of_a_folder(vec![get("/files/v3/files/stat/docs/sub").with(json!({"folder": {"id": "{sub}"}, "file": "<absent>"}))])]
#[case::stat_of_an_encoded_path(vec![get("/files/v3/files/stat/%2Fdocs%2Fa.txt").with(json!({"file": {"id": "{a}"}}))])]
#[case::stat_of_nothing_has_no_category(vec![get("/files/v3/files/stat/nowhere").answers(404).with(json!({
    "status": "error", "message": "No file or folder exists at path", "correlationId": "<uuid>", "category": "<absent>"}))])]
#[case::renamed_at_once(vec![
    patch("/files/v3/folders/{docs}", json!({"name": "texts"})).with(json!({"id": "{docs}", "name": "texts", "path": "/texts"})),
    get("/files/v3/files/{a}").with(json!({"path": "/texts/a.txt"})), get("/files/v3/folders/{sub}").with(json!({"path": "/texts/sub"}))])]
#[case::moved_at_once_by_number(vec![
    patch("/files/v3/folders/{sub}", json!({"parentFolderId": 0})).with(json!({"path": "/sub", "parentFolderId": "<absent>"}))])]
#[case::moved_at_once_by_text(vec![
    patch("/files/v3/folders/{sub}", json!({"parentFolderId": "{other}"})).with(json!({"path": "/other/sub", "parentFolderId": "{other}"}))])]
#[case::renamed_to_a_taken_name(vec![patch("/files/v3/folders/{docs}", json!({"name": "other"})).fails(409, "OBJECT_ALREADY_EXISTS", "other")])]
#[case::moved_into_its_child(vec![patch("/files/v3/folders/{docs}", json!({"parentFolderId": "{sub}"})).refused("")])]
#[case::moved_into_nothing(vec![patch("/files/v3/folders/{docs}", json!({"parentFolderId": "999"})).fails(404, "OBJECT_NOT_FOUND", "999")])]
#[case::an_update_of_nothing_known(vec![patch("/files/v3/folders/999", json!({"name": "n"})).fails(404, "OBJECT_NOT_FOUND", "999")])]
#[case::an_update_that_is_a_list(vec![patch("/files/v3/folders/{docs}", json!(["n"])).refused("JSON object")])]
#[case::an_update_by_path(vec![patch("/files/v3/folders/docs", json!({"name": "n"})).answers(400).with(json!({
    "message": "Unable to parse value for path parameter: folderId", "category": "<absent>"}))])]
#[case::nulls_change_nothing(vec![
    patch("/files/v3/folders/{sub}", json!({"name": null, "parentFolderId": null})).with(json!({"path": "/docs/sub"}))])]
#[case::a_task_is_accepted(vec![post(UPDATE, json!({"id": "{docs}", "name": "texts"})).answers(202)
    .with(json!({"id": "<text>", "links": {"status": "<contains>/files/v3/folders/update/async/tasks/"}}))])]
#[case::a_task_ends_with_the_folder(vec![
    post(UPDATE, json!({"id": "{docs}", "name": "texts", "parentFolderId": "{other}"})).answers(202).keep("task", "/id"),
    get(STATUS).with(json!({"taskId": "{task}", "status": "PENDING", "startedAt": "2026-11-21T08:30:00.000Z",
        "completedAt": "2026-11-21T08:30:00.000Z"})),
    get(STATUS).after(1).with(json!({"status": "PROCESSING", "startedAt": "2026-11-21T08:30:01.000Z",
        "completedAt": "2026-11-21T08:30:01.000Z"})).eventually(),
    get(STATUS).after(2).with(json!({"status": "COMPLETE", "numErrors": 0, "startedAt": "2026-11-21T08:30:01.000Z",
        "completedAt": "2026-11-21T08:30:03.000Z", "result": {"id": "{docs}", "path": "/other/texts"}})).eventually(),
    get("/files/v3/files/{a}").with(json!({"path": "/other/texts/a.txt"}))])]
#[case::a_task_by_numbers(vec![
    raw(Method::POST, UPDATE, "application/json", r#"{"id":{sub},"parentFolderId":0}"#).answers(202)])]
#[case::a_task_on_no_id(vec![post(UPDATE, json!({"id": "abc", "name": "n"})).refused("id must be the id of a folder")])]
#[case::a_task_needs_an_id(vec![post(UPDATE, json!({"name": "n"})).refused("id")])]
#[case::a_task_needs_a_change(vec![post(UPDATE, json!({"id": "{docs}"})).refused("name")])]
#[case::a_task_on_an_unknown_folder(vec![post(UPDATE, json!({"id": "999", "name": "n"})).fails(404, "OBJECT_NOT_FOUND", "999")])]
#[case::a_task_into_its_child(vec![post(UPDATE, json!({"id": "{docs}", "parentFolderId": "{sub}"})).refused("")])]
#[case::a_bad_task_id(vec![get("/files/v3/folders/update/async/tasks/a%20b/status").answers(400).with(json!({
    "message": "Provided ID could not be decoded.", "context": {"id": ["a b"]}}))])]
#[case::dated(vec![post("/files/2026-03/folders", json!({"name": "n"})).answers(201), get("/files/2026-09/folders/%2Fn")])]
#[tokio::test]
async fn folder_row(#[case] steps: Vec<Step>) {
    play(steps).await;
}
