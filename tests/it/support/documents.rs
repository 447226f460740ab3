//! PDF documents, SVG pictures and fonts to upload: valid ones, and ones that an attacker would
//! make. Written by hand.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// A PDF of these objects, the first of which is the catalog.
pub fn pdf(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = b"%PDF-1.7\n".to_vec();
    let mut places = Vec::new();
    for (number, object) in (1..).zip(objects) {
        places.push(bytes.len());
        bytes.extend(format!("{number} 0 obj\n").bytes());
        bytes.extend(object);
        bytes.extend(b"\nendobj\n");
    }
    let (start, count) = (bytes.len(), objects.len() + 1);
    bytes.extend(format!("xref\n0 {count}\n0000000000 65535 f \n").bytes());
    for place in places {
        bytes.extend(format!("{place:010} 00000 n \n").bytes());
    }
    bytes.extend(
        format!("trailer\n<</Size {count}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n").bytes(),
    );
    bytes
}

fn stream(dictionary: &str, bytes: &[u8]) -> Vec<u8> {
    let head = format!("<<{dictionary}/Length {}>>\nstream\n", bytes.len());
    [head.as_bytes(), bytes, b"\nendstream"].concat()
}

/// Two pages of 200 by 100 points, the first one red and the second one blue.
pub fn two_pages() -> Vec<u8> {
    let page = |content| {
        format!("<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents {content} 0 R>>")
            .into_bytes()
    };
    pdf(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>".to_vec(),
        page(5),
        page(6),
        stream("", b"1 0 0 rg 0 0 200 100 re f"),
        stream("", b"0 0 1 rg 0 0 200 100 re f"),
    ])
}

/// A page with this content and these resources; objects from the fifth on follow.
fn page(content: Vec<u8>, resources: &str, more: impl IntoIterator<Item = Vec<u8>>) -> Vec<u8> {
    let page = format!(
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 4 0 R/Resources<<{resources}>>>>"
    );
    let objects = [
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        page.into_bytes(),
        content,
    ];
    pdf(&objects.into_iter().chain(more).collect::<Vec<_>>())
}

fn empty_page(media_box: &str) -> Vec<u8> {
    let page = format!("<</Type/Page/Parent 2 0 R/MediaBox[{media_box}]>>");
    let pages = b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec();
    pdf(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        pages,
        page.into_bytes(),
    ])
}

/// A font with a square for `A`.
pub fn font() -> Vec<u8> {
    let words = |words: &[i32]| {
        words
            .iter()
            .flat_map(|word| word.to_be_bytes()[2..].to_vec())
            .collect::<Vec<u8>>()
    };
    let mut head = vec![0; 54];
    head[..4].copy_from_slice(&[0, 1, 0, 0]);
    head[12..16].copy_from_slice(&[0x5f, 0x0f, 0x3c, 0xf5]);
    head[18..20].copy_from_slice(&1_000_u16.to_be_bytes());
    let mut lines = vec![0; 36];
    lines[..8].copy_from_slice(&[0, 1, 0, 0, 3, 32, 0xff, 56]);
    lines[34..].copy_from_slice(&[0, 2]);
    let mut most = vec![0; 32];
    most[..6].copy_from_slice(&[0, 1, 0, 0, 0, 2]);
    // One contour of four points: its last point, no instructions, flags, then horizontal and
    // vertical steps.
    let outline = [
        words(&[1, 0, 0, 700, 700, 3, 0]),
        vec![1; 4],
        words(&[0, 700, 0, -700, 0, 0, 700, 0]),
    ]
    .concat();
    let letters = [
        words(&[0, 1, 3, 10]),
        12_u32.to_be_bytes().to_vec(),
        words(&[12, 0]),
        [28_u32, 0, 1, 65, 65, 1]
            .iter()
            .flat_map(|word| word.to_be_bytes())
            .collect(),
    ];
    let end = i32::try_from(outline.len() / 2).unwrap();
    let tables: [(&[u8; 4], Vec<u8>); 7] = [
        (b"cmap", letters.concat()),
        (b"glyf", outline),
        (b"head", head),
        (b"hhea", lines),
        (b"hmtx", words(&[800, 0, 800, 0])),
        (b"loca", words(&[0, 0, end])),
        (b"maxp", most),
    ];
    let mut bytes = [&[0, 1, 0, 0][..], &words(&[7, 64, 2, 48])].concat();
    let mut place = bytes.len() + tables.len() * 16;
    for (name, table) in &tables {
        bytes.extend(*name);
        for number in [0, place, table.len()] {
            bytes.extend(u32::try_from(number).unwrap().to_be_bytes());
        }
        place += table.len().next_multiple_of(4);
    }
    for (_, mut table) in tables {
        table.resize(table.len().next_multiple_of(4), 0);
        bytes.extend(table);
    }
    bytes
}

