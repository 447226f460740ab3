//! Forms that are malformed, or contain forbidden parts.

use rstest::rstest;

use super::exchange::{END, FILE, FOLDER, OPTIONS, field, form, good_and, part, refuses};

const BOUNDED: &str = "multipart/form-data; boundary=x";

fn bytes(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}

fn cut(from_end: usize) -> Vec<u8> {
    let mut whole = form(&[OPTIONS, FOLDER, FILE]);
    whole.truncate(whole.len() - from_end);
    whole
}

fn spoilt(old: &str, new: &str) -> Vec<u8> {
    let whole = form(&[OPTIONS, FOLDER, FILE]);
    bytes(&std::str::from_utf8(&whole).unwrap().replace(old, new))
}

#[rstest]
#[case::empty(Vec::new())]
#[case::an_empty_line(bytes("\r\n"))]
#[case::only_the_last_boundary(bytes(END))]
#[case::only_a_first_boundary(bytes("--x\r\n"))]
#[case::only_dashes(bytes("--"))]
#[case::boundaries_without_parts(bytes("--x\r\n--x\r\n--x--\r\n"))]
#[case::another_boundary(spoilt("--x", "--y"))]
#[case::a_boundary_that_goes_on(spoilt("--x\r\n", "--xyz\r\n"))]
#[case::boundaries_without_dashes(spoilt("--x", "x"))]
#[case::json(bytes(r#"{"access":"PRIVATE","folderPath":"/"}"#))]
#[case::a_query_string(bytes("options=%7B%7D&folderPath=%2F&file=abc"))]
#[case::zeros(vec![0; 1024])]
#[case::every_byte((0..=255).collect())]
#[case::compressed(b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xd3\xd5\xad\xe0\xe5\x02\x00".to_vec())]
#[tokio::test]
async fn a_body_that_is_no_form_answers_400(#[case] body: Vec<u8>) {
    refuses(BOUNDED, &body, 400).await;
}

#[rstest]
#[case::no_last_boundary(cut(END.len()))]
#[case::in_the_last_boundary(cut(3))]
#[case::before_the_dashes_of_the_last_boundary(cut(4))]
#[case::in_the_file(cut(END.len() + 3))]
#[case::before_the_file_begins(cut(END.len() + 5))]
#[case::in_the_empty_line(cut(END.len() + 6))]
#[case::in_the_headers_of_the_file(cut(END.len() + 20))]
#[case::in_the_name_of_the_file(cut(END.len() + 40))]
#[case::in_the_field_before(cut(END.len() + FILE.len() + 2))]
#[case::in_the_headers_of_a_field(cut(END.len() + FILE.len() + 10))]
#[tokio::test]
async fn a_form_that_is_cut_answers_400(#[case] body: Vec<u8>) {
    refuses(BOUNDED, &body, 400).await;
}

#[rstest]
#[case::bare_line_feeds(spoilt("\r\n", "\n"))]
#[case::bare_carriage_returns(spoilt("\r\n", "\r"))]
#[case::a_line_feed_after_the_boundary(spoilt("--x\r\n", "--x\n"))]
#[case::text_after_the_boundary(spoilt("--x\r\n", "--x ;\r\n"))]
#[case::no_empty_line(spoilt("\r\n\r\n", "\r\n"))]
#[case::a_last_boundary_of_one_dash(spoilt("--x--", "--x-"))]
#[case::a_header_without_a_colon(good_and(part("content-disposition form-data", "1")))]
#[case::a_header_with_a_zero(good_and(part(
    b"content-disposition: form-data; name=\"a\0b\"",
    "1"
)))]
#[case::a_header_with_an_escape(good_and(part(
    "content-disposition: form-data; name=\"a\u{1b}[2J\"",
    "1"
)))]
#[case::a_header_on_two_lines(good_and(part(
    "content-disposition: form-data;\r\n name=\"a\"",
    "1"
)))]
#[case::too_many_headers(good_and(part(format!("{}content-disposition: form-data; name=\"a\"", "a: b\r\n".repeat(40)), "1")))]
#[case::a_long_header(good_and(part(format!("a: {}\r\ncontent-disposition: form-data; name=\"a\"", "b".repeat(9_000)), "1")))]
#[case::a_long_name(good_and(field(&"a".repeat(9_000), "1")))]
#[case::headers_that_do_not_end(good_and(part("a: ".repeat(200_000), "1")))]
#[case::no_headers(good_and("--x\r\n\r\n1\r\n"))]
#[case::no_disposition(good_and(part("content-type: text/plain", "1")))]
#[case::another_disposition(good_and(part("content-disposition: attachment; name=\"a\"", "1")))]
#[case::no_name(good_and(part("content-disposition: form-data", "1")))]
#[case::an_empty_name(good_and(field("", "1")))]
#[case::a_name_without_an_end(good_and(part("content-disposition: form-data; name=\"a", "1")))]
#[case::a_name_that_is_not_utf8(good_and(part(
    b"content-disposition: form-data; name=\"\xff\"",
    "1"
)))]
#[case::a_form_in_the_form(good_and(part(
    "content-disposition: form-data; name=\"files\"\r\ncontent-type: Multipart/Mixed; boundary=y",
    "--y\r\ncontent-disposition: file; filename=\"b.txt\"\r\n\r\nb\r\n--y--"
)))]
#[tokio::test]
async fn a_malformed_part_answers_400(#[case] body: Vec<u8>) {
    refuses(BOUNDED, &body, 400).await;
}

#[rstest]
#[case::a_page_before(5_000, 0)]
#[case::a_book_before(1_000_000, 0)]
#[case::a_book_after(0, 1_000_000)]
#[tokio::test]
async fn much_text_outside_the_parts_answers_400(#[case] before: usize, #[case] after: usize) {
    let body = [
        vec![b'.'; before],
        b"\r\n".to_vec(),
        form(&[FILE, OPTIONS, FOLDER]),
        vec![b'.'; after],
    ]
    .concat();
    refuses(BOUNDED, &body, 400).await;
}

#[rstest]
#[case::no_file(form(&[OPTIONS, FOLDER]))]
#[case::a_file_under_another_name(form(&[&FILE.replace("\"file\"", "\"files\""), OPTIONS, FOLDER]))]
#[case::a_file_under_a_capital_letter(form(&[&FILE.replace("\"file\"", "\"File\""), OPTIONS, FOLDER]))]
#[case::two_files(good_and(FILE))]
#[case::two_files_of_two_names(good_and(FILE.replace("a.txt", "b.txt")))]
#[case::the_options_twice(good_and(OPTIONS))]
#[case::the_folder_twice(good_and(FOLDER))]
#[case::the_folder_id_twice([field("folderId", "0"), field("folderId", "0"), form(&[FILE, OPTIONS])].concat())]
#[case::both_ways_to_name_the_folder(good_and(field("folderId", "0")))]
#[case::the_name_twice(good_and([field("fileName", "b"), field("fileName", "c")].concat()))]
#[case::an_unknown_field_twice(good_and([field("a", "b"), field("a", "c")].concat()))]
#[case::seventeen_parts(good_and((0..14).flat_map(|n| field(&n.to_string(), "1")).collect::<Vec<_>>()))]
#[case::a_field_of_more_than_64_kib(good_and(field("a", vec![b'b'; 65_537])))]
#[case::a_field_of_a_megabyte(good_and(field("charsetHunch", vec![b'b'; 1_000_000])))]
#[tokio::test]
async fn a_form_with_parts_missing_repeated_or_too_large_answers_400(#[case] body: Vec<u8>) {
    refuses(BOUNDED, &body, 400).await;
}
