//! `contract.md#updates`: files read, updated in place and replaced.

use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};

use super::play::{LARGEST, Step, form, get, patch, play, raw, upload};

const A: &str = "/files/v3/files/{a}";

fn replace(path: &str, name: &'static str, bytes: &[u8], fields: &[(&'static str, &str)]) -> Step {
    form(Method::PUT, path, Some((name, bytes)), fields)
}

fn update(body: Value, expected: Value) -> Step {
    patch(A, body).with(expected)
}

#[rstest]
#[case::details(vec![get(A).with(json!({
    "id": "{a}", "createdAt": "<time>", "updatedAt": "<time>", "archived": false, "parentFolderId": "{docs}", "name": "a", "path": "/docs/a.txt",
    "size": 9, "type": "DOCUMENT", "extension": "txt", "access": "PUBLIC_INDEXABLE", "url": "{a_url}"}))])]
#[case::an_unknown_file(vec![get("/files/v3/files/999").fails(404, "OBJECT_NOT_FOUND", "999")])]
#[case::an_id_that_is_no_number(vec![get("/files/v3/files/abc").answers(400).with(json!({
    "status": "error", "message": "Unable to parse value for path parameter: fileId", "category": "<absent>"}))])]
#[case::rename(vec![update(json!({"name": "b"}), json!({"id": "{a}", "name": "b", "extension": "txt", "path": "/docs/b.txt", "url": "{base}/hubfs/docs/b.txt"}))])]
#[case::access(vec![update(json!({"access": "PRIVATE"}), json!({"access": "PRIVATE"}))])]
#[case::usable(vec![update(json!({"isUsableInContent": false}), json!({"isUsableInContent": false}))])]
#[case::move_by_id(vec![update(json!({"parentFolderId": "{other}"}), json!({"path": "/other/a.txt", "parentFolderId": "{other}"}))])]
#[case::move_by_path(vec![update(json!({"parentFolderPath": "/other"}), json!({"path": "/other/a.txt"}))])]
#[case::move_to_the_root(vec![update(json!({"parentFolderPath": "/"}), json!({"path": "/a.txt", "parentFolderId": "<absent>"}))])]
#[case::both_folders(vec![patch(A, json!({"parentFolderId": "{other}", "parentFolderPath": "/other"})).refused("together")])]
#[case::expiry_in_iso(vec![update(json!({"expiresAt": "2026-12-24T00:00:00Z"}), json!({"expiresAt": 1_798_070_400_000_i64}))])]
#[case::expiry_in_milliseconds(vec![update(json!({"expiresAt": 1_798_070_400_000_i64}), json!({"expiresAt": 1_798_070_400_000_i64}))])]
#[case::expiry_cleared(vec![
    update(json!({"expiresAt": "2026-12-24T00:00:00Z"}), json!({})), update(json!({"clearExpires": true}), json!({"expiresAt": "<absent>"}))])]
#[case::hidden_access(vec![patch(A, json!({"access": "HIDDEN_PRIVATE"})).refused("hidden")])]
#[case::the_time_of_creation_stays(vec![
    patch(A, json!({"name": "b"})).after(60).with(json!({"createdAt": "2026-11-21T08:30:00.000Z", "updatedAt": "2026-11-21T08:31:00.000Z"}))])]
#[case::a_taken_name(vec![
    upload("b.txt", b"b", &[("options", r#"{"access":"PRIVATE"}"#), ("folderPath", "/docs")]),
    patch(A, json!({"name": "b"})).fails(409, "OBJECT_ALREADY_EXISTS", "b.txt")])]
#[case::the_extension_stays(vec![update(json!({"name": "b.md"}), json!({"extension": "txt", "path": "/docs/b.md.txt"}))])]
#[case::an_update_of_nothing_known(vec![patch("/files/v3/files/999", json!({"name": "b"})).fails(404, "OBJECT_NOT_FOUND", "999")])]
#[case::a_body_that_is_no_json(vec![raw(Method::PATCH, A, "application/json", "{").refused("")])]
#[case::a_body_that_is_a_list(vec![patch(A, json!(["b"])).refused("JSON object"), get(A).with(json!({"name": "a"}))])]
#[case::a_body_that_is_empty(vec![raw(Method::PATCH, A, "application/json", "").refused("")])]
#[case::nulls_change_nothing(vec![update(
    json!({"name": null, "access": null, "isUsableInContent": null, "parentFolderId": null, "parentFolderPath": null, "expiresAt": null, "clearExpires": null}),
    json!({"name": "a", "access": "PUBLIC_INDEXABLE", "isUsableInContent": true, "path": "/docs/a.txt", "expiresAt": "<absent>"}))])]
