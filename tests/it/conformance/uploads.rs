//! `contract.md#uploads`: multipart uploads.

use reqwest::Method;
use rstest::rstest;
use serde_json::json;

use super::play::{LARGEST, Step, delete, form, get, play, raw, upload};
use crate::support::pictures::picture;

const PRIVATE: (&str, &str) = ("options", r#"{"access":"PRIVATE"}"#);
const PUBLIC: (&str, &str) = ("options", r#"{"access":"PUBLIC_INDEXABLE"}"#);
const DOCS: (&str, &str) = ("folderPath", "/docs");

fn with_options(options: &str) -> Step {
    upload("n.txt", b"new", &[("options", options), DOCS])
}

#[rstest]
#[case::success_is_201_with_the_file(vec![upload("n.txt", b"new", &[PRIVATE, DOCS]).with(json!({
    "id": "<digits>", "createdAt": "2026-11-21T08:30:00.000Z", "updatedAt": "2026-11-21T08:30:00.000Z", "archived": false,
    "parentFolderId": "{docs}", "name": "n", "path": "/docs/n.txt", "size": 3, "extension": "txt", "type": "DOCUMENT",
    "encoding": "utf-8", "access": "PRIVATE", "isUsableInContent": true, "url": "{base}/hubfs/docs/n.txt",
    "defaultHostingUrl": "{base}/hubfs/docs/n.txt", "fileMd5": "22af645d1859cb5ca6da0c484f1f37ea",
    "sourceGroup": "CONTENT", "height": "<absent>", "width": "<absent>", "expiresAt": "<absent>", "archivedAt": "<absent>"
}))])]
#[case::text_fields_first(vec![upload("n.txt", b"new", &[PRIVATE, DOCS, ("fileName", "x.txt"), ("charsetHunch", "utf-8")])])]
#[case::options_are_required(vec![upload("n.txt", b"new", &[DOCS]).answers(400)
    .with(json!({"status": "error", "message": "<contains>options parameter is required"}))])]
#[case::options_must_be_json(vec![with_options("access=PRIVATE").refused("options")])]
#[case::options_must_be_an_object(vec![with_options(r#"["PRIVATE"]"#).refused("options"), with_options("null").refused("options")])]
#[case::access_is_required(vec![with_options("{}").refused("access")])]
#[case::access_must_be_known(vec![with_options(r#"{"access":"SECRET"}"#).refused("access")])]
#[case::hidden_cannot_be_created(vec![with_options(r#"{"access":"HIDDEN_INDEXABLE"}"#).refused("hidden")])]
#[case::sensitive_cannot_be_asked_for(vec![with_options(r#"{"access":"SENSITIVE"}"#).refused("access")])]
#[case::a_folder_is_required(vec![upload("n.txt", b"new", &[PRIVATE]).refused("folderId")])]
#[case::both_folder_fields_are_refused(vec![upload("n.txt", b"new", &[PRIVATE, DOCS, ("folderId", "{docs}")]).refused("together")])]
#[case::the_file_is_required(vec![form(Method::POST, "/files/v3/files", None, &[PRIVATE, DOCS]).refused("file")])]
#[case::the_root_is_a_slash(vec![upload("n.txt", b"new", &[PRIVATE, ("folderPath", "/")])
    .with(json!({"path": "/n.txt", "parentFolderId": "<absent>"}))])]
#[case::missing_folders_of_a_path_are_made(vec![
    upload("n.txt", b"new", &[PRIVATE, ("folderPath", "/new/deep")]).with(json!({"path": "/new/deep/n.txt"})),
    get("/files/v3/folders/new%2Fdeep").with(json!({"path": "/new/deep"}))])]
#[case::a_missing_folder_id_answers_404(vec![upload("n.txt", b"new", &[PRIVATE, ("folderId", "999")])
    .fails(404, "OBJECT_NOT_FOUND", "999")])]
