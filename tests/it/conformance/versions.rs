//! `contract.md#versions`: the differences between the versions.

use rstest::rstest;
use serde_json::{Value, json};

use super::play::{Step, get, patch, play, post};
use crate::support::pictures::picture;

const MARCH_IMPORT: &str = "/files/2026-03/files/import-from-url/async";
const SEPTEMBER_IMPORT: &str = "/files/2026-09/files/import-from-url/async";

fn is_no_route(step: Step) -> Step {
    step.answers(404)
        .with(json!({"message": "<contains>no such route"}))
}

/// An import with the required fields of 2026-03, except one.
fn import_without(field: &str) -> Step {
    let mut body = json!({"url": "{web}/page.txt", "access": "PRIVATE", "folderPath": "/docs", "overwrite": false,
        "duplicateValidationScope": "ENTIRE_PORTAL", "duplicateValidationStrategy": "NONE"});
    body.as_object_mut().unwrap().remove(field);
    post(MARCH_IMPORT, body)
}

fn v3_import() -> Value {
    json!({"url": "{web}/page.txt", "access": "PRIVATE", "folderPath": "/docs"})
}

#[rstest]
#[case::march_has_no_download(vec![is_no_route(get("/files/2026-03/files/{logo}/download"))])]
#[case::march_signs_addresses(vec![
    get("/files/2026-03/files/{logo}/signed-url").keep("signed", "/url"), get("{signed}").anonymous().bytes(&picture())])]
#[case::march_has_folder_tasks(vec![
    post("/files/2026-03/folders/update/async", json!({"id": "{docs}", "name": "texts"})).answers(202).keep("task", "/id"),
    get("/files/2026-03/folders/update/async/tasks/{task}/status").with(json!({"status": "PENDING"}))])]
#[case::march_import(vec![import_without("").answers(202).with(json!({"id": "<text>"}))])]
#[case::march_import_needs_overwrite(vec![import_without("overwrite").refused("overwrite")])]
#[case::march_import_needs_a_scope(vec![import_without("duplicateValidationScope").refused("duplicateValidationScope")])]
#[case::march_import_needs_a_strategy(vec![import_without("duplicateValidationStrategy").refused("duplicateValidationStrategy")])]
#[case::march_import_without_an_address(vec![import_without("url").refused("url is required")])]
#[case::september_has_the_download(vec![get("/files/2026-09/files/{logo}/download").bytes(&picture())])]
#[case::september_has_no_folder_tasks(vec![
    is_no_route(post("/files/2026-09/folders/update/async", json!({"id": "{docs}", "name": "texts"}))),
    get("/files/2026-09/folders/{docs}").with(json!({"name": "docs"}))])]
#[case::september_has_no_status_of_folder_tasks(vec![
    post("/files/v3/folders/update/async", json!({"id": "{docs}", "name": "texts"})).answers(202).keep("task", "/id"),
    is_no_route(get("/files/2026-09/folders/update/async/tasks/{task}/status"))])]
#[case::september_renames_folders_at_once(vec![
    patch("/files/2026-09/folders/{docs}", json!({"name": "texts"})).with(json!({"path": "/texts"}))])]
#[case::september_import_is_that_of_v3(vec![post(SEPTEMBER_IMPORT, v3_import()).answers(202)])]
#[case::dated_imports_tell_of_v3(vec![post(SEPTEMBER_IMPORT, v3_import()).answers(202).with(json!({
    "links": {"status": "<contains>/files/v3/files/import-from-url/async/tasks/"}})).keep("task", "/id"),
    get("/files/2026-09/files/import-from-url/async/tasks/{task}/status").with(json!({"taskId": "{task}"}))])]
#[tokio::test]
async fn version_row(#[case] steps: Vec<Step>) {
    play(steps).await;
}
