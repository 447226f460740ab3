//! The bytes behind public, private and signed URLs, and their headers.
//!
//! Seen to fail, each planted alone: signatures that leave out file, size or upscale, signed URLs
//! without an expiry, ranges one byte too long, an ignored If-Range, checksums that are not
//! compared.

use jiff::SignedDuration;
use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::pictures::{bomb, picture};
use crate::support::service::{Answer, TestService, answer, form};

async fn stored(service: &TestService, name: &str, access: &str) -> Value {
    service
        .upload("/press", name, b"0123456789", json!({ "access": access }))
        .await
        .expect(201)
        .json()
}

async fn sign(service: &TestService, file: &Value, query: &str) -> Answer {
    service
        .get(&format!(
            "/files/v3/files/{}/signed-url{query}",
            file["id"].as_str().unwrap()
        ))
        .await
}

fn url(body: &Value) -> &str {
    body["url"].as_str().unwrap()
}

#[tokio::test]
async fn public_bytes_come_with_headers_that_keep_them_from_acting() {
    let service = TestService::start().await;
    let file = stored(&service, "a.txt", "PUBLIC_INDEXABLE").await;
    let answer = service.fetch(url(&file)).await.expect(200);
    assert_eq!(answer.body, b"0123456789");
    for (name, value) in [
        ("content-type", Some("text/plain; charset=utf-8")),
        ("content-length", Some("10")),
        (
            "content-disposition",
            Some("inline; filename=\"a.txt\"; filename*=UTF-8''a.txt"),
        ),
        ("x-content-type-options", Some("nosniff")),
        (
            "content-security-policy",
            Some("sandbox; default-src 'none'"),
        ),
        ("cross-origin-resource-policy", Some("cross-origin")),
        ("etag", Some("\"781e5e245d69b566979b86e28d23f2c7\"")),
        ("x-robots-tag", None),
        ("cache-control", None),
    ] {
        assert_eq!(answer.header(name), value, "{name}");
    }
}

#[rstest]
#[case::page("page.html", "text/plain")]
#[case::drawing("drawing.svg", "image/svg+xml")]
#[case::document("paper.pdf", "application/pdf")]
#[tokio::test]
async fn types_that_could_hold_a_script_are_attachments(
    #[case] name: &str,
    #[case] media_type: &str,
) {
    let service = TestService::start().await;
    let file = stored(&service, name, "PUBLIC_INDEXABLE").await;
    let answer = service.fetch(url(&file)).await.expect(200);
    let disposition = answer.header("content-disposition").unwrap();
    assert!(
        answer
            .header("content-type")
            .unwrap()
            .starts_with(media_type),
        "{:?}",
        answer.headers
    );
    assert!(disposition.starts_with("attachment; "), "{disposition}");
}

#[tokio::test]
async fn bytes_of_an_unknown_kind_are_an_attachment() {
    let service = TestService::start().await;
    let options = json!({ "access": "PUBLIC_INDEXABLE" });
    let file = service
        .upload("/", "data.xyz123", &[0, 1, 2, 255], options)
        .await
        .expect(201)
        .json();
    let answer = service.fetch(url(&file)).await.expect(200);
    assert_eq!(
        answer.header("content-type"),
        Some("application/octet-stream")
    );
    assert!(
        answer
            .header("content-disposition")
            .unwrap()
            .starts_with("attachment; "),
        "{:?}",
        answer.headers
    );
}

#[tokio::test]
async fn a_file_not_to_be_indexed_says_so() {
    let service = TestService::start().await;
    let file = stored(&service, "a.txt", "PUBLIC_NOT_INDEXABLE").await;
    assert_eq!(
        service
            .fetch(url(&file))
            .await
            .expect(200)
            .header("x-robots-tag"),
        Some("noindex")
    );
}

#[tokio::test]
async fn a_private_address_answers_exactly_as_an_unknown_one() {
    let service = TestService::start().await;
    let file = stored(&service, "a.txt", "PRIVATE").await;
    let private = service.fetch(url(&file)).await.expect(404);
    let unknown = service
        .fetch(&service.url("/hubfs/press/b.txt"))
        .await
        .expect(404);
    let told = |answer: &Answer| {
        let mut names: Vec<String> = answer.headers.keys().map(ToString::to_string).collect();
        names.sort();
        let mut body = answer.json();
        assert!(
            body.as_object_mut()
                .unwrap()
                .remove("correlationId")
                .is_some()
        );
        (
            names,
            answer.header("content-type").map(str::to_owned),
            body,
        )
    };
    assert_eq!(told(&private), told(&unknown));
    // Not even the token opens it.
    let path = "/hubfs/press/a.txt";
    answer(service.request(Method::GET, path)).await.expect(404);
}

