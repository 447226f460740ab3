//! Smaller (or larger) copies of images, made when they are asked for and kept nowhere. Decoding is guarded: what claims
//! too many pixels is never decoded (`guarantees.md#pictures-are-decoded-within-bounds`).

use std::io::Cursor;

use crate::pictures::{PictureSource, Undecodable};
use crate::service::policy;
use bytes::Bytes;
use image::{DynamicImage, ImageFormat, imageops::FilterType};

/// A copy in another size.
#[derive(Debug)]
pub(crate) struct Resized {
    pub(crate) bytes: Bytes,
    pub(crate) media_type: &'static str,
    /// The file name extension that goes with it.
    pub(crate) extension: &'static str,
    /// Pixels.
    pub(crate) width: u32,
    pub(crate) height: u32,
}

/// Fits the image into the size, keeping its proportions; takes the time and the memory of a decoder. None where the copy
/// would be the image itself, because it fits already and is not to be enlarged.
///
/// # Errors
///
/// Where it cannot be decoded within its bounds.
pub(crate) fn resize(bytes: Vec<u8>, edge: u32, upscale: bool) -> Result<Option<Resized>, Undecodable> {
    let source = PictureSource::read(&bytes)?;
    let (format, (width, height)) = (source.format(), source.size());
    let fits = width <= edge && height <= edge;
    if fits && !upscale {
        return Ok(None);
    }
    let mut copy = source.fitted((edge, edge), policy::MAX_RESIZE_BYTES.saturating_sub(bytes.len() as u64))?;
    drop(bytes);
    if fits {
        copy = copy.resize(edge, edge, FilterType::Triangle);
    }
    let (width, height) = (copy.width(), copy.height());
    // Photographs stay photographs; everything else keeps its sharp edges and its transparency.
    let (format, copy, media_type, extension) = match format {
        ImageFormat::Jpeg => (ImageFormat::Jpeg, DynamicImage::from(copy.into_rgb8()), "image/jpeg", "jpg"),
        _ => (ImageFormat::Png, DynamicImage::from(copy.into_rgba8()), "image/png", "png"),
    };
    // Room for all of it at once, given back when the size is known: what grows leaves the allocator with the pieces.
    let mut written = Cursor::new(Vec::with_capacity(copy.as_bytes().len()));
    copy.write_to(&mut written, format)?;
    Ok(Some(Resized { bytes: Bytes::copy_from_slice(written.get_ref()), media_type, extension, width, height }))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use image::ImageReader;

    use super::*;

    fn picture(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        DynamicImage::new_rgb8(width, height).write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    fn dimensions(resized: &Resized) -> (u32, u32) {
        ImageReader::new(Cursor::new(&resized.bytes)).with_guessed_format().unwrap().into_dimensions().unwrap()
    }

    #[rstest]
    #[case::wide(800, 400, false, Some((100, 50)))]
    #[case::tall(50, 200, false, Some((25, 100)))]
    #[case::small(40, 20, false, None)]
    #[case::small_enlarged(40, 20, true, Some((100, 50)))]
    fn copies_fit_and_keep_their_proportions(
        #[case] width: u32,
        #[case] height: u32,
        #[case] upscale: bool,
        #[case] expected: Option<(u32, u32)>,
    ) {
        let made = resize(picture(width, height, ImageFormat::Png), 100, upscale).unwrap();
        assert_eq!(made.as_ref().map(dimensions), expected);
    }

    #[rstest]
    #[case::jpeg(ImageFormat::Jpeg, "image/jpeg")]
    #[case::png(ImageFormat::Png, "image/png")]
    #[case::gif(ImageFormat::Gif, "image/png")]
    #[case::webp(ImageFormat::WebP, "image/png")]
    #[case::bmp(ImageFormat::Bmp, "image/png")]
    #[case::tiff(ImageFormat::Tiff, "image/png")]
    fn copies_come_in_a_format_that_every_viewer_knows(#[case] format: ImageFormat, #[case] media_type: &str) {
        let made = resize(picture(200, 200, format), 100, false).unwrap().unwrap();
        assert_eq!((made.media_type, dimensions(&made)), (media_type, (100, 100)));
        assert_eq!(image::guess_format(&made.bytes).unwrap().to_mime_type(), media_type);
    }

    #[test]
    fn a_picture_that_claims_too_many_pixels_is_not_decoded() {
        // The header of a PNG of 60,000 by 60,000 pixels, and one byte of them.
        let mut bomb = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xea\x60\0\0\xea\x60\x01\0\0\0\0".to_vec();
        bomb.extend(crc32(&bomb[12..29]).to_be_bytes());
        bomb.extend(b"\0\0\0\x01IDAT\x78\0\0\0\0");
        assert!(resize(bomb, 100, false).is_err());
    }

    fn crc32(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(u32::MAX, |crc, byte| {
            (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg()))
        })
    }

    #[test]
    fn rubbish_is_an_error_and_no_panic() {
        assert!(resize(b"\x89PNG\r\n\x1a\nrubbish".to_vec(), 100, false).is_err());
        assert!(resize(Vec::new(), 100, false).is_err());
    }
}
