//! Malicious pictures, built byte by byte: with huge claims, truncated, of another type, endless.

use std::io::Cursor;

use image::codecs::gif::GifEncoder;
use image::{DynamicImage, Frame, ImageFormat};

pub fn hostile_pictures() -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for (sort, pictures) in [
        ("claims", claiming_much()),
        ("size", of_no_size()),
        ("odd", of_odd_colors()),
        ("turned", turned()),
        ("type", of_another_type()),
        ("endless", endless()),
        ("cut", cut()),
    ] {
        all.extend(
            pictures
                .into_iter()
                .map(|(name, bytes)| (format!("{sort}-{name}"), bytes)),
        );
    }
    all
}

type Named = Vec<(String, Vec<u8>)>;

fn named<const N: usize>(pictures: [(&str, Vec<u8>); N]) -> Named {
    pictures
        .map(|(name, bytes)| (name.to_owned(), bytes))
        .into()
}

/// A few bytes that claim to be gigabytes.
fn claiming_much() -> Named {
    let most = u32::MAX >> 1;
    let flat = encoded(&DynamicImage::new_luma8(7_000, 7_000), ImageFormat::Png);
    named([
        (
            "wide-and-high.png",
            png([60_000, 60_000], [8, 6, 0], &[zlib(&[0; 64])]),
        ),
        ("most.png", png([most, most], [16, 6, 1], &[zlib(&[0; 64])])),
        ("one-row.png", png([most, 1], [8, 6, 0], &[zlib(&[0; 64])])),
        ("nearly-too-much.png", flat.clone()),
        // Inflates to far more than the pixels that it claims.
        ("long-data.png", with_size(flat, 10, 10)),
        ("screen.gif", gif([u16::MAX; 2], &[[0, 0, 1, 1]])),
        ("frame.gif", gif([1, 1], &[[0, 0, u16::MAX, u16::MAX]])),
        (
            "frame-outside.gif",
            gif([4, 4], &[[u16::MAX, u16::MAX, 9, 9]]),
        ),
        (
            "canvas.webp",
            webp(*b"VP8X", &[0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
        ),
        (
            "lossless.webp",
            webp(*b"VP8L", &[0x2f, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0]),
        ),
        (
            "lossy.webp",
            webp(
                *b"VP8 ",
                &[0x10, 0, 0, 0x9d, 0x01, 0x2a, 0xff, 0x3f, 0xff, 0x3f, 0, 0],
            ),
        ),
        ("frame.jpg", jpeg([u16::MAX, u16::MAX], 3, &[])),
        ("bitmap.bmp", bmp(i32::MAX, i32::MAX)),
        ("bitmap-upside-down.bmp", bmp(4, i32::MIN)),
        ("palette.ico", ico(&bmp(0x7fff, 0x7fff)[14..])),
        (
            "picture.ico",
            ico(&png([60_000, 60_000], [8, 6, 0], &[zlib(&[0; 64])])),
        ),
        ("strips.tiff", tiff(u32::MAX, u32::MAX, 0)),
    ])
}

fn of_no_size() -> Named {
    named([
        ("none.png", png([0, 0], [8, 6, 0], &[zlib(&[])])),
        ("no-width.png", png([0, 9], [8, 2, 0], &[zlib(&[0; 9])])),
        ("none.gif", gif([0, 0], &[[0, 0, 0, 0]])),
        ("no-frame.gif", gif([9, 9], &[])),
        (
            "none.webp",
            webp(*b"VP8 ", &[0x10, 0, 0, 0x9d, 0x01, 0x2a, 0, 0, 0, 0]),
        ),
        ("none.jpg", jpeg([0, 0], 3, &[])),
        ("none.bmp", bmp(0, 0)),
        ("none.ico", ico(&[])),
        ("none.tiff", tiff(0, 0, 0)),
        ("no-byte-more.png", b"\x89PNG\r\n\x1a\n".to_vec()),
    ])
}

/// Some of these are valid but rare pictures.
fn of_odd_colors() -> Named {
    let adobe = |transform| {
        [
            b"\xff\xee\0\x0eAdobe\0\x64\0\0\0\0".as_slice(),
            &[transform],
        ]
        .concat()
    };
    named([
        (
            "deep.png",
            encoded(&DynamicImage::new_rgba16(9, 9), ImageFormat::Png),
        ),
        (
            "deep-gray.png",
            encoded(&DynamicImage::new_luma_a16(9, 9), ImageFormat::Png),
        ),
        (
            "one-bit.png",
            png([9, 2], [1, 0, 0], &[zlib(&[0, 0xff, 0xff, 0, 0xff, 0xff])]),
        ),
        ("no-palette.png", png([1, 1], [8, 3, 0], &[zlib(&[0, 7])])),
        (
            "color-type-5.png",
            png([1, 1], [8, 5, 0], &[zlib(&[0, 0, 0])]),
        ),
        ("three-bits.png", png([1, 1], [3, 0, 0], &[zlib(&[0, 0])])),
        ("interlace-9.png", png([1, 1], [8, 0, 9], &[zlib(&[0, 0])])),
        ("gray.jpg", jpeg([8, 8], 1, &[])),
        ("cmyk.jpg", jpeg([8, 8], 4, &adobe(0))),
        ("ycck.jpg", jpeg([8, 8], 4, &adobe(2))),
        ("adobe-99.jpg", jpeg([8, 8], 3, &adobe(99))),
    ])
}

/// Orientations that a camera records, and others that it never would.
fn turned() -> Named {
    let exif = |tiff: &[u8]| {
        let length = u16::try_from(tiff.len() + 8).unwrap().to_be_bytes();
        [b"\xff\xe1".as_slice(), &length, b"Exif\0\0", tiff].concat()
    };
    let turn = |value: u16| {
        let value = value.to_le_bytes();
        [
            b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0".as_slice(),
            &value,
            &[0; 6],
        ]
        .concat()
    };
    named([
        ("left.jpg", jpeg([8, 16], 1, &exif(&turn(8)))),
        ("by-99.jpg", jpeg([8, 8], 1, &exif(&turn(99)))),
        (
            "around-itself.jpg",
            jpeg([8, 8], 1, &exif(b"II*\0\x08\0\0\0\0\0\x08\0\0\0")),
        ),
        (
            "outside.jpg",
            jpeg([8, 8], 1, &exif(b"MM\0*\xff\xff\xff\xff")),
        ),
        (
            "many.jpg",
            jpeg(
                [8, 8],
                1,
                &exif(b"II*\0\x08\0\0\0\xff\xff\x12\x01\x03\0\xff\xff\xff\xff"),
            ),
        ),
        ("noise.jpg", jpeg([8, 8], 1, &exif(&[0xa5; 999]))),
        ("nothing.jpg", jpeg([8, 8], 1, &exif(b""))),
    ])
}

fn of_another_type() -> Named {
    let html = b"<html><script>alert(1)</script>\x1b]0;owned\x07\xe2\x80\xae</html>";
    let laughs = "<?xml version=\"1.0\"?><!DOCTYPE svg [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;\">\
                  <!ENTITY c \"&b;&b;&b;&b;\"><!ENTITY x SYSTEM \"file:///etc/passwd\">]>\
                  <svg xmlns=\"http://www.w3.org/2000/svg\"><text>&c;&x;\u{202e}\u{1b}[2J</text></svg>";
    named([
        ("text.png", b"not a picture, \x1b[2J at all".to_vec()),
        ("page.gif", html.to_vec()),
        ("page.webp", html.to_vec()),
        ("png.jpg", png([1, 1], [8, 0, 0], &[zlib(&[0, 0])])),
        ("jpg.png", jpeg([8, 8], 1, &[])),
        ("drawing.png", laughs.as_bytes().to_vec()),
        ("entities.svg", laughs.as_bytes().to_vec()),
        ("zeros.bmp", vec![0; 4_096]),
        (
            "noise.tiff",
            (0..4_096_u32)
                .map(|at| (at * at * 31 % 251).to_le_bytes()[0])
                .collect(),
        ),
    ])
}

fn endless() -> Named {
    let mut frames = Cursor::new(Vec::new());
    let mut encoder = GifEncoder::new(&mut frames);
    for _ in 0..3 {
        encoder
            .encode_frame(Frame::new(image::RgbaImage::new(4, 4)))
            .unwrap();
    }
    drop(encoder);
    let mut never_ends = frames.into_inner();
    // Removes its last byte, and then repeats its last frames again and again.
    never_ends.pop();
    let again = never_ends.split_off(never_ends.len() / 2);
    for _ in 0..20_000 {
        never_ends.extend(&again);
    }
    named([
        ("frames.gif", gif([4, 4], &vec![[0, 0, 4, 4]; 20_000])),
        ("no-end.gif", never_ends),
        (
            "chunks.png",
            png([4, 4], [8, 0, 0], &vec![Vec::new(); 20_000]),
        ),
        ("directories.tiff", tiff(4, 4, 8)),
        (
            "segments.jpg",
            jpeg([8, 8], 1, &b"\xff\xfe\0\x02".repeat(50_000)),
        ),
    ])
}

/// A progressive JPEG of 64 megapixels and 10 KB: a thousand scans without data, each of which goes
/// over all blocks.
pub fn empty_scans() -> Vec<u8> {
    // Tables of one code of one bit: no difference, end of block.
    let table = |class: u8| [&[0xff, 0xc4, 0, 20, class, 1][..], &[0; 15], &[0]].concat();
    let scan = |first: u8, last: u8| [0xff, 0xda, 0, 8, 1, 1, 0, first, last, 1];
    [
        b"\xff\xd8\xff\xdb\0\x43\0".as_slice(),
        &[1; 64],
        // 8,000 by 8,000, one component.
        &[0xff, 0xc2, 0, 11, 8, 0x1f, 0x40, 0x1f, 0x40, 1, 1, 0x11, 0],
        &table(0x00),
        &table(0x10),
        &scan(0, 0),
        &scan(1, 63).repeat(1_000),
        b"\xff\xd9",
    ]
    .concat()
}

fn cut() -> Named {
    let mut all = Vec::new();
    for (name, format) in [
        ("png", ImageFormat::Png),
        ("jpg", ImageFormat::Jpeg),
        ("gif", ImageFormat::Gif),
        ("webp", ImageFormat::WebP),
        ("bmp", ImageFormat::Bmp),
        ("ico", ImageFormat::Ico),
        ("tiff", ImageFormat::Tiff),
    ] {
        let whole = encoded(&DynamicImage::new_rgb8(40, 30), format);
        for quarter in 1..4 {
            let bytes = whole[..whole.len() * quarter / 4].to_vec();
            all.push((format!("after-{quarter}-quarters.{name}"), bytes));
        }
        all.push((
            format!("but-for-a-byte.{name}"),
            whole[..whole.len() - 1].to_vec(),
        ));
    }
    all
}

fn encoded(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let picture = if format == ImageFormat::Ico {
        picture.to_rgba8().into()
    } else {
        picture.clone()
    };
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// A PNG of that size with bit depth, color type and interlacing, and these pieces of data.
fn png([width, height]: [u32; 2], [depth, color, interlace]: [u8; 3], data: &[Vec<u8>]) -> Vec<u8> {
    let head = [
        &width.to_be_bytes()[..],
        &height.to_be_bytes(),
        &[depth, color, 0, 0, interlace],
    ]
    .concat();
    let mut bytes = [b"\x89PNG\r\n\x1a\n".as_slice(), &chunk(*b"IHDR", &head)].concat();
    for data in data {
        bytes.extend(chunk(*b"IDAT", data));
    }
    bytes.extend(chunk(*b"IEND", b""));
    bytes
}

fn with_size(mut png: Vec<u8>, width: u32, height: u32) -> Vec<u8> {
    let rest = png[24..29].to_vec();
    let head = [&width.to_be_bytes()[..], &height.to_be_bytes(), &rest].concat();
    png.splice(8..33, chunk(*b"IHDR", &head));
    png
}

fn chunk(name: [u8; 4], data: &[u8]) -> Vec<u8> {
    let content = [&name[..], data].concat();
    let crc = !content.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg())
        })
    });
    [
        &u32::try_from(data.len()).unwrap().to_be_bytes()[..],
        &content,
        &crc.to_be_bytes(),
    ]
    .concat()
}