#[tokio::test]
async fn a_signed_address_opens_a_private_file_until_it_expires() {
    let service = TestService::start().await;
    let file = stored(&service, "größe.txt", "PRIVATE").await;
    let signed = sign(&service, &file, "").await.expect(200).json();
    assert_eq!(
        (
            &signed["name"],
            &signed["extension"],
            &signed["type"],
            &signed["size"],
            &signed["expiresAt"]
        ),
        (
            &json!("größe"),
            &json!("txt"),
            &json!("DOCUMENT"),
            &json!(10),
            &json!("2026-11-21T09:30:00.000Z")
        )
    );
    let bytes = service.fetch(url(&signed)).await.expect(200);
    assert_eq!(bytes.body, b"0123456789");
    assert_eq!(bytes.header("cache-control"), Some("private, no-store"));

    service.clock.advance(SignedDuration::from_secs(3599));
    service.fetch(url(&signed)).await.expect(200);
    service.clock.advance(SignedDuration::from_secs(1));
    service.fetch(url(&signed)).await.expect(403);
}

#[rstest]
#[case::longest("?expirationSeconds=21600", 200)]
#[case::too_long("?expirationSeconds=21601", 400)]
#[case::none("?expirationSeconds=0", 400)]
#[case::negative("?expirationSeconds=-1", 400)]
#[case::not_a_number("?expirationSeconds=1h", 400)]
#[case::size("?size=thumb&upscale=True", 200)]
#[case::unknown_size("?size=huge", 400)]
#[case::bad_upscale("?size=thumb&upscale=maybe", 400)]
#[tokio::test]
async fn parameters_of_a_signed_address_are_checked(#[case] query: &str, #[case] status: u16) {
    let service = TestService::start().await;
    let file = stored(&service, "a.png", "PRIVATE").await;
    sign(&service, &file, query).await.expect(status);
}

#[tokio::test]
async fn a_size_is_for_images() {
    let service = TestService::start().await;
    let file = stored(&service, "a.txt", "PRIVATE").await;
    sign(&service, &file, "?size=icon").await.expect(400);
}

#[tokio::test]
async fn an_altered_signed_address_is_refused() {
    let service = TestService::start().await;
    let file = stored(&service, "a.png", "PRIVATE").await;
    let other = stored(&service, "b.png", "PRIVATE").await;
    let signed = sign(&service, &file, "?size=thumb")
        .await
        .expect(200)
        .json();
    let good = url(&signed);
    service.fetch(good).await.expect(200);
    let (file, other) = (file["id"].as_str().unwrap(), other["id"].as_str().unwrap());
    for bad in [
        good.replace("size=thumb", "size=icon"),
        good.replace("upscale=false", "upscale=true"),
        good.replace("expires=17", "expires=18"),
        good.replace(file, other),
        good.replace("size=thumb&", ""),
        good.split("&signature").next().unwrap().to_owned(),
    ] {
        assert_ne!(bad, good);
        service.fetch(&bad).await.expect(403);
    }
}

// Seen to fail when the name is left out of the signature, and when upscale is read
// case-insensitively.
#[tokio::test]
async fn no_bit_of_a_signed_address_can_be_flipped() {
    let service = TestService::start().await;
    let file = service
        .upload("/", "logo.png", &picture(), json!({ "access": "PRIVATE" }))
        .await
        .expect(201)
        .json();
    let signed = sign(&service, &file, "?size=icon").await.expect(200).json();
    let good = url(&signed);
    let from = good.len() - good.strip_prefix(&service.url("/")).unwrap().len();
    for (at, bit) in (from..good.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
        let mut bytes = good.as_bytes().to_vec();
        bytes[at] ^= 1 << bit;
        let Ok(flipped) = String::from_utf8(bytes) else {
            continue;
        };
        let answer = service.fetch(&flipped).await;
        assert!(
            answer.status.is_client_error(),
            "{flipped}: {}",
            answer.status
        );
    }
}

#[tokio::test]
async fn named_properties_are_added_to_a_signed_address() {
    let service = TestService::start().await;
    let file = stored(&service, "a.txt", "PRIVATE").await;
    let signed = sign(
        &service,
        &file,
        "?property=fileMd5&property=path&property=nonsense",
    )
    .await
    .expect(200)
    .json();
    assert_eq!(
        (&signed["fileMd5"], &signed["path"]),
        (&file["fileMd5"], &json!("/press/a.txt"))
    );
    assert!(signed.get("nonsense").is_none() && signed.get("access").is_none());
}

