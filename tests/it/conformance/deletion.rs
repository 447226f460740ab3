//! `contract.md#deletion`: deletion of files and folders.

use rstest::rstest;
use serde_json::json;

use super::play::{Step, delete, get, play};

fn gone(path: &str) -> Step {
    get(path).fails(404, "OBJECT_NOT_FOUND", "")
}

#[rstest]
#[case::deleted_is_204_without_a_body(vec![delete("/files/v3/files/{a}")])]
#[case::a_deleted_file_is_not_there(vec![
    delete("/files/v3/files/{a}"), gone("/files/v3/files/{a}"), get("{a_url}").anonymous().answers(404),
    get("/files/v3/files/stat/docs/a.txt").answers(404), gone("/files/v3/files/{a}/download")])]
#[case::a_deleted_file_is_not_listed(vec![
    delete("/files/v3/files/{a}"), get("/files/v3/files/search?ids={a}").with(json!({"results": []}))])]
#[case::a_second_deletion(vec![delete("/files/v3/files/{a}"), delete("/files/v3/files/{a}").fails(404, "OBJECT_NOT_FOUND", "").any_body()])]
#[case::an_unknown_file(vec![delete("/files/v3/files/999").fails(404, "OBJECT_NOT_FOUND", "999").any_body()])]
#[case::erased_is_204_without_a_body(vec![delete("/files/v3/files/{a}/gdpr-delete"), gone("/files/v3/files/{a}")])]
#[case::erased_after_deletion(vec![delete("/files/v3/files/{a}"), delete("/files/v3/files/{a}/gdpr-delete")])]
#[case::an_unknown_file_cannot_be_erased(vec![delete("/files/v3/files/999/gdpr-delete").fails(404, "OBJECT_NOT_FOUND", "").any_body()])]
#[case::a_folder_goes_with_what_is_in_it(vec![
    delete("/files/v3/folders/{docs}"), gone("/files/v3/folders/{docs}"), gone("/files/v3/folders/{sub}"), gone("/files/v3/files/{a}")])]
#[case::a_folder_by_path(vec![delete("/files/v3/folders/%2Fdocs%2Fsub"), gone("/files/v3/folders/{sub}"), get("/files/v3/folders/{docs}")])]
#[case::a_folder_by_raw_path(vec![delete("/files/v3/folders/docs/sub"), gone("/files/v3/folders/{sub}")])]
#[case::a_second_deletion_of_a_folder(vec![
    delete("/files/v3/folders/{docs}"), delete("/files/v3/folders/{docs}").fails(404, "OBJECT_NOT_FOUND", "").any_body()])]
#[case::the_root_stays(vec![delete("/files/v3/folders/%2F").refused("root").any_body()])]
#[tokio::test]
async fn deletion_row(#[case] steps: Vec<Step>) {
    play(steps).await;
}
