//! `contract.md#downloads`: bytes by plain URL, by signed URL, and as a download.

use rstest::rstest;
use serde_json::json;

use super::play::{Step, get, head, patch, play, upload};
use crate::support::pictures::picture;

/// A public file of this name, which is served with this media type.
fn type_of(name: &'static str, media_type: &'static str) -> Vec<Step> {
    let fields = [
        ("options", r#"{"access":"PUBLIC_INDEXABLE"}"#),
        ("folderPath", "/"),
    ];
    let stored = upload(name, b"text", &fields).keep("n_url", "/url");
    vec![
        stored,
        get("{n_url}")
            .anonymous()
            .header("content-type", media_type),
    ]
}

#[rstest]
#[case::a_public_address_needs_no_token(vec![get("{a_url}").anonymous().bytes(b"text of a")])]
#[case::a_public_address_may_be_indexed(vec![get("{a_url}").anonymous().header("content-type", "text/plain; charset=utf-8")])]
#[case::not_indexable_says_so(vec![get("{root_url}").anonymous().bytes(b"root").header("x-robots-tag", "noindex")])]
#[case::a_private_address_answers_404(vec![get("{logo_url}").anonymous().answers(404)])]
#[case::it_is_no_use_to_send_the_token_there(vec![get("{logo_url}").answers(404)])]
#[case::pages_are_plain_text(type_of("n.html", "text/plain; charset=utf-8"))]
#[case::scripts_are_plain_text(type_of("n.js", "text/plain; charset=utf-8"))]
#[case::pages_of_xml_are_plain_text(type_of("n.xhtml", "text/plain; charset=utf-8"))]
#[case::tables_keep_their_type(type_of("n.csv", "text/csv; charset=utf-8"))]
#[case::styles_keep_their_type(type_of("n.css", "text/css; charset=utf-8"))]
#[case::the_headers_alone(vec![head("{a_url}").anonymous().header("content-length", "9").header("accept-ranges", "bytes")])]
#[case::a_part_of_the_bytes(vec![
    get("{a_url}").anonymous().sending("range", "bytes=5-6").answers(206).bytes(b"of").header("content-range", "bytes 5-6/9")])]
#[case::bytes_that_the_caller_has(vec![
    get("{a_url}").anonymous().sending("if-none-match", "\"x\", W/\"1468222eb33c76c8b627f504a7478fc4\"")
        .answers(304).bytes(b"").header("etag", "\"1468222eb33c76c8b627f504a7478fc4\""),
    get("{root_url}").anonymous().sending("if-none-match", "*").answers(304).header("x-robots-tag", "noindex"),
    get("{logo_url}").anonymous().sending("if-none-match", "*").answers(404)])]
#[case::bytes_that_the_caller_has_no_more(vec![get("{a_url}").anonymous().sending("if-none-match", "\"x\"").bytes(b"text of a")])]
#[case::made_private_the_address_is_dead(vec![
    patch("/files/v3/files/{a}", json!({"access": "PRIVATE"})), get("{a_url}").anonymous().answers(404)])]
#[case::pages_of_other_sites_may_show_a_public_file(vec![
    get("{a_url}").anonymous().header("cross-origin-resource-policy", "cross-origin")
        .header("x-content-type-options", "nosniff").header("content-security-policy", "sandbox; default-src 'none'"),
    get("{a_url}").anonymous().sending("range", "bytes=5-6").answers(206).header("cross-origin-resource-policy", "cross-origin"),
    head("{root_url}").anonymous().header("cross-origin-resource-policy", "cross-origin")])]
#[case::pages_of_other_sites_may_show_a_signed_file(vec![
    get("/files/v3/files/{logo}/signed-url").keep("signed", "/url"),
    get("{signed}").anonymous().header("cross-origin-resource-policy", "cross-origin")
        .header("x-content-type-options", "nosniff").header("content-security-policy", "sandbox; default-src 'none'"),
    get("/files/v3/files/{logo}/signed-url?size=icon").keep("signed", "/url"),
    get("{signed}").anonymous().header("cross-origin-resource-policy", "cross-origin")
        .header("content-security-policy", "sandbox; default-src 'none'")])]