#[case::ttl_of_a_day(vec![with_options(r#"{"access":"PRIVATE","ttl":"P1D"}"#).with(json!({"expiresAt": 1_795_336_200_000_i64}))])]
#[case::ttl_of_two_weeks(vec![with_options(r#"{"access":"PRIVATE","ttl":"P2W"}"#).with(json!({"expiresAt": 1_796_459_400_000_i64}))])]
#[case::ttl_of_a_year(vec![with_options(r#"{"access":"PRIVATE","ttl":"P1Y"}"#).with(json!({"expiresAt": 1_826_785_800_000_i64}))])]
#[case::ttl_below_a_day(vec![with_options(r#"{"access":"PRIVATE","ttl":"PT23H"}"#).refused("ttl")])]
#[case::ttl_above_a_year(vec![with_options(r#"{"access":"PRIVATE","ttl":"P2Y"}"#).refused("ttl")])]
#[case::ttl_of_another_form(vec![with_options(r#"{"access":"PRIVATE","ttl":"1 day"}"#).refused("ttl")])]
#[case::expires_at(vec![with_options(r#"{"access":"PRIVATE","expiresAt":"2026-12-24T00:00:00Z"}"#)
    .with(json!({"expiresAt": 1_798_070_400_000_i64}))])]
#[case::a_file_of_ttl_goes_for_good(vec![
    with_options(r#"{"access":"PRIVATE","ttl":"P1D"}"#).keep("n", "/id"),
    get("/files/v3/files/{n}").after(86_399),
    get("/files/v3/files/{n}").after(1).fails(404, "OBJECT_NOT_FOUND", "")])]
#[case::the_name_of_a_file_whose_time_is_over_is_free(vec![
    with_options(r#"{"access":"PRIVATE","ttl":"P1D"}"#),
    with_options(r#"{"access":"PRIVATE"}"#).after(86_400).with(json!({"path": "/docs/n.txt"}))])]
#[case::without_overwrite_the_name_gets_a_number(vec![
    upload("a.txt", b"new", &[PRIVATE, DOCS]).with(json!({"name": "a-1", "path": "/docs/a-1.txt"})),
    upload("a.txt", b"newer", &[PRIVATE, DOCS]).with(json!({"name": "a-2"})),
    get("/files/v3/files/{a}").with(json!({"size": 9}))])]
#[case::overwrite_deletes_the_old_file_and_gives_a_new_id(vec![
    upload("a.txt", b"new", &[("options", r#"{"access":"PUBLIC_INDEXABLE","overwrite":true}"#), DOCS])
        .with(json!({"path": "/docs/a.txt", "url": "{a_url}"})).keep("n", "/id"),
    get("/files/v3/files/{a}").fails(404, "OBJECT_NOT_FOUND", ""),
    get("/files/v3/files/stat/docs/a.txt").with(json!({"file": {"id": "{n}", "size": 3}}))])]
#[case::duplicates_are_stored_by_default(vec![upload("n.txt", b"text of a", &[PRIVATE, DOCS]).with(json!({"path": "/docs/n.txt"}))])]
#[case::strategy_none(vec![upload("n.txt", b"text of a", &[("options", r#"{"access":"PRIVATE","duplicateValidationStrategy":"NONE"}"#), DOCS])])]
#[case::strategy_reject(vec![upload("n.txt", b"text of a", &[("options", r#"{"access":"PRIVATE","duplicateValidationStrategy":"REJECT"}"#), DOCS])
    .fails(409, "OBJECT_ALREADY_EXISTS", "")])]
#[case::strategy_return_existing(vec![
    upload("n.txt", b"text of a", &[("options", r#"{"access":"PRIVATE","duplicateValidationStrategy":"RETURN_EXISTING"}"#), DOCS])
        .with(json!({"id": "{a}", "path": "/docs/a.txt"})),
    get("/files/v3/files/stat/docs/n.txt").answers(404)])]
#[case::scope_of_the_whole_account(vec![upload("n.txt", b"text of a", &[
    ("options", r#"{"access":"PRIVATE","duplicateValidationStrategy":"REJECT","duplicateValidationScope":"ENTIRE_PORTAL"}"#),
    ("folderPath", "/other")]).fails(409, "OBJECT_ALREADY_EXISTS", "")])]
#[case::scope_of_the_folder(vec![upload("n.txt", b"text of a", &[
    ("options", r#"{"access":"PRIVATE","duplicateValidationStrategy":"REJECT","duplicateValidationScope":"EXACT_FOLDER"}"#),
    ("folderPath", "/other")])])]