#[case::move_by_a_number(vec![
    raw(Method::PATCH, A, "application/json", r#"{"parentFolderId":{other}}"#).with(json!({"path": "/other/a.txt", "parentFolderId": "{other}"}))])]
#[case::an_id_that_is_no_whole_number(vec![raw(Method::PATCH, A, "application/json", r#"{"parentFolderId":1.5}"#).refused("an id must be")])]
#[case::expiry_in_the_past(vec![patch(A, json!({"expiresAt": "2026-11-21T08:30:00Z"})).refused("expiresAt")])]
#[case::expiry_that_is_no_time(vec![patch(A, json!({"expiresAt": "soon"})).refused("expiresAt")])]
#[case::move_to_a_missing_folder(vec![patch(A, json!({"parentFolderId": "999"})).fails(404, "OBJECT_NOT_FOUND", "999")])]
#[case::move_to_a_missing_path(vec![patch(A, json!({"parentFolderPath": "/nowhere"})).fails(404, "OBJECT_NOT_FOUND", "nowhere")])]
#[case::a_body_of_another_type(vec![raw(Method::PATCH, A, "text/xml", "<a/>").answers(415)])]
#[case::dated_versions_require_clear_expires(vec![
    patch("/files/2026-03/files/{a}", json!({"name": "b"})).refused("clearExpires"),
    patch("/files/2026-09/files/{a}", json!({"name": "b"})).refused("clearExpires"),
    patch("/files/2026-09/files/{a}", json!({"name": "b", "clearExpires": false})).with(json!({"name": "b"}))])]
#[case::replaced_it_keeps_id_and_address(vec![
    replace(A, "new.txt", b"other text", &[("options", r#"{"access":"PUBLIC_INDEXABLE"}"#)]).after(60).with(json!({
        "id": "{a}", "url": "{a_url}", "path": "/docs/a.txt", "size": 10, "fileMd5": "a6c6905fd3fb5f3020cbf2bf7a2f5f85",
        "createdAt": "2026-11-21T08:30:00.000Z", "updatedAt": "2026-11-21T08:31:00.000Z"})),
    get("{a_url}").anonymous().bytes(b"other text")])]
#[case::replaced_with_access(vec![replace(A, "a.txt", b"x", &[("options", r#"{"access":"PRIVATE"}"#)]).with(json!({"access": "PRIVATE"}))])]
#[case::replaced_with_expiry(vec![replace(A, "a.txt", b"x", &[("options", r#"{"access":"PRIVATE","expiresAt":"2026-12-24T00:00:00Z"}"#)])
    .with(json!({"expiresAt": 1_798_070_400_000_i64}))])]
#[case::replaced_with_charset(vec![replace(A, "a.txt", b"x", &[("options", r#"{"access":"PRIVATE"}"#), ("charsetHunch", "utf-16")])
    .with(json!({"encoding": "utf-16"}))])]
#[case::replaced_with_an_unknown_charset(vec![
    replace(A, "a.txt", b"x", &[("options", r#"{"access":"PRIVATE"}"#), ("charsetHunch", "utf-9")]).refused("charsetHunch"),
    get(A).with(json!({"size": 9, "encoding": "utf-8"}))])]
#[case::replaced_with_an_empty_charset(vec![
    replace(A, "a.txt", b"caf\xe9", &[("options", r#"{"access":"PRIVATE"}"#), ("charsetHunch", "")]).with(json!({"encoding": "windows-1252"}))])]
#[case::replaced_with_a_list_of_options(vec![replace(A, "a.txt", b"x", &[("options", r#"["PRIVATE"]"#)]).refused("options")])]
#[case::replaced_by_another_kind(vec![replace(A, "a.png", b"x", &[("options", r#"{"access":"PRIVATE"}"#)]).refused("extension")])]
#[case::replaced_by_the_largest_file(vec![replace(A, "a.txt", &[b'x'; LARGEST], &[("options", r#"{"access":"PRIVATE"}"#)]).with(json!({"size": LARGEST}))])]
#[case::replaced_by_a_file_over_the_size(vec![
    replace(A, "a.txt", &[b'x'; LARGEST + 1], &[("options", r#"{"access":"PRIVATE"}"#)]).refused("larger than 10000 bytes"),
    get(A).with(json!({"size": 9}))])]
#[case::replaced_without_access(vec![replace(A, "a.txt", b"x", &[("options", "{}")]).refused("access")])]
#[case::replaced_without_options(vec![replace(A, "a.txt", b"x", &[]).answers(400).with(json!({"message": "<contains>options parameter is required"}))])]
#[case::replacement_of_nothing_known(vec![
    replace("/files/v3/files/999", "a.txt", b"x", &[("options", r#"{"access":"PRIVATE"}"#)]).fails(404, "OBJECT_NOT_FOUND", "999")])]
#[tokio::test]
async fn file_row(#[case] steps: Vec<Step>) {
    play(steps).await;
}
