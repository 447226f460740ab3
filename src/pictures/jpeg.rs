//! JPEGs that are too large to decode whole: sequential ones at a half, a quarter or an eighth by `jpeg-decoder`, which keeps
//! all coefficients of progressive ones; of these the first of each block is read here (ITU-T T.81, annex G), an eighth
//! of the size.

mod dc;
mod frame;

use image::{DynamicImage, GrayImage, RgbImage};
use jpeg_decoder::{Decoder, PixelFormat};

pub(super) use frame::{FrameHeader, orientation};

use super::undecodable::Undecodable;

impl FrameHeader {
    /// The picture at the smallest scale that fills the room, or the largest that there is memory for.
    pub(super) fn scaled(&self, bytes: &[u8], room: (u32, u32), memory: u64) -> Result<DynamicImage, Undecodable> {
        if self.is_progressive {
            // Two bytes of each block while it is read, and one pixel for each.
            return if self.memory() / 32 > memory { Err(Undecodable::TooLarge) } else { dc::decode(self, bytes) };
        }
        let mut decoder = Decoder::new(bytes);
        let side = |side: u32| u16::try_from(side.max(1)).unwrap_or(u16::MAX);
        let (mut width, mut height) = (side(room.0), side(room.1));
        let damaged = |_| Undecodable::Damaged;
        // Samples of each component, then pixels.
        let bound = memory / (2 * self.components.len() as u64);
        loop {
            let (wide, high) = decoder.scale(width, height).map_err(damaged)?;
            if u64::from(wide) * u64::from(high) <= bound {
                break;
            }
            if width == 1 && height == 1 {
                return Err(Undecodable::TooLarge);
            }
            (width, height) = ((width / 2).max(1), (height / 2).max(1));
        }
        let pixels = decoder.decode().map_err(damaged)?;
        let info = decoder.info().ok_or(Undecodable::Damaged)?;
        let (width, height) = (u32::from(info.width), u32::from(info.height));
        let image = match info.pixel_format {
            PixelFormat::L8 => GrayImage::from_raw(width, height, pixels).map(DynamicImage::from),
            PixelFormat::RGB24 => RgbImage::from_raw(width, height, pixels).map(DynamicImage::from),
            PixelFormat::CMYK32 => {
                let rgb = pixels.chunks_exact(4).flat_map(|ink| match ink {
                    [cyan, magenta, yellow, black] => [cyan, magenta, yellow].map(|ink| over(*ink, *black)),
                    _ => [0; 3],
                });
                RgbImage::from_raw(width, height, rgb.collect()).map(DynamicImage::from)
            }
            PixelFormat::L16 => None,
        };
        image.ok_or(Undecodable::Damaged)
    }
}

/// A channel of light, of two of ink: 255 is all of it.
fn over(ink: u8, black: u8) -> u8 {
    let light = |ink: u8| u16::from(255 - ink);
    u8::try_from(light(ink) * light(black) / 255).unwrap_or(u8::MAX)
}