#[case::unknown_strategy(vec![with_options(r#"{"access":"PRIVATE","duplicateValidationStrategy":"ASK"}"#).refused("duplicateValidationStrategy")])]
#[case::unknown_scope(vec![with_options(r#"{"access":"PRIVATE","duplicateValidationScope":"NEARBY"}"#).refused("duplicateValidationScope")])]
#[case::file_name_wins_over_the_parts(vec![upload("n.txt", b"new", &[PRIVATE, DOCS, ("fileName", "x.md")])
    .with(json!({"name": "x", "extension": "md", "path": "/docs/x.md"}))])]
#[case::file_name_without_extension_takes_the_parts(vec![upload("n.txt", b"new", &[PRIVATE, DOCS, ("fileName", "x")])
    .with(json!({"name": "x", "extension": "txt", "path": "/docs/x.txt"}))])]
#[case::a_file_name_that_is_empty(vec![upload("n.txt", b"new", &[PRIVATE, DOCS, ("fileName", "")])
    .with(json!({"name": "n", "extension": "txt", "path": "/docs/n.txt"}))])]
#[case::without_file_name_the_parts_counts(vec![upload("n.txt", b"new", &[PRIVATE, DOCS]).with(json!({"path": "/docs/n.txt"}))])]
#[case::charset_hunch(vec![upload("n.txt", b"new", &[PRIVATE, DOCS, ("charsetHunch", "windows-1252")])
    .with(json!({"encoding": "windows-1252"}))])]
#[case::charset_hunch_of_wide_text(vec![upload("n.txt", b"h\0i\0", &[PRIVATE, DOCS, ("charsetHunch", "utf-16le")])
    .with(json!({"type": "DOCUMENT", "encoding": "utf-16le"}))])]
#[case::charset_hunch_that_is_unknown(vec![
    upload("n.txt", b"new", &[PRIVATE, DOCS, ("charsetHunch", "utf-9")]).refused("charsetHunch").with(json!({"context": {"charsetHunch": ["utf-9"]}})),
    get("/files/v3/files/stat/docs/n.txt").answers(404)])]
#[case::charset_hunch_with_a_line_break(vec![
    upload("n.txt", b"new", &[PRIVATE, DOCS, ("charsetHunch", "utf-8\r\nset-cookie: a=b")]).refused("charsetHunch"),
    upload("n.txt", b"new", &[PRIVATE, DOCS, ("charsetHunch", "utf-8\n")]).refused("charsetHunch")])]
#[case::charset_hunch_that_is_unknown_for_a_picture(vec![
    upload("n.png", &picture(), &[PRIVATE, DOCS, ("charsetHunch", "utf-9")]).refused("charsetHunch")])]
#[case::charset_hunch_that_is_empty(vec![
    upload("n.txt", b"new", &[PUBLIC, DOCS, ("charsetHunch", "")]).with(json!({"encoding": "utf-8"})).keep("n_url", "/url"),
    get("{n_url}").anonymous().header("content-type", "text/plain; charset=utf-8")])]
#[case::charset_hunch_in_capitals(vec![upload("n.txt", b"new", &[PRIVATE, DOCS, ("charsetHunch", "UTF-8")]).with(json!({"encoding": "utf-8"}))])]
#[case::charset_hunch_that_has_to_be_quoted(vec![
    upload("n.txt", b"new", &[PUBLIC, DOCS, ("charsetHunch", "iso_8859-1:1987")]).keep("n_url", "/url"),
    get("{n_url}").anonymous().header("content-type", "text/plain; charset=\"iso_8859-1:1987\"")])]
#[case::charset_of_japanese_text(vec![
    upload("n.txt", b"\x93\xfa\x96\x7b\x8c\xea\x82\xcc\x83\x65\x83\x4c\x83\x58\x83\x67", &[PUBLIC, DOCS])
        .with(json!({"encoding": "shift_jis"})).keep("n_url", "/url"),
    get("{n_url}").anonymous().header("content-type", "text/plain; charset=shift_jis")])]
#[case::charset_of_western_text(vec![upload("n.txt", b"Ein caf\xe9 in M\xfcnchen", &[PRIVATE, DOCS]).with(json!({"encoding": "windows-1252"}))])]
#[case::charset_of_marked_text(vec![upload("n.txt", b"\xff\xfeh\0i\0", &[PRIVATE, DOCS]).with(json!({"encoding": "utf-16"}))])]
#[case::charset_of_nothing(vec![upload("n.txt", b"", &[PRIVATE, DOCS]).with(json!({"type": "DOCUMENT", "encoding": "utf-8", "size": 0}))])]
#[case::an_image_has_dimensions_and_its_label(vec![upload("n.png", &picture(), &[PRIVATE, DOCS])
    .with(json!({"type": "IMG", "encoding": "png", "extension": "png", "width": 400, "height": 200}))])]