#[tokio::test]
async fn a_download_is_an_attachment_and_needs_the_token() {
    let service = TestService::start().await;
    let file = stored(&service, "übersicht \"1\".txt", "PRIVATE").await;
    let path = format!("/files/v3/files/{}/download", file["id"].as_str().unwrap());
    let bytes = service.get(&path).await.expect(200);
    assert_eq!(bytes.body, b"0123456789");
    assert_eq!(
        bytes.header("content-disposition"),
        Some(
            "attachment; filename=\"_bersicht _1_.txt\"; filename*=UTF-8''%C3%BCbersicht%20%221%22.txt"
        )
    );
    service.fetch(&service.url(&path)).await.expect(401);
}

#[rstest]
#[case::first("bytes=0-3", 206, "bytes 0-3/10", b"0123")]
#[case::rest("bytes=7-", 206, "bytes 7-9/10", b"789")]
#[case::last("bytes=-2", 206, "bytes 8-9/10", b"89")]
#[case::outside("bytes=10-", 416, "bytes */10", b"")]
#[tokio::test]
async fn ranges_are_served(
    #[case] range: &str,
    #[case] status: u16,
    #[case] said: &str,
    #[case] bytes: &[u8],
) {
    let service = TestService::start().await;
    stored(&service, "a.txt", "PUBLIC_INDEXABLE").await;
    let request = service
        .request(Method::GET, "/hubfs/press/a.txt")
        .header("range", range);
    let part = answer(request).await.expect(status);
    assert_eq!(part.header("content-range"), Some(said));
    if status == 206 {
        assert_eq!(part.body, bytes);
    } else {
        assert_eq!(part.json()["status"], "error");
    }
}

#[tokio::test]
async fn a_range_of_an_older_version_answers_the_whole() {
    let service = TestService::start().await;
    stored(&service, "a.txt", "PUBLIC_INDEXABLE").await;
    let request = service
        .request(Method::GET, "/hubfs/press/a.txt")
        .header("range", "bytes=4-");
    let whole = answer(request.header("if-range", "\"another\""))
        .await
        .expect(200);
    assert_eq!(whole.body, b"0123456789");
}

#[tokio::test]
async fn an_address_keeps_odd_names_apart() {
    let service = TestService::start().await;
    for name in [
        "50% off.txt",
        "a?b#c.txt",
        "a%2Fb.txt",
        "ü.txt",
        "back\\slash.txt",
    ] {
        // In the field, not in the part's header: clients disagree on how to escape a backslash
        // there.
        let form = form("x.txt", b"x")
            .text("fileName", name)
            .text("folderPath", "/press");
        let form = form.text(
            "options",
            json!({ "access": "PUBLIC_INDEXABLE" }).to_string(),
        );
        let file = service.post_form(form).await.expect(201).json();
        assert_eq!(file["path"], json!(format!("/press/{name}")));
        service.fetch(url(&file)).await.expect(200);
    }
}

#[rstest]
#[case::of_a_small_file("bytes=0-", 10)]
#[case::of_a_small_file_whole("", 10)]
#[case::of_a_large_file("bytes=0-", 100_000)]
#[case::of_a_large_file_whole("", 100_000)]
#[tokio::test]
async fn damaged_bytes_never_make_a_complete_answer(#[case] range: &str, #[case] size: usize) {
    let service = TestService::start().await;
    let options = json!({ "access": "PUBLIC_INDEXABLE" });
    service
        .upload("/press", "a.txt", &vec![b'a'; size], options)
        .await
        .expect(201);
    service.damage_blobs();
    let request = service
        .request(Method::GET, "/hubfs/press/a.txt")
        .header("range", range);
    let is_complete = match request.send().await {
        Ok(response) => response.status().is_success() && response.bytes().await.is_ok(),
        Err(_) => false,
    };
    assert!(!is_complete);
}

#[tokio::test]
async fn a_copy_in_another_format_is_announced_with_its_extension() {
    let service = TestService::start().await;
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::DynamicImage::new_rgb8(400, 200)
        .write_to(&mut bytes, image::ImageFormat::Bmp)
        .unwrap();
    let bytes = bytes.into_inner();
    let file = service
        .upload("/", "logo.bmp", &bytes, json!({ "access": "PRIVATE" }))
        .await
        .expect(201)
        .json();
    let small = sign(&service, &file, "?size=icon").await.expect(200).json();
    assert_eq!(
        (&small["name"], &small["extension"], &small["type"]),
        (&json!("logo"), &json!("png"), &json!("IMG"))
    );
    let same = sign(&service, &file, "?size=preview")
        .await
        .expect(200)
        .json();
    assert_eq!(
        (&same["extension"], &same["size"]),
        (&json!("bmp"), &json!(bytes.len()))
    );
}

