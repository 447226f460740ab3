//! `contract.md#scopes`: hidden files, by the scopes of the live service and those of the guide.

use rstest::rstest;
use serde_json::json;

use super::play::{Step, delete, get, patch, play};

const A: &str = "/files/v3/files/{a}";

fn is_missing(step: Step) -> Step {
    step.any_body().fails(404, "OBJECT_NOT_FOUND", "")
}

#[rstest]
#[case::read_with_the_guides_scope(vec![
    get(A).hiding("a").holding("files_ui_hidden.read").with(json!({"access": "HIDDEN_PRIVATE"}))])]
#[case::read_with_the_services_scope(vec![
    get(A).hiding("a").holding("files.ui_hidden.read").with(json!({"access": "HIDDEN_PRIVATE"}))])]
#[case::read_with_every_scope(vec![get(A).hiding("a").with(json!({"access": "HIDDEN_PRIVATE"}))])]
#[case::read_with_the_scope_of_files(vec![is_missing(get(A).hiding("a").holding("files"))])]
#[case::downloaded_with_the_guides_scope(vec![
    get("/files/v3/files/{a}/download").hiding("a").holding("files_ui_hidden.read").bytes(b"text of a")])]
#[case::deleted_with_the_guides_scope(vec![delete(A).hiding("a").holding("files_ui_hidden.write")])]
#[case::deleted_with_the_services_scope(vec![delete(A).hiding("a").holding("files.ui_hidden.write")])]
#[case::deleted_with_the_scope_of_files(vec![is_missing(delete(A).hiding("a").holding("files"))])]
#[case::updated_with_the_guides_scope(vec![
    patch(A, json!({"name": "b"})).hiding("a").holding("files_ui_hidden.write").with(json!({"name": "b"}))])]
#[case::a_file_that_is_not_hidden(vec![get(A).holding("files_ui_hidden.read").with(json!({"id": "{a}"}))])]
#[case::one_spelling_for_reading_does_not_write(vec![
    patch(A, json!({"name": "b"})).holding("files_ui_hidden.read").fails(403, "MISSING_SCOPES", "")])]
#[tokio::test]
async fn scope_row(#[case] steps: Vec<Step>) {
    play(steps).await;
}
