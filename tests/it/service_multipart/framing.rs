//! A valid form in a request whose length or chunks are wrong. HTTP itself refuses most of these,
//! with an empty response, or nobody is left to receive one.

use rstest::rstest;

use super::exchange::{
    FILE, FOLDER, OPTIONS, check_refusal, exchange, field, form, head, nothing_is_left,
};
use crate::support::service::TestService;

const FORM: &str = "content-type: multipart/form-data; boundary=x\r\n";

fn body() -> Vec<u8> {
    form(&[OPTIONS, FOLDER, FILE])
}

fn chunk(size: &str, bytes: &[u8]) -> Vec<u8> {
    [size.as_bytes(), b"\r\n", bytes, b"\r\n"].concat()
}

/// The form in one valid chunk, without the empty one that ends a body.
fn good_chunk() -> Vec<u8> {
    chunk(&format!("{:x}", body().len()), &body())
}

fn sized(size: &str) -> Vec<u8> {
    [chunk(size, &body()), b"0\r\n\r\n".to_vec()].concat()
}

#[rstest]
#[case::no_length("")]
#[case::a_length_of_nothing("content-length: 0\r\n")]
#[case::a_length_too_short("content-length: 100\r\n")]
#[tokio::test]
async fn a_form_that_its_length_cuts_answers_400(#[case] lines: &str) {
    let service = TestService::start().await;
    let request = [head(&service, &format!("{FORM}{lines}")), body()].concat();
    check_refusal(&exchange(&service, &request, false).await.unwrap(), 400);
    nothing_is_left(&service).await;
}

#[rstest]
#[case::words("content-length: many\r\n")]
#[case::negative("content-length: -1\r\n")]
#[case::signed("content-length: +5\r\n")]
#[case::hexadecimal("content-length: 0x10\r\n")]
#[case::beyond_64_bits("content-length: 99999999999999999999999\r\n")]
#[case::two_lengths("content-length: 5\r\ncontent-length: 6\r\n")]
#[case::a_list_of_lengths("content-length: 5, 6\r\n")]
#[case::a_blank_before_the_colon("content-length : 5\r\n")]
#[case::a_folded_line("content-length:\r\n 5\r\n")]
#[case::an_encoding_that_is_not_chunked("transfer-encoding: gzip\r\n")]
#[case::chunked_but_not_last("transfer-encoding: chunked, gzip\r\n")]
#[case::a_head_of_40_kib(&format!("a: {}\r\n", "b".repeat(40_000)))]
#[case::two_hundred_headers(&"a: b\r\n".repeat(200))]
#[tokio::test]
async fn a_head_that_is_not_http_is_refused(#[case] lines: &str) {
    let service = TestService::start().await;
    let request = [head(&service, &format!("{FORM}{lines}")), body()].concat();
    let reply = exchange(&service, &request, false).await.unwrap();
    assert!((400..500).contains(&reply.status), "{reply:?}");
    nothing_is_left(&service).await;
}

#[rstest]
#[case::no_number(sized("zz"))]
#[case::no_size(sized(""))]
#[case::negative(sized("-1"))]
#[case::beyond_64_bits(sized("fffffffffffffffff"))]
#[case::too_small(sized("10"))]
#[case::an_extension_without_an_end([b"5;".to_vec(), vec![b'a'; 100_000]].concat())]
#[case::a_bad_chunk_behind_the_form([good_chunk(), b"zz\r\n".to_vec()].concat())]
#[case::trailers_without_an_end([good_chunk(), b"0\r\n".to_vec(), b"a: b\r\n".repeat(20_000)].concat())]
#[tokio::test]
async fn bad_chunks_answer_400(#[case] chunks: Vec<u8>) {
    let service = TestService::start().await;
    let request = [
        head(&service, &format!("{FORM}transfer-encoding: chunked\r\n")),
        chunks,
    ]
    .concat();
    check_refusal(&exchange(&service, &request, false).await.unwrap(), 400);
    nothing_is_left(&service).await;
}

#[rstest]
#[case::a_length_too_long("content-length: 5000\r\n", body())]
#[case::a_chunk_too_short("transfer-encoding: chunked\r\n", chunk("5000", &body()))]
#[case::no_last_chunk("transfer-encoding: chunked\r\n", good_chunk())]
#[case::half_a_size("transfer-encoding: chunked\r\n", b"1".to_vec())]
#[tokio::test]
async fn a_body_whose_sender_hangs_up_is_not_stored(#[case] lines: &str, #[case] sent: Vec<u8>) {
    let service = TestService::start().await;
    let request = [head(&service, &format!("{FORM}{lines}")), sent].concat();
    let reply = exchange(&service, &request, true).await;
    assert!(
        reply.as_ref().is_none_or(|reply| reply.status == 400),
        "{reply:?}"
    );
    nothing_is_left(&service).await;
}

/// The sender withholds the rest, so a response shows that the service did not keep on collecting.
#[rstest]
#[case::text_before_the_form(vec![b'.'; 300_000])]
#[case::headers_that_do_not_end([b"--x\r\na: ".to_vec(), vec![b'.'; 400_000]].concat())]
#[case::a_field_that_does_not_end([b"--x\r\ncontent-disposition: form-data; name=\"a\"\r\n\r\n".to_vec(), vec![b'.'; 100_000]].concat())]
#[case::parts_that_do_not_end((0..40).flat_map(|n| field(&n.to_string(), "1")).collect())]
#[case::a_second_file([FILE, FILE].concat().into_bytes())]
#[case::text_after_the_form([body(), vec![b'.'; 300_000]].concat())]
#[tokio::test]
async fn a_form_is_refused_before_its_end_when_no_more_can_help(#[case] sent: Vec<u8>) {
    let service = TestService::start().await;
    let request = [
        head(&service, &format!("{FORM}content-length: 100000000\r\n")),
        sent,
    ]
    .concat();
    check_refusal(&exchange(&service, &request, false).await.unwrap(), 400);
    nothing_is_left(&service).await;
}
