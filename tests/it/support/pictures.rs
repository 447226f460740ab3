//! Pictures to upload: one that is only a header, and a complete one.

use std::io::Cursor;

/// A PNG's signature and header chunk: 3 by 2 pixels.
pub const PNG_HEAD: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x08\x06\0\0\0";

pub fn picture() -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image::DynamicImage::new_rgb8(400, 200).write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}