#[case::pages_of_other_sites_may_not_show_a_download(vec![
    get("/files/v3/files/{a}/download").header("cross-origin-resource-policy", "same-origin")])]
#[case::signed_body(vec![get("/files/v3/files/{logo}/signed-url").with(json!({
    "url": "<contains>{base}/", "name": "logo", "extension": "png", "type": "IMG", "size": "<integer>", "height": 200, "width": 400,
    "expiresAt": "2026-11-21T09:30:00.000Z"}))])]
#[case::signed_bytes(vec![
    get("/files/v3/files/{a}/signed-url").keep("signed", "/url"), get("{signed}").anonymous().bytes(b"text of a")])]
#[case::a_signed_address_ends(vec![
    get("/files/v3/files/{a}/signed-url?expirationSeconds=60").with(json!({"expiresAt": "2026-11-21T08:31:00.000Z"})).keep("signed", "/url"),
    get("{signed}").anonymous().after(59),
    get("{signed}").anonymous().after(1).answers(403)])]
#[case::six_hours_are_the_most(vec![get("/files/v3/files/{a}/signed-url?expirationSeconds=21600").with(json!({"expiresAt": "2026-11-21T14:30:00.000Z"}))])]
#[case::longer_is_refused(vec![get("/files/v3/files/{a}/signed-url?expirationSeconds=21601").refused("expirationSeconds")])]
#[case::no_time_is_refused(vec![get("/files/v3/files/{a}/signed-url?expirationSeconds=0").refused("expirationSeconds")])]
#[case::size_icon(vec![get("/files/v3/files/{logo}/signed-url?size=icon").keep("signed", "/url"), get("{signed}").anonymous().header("content-type", "image/png")])]
#[case::size_thumb(vec![get("/files/v3/files/{logo}/signed-url?size=thumb").with(json!({"width": 100, "height": 50, "size": "<integer>"}))])]
#[case::size_medium(vec![get("/files/v3/files/{logo}/signed-url?size=medium").with(json!({"width": 300, "height": 150}))])]
#[case::size_preview_of_a_smaller_picture(vec![
    get("/files/v3/files/{logo}/signed-url?size=preview").with(json!({"width": 400, "height": 200})).keep("signed", "/url"),
    get("{signed}").anonymous().bytes(&picture())])]
#[case::size_preview_with_upscale(vec![
    get("/files/v3/files/{logo}/signed-url?size=preview&upscale=True").with(json!({"width": 1280, "height": 640}))])]
#[case::upscale_without_a_size(vec![
    get("/files/v3/files/{logo}/signed-url?upscale=true").with(json!({"width": 400, "height": 200})).keep("signed", "/url"),
    get("{signed}").anonymous().bytes(&picture())])]
#[case::size_unknown(vec![get("/files/v3/files/{logo}/signed-url?size=huge").refused("size")])]
#[case::size_of_a_text(vec![get("/files/v3/files/{a}/signed-url?size=icon").refused("size")])]
#[case::property_of_the_guide(vec![get("/files/v3/files/{logo}/signed-url?property=height&property=path").with(json!({
    "height": 200, "path": "/docs/logo.png"}))])]
#[case::unknown_file(vec![get("/files/v3/files/999/signed-url").fails(404, "OBJECT_NOT_FOUND", "999")])]
#[case::download(vec![get("/files/v3/files/{a}/download").bytes(b"text of a")
    .header("content-disposition", "attachment; filename=\"a.txt\"; filename*=UTF-8''a.txt")])]
#[case::headers_of_a_download(vec![head("/files/v3/files/{logo}/download").header("content-type", "image/png")])]
#[case::download_of_a_private_file(vec![get("/files/v3/files/{logo}/download").bytes(&picture()).header("content-type", "image/png")])]
#[case::download_without_a_token(vec![get("/files/v3/files/{a}/download").anonymous().answers(401)])]
#[case::download_of_an_unknown_file(vec![get("/files/v3/files/999/download").fails(404, "OBJECT_NOT_FOUND", "999")])]
#[case::dated_download(vec![get("/files/2026-09/files/{a}/download").bytes(b"text of a")])]
#[tokio::test]
async fn content_row(#[case] steps: Vec<Step>) {
    play(steps).await;
}
