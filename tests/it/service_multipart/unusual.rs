//! Rare forms that are nevertheless valid: 201, and every byte as it was sent.

use rstest::rstest;
use serde_json::Value;

use super::exchange::{
    END, FILE, FOLDER, OPTIONS, exchange, field, file_named, form, good_and, head, part, upload,
};
use crate::support::service::TestService;

async fn is_stored(service: &TestService, request: &[u8], path: &str, bytes: &[u8]) {
    let reply = exchange(service, request, false).await.unwrap();
    assert_eq!(reply.status, 201, "{}", reply.body);
    let file: Value = serde_json::from_str(&reply.body).unwrap();
    assert_eq!(
        (file["path"].as_str(), file["size"].as_u64()),
        (Some(path), Some(bytes.len() as u64))
    );
    let id = file["id"].as_str().unwrap();
    assert_eq!(
        service
            .get(&format!("/files/v3/files/{id}/download"))
            .await
            .expect(200)
            .body,
        bytes
    );
}

#[rstest]
#[case::quoted("multipart/form-data; boundary=\"x\"")]
#[case::in_capitals("Multipart/Form-Data; BOUNDARY=x")]
#[case::after_another_parameter("multipart/form-data; charset=utf-8; boundary=x")]
#[case::before_another_parameter("multipart/form-data;boundary=x;charset=utf-8")]
#[tokio::test]
async fn a_boundary_may_be_written_in_several_ways(#[case] content_type: &str) {
    let service = TestService::start().await;
    let request = upload(&service, content_type, &form(&[FILE, OPTIONS, FOLDER]));
    is_stored(&service, &request, "/a.txt", b"abc").await;
}

#[rstest]
#[case::seventy_characters(&"x".repeat(70))]
#[case::dashes("----")]
#[case::every_sign("'()+_,-./:=?")]
#[tokio::test]
async fn any_boundary_of_70_characters_will_do(#[case] boundary: &str) {
    let service = TestService::start().await;
    let body = String::from_utf8(form(&[FILE, OPTIONS, FOLDER]))
        .unwrap()
        .replace("--x", &format!("--{boundary}"));
    let request = upload(
        &service,
        &format!("multipart/form-data; boundary=\"{boundary}\""),
        body.as_bytes(),
    );
    is_stored(&service, &request, "/a.txt", b"abc").await;
}

#[rstest]
#[case::file_first(form(&[FILE, OPTIONS, FOLDER]))]
#[case::file_last(form(&[FOLDER, OPTIONS, FILE]))]
#[case::file_between(form(&[OPTIONS, FILE, FOLDER]))]
#[case::text_before([b"This is a form.\r\n".to_vec(), form(&[FILE, OPTIONS, FOLDER])].concat())]
#[case::text_after([form(&[FILE, OPTIONS, FOLDER]), b"That was it.".to_vec()].concat())]
#[case::no_line_break_at_the_end(form(&[FILE, OPTIONS, FOLDER])[..form(&[FILE, OPTIONS, FOLDER]).len() - 2].to_vec())]
#[case::blanks_after_the_boundary(form(&[&FILE.replace("--x\r\n", "--x \t\r\n"), OPTIONS, FOLDER]))]
#[case::unknown_fields(good_and([field("a", "1"), field("b", "2")].concat()))]
#[case::sixteen_parts(good_and((0..13).flat_map(|n| field(&n.to_string(), "1")).collect::<Vec<_>>()))]
#[case::a_field_of_64_kib(good_and(field("a", vec![b'b'; 65_536])))]
#[case::a_header_of_8_kib(good_and(part(format!("a: {}\r\ncontent-disposition: form-data; name=\"a\"", "b".repeat(8_000)), "1")))]
#[case::names_without_quotes(form(&[
    "--x\r\nContent-Disposition: form-data; filename=a.txt; name=file\r\n\r\nabc\r\n", OPTIONS, FOLDER
]))]
#[case::a_declared_encoding(form(&[
    &FILE.replace("content-type", "Content-Transfer-Encoding: binary\r\nContent-Length: 3\r\nContent-Type"), OPTIONS, FOLDER
]))]
#[tokio::test]
async fn parts_may_stand_in_any_order_with_text_around_them(#[case] body: Vec<u8>) {
    let service = TestService::start().await;
    let request = upload(&service, "multipart/form-data; boundary=x", &body);
    is_stored(&service, &request, "/a.txt", b"abc").await;
}

