//! Previews of archives and office files: lists, texts and tables from their parts, and the limits
//! of hostile ones.

use filedeck::engine::preview::{ArchiveContents, Class, Preview, PreviewTarget};
use rstest::rstest;

use super::preview::{look, look_into, shown};
use super::*;
use crate::support::archives::{docx, xlsx, zip};

async fn looked(name: &str, bytes: &[u8]) -> Preview {
    look_into(name, bytes, Access::Private).await
}

#[tokio::test]
async fn a_zip_is_a_list_with_sizes() {
    let bytes = zip(&[
        ("docs/", b""),
        ("docs/a.txt", b"hello"),
        ("b.bin", &[0; 9_000]),
    ]);
    let Preview::Archive(ArchiveContents {
        entries,
        count,
        bytes,
        is_all,
    }) = looked("a.zip", &bytes).await
    else {
        panic!("no list")
    };
    let listed: Vec<_> = entries
        .iter()
        .map(|entry| (entry.name.as_str(), entry.size))
        .collect();
    assert_eq!(
        listed,
        [
            ("docs/", None),
            ("docs/a.txt", Some(5)),
            ("b.bin", Some(9_000))
        ]
    );
    assert_eq!((count, bytes, is_all), (3, 9_005, true));
}

#[tokio::test]
async fn a_document_is_its_text_and_without_one_a_list() {
    let body = "<w:p><w:pPr><w:pStyle w:val=\"Heading1\"/></w:pPr><w:t>Plan</w:t></w:p><w:p><w:t>a &amp; b</w:t></w:p>";
    let Preview::Text(text) = looked("a.docx", &docx(body)).await else {
        panic!("no text")
    };
    assert_eq!(shown(&text), ["Plan", "a & b"]);
    assert_eq!(text.lines[0][0].0, Class::Heading);
    let slide = |text: &str| format!("<p:sld><a:p><a:t>{text}</a:t></a:p></p:sld>");
    let slides = zip(&[
        ("ppt/slides/slide10.xml", slide("ten").as_bytes()),
        ("ppt/slides/slide2.xml", slide("two").as_bytes()),
    ]);
    let Preview::Text(text) = looked("a.pptx", &slides).await else {
        panic!("no text")
    };
    assert_eq!(shown(&text), ["Slide 2", "two", "", "Slide 10", "ten"]);
    let other = zip(&[("word/other.xml", b"<a/>")]);
    assert!(matches!(
        looked("a.docx", &other).await,
        Preview::Archive(_)
    ));
}

#[tokio::test]
async fn a_workbook_is_the_sheet_that_comes_first_in_it() {
    let rows = "<row><c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"C1\"><v>4.5</v></c></row>";
    let Preview::Table(table) = looked("a.xlsx", &xlsx(rows, "<si><t>Name</t></si>")).await else {
        panic!("no table")
    };
    assert_eq!(table.rows, [["Name", "", "4.5"]]);
}

pub(super) async fn host(extension: &str, bytes: Vec<u8>) -> (Capture, Engine, PreviewTarget) {
    let size = bytes.len();
    let files = Capture::start(move |seen, _| {
        let range = seen
            .header("range")
            .and_then(|range| range.strip_prefix("bytes=")?.split_once('-'))
            .unwrap();
        let (first, last): (usize, usize) = (range.0.parse().unwrap(), range.1.parse().unwrap());
        let headers = vec![("content-range", format!("bytes {first}-{last}/{size}"))];
        Reply::Bytes(206, headers, bytes[first..=last].to_vec())
    })
    .await;
    let file = json!({ "id": "7", "name": "a", "extension": extension, "size": size, "access": "PUBLIC_INDEXABLE",
        "url": format!("{}f/a", files.url) });
    let engine = Engine::start(client(&files.url)).await;
    (
        files,
        engine,
        PreviewTarget::File(Box::new(serde_json::from_value(file).unwrap())),
    )
}

/// Bytes that do not compress.
fn noise(length: usize) -> Vec<u8> {
    let next = |seed: &mut u32| {
        *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        Some(seed.to_be_bytes()[0])
    };
    std::iter::repeat_n((), length)
        .scan(1, |seed, ()| next(seed))
        .collect()
}

#[rstest]
#[case::zip("zip", 1)]
#[case::document("docx", 2)]
#[tokio::test]
async fn of_a_large_archive_little_is_fetched(#[case] extension: &str, #[case] requests: usize) {
    let document = b"<w:document><w:p><w:t>far inside</w:t></w:p></w:document>";
    let noise = noise(5_000_000);
    let bytes = zip(&[
        ("a.png", &noise),
        ("word/document.xml", document),
        ("b.png", &noise),
    ]);
    let (files, mut engine, target) = host(extension, bytes).await;
    match look(&mut engine, target).await {
        Preview::Archive(contents) => assert_eq!((contents.count, contents.bytes), (3, 10_000_057)),
        Preview::Text(text) => assert_eq!(shown(&text), ["far inside"]),
        other => panic!("{other:?}"),
    }
    assert_eq!(files.seen().len(), requests);
    assert!(
        files
            .seen()
            .iter()
            .all(|seen| seen.header("authorization").is_none())
    );
}

#[tokio::test]
async fn of_very_many_entries_the_first_are_listed() {
    let names: Vec<String> = (0..30_000)
        .map(|number| format!("folder/picture-{number:05}.png"))
        .collect();
    let files: Vec<_> = names
        .iter()
        .map(|name| (name.as_str(), b"".as_slice()))
        .collect();
    let Preview::Archive(contents) = looked("a.zip", &zip(&files)).await else {
        panic!()
    };
    assert_eq!(
        (contents.entries.len(), contents.count, contents.is_all),
        (2_000, 30_000, false)
    );
}