pub fn hostile_documents() -> Vec<(String, Vec<u8>)> {
    let named = |(name, bytes): (&str, Vec<u8>)| (name.to_owned(), bytes);
    let form = |number: u32| {
        let inside = format!(
            "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</F {} 0 R>>>>",
            number + 1
        );
        stream(&inside, b"/F Do /F Do 0 0 9 9 re f")
    };
    let image = "/Type/XObject/Subtype/Image/Width 60000/Height 60000/BitsPerComponent 8/ColorSpace/DeviceRGB";
    let doubled = |at| {
        format!(
            "<g id=\"g{}\"><use href=\"#g{at}\"/><use href=\"#g{at}\"/></g>",
            at + 1
        )
    };
    let doubled = (0..60).map(doubled).collect::<Vec<_>>().concat();
    let entity = |at| {
        format!(
            "<!ENTITY e{at} \"{}\">",
            format!("&e{};", at - 1).repeat(10)
        )
    };
    let entities = (1..12).map(entity).collect::<Vec<_>>().concat();
    let svg = |inside: &str| {
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\">{inside}</svg>")
            .into_bytes()
    };
    let (good, letters) = (two_pages(), font());
    let mut all: Vec<_> = [
        ("inflates.pdf", page(stream("/Filter/FlateDecode", &zeros(700 << 20)), "", [])),
        ("doubles.pdf", page(stream("", b"/F Do"), "/XObject<</F 5 0 R>>", (5..60).map(form))),
        ("loops.pdf", page(stream("", b"/F Do"), "/XObject<</F 5 0 R>>", [form(4)])),
        ("image.pdf", page(stream("", b"9 0 0 9 0 0 cm /F Do"), "/XObject<</F 5 0 R>>", [stream(image, b"x")])),
        ("own-parent.pdf", pdf(&[b"<</Type/Catalog/Pages 2 0 R>>".to_vec(), b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 9>>".to_vec()])),
        ("huge-page.pdf", empty_page("0 0 1e9 1e9")),
        ("long-page.pdf", empty_page("0 0 1e9 1")),
        ("doubles.svg", svg(&format!("<g id=\"g0\"><path d=\"M0 0h9v9z\"/></g>{doubled}<use href=\"#g60\"/>"))),
        ("uses-itself.svg", svg("<g id=\"a\"><use href=\"#a\"/></g>")),
        ("deep.svg", svg(&"<g>".repeat(200_000))),
        ("huge.svg", b"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1e30\" height=\"1e30\"/>".to_vec()),
        ("dashes.svg", svg("<path stroke=\"red\" stroke-dasharray=\"1e-7\" d=\"M0 0h1e9\"/>")),
        ("blur.svg", svg("<filter id=\"f\"><feGaussianBlur stdDeviation=\"1e9\"/></filter><rect filter=\"url(#f)\" width=\"9\" height=\"9\"/>")),
        ("entities.svg", [format!("<!DOCTYPE svg [<!ENTITY e0 \"ha\">{entities}]>").into_bytes(), svg("<text>&e11;</text>")].concat()),
        ("outside.svg", svg("<image href=\"file:///etc/passwd\" width=\"9\" height=\"9\"/><rect width=\"9\" height=\"9\"/>")),
        ("text.ttf", b"<html>not found</html>".to_vec()),
    ]
    .map(named)
    .into();
    for (name, whole) in [("pdf", good), ("ttf", letters)] {
        for at in (0..whole.len()).step_by(whole.len() / 12) {
            let mut damaged = whole.clone();
            damaged[at] ^= 0xff;
            all.push((format!("damaged-{at}.{name}"), damaged));
            all.push((format!("cut-{at}.{name}"), whole[..at].to_vec()));
        }
    }
    all
}

fn zeros(length: usize) -> Vec<u8> {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
    let block = vec![0; 1 << 20];
    for _ in 0..length >> 20 {
        packed.write_all(&block).unwrap();
    }
    packed.finish().unwrap()
}
