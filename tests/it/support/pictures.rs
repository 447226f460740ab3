//! Pictures to upload: one that is only a header, and a complete one.

use std::io::Cursor;

/// A PNG's signature and header chunk: 3 by 2 pixels.
pub const PNG_HEAD: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x08\x06\0\0\0";

pub fn picture() -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image::DynamicImage::new_rgb8(400, 200)
        .write_to(&mut bytes, image::ImageFormat::Png)
        .unwrap();
    bytes.into_inner()
}

/// A PNG that claims a billion pixels.
pub fn bomb() -> Vec<u8> {
    let mut bytes = picture();
    // Width and height, and the sum over them.
    bytes[16..24].copy_from_slice(&[0, 0, 0x7a, 0x12, 0, 0, 0x7a, 0x12]);
    let sum = bytes[12..29].iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg())
        })
    });
    bytes[29..33].copy_from_slice(&(!sum).to_be_bytes());
    bytes
}
