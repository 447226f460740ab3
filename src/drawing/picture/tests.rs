//! Tests with pictures of every format: large, damaged and hostile ones.

use image::{Rgb, Rgba, RgbaImage};
use jpeg_encoder::{ColorType, Encoder, SamplingFactor};
use proptest::prelude::*;
use rstest::rstest;

use super::*;
use crate::drawing::request::DrawKind;
use crate::hostile;

/// Red on the left, green on the right, darker towards the bottom.
fn jpeg(
    width: u16,
    height: u16,
    is_progressive: bool,
    sampling: SamplingFactor,
    restart: u16,
) -> Vec<u8> {
    let (wide, high) = (u32::from(width), u32::from(height));
    let picture = image::RgbImage::from_fn(wide, high, |x, y| {
        let light = u8::try_from(250 - 150 * y / high).unwrap();
        Rgb(if x < wide / 2 {
            [light, 0, 0]
        } else {
            [0, light, 0]
        })
    });
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, 95);
    encoder.set_progressive(is_progressive);
    encoder.set_sampling_factor(sampling);
    if restart > 0 {
        encoder.set_restart_interval(restart);
    }
    encoder
        .encode(&picture, width, height, ColorType::Rgb)
        .unwrap();
    bytes
}

#[rstest]
fn a_large_jpeg_looks_the_same_at_a_smaller_scale(
    #[values(false, true)] is_progressive: bool,
    #[values(
        SamplingFactor::R_4_4_4,
        SamplingFactor::R_4_2_0,
        SamplingFactor::R_4_2_2
    )]
    sampling: SamplingFactor,
    #[values(0, 3)] restart: u16,
) {
    let bytes = jpeg(1_203, 805, is_progressive, sampling, restart);
    let source = PictureSource::read(&bytes).unwrap();
    let whole = image::load_from_memory(&bytes)
        .unwrap()
        .thumbnail(100, 100)
        .into_rgb8();
    let small = source.fitted((100, 100), MEMORY).unwrap().into_rgb8();
    assert_eq!(whole.dimensions(), (100, 67));
    assert_eq!(small.dimensions(), whole.dimensions());
    for (x, y) in [(10, 5), (40, 60), (60, 5), (90, 60), (25, 33)] {
        let (one, other) = (whole.get_pixel(x, y).0, small.get_pixel(x, y).0);
        assert!(
            one.iter()
                .zip(other)
                .all(|(one, other)| one.abs_diff(other) < 10),
            "{x} {y}: {one:?} {other:?}"
        );
    }
}

#[test]
fn a_progressive_jpeg_counts_its_coefficients() {
    for (is_progressive, is_refused) in [(false, false), (true, true)] {
        let bytes = jpeg(1_203, 805, is_progressive, SamplingFactor::R_4_2_0, 0);
        let fitted = PictureSource::read(&bytes)
            .unwrap()
            .fitted((100, 100), 400_000);
        assert_eq!(fitted.err(), is_refused.then_some(Undrawable::TooMuch));
    }
}

/// A marker beside the picture says how its inks are stored, and not all decoders read it in the
/// same way.
#[rstest]
fn inks_are_the_same_colors_at_a_smaller_scale(
    #[values(false, true)] is_progressive: bool,
    #[values(ColorType::Cmyk, ColorType::CmykAsYcck)] colors: ColorType,
) {
    // Hardly any ink, a lot of cyan, a lot of black.
    let inks = [[10, 20, 30, 5], [220, 30, 10, 0], [0, 0, 0, 230]];
    let pixels: Vec<u8> = (0..480 * 320).flat_map(|at| inks[at % 480 / 160]).collect();
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, 95);
    encoder.set_progressive(is_progressive);
    encoder.encode(&pixels, 480, 320, colors).unwrap();
    let source = PictureSource::read(&bytes).unwrap();
    let whole = image::load_from_memory(&bytes)
        .unwrap()
        .thumbnail(30, 30)
        .into_rgb8();
    let small = source.fitted((30, 30), MEMORY).unwrap().into_rgb8();
    assert_eq!(
        (whole.dimensions(), small.dimensions()),
        ((30, 20), (30, 20))
    );
    for x in [5, 15, 25] {
        let (one, other) = (whole.get_pixel(x, 10).0, small.get_pixel(x, 10).0);
        assert!(
            one.iter()
                .zip(other)
                .all(|(one, other)| one.abs_diff(other) < 10),
            "{x}: {one:?} {other:?}"
        );
    }
}