// Seen to fail when parts are sent unchecked from the disk.
#[rstest]
#[case::the_damaged_part("bytes=0-3")]
#[case::a_part_that_is_not_damaged("bytes=4-")]
#[tokio::test]
async fn no_part_of_a_small_file_that_is_damaged_is_served(#[case] range: &str) {
    let service = TestService::start().await;
    stored(&service, "a.txt", "PUBLIC_INDEXABLE").await;
    service.damage_blobs();
    let request = service
        .request(Method::GET, "/hubfs/press/a.txt")
        .header("range", range);
    let refused = answer(request).await.expect(500);
    assert_eq!(refused.json()["message"], "internal error");
    assert_eq!(refused.header("content-range"), None);
}

#[rstest]
#[case::icon("?size=icon", (32, 16))]
#[case::thumb("?size=thumb", (100, 50))]
#[case::medium("?size=medium", (300, 150))]
#[case::larger_than_it_is("?size=preview", (400, 200))]
#[case::enlarged("?size=preview&upscale=True", (1280, 640))]
#[case::as_it_is("", (400, 200))]
#[tokio::test]
async fn a_signed_size_serves_a_copy_of_that_size(
    #[case] query: &str,
    #[case] expected: (u32, u32),
) {
    let service = TestService::start().await;
    let file = service
        .upload("/", "logo.png", &picture(), json!({ "access": "PRIVATE" }))
        .await
        .expect(201)
        .json();
    let signed = sign(&service, &file, query).await.expect(200).json();
    let copy = service.fetch(url(&signed)).await.expect(200);
    let copied = image::load_from_memory(&copy.body).unwrap();
    assert_eq!((copied.width(), copied.height()), expected);
    assert_eq!(
        (&signed["width"], &signed["height"]),
        (&json!(expected.0), &json!(expected.1)),
        "it was said before"
    );
    assert_eq!(signed["size"], json!(copy.body.len()));
    assert_eq!(copy.header("content-type"), Some("image/png"));
    assert_eq!(
        copy.header("content-length"),
        Some(copy.body.len().to_string().as_str())
    );
    assert_eq!(copy.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(copy.header("cache-control"), Some("private, no-store"));
}

// Five copies of six megabytes. Fails if a copy that waits for its reader keeps memory or the child
// process.
#[tokio::test]
async fn slow_readers_of_a_copy_do_not_keep_others_from_theirs() {
    let service = TestService::start().await;
    let mut noise = 1_u32;
    let pixels = std::iter::repeat_with(|| {
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (noise >> 24) as u8
    });
    let large =
        image::RgbImage::from_raw(1281, 1281, pixels.take(1281 * 1281 * 3).collect()).unwrap();
    let mut bytes = std::io::Cursor::new(Vec::new());
    large.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    let file = service
        .upload(
            "/",
            "noise.png",
            bytes.get_ref(),
            json!({ "access": "PRIVATE" }),
        )
        .await
        .expect(201);
    let signed = sign(&service, &file.json(), "?size=preview")
        .await
        .expect(200)
        .json();
    let mut readers = Vec::new();
    let base = service.url("");
    for _ in 0..4 {
        let reader = service
            .request(Method::GET, url(&signed).trim_start_matches(&base))
            .send()
            .await
            .unwrap();
        assert!(
            reader
                .content_length()
                .is_some_and(|length| length > 4 << 20),
            "it is larger than all buffers"
        );
        readers.push(reader);
    }
    let copy = service.fetch(url(&signed)).await.expect(200);
    assert_eq!(signed["size"], json!(copy.body.len()));
    drop(readers);
}

#[rstest]
#[case::broken(b"\x89PNG\r\n\x1a\nrubbish".to_vec())]
#[case::claiming_much(bomb())]
#[case::cut_off(picture()[..60].to_vec())]
#[tokio::test]
async fn an_image_that_cannot_be_decoded_is_served_as_it_is(#[case] broken: Vec<u8>) {
    let service = TestService::start().await;
    let file = service
        .upload("/", "broken.png", &broken, json!({ "access": "PRIVATE" }))
        .await
        .expect(201)
        .json();
    let signed = sign(&service, &file, "?size=icon").await.expect(200).json();
    assert_eq!(service.fetch(url(&signed)).await.expect(200).body, broken);
}
