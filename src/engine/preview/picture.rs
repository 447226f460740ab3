//! Pictures for the screen, scaled down and in one form. Decoding within bounds is `crate::pictures`.

use super::model::{NoPreview, Picture};
use crate::pictures::{PictureSource, Undecodable};

/// What the bytes of a file and its decoder may take together: with it the whole process stays below 150 MiB.
const MEMORY: u64 = 48 * 1024 * 1024;
/// What the terminal stretches is no larger than this, in pixels: copies of the service are not either.
const MOST_EDGE: u32 = 1280;

/// Decodes the first frame and fits it into `room`; never enlarges.
pub(super) fn decode(bytes: &[u8], room: (u32, u32)) -> Result<Picture, NoPreview> {
    let refused = |size| {
        move |refused| match refused {
            Undecodable::TooLarge => NoPreview::TooLarge(size),
            Undecodable::Damaged => NoPreview::Damaged,
        }
    };
    let room = (room.0.min(MOST_EDGE), room.1.min(MOST_EDGE));
    let source = PictureSource::read(bytes).map_err(refused(None))?;
    let memory = MEMORY.saturating_sub(bytes.len() as u64);
    let image = source.fitted(room, memory).map_err(refused(Some(source.size())))?.into_rgba8();
    Ok(Picture { width: image.width(), height: image.height(), rgba: image.into_raw().into() })
}

/// Width and height, by the beginning of a file.
pub(super) fn size(start: &[u8]) -> Option<(u32, u32)> {
    PictureSource::read(start).ok().map(|source| source.size())
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::{DynamicImage, ImageFormat, Rgba, RgbaImage};
    use rstest::rstest;

    use super::*;

    fn encoded(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        let image = DynamicImage::from(RgbaImage::from_pixel(width, height, Rgba([200, 100, 50, 255])));
        // Some formats know no transparency, and icons nothing else.
        let image = if format == ImageFormat::Ico { image } else { DynamicImage::from(image.into_rgb8()) };
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
            let picture = decode(&encoded(200, 100, format), (50, 50)).unwrap();
            assert_eq!((picture.width, picture.height), (50, 25), "{format:?}");
            let color = picture.at(10, 10, [0; 3]);
            let is_near = color.iter().zip([200, 100, 50]).all(|(part, expected)| part.abs_diff(expected) < 8);
            assert!(is_near, "{format:?}: {color:?}");
            assert_eq!(picture.at(50, 0, [9; 3]), [9; 3], "outside, {format:?}");
        }
    }

    #[test]
    fn a_small_picture_stays_as_it_is() {
        let picture = decode(&encoded(3, 2, ImageFormat::Png), (500, 500)).unwrap();
        assert_eq!((picture.width, picture.height, picture.rgba.len()), (3, 2, 24));
    }

    /// A PNG whose header claims that many pixels, and that has next to none.
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
            (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg()))
        })
    }

    #[rstest]
    #[case::many_pixels(claiming(60_000, 60_000), NoPreview::TooLarge(Some((60_000, 60_000))))]
    #[case::one_endless_row(claiming(u32::MAX >> 1, 1), NoPreview::TooLarge(Some((u32::MAX >> 1, 1))))]
    #[case::a_gif_that_claims_much(
        b"GIF89a\xff\xff\xff\xff\0\0\0,\0\0\0\0\xff\xff\xff\xff\0\x08".to_vec(),
        NoPreview::TooLarge(Some((65_535, 65_535)))
    )]
    #[case::nothing_but_a_head(claiming(10, 10), NoPreview::Damaged)]
    #[case::text(b"<html>not found</html>".to_vec(), NoPreview::Damaged)]
    #[case::nothing(Vec::new(), NoPreview::Damaged)]
    #[case::half_a_jpeg_head(b"\xff\xd8\xff\xe0\0\x10JFIF".to_vec(), NoPreview::Damaged)]
    fn what_cannot_be_shown_says_why(#[case] bytes: Vec<u8>, #[case] expected: NoPreview) {
        assert_eq!(decode(&bytes, (100, 100)), Err(expected));
    }

    #[test]
    fn cut_pictures_of_every_format_never_panic() {
        for whole in FORMATS.map(|format| encoded(40, 30, format)) {
            for length in (0..whole.len()).step_by(whole.len().div_ceil(200)) {
                // A part of it may well be shown.
                let _ = decode(&whole[..length], (20, 20));
            }
            for at in (0..whole.len().min(400)).step_by(3) {
                let mut damaged = whole.clone();
                damaged[at] ^= 0xff;
                let _ = decode(&damaged, (20, 20));
            }
        }
    }
}
