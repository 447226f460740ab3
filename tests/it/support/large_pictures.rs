//! Valid pictures with many pixels and few bytes, made in no time.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, RgbImage};

use super::random::Random;

/// A gray JPEG with half-size color channels, as cameras write them.
pub fn jpeg(width: u16, height: u16, is_progressive: bool) -> Vec<u8> {
    let frame = [1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0];
    // Each table has one code, a bit long: no difference, and end of block.
    let table = |class: u8| [&[0xff, 0xc4, 0, 20, class, 1][..], &[0; 15], &[0]].concat();
    let units = usize::from(width).div_ceil(16) * usize::from(height).div_ceil(16);
    // Six blocks each. The first scan of a progressive one is enough.
    let (marker, last, bits) = if is_progressive {
        (0xc2, 0, units * 6)
    } else {
        (0xc0, 63, units * 12)
    };
    [
        b"\xff\xd8\xff\xdb\0\x43\0".as_slice(),
        &[1; 64],
        &[0xff, marker, 0, 17, 8],
        &height.to_be_bytes(),
        &width.to_be_bytes(),
        &[3],
        &frame,
        &table(0x00),
        &table(0x10),
        &[0xff, 0xda, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, last, 0],
        &vec![0; bits.div_ceil(8)],
        b"\xff\xd9",
    ]
    .concat()
}

/// A black picture, three bytes per pixel.
pub fn black(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::new_rgb8(width, height)
        .write_to(&mut bytes, format)
        .unwrap();
    bytes.into_inner()
}

/// A small GIF that claims to have 20,000 by 20,000 pixels.
pub fn claiming_gif() -> Vec<u8> {
    let mut bytes = black(20, 20, ImageFormat::Gif);
    bytes[6..10].copy_from_slice(&[0x20, 0x4e, 0x20, 0x4e]);
    bytes
}

/// A PNG of random pixels, three bytes each.
pub fn noise(width: u32, height: u32) -> Vec<u8> {
    let pixels = Random::seeded(1).bytes(usize::try_from(width * height * 3).unwrap());
    let mut bytes = Cursor::new(Vec::new());
    RgbImage::from_raw(width, height, pixels)
        .unwrap()
        .write_to(&mut bytes, ImageFormat::Png)
        .unwrap();
    bytes.into_inner()
}
