//! Decodes JPEGs at an eighth, a quarter or a half of their size if that fills the room.

use image::metadata::Orientation;
use image::{DynamicImage, GrayImage, RgbImage};
use jpeg_decoder::{CodingProcess, Decoder, Error, ImageInfo, PixelFormat};

use super::turned::turned;
use crate::drawing::request::Undrawable;

impl From<Error> for Undrawable {
    fn from(_: Error) -> Self {
        Self::Damaged
    }
}

/// Returns the picture at the smallest scale that fills the room, and its orientation.
pub(super) fn decode(
    bytes: &[u8],
    room: (u32, u32),
    memory: u64,
) -> Result<(DynamicImage, Orientation), Undrawable> {
    let mut decoder = Decoder::new(bytes);
    decoder.read_info()?;
    let whole = decoder.info().ok_or(Undrawable::Damaged)?;
    let orientation = decoder
        .exif_data()
        .and_then(Orientation::from_exif_chunk)
        .unwrap_or(Orientation::NoTransforms);
    let room = turned(room, orientation);
    let side = |side: u32| u16::try_from(side.max(1)).unwrap_or(u16::MAX);
    decoder.scale(side(room.0), side(room.1))?;
    let scaled = decoder.info().ok_or(Undrawable::Damaged)?;
    // The decoder keeps two bytes for each coefficient of a progressive picture.
    let coefficients = if whole.coding_process == CodingProcess::DctSequential {
        0
    } else {
        2 * samples(whole)
    };
    // Samples of each component, then pixels.
    if coefficients + 2 * samples(scaled) > memory {
        return Err(Undrawable::TooMuch);
    }
    let pixels = decoder.decode()?;
    let (width, height) = (u32::from(scaled.width), u32::from(scaled.height));
    let image = match scaled.pixel_format {
        PixelFormat::L8 => GrayImage::from_raw(width, height, pixels).map(DynamicImage::from),
        PixelFormat::RGB24 => RgbImage::from_raw(width, height, pixels).map(DynamicImage::from),
        PixelFormat::CMYK32 => {
            let rgb = pixels.chunks_exact(4).flat_map(|ink| match ink {
                [cyan, magenta, yellow, black] => {
                    [cyan, magenta, yellow].map(|ink| over(*ink, *black))
                }
                _ => [0; 3],
            });
            RgbImage::from_raw(width, height, rgb.collect()).map(DynamicImage::from)
        }
        PixelFormat::L16 => None,
    };
    Ok((image.ok_or(Undrawable::Damaged)?, orientation))
}

fn samples(info: ImageInfo) -> u64 {
    u64::from(info.width) * u64::from(info.height) * info.pixel_format.pixel_bytes() as u64
}

/// Returns the light that a colored and a black ink leave, each from 0 to 255.
fn over(ink: u8, black: u8) -> u8 {
    let light = |ink: u8| u16::from(255 - ink);
    u8::try_from(light(ink) * light(black) / 255).unwrap_or(u8::MAX)
}