/// The data in zlib's format for PNG, without compression.
fn zlib(data: &[u8]) -> Vec<u8> {
    let (mut a, mut b) = (1_u32, 0_u32);
    for byte in data {
        a = (a + u32::from(*byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    let length = u16::try_from(data.len()).unwrap();
    let sum = (b << 16 | a).to_be_bytes();
    [
        b"\x78\x01\x01".as_slice(),
        &length.to_le_bytes(),
        &(!length).to_le_bytes(),
        data,
        &sum,
    ]
    .concat()
}

/// A GIF with a screen of that size and frames with x, y, width and height; each contains only a
/// clear code.
fn gif(screen: [u16; 2], frames: &[[u16; 4]]) -> Vec<u8> {
    let numbers = |numbers: &[u16]| {
        numbers
            .iter()
            .flat_map(|number| number.to_le_bytes())
            .collect::<Vec<u8>>()
    };
    let mut bytes = [
        b"GIF89a".as_slice(),
        &numbers(&screen),
        b"\x80\0\0\0\0\0\xff\xff\xff",
    ]
    .concat();
    for frame in frames {
        bytes.extend([b",".as_slice(), &numbers(frame), b"\0\x02\x02\x4c\x01\0"].concat());
    }
    bytes.push(b';');
    bytes
}

fn webp(name: [u8; 4], data: &[u8]) -> Vec<u8> {
    let size = |bytes: &[u8]| u32::try_from(bytes.len()).unwrap().to_le_bytes();
    let content = [b"WEBP".as_slice(), &name, &size(data), data].concat();
    [b"RIFF".as_slice(), &size(&content), &content].concat()
}

/// A baseline JPEG of that width and height with this many components, all of the middle value,
/// with `extra` segments. The data is only enough for eight by eight pixels.
fn jpeg([width, height]: [u16; 2], components: u8, extra: &[u8]) -> Vec<u8> {
    let ids = 1..=components;
    let length = |bytes: usize| u16::try_from(bytes).unwrap().to_be_bytes();
    let frame: Vec<u8> = ids.clone().flat_map(|id| [id, 0x11, 0]).collect();
    let scan: Vec<u8> = ids.flat_map(|id| [id, 0]).collect();
    // Each table has one code, a bit long: no difference, and end of block.
    let table = |class: u8| [&[0xff, 0xc4, 0, 20, class, 1][..], &[0; 15], &[0]].concat();
    [
        b"\xff\xd8".as_slice(),
        extra,
        b"\xff\xdb\0\x43\0",
        &[1; 64],
        b"\xff\xc0",
        &length(8 + frame.len()),
        b"\x08",
        &height.to_be_bytes(),
        &width.to_be_bytes(),
        &[components],
        &frame,
        &table(0x00),
        &table(0x10),
        b"\xff\xda",
        &length(6 + scan.len()),
        &[components],
        &scan,
        b"\0\x3f\0",
        &[0; 8],
        b"\xff\xd9",
    ]
    .concat()
}

fn bmp(width: i32, height: i32) -> Vec<u8> {
    let head = [
        b"\x28\0\0\0".as_slice(),
        &width.to_le_bytes(),
        &height.to_le_bytes(),
        b"\x01\0\x18\0",
        &[0; 24],
        &[0; 64],
    ]
    .concat();
    [b"BM\x36\0\0\0\0\0\0\0\x36\0\0\0".as_slice(), &head].concat()
}

fn ico(picture: &[u8]) -> Vec<u8> {
    let length = u32::try_from(picture.len()).unwrap().to_le_bytes();
    [
        b"\0\0\x01\0\x01\0\0\0\0\0\x01\0\x20\0".as_slice(),
        &length,
        b"\x16\0\0\0",
        picture,
    ]
    .concat()
}

/// A TIFF of one strip; `next` is the offset of the next directory, which may be this one.
fn tiff(width: u32, height: u32, next: u32) -> Vec<u8> {
    let entry = |tag: u16, value: u32| {
        [
            &tag.to_le_bytes()[..],
            b"\x04\0\x01\0\0\0",
            &value.to_le_bytes(),
        ]
        .concat()
    };
    let entries = [
        entry(256, width),
        entry(257, height),
        entry(258, 8),
        entry(259, 1),
        entry(262, 1),
        entry(273, 8),
        entry(279, 16),
    ];
    let count = u16::try_from(entries.len()).unwrap().to_le_bytes();
    [
        b"II*\0\x08\0\0\0".as_slice(),
        &count,
        &entries.concat(),
        &next.to_le_bytes(),
    ]
    .concat()
}
