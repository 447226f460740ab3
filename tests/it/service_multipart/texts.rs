//! Well-formed forms with invalid texts: names, folders, options.

use rstest::rstest;

use super::exchange::{END, FILE, FOLDER, OPTIONS, field, file_named, good_and, refuses};

const BOUNDED: &str = "multipart/form-data; boundary=x";

#[rstest]
#[case::climbing("../../etc/passwd")]
#[case::absolute("/etc/passwd")]
#[case::a_folder_before("a/b.txt")]
#[case::dots("..")]
#[case::blank("   ")]
#[case::too_long(&"a".repeat(256))]
#[case::next_line("a\u{85}b.txt")]
#[tokio::test]
async fn a_bad_name_in_the_file_part_answers_400(#[case] name: &str) {
    let body = [
        &file_named(name),
        OPTIONS.as_bytes(),
        FOLDER.as_bytes(),
        END.as_bytes(),
    ]
    .concat();
    refuses(BOUNDED, &body, 400).await;
}

#[rstest]
#[case::blank(b" ")]
#[case::climbing(b"../a.txt")]
#[case::absolute(b"/etc/passwd")]
#[case::a_dot(b".")]
#[case::zero(b"a\0.txt")]
#[case::escape(b"a\x1b[2J.txt")]
#[case::line_break(b"a\r\nb.txt")]
#[case::delete(b"a\x7f.txt")]
#[case::control_of_the_upper_half(b"a\xc2\x9b.txt")]
#[case::not_utf8(b"a\xff.txt")]
#[case::overlong_slash(b"..\xc0\xafa.txt")]
#[case::surrogate(b"a\xed\xa0\x80.txt")]
#[tokio::test]
async fn a_bad_name_in_its_field_answers_400(#[case] name: &[u8]) {
    refuses(BOUNDED, &good_and(field("fileName", name)), 400).await;
}

#[rstest]
#[case::empty("folderPath", b"")]
#[case::climbing("folderPath", b"/a/../../b")]
#[case::a_dot("folderPath", b"/a/./b")]
#[case::an_empty_name("folderPath", b"/a//b")]
#[case::zero("folderPath", b"/a\0b")]
#[case::not_utf8("folderPath", b"/\xff")]
#[case::too_deep("folderPath", &b"/a".repeat(65))]
#[case::too_long("folderPath", &b"/abcdefghijklmnopqrstuvwxyz".repeat(160))]
#[case::words("folderId", b"root")]
#[case::negative("folderId", b"-1")]
#[case::a_fraction("folderId", b"1.5")]
#[case::too_large("folderId", b"99999999999999999999")]
#[case::no_id("folderId", b"")]
#[tokio::test]
async fn a_bad_folder_answers_400(#[case] name: &str, #[case] value: &[u8]) {
    let body = [
        FILE.as_bytes(),
        OPTIONS.as_bytes(),
        &field(name, value),
        END.as_bytes(),
    ]
    .concat();
    refuses(BOUNDED, &body, 400).await;
}

#[rstest]
#[case::empty(b"")]
#[case::null(b"null")]
#[case::a_list(b"[]")]
#[case::text(b"\"PRIVATE\"")]
#[case::not_json(b"access=PRIVATE")]
#[case::cut(b"{\"access\":\"PRIVATE\"")]
#[case::followed_by_more(b"{\"access\":\"PRIVATE\"}{}")]
#[case::byte_order_mark(b"\xef\xbb\xbf{\"access\":\"PRIVATE\"}")]
#[case::not_utf8(b"{\"access\":\"\xff\"}")]
#[case::zero(b"{\"access\":\"PRIVATE\"}\0")]
#[case::very_deep(&b"[".repeat(60_000))]
#[case::access_of_another_kind(b"{\"access\":[\"PRIVATE\"]}")]
#[case::overwrite_of_another_kind(b"{\"access\":\"PRIVATE\",\"overwrite\":\"yes\"}")]
#[case::ttl_of_another_kind(b"{\"access\":\"PRIVATE\",\"ttl\":1}")]
#[case::a_year_that_does_not_exist(
    b"{\"access\":\"PRIVATE\",\"expiresAt\":\"99999-01-01T00:00:00Z\"}"
)]
#[tokio::test]
async fn bad_options_answer_400(#[case] options: &[u8]) {
    let body = [
        FILE.as_bytes(),
        FOLDER.as_bytes(),
        &field("options", options),
        END.as_bytes(),
    ]
    .concat();
    refuses(BOUNDED, &body, 400).await;
}