#[test]
fn a_webp_counts_frames_that_are_larger_than_it_says() {
    let chunk = |name: &[u8], content: &[u8]| {
        [
            name,
            &u32::try_from(content.len()).unwrap().to_le_bytes(),
            content,
        ]
        .concat()
    };
    let frame = chunk(
        b"VP8 ",
        &[0x10, 0, 0, 0x9d, 0x01, 0x2a, 0xff, 0x3f, 0xff, 0x3f],
    );
    let extended = chunk(b"VP8X", &[2, 0, 0, 0, 9, 0, 0, 9, 0, 0]);
    let animated = chunk(b"ANMF", &[&[0; 16][..], &frame].concat());
    for frame in [frame, animated] {
        let bytes = [b"RIFF\0\0\0\0WEBP".as_slice(), &extended, &frame].concat();
        let source = PictureSource::read(&bytes).unwrap();
        assert_eq!(source.size(), (10, 10));
        assert_eq!(
            source.fitted((5, 5), 100_000_000).unwrap_err(),
            Undrawable::TooMuch
        );
    }
}

#[rstest]
fn cut_and_damaged_jpegs_never_panic(#[values(false, true)] is_progressive: bool) {
    let bytes = jpeg(400, 300, is_progressive, SamplingFactor::R_4_2_0, 0);
    for step in 0..200 {
        let at = bytes.len() * step / 200;
        let mut damaged = bytes.clone();
        damaged[at] ^= 0xff;
        for bytes in [&bytes[..at], &damaged] {
            let _ = PictureSource::read(bytes).and_then(|source| source.fitted((50, 50), 60_000));
        }
    }
}

#[rstest]
fn what_takes_too_much_is_refused(
    #[values(
        ImageFormat::Png,
        ImageFormat::WebP,
        ImageFormat::Gif,
        ImageFormat::Bmp,
        ImageFormat::Tiff
    )]
    format: ImageFormat,
) {
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::new_rgb8(200, 200)
        .write_to(&mut bytes, format)
        .unwrap();
    let bytes = bytes.into_inner();
    let source = PictureSource::read(&bytes).unwrap();
    assert!(
        source
            .fitted((50, 50), 100_000)
            .is_err_and(|refused| refused == Undrawable::TooMuch)
    );
    assert!(source.fitted((50, 50), 1_000_000).is_ok());
}

fn drawn(bytes: &[u8], room: (u32, u32)) -> Result<Drawing, Undrawable> {
    draw(
        bytes,
        DrawRequest {
            kind: DrawKind::Picture,
            room,
            page: 0,
        },
    )
}

