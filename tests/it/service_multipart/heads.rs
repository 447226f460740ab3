//! A valid form with a content type that does not match it.

use rstest::rstest;

use super::exchange::{
    FILE, FOLDER, OPTIONS, check_refusal, exchange, form, head, nothing_is_left, refuses,
};
use crate::support::service::TestService;

#[rstest]
#[case::json("application/json")]
#[case::another_multipart("multipart/mixed; boundary=x")]
#[case::a_longer_name("multipart/form-data-x; boundary=x")]
#[case::no_boundary("multipart/form-data")]
#[case::another_parameter("multipart/form-data; charset=utf-8")]
#[case::an_empty_boundary("multipart/form-data; boundary=")]
#[case::an_empty_quoted_boundary("multipart/form-data; boundary=\"\"")]
#[case::a_boundary_without_an_end("multipart/form-data; boundary=\"x")]
#[case::a_boundary_that_is_not_ascii("multipart/form-data; boundary=é")]
#[tokio::test]
async fn a_form_behind_another_content_type_answers_415(#[case] content_type: &str) {
    refuses(content_type, &form(&[FILE, OPTIONS, FOLDER]), 415).await;
}

#[tokio::test]
async fn a_form_without_a_content_type_is_refused() {
    let service = TestService::start().await;
    let body = form(&[FILE, OPTIONS, FOLDER]);
    let request = [
        head(&service, &format!("content-length: {}\r\n", body.len())),
        body,
    ]
    .concat();
    check_refusal(&exchange(&service, &request, false).await.unwrap(), 415);
    nothing_is_left(&service).await;
}

#[rstest]
#[case::of_71_characters(71)]
#[case::of_8_kib(8192)]
#[tokio::test]
async fn a_long_boundary_answers_400(#[case] length: usize) {
    let boundary = "x".repeat(length);
    let body = String::from_utf8(form(&[FILE, OPTIONS, FOLDER]))
        .unwrap()
        .replace("--x", &format!("--{boundary}"));
    refuses(
        &format!("multipart/form-data; boundary={boundary}"),
        body.as_bytes(),
        400,
    )
    .await;
}
