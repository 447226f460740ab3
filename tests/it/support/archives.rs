//! ZIP archives to upload: valid ones, and ones that an attacker would make.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use rawzip::{CompressionMethod, ZipArchiveWriter};

pub fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut archive = ZipArchiveWriter::new(&mut bytes);
    for (name, content) in files {
        if name.ends_with('/') {
            archive.new_dir(*name).create().unwrap();
            continue;
        }
        let (mut entry, config) = archive
            .new_file(*name)
            .compression_method(CompressionMethod::DEFLATE)
            .start()
            .unwrap();
        let mut writer = config.wrap(DeflateEncoder::new(&mut entry, Compression::fast()));
        writer.write_all(content).unwrap();
        let (encoder, descriptor) = writer.finish().unwrap();
        encoder.finish().unwrap();
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap();
    bytes
}

pub fn docx(body: &str) -> Vec<u8> {
    let document =
        format!("<?xml version=\"1.0\"?><w:document><w:body>{body}</w:body></w:document>");
    zip(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("word/document.xml", document.as_bytes()),
    ])
}

/// A workbook whose first sheet is not the first file.
pub fn xlsx(rows: &str, shared: &str) -> Vec<u8> {
    let sheet = format!("<worksheet><sheetData>{rows}</sheetData></worksheet>");
    let shared = format!("<sst>{shared}</sst>");
    zip(&[
        (
            "xl/workbook.xml",
            b"<workbook><sheets><sheet name=\"A\" r:id=\"rId2\"/><sheet r:id=\"rId1\"/></sheets></workbook>",
        ),
        (
            "xl/_rels/workbook.xml.rels",
            b"<Relationships><Relationship Id=\"rId1\" Target=\"worksheets/sheet1.xml\"/>\
              <Relationship Id=\"rId2\" Target=\"/xl/worksheets/sheet2.xml\"/></Relationships>",
        ),
        ("xl/worksheets/sheet1.xml", b"<worksheet><sheetData><row><c><v>wrong</v></c></row></sheetData></worksheet>"),
        ("xl/worksheets/sheet2.xml", sheet.as_bytes()),
        ("xl/sharedStrings.xml", shared.as_bytes()),
    ])
}

pub fn hostile_archives() -> Vec<(String, Vec<u8>)> {
    let named = |(name, bytes): (&str, Vec<u8>)| (name.to_owned(), bytes);
    let whole = zip(&[("a/", b""), ("a/b.txt", b"hello"), ("c.txt", &[7; 3_000])]);
    let entities = "<!DOCTYPE a [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;\">]><w:p><w:t>&c;</w:t></w:p>";
    let outside =
        "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><w:p><w:t>&x;</w:t></w:p>";
    let mut all: Vec<_> = [
        // 64 MiB of one letter in one paragraph, packed into a few KiB.
        ("bomb.docx", zip(&[("word/document.xml", &bomb())])),
        (
            "bomb.xlsx",
            xlsx(
                &format!("<row><c t=\"s\"><v>{}</v></c></row>", "9".repeat(5_000_000)),
                &"<si/>".repeat(500_000),
            ),
        ),
        (
            "entities.docx",
            zip(&[("word/document.xml", entities.as_bytes())]),
        ),
        (
            "outside.docx",
            zip(&[("word/document.xml", outside.as_bytes())]),
        ),
        (
            "deep.docx",
            zip(&[(
                "word/document.xml",
                "<w:tc><w:p>".repeat(300_000).as_bytes(),
            )]),
        ),
        (
            "attributes.pptx",
            zip(&[(
                "ppt/slides/slide1.xml",
                format!("<p {}/>", "a=\"&lt;\" ".repeat(200_000)).as_bytes(),
            )]),
        ),
        (
            "names.zip",
            zip(&[
                ("../../etc/passwd", b"x"),
                ("\u{1b}[2J\u{202e}gpj.exe", b"x"),
                (&"n".repeat(60_000), b"x"),
            ]),
        ),
        (
            "only-an-end.zip",
            [b"PK\x05\x06".as_slice(), &[0; 18]].concat(),
        ),
        (
            "endless-directory.zip",
            [b"PK\x05\x06\0\0\0\0\xff\xfe\xff\xfe\xff\xff\xff\xfe\0\0\0\0\0\0".as_slice()].concat(),
        ),
        ("text.zip", b"<html>not found</html>".to_vec()),
    ]
    .map(named)
    .into();
    for length in (0..whole.len()).step_by(11) {
        all.push((format!("cut-{length}.zip"), whole[..length].to_vec()));
    }
    for at in (0..whole.len()).step_by(7) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0xff;
        all.push((format!("damaged-{at}.zip"), damaged));
    }
    all
}

fn bomb() -> Vec<u8> {
    let mut xml = b"<w:p><w:t>".to_vec();
    xml.resize(64 << 20, b'a');
    xml
}