fn encoded(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let image = DynamicImage::from(RgbaImage::from_pixel(
        width,
        height,
        Rgba([200, 100, 50, 255]),
    ));
    // Some formats do not support transparency, and icons nothing else.
    let image = if format == ImageFormat::Ico {
        image
    } else {
        DynamicImage::from(image.into_rgb8())
    };
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

const FORMATS: [ImageFormat; 7] = [
    ImageFormat::Png,
    ImageFormat::Jpeg,
    ImageFormat::Gif,
    ImageFormat::WebP,
    ImageFormat::Bmp,
    ImageFormat::Ico,
    ImageFormat::Tiff,
];

#[test]
fn every_format_is_decoded_and_fits_its_room() {
    for format in FORMATS {
        let drawing = drawn(&encoded(200, 100, format), (50, 50)).unwrap();
        assert_eq!((drawing.width, drawing.height), (50, 25), "{format:?}");
        let color = &drawing.rgba[(10 * 50 + 10) * 4..][..4];
        let is_near = color
            .iter()
            .zip([200, 100, 50, 255])
            .all(|(part, expected)| part.abs_diff(expected) < 8);
        assert!(is_near, "{format:?}: {color:?}");
    }
}

#[test]
fn a_small_picture_stays_as_it_is() {
    let drawing = drawn(&encoded(3, 2, ImageFormat::Png), (500, 500)).unwrap();
    assert_eq!(
        (drawing.width, drawing.height, drawing.rgba.len()),
        (3, 2, 24)
    );
}

/// A PNG whose header claims this many pixels, and that has next to none.
fn claiming(width: u32, height: u32) -> Vec<u8> {
    let mut head = b"IHDR".to_vec();
    head.extend(width.to_be_bytes());
    head.extend(height.to_be_bytes());
    head.extend([1, 0, 0, 0, 0]);
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\r".to_vec();
    bytes.extend(&head);
    bytes.extend(crc32(&head).to_be_bytes());
    bytes.extend(b"\0\0\0\x01IDAT\x78\0\0\0\0");
    bytes
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg())
        })
    })
}

#[rstest]
#[case::many_pixels(claiming(60_000, 60_000), Undrawable::TooMuch)]
#[case::one_endless_row(claiming(u32::MAX >> 1, 1), Undrawable::TooMuch)]
#[case::a_gif_that_claims_much(
    b"GIF89a\xff\xff\xff\xff\0\0\0,\0\0\0\0\xff\xff\xff\xff\0\x08".to_vec(),
    Undrawable::TooMuch
)]
#[case::nothing_but_a_head(claiming(10, 10), Undrawable::Damaged)]
#[case::text(b"<html>not found</html>".to_vec(), Undrawable::Damaged)]
#[case::nothing(Vec::new(), Undrawable::Damaged)]
#[case::half_a_jpeg_head(b"\xff\xd8\xff\xe0\0\x10JFIF".to_vec(), Undrawable::Damaged)]
fn what_cannot_be_drawn_says_why(#[case] bytes: Vec<u8>, #[case] expected: Undrawable) {
    assert_eq!(drawn(&bytes, (100, 100)), Err(expected));
}

#[test]
fn cut_pictures_of_every_format_never_panic() {
    for whole in FORMATS.map(|format| encoded(40, 30, format)) {
        for length in (0..whole.len()).step_by(whole.len().div_ceil(200)) {
            // A part of it may well be shown.
            let _ = drawn(&whole[..length], (20, 20));
        }
        for at in (0..whole.len().min(400)).step_by(3) {
            let mut damaged = whole.clone();
            damaged[at] ^= 0xff;
            let _ = drawn(&damaged, (20, 20));
        }
    }
}

fn samples() -> Vec<Vec<u8>> {
    let built_in: [&[u8]; 4] = [
        include_bytes!("../../../assets/sample/library/favicon.ico"),
        include_bytes!("../../../assets/sample/library/lighthouse.gif"),
        include_bytes!("../../../assets/sample/library/logo.png"),
        include_bytes!("../../../assets/sample/library/meadow.webp"),
    ];
    let jpegs = [
        jpeg(40, 30, false, SamplingFactor::F_2_2, 2),
        jpeg(40, 30, true, SamplingFactor::F_1_1, 0),
    ];
    built_in
        .map(<[u8]>::to_vec)
        .into_iter()
        .chain(jpegs)
        .collect()
}

proptest! {
    #[test]
    fn hostile_pictures_are_refused_or_fit(bytes in hostile::bytes(samples()), side in 1..64_u32) {
        const MEMORY: u64 = 1 << 20;
        if let Ok(encoded) = PictureSource::read(&bytes)
            && let Ok(image) = encoded.fitted((side, side), MEMORY)
        {
            prop_assert!(image.width() <= side && image.height() <= side, "{}x{}", image.width(), image.height());
        }
    }
}