#[case::a_pdf_is_a_document(vec![upload("n.pdf", b"%PDF-1.7\n", &[PRIVATE, DOCS]).with(json!({"type": "DOCUMENT"}))])]
#[case::sound_is_audio(vec![upload("n.mp3", b"ID3\x03\0\0\0\0\0\0", &[PRIVATE, DOCS]).with(json!({"type": "AUDIO"}))])]
#[case::a_film_is_a_movie(vec![upload("n.mp4", b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom", &[PRIVATE, DOCS]).with(json!({"type": "MOVIE"}))])]
#[case::a_film_that_begins_with_its_header_has_dimensions(vec![upload("n.mp4", &film(), &[PRIVATE, DOCS])
    .with(json!({"type": "MOVIE", "width": 640, "height": 360})).keep("n", "/id"),
    get("/files/v3/files/search?extension=mp4&widthGte=640&height=360").with(json!({"results": [{"id": "{n}"}]}))])]
#[case::anything_else_is_other(vec![upload("n.bin", &[0, 1, 2], &[PRIVATE, DOCS]).with(json!({"type": "OTHER"}))])]
#[case::the_largest_file(vec![upload("n.txt", &[b'x'; LARGEST], &[PRIVATE, DOCS]).with(json!({"size": LARGEST}))])]
#[case::a_file_over_the_size(vec![
    form(Method::POST, "/files/v3/files", Some(("n.txt", &[b'x'; LARGEST + 1])), &[PRIVATE, DOCS]).refused("larger than 10000 bytes"),
    get("/files/v3/files/stat/docs/n.txt").answers(404)])]
#[case::another_content_type_answers_415(vec![raw(Method::POST, "/files/v3/files", "application/json", "{}").answers(415)])]
#[case::a_march_upload(vec![form(Method::POST, "/files/2026-03/files", Some(("n.txt", b"new")), &[PRIVATE, DOCS]).answers(201)])]
#[case::a_september_upload(vec![form(Method::POST, "/files/2026-09/files", Some(("n.txt", b"new")), &[PRIVATE, DOCS]).answers(201)])]
#[case::a_name_is_free_again_after_deletion(vec![
    delete("/files/v3/files/{a}"),
    upload("a.txt", b"new", &[PRIVATE, DOCS]).with(json!({"path": "/docs/a.txt"}))])]
#[tokio::test]
async fn upload_row(#[case] steps: Vec<Step>) {
    play(steps).await;
}

/// The beginning of an MP4 film of 640 by 360 pixels: its brand, and a movie with the header of one
/// track.
fn film() -> Vec<u8> {
    let brand = b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom";
    let mut header = [0; 84];
    header[76..78].copy_from_slice(&640_u16.to_be_bytes());
    header[80..82].copy_from_slice(&360_u16.to_be_bytes());
    let movie = b"\0\0\0\x6cmoov\0\0\0\x64trak\0\0\0\x5ctkhd";
    [&brand[..], movie, &header].concat()
}

/// The command line tool sends the file first.
#[tokio::test]
async fn the_file_may_come_before_the_fields() {
    let body = "--x\r\ncontent-disposition: form-data; name=\"file\"; filename=\"n.txt\"\r\n\r\nnew\r\n\
                --x\r\ncontent-disposition: form-data; name=\"fileName\"\r\n\r\nx.txt\r\n\
                --x\r\ncontent-disposition: form-data; name=\"options\"\r\n\r\n{\"access\":\"PRIVATE\"}\r\n\
                --x\r\ncontent-disposition: form-data; name=\"folderPath\"\r\n\r\n/docs\r\n--x--\r\n";
    let sent = raw(
        Method::POST,
        "/files/v3/files",
        "multipart/form-data; boundary=x",
        body,
    );
    play(vec![
        sent.answers(201)
            .with(json!({"path": "/docs/x.txt", "size": 3})),
    ])
    .await;
}