#[rstest]
#[case::beyond_ascii("Größe 名前 🗂.txt", "/Größe 名前 🗂.txt")]
#[case::quotes("a\\\"b\\\".txt", "/a\"b\".txt")]
#[case::a_semicolon("a;b.txt", "/a;b.txt")]
#[case::another_name_in_the_name("a; name=options.txt", "/a; name=options.txt")]
#[case::percent_signs("%2e%2e%2fa.txt", "/%2e%2e%2fa.txt")]
#[case::no_name("", "/900150983cd2.txt")]
#[tokio::test]
async fn a_file_keeps_the_name_of_its_part(#[case] sent: &str, #[case] path: &str) {
    let service = TestService::start().await;
    let body = [
        &file_named(sent),
        OPTIONS.as_bytes(),
        FOLDER.as_bytes(),
        END.as_bytes(),
    ]
    .concat();
    let request = upload(&service, "multipart/form-data; boundary=x", &body);
    is_stored(&service, &request, path, b"abc").await;
}

/// RFC 7578 §4.2 forbids `filename*`; it is ignored.
#[rstest]
#[case::beside_a_plain_one("; filename=\"a.txt\"; filename*=UTF-8''b.txt", "/a.txt")]
#[case::alone("; filename*=UTF-8''..%2Fb.txt", "/900150983cd2.txt")]
#[tokio::test]
async fn an_encoded_name_counts_for_nothing(#[case] names: &str, #[case] path: &str) {
    let service = TestService::start().await;
    let file = part(
        format!("content-disposition: form-data; name=\"file\"{names}"),
        "abc",
    );
    let body = [&file, OPTIONS.as_bytes(), FOLDER.as_bytes(), END.as_bytes()].concat();
    let request = upload(&service, "multipart/form-data; boundary=x", &body);
    is_stored(&service, &request, path, b"abc").await;
}

#[rstest]
#[case::nothing(b"")]
#[case::line_breaks(b"\r\n\r\n")]
#[case::a_boundary_within_a_line(b"a--x\r\n")]
#[case::a_boundary_after_a_line_feed(b"a\n--x\nb")]
#[case::a_boundary_after_a_carriage_return(b"a\r--x--\rb")]
#[case::another_boundary(b"a\r\n--y\r\nb\r\n--y--\r\n")]
#[case::the_start_of_a_boundary(b"a\r\n--\r\n-\r\n\r--x")]
#[case::a_cut_boundary_at_the_end(b"a\r\n--")]
#[case::every_byte(&(0..=255).collect::<Vec<u8>>())]
#[tokio::test]
async fn content_that_resembles_a_boundary_is_kept(#[case] bytes: &[u8]) {
    let service = TestService::start().await;
    let file = part(
        "content-disposition: form-data; name=\"file\"; filename=\"a.bin\"",
        bytes,
    );
    let body = [&file, OPTIONS.as_bytes(), FOLDER.as_bytes(), END.as_bytes()].concat();
    let request = upload(&service, "multipart/form-data; boundary=x", &body);
    is_stored(&service, &request, "/a.bin", bytes).await;
}

/// A chunk ends at every possible place, including within boundaries and headers.
#[rstest]
#[case::one_byte(1)]
#[case::two_bytes(2)]
#[case::seven_bytes(7)]
#[tokio::test]
async fn a_form_may_come_in_chunks_of_any_size(#[case] size: usize) {
    let service = TestService::start().await;
    let content = b"a\r\n--\r\n--y\r\r\n".repeat(20);
    let file = part(
        "content-disposition: form-data; name=\"file\"; filename=\"a.bin\"",
        &content,
    );
    let body = [OPTIONS.as_bytes(), FOLDER.as_bytes(), &file, END.as_bytes()].concat();
    let mut request = head(
        &service,
        "content-type: multipart/form-data; boundary=x\r\ntransfer-encoding: chunked\r\n",
    );
    for chunk in body.chunks(size) {
        request.extend_from_slice(format!("{:x};a=b\r\n", chunk.len()).as_bytes());
        request.extend_from_slice(chunk);
        request.extend_from_slice(b"\r\n");
    }
    request.extend_from_slice(b"0\r\ntrailer: ok\r\n\r\n");
    is_stored(&service, &request, "/a.bin", &content).await;
}
