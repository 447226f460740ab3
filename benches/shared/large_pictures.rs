//! Valid pictures with many pixels, made on demand. A benchmark uses them, too.

use std::io::Cursor;

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, ExtendedColorType, ImageEncoder as _};
use jpeg_encoder::{Encoder, ImageBuffer, JpegColorType, SamplingFactor};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Jpeg {
    pub(crate) size: (u16, u16),
    pub(crate) is_progressive: bool,
    pub(crate) sampling: SamplingFactor,
    pub(crate) colors: JpegColorType,
    /// The difference between neighboring pixels; the size of the file grows with it.
    pub(crate) noise: u8,
}

impl Jpeg {
    /// A picture in the form that cameras write, but of very few bytes.
    pub(crate) fn flat(width: u16, height: u16, is_progressive: bool) -> Self {
        let sampling = SamplingFactor::R_4_2_0;
        Self {
            size: (width, height),
            is_progressive,
            sampling,
            colors: JpegColorType::Ycbcr,
            noise: 0,
        }
    }

    pub(crate) fn bytes(self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, 80);
        encoder.set_progressive(self.is_progressive);
        encoder.set_sampling_factor(self.sampling);
        encoder.set_optimized_huffman_tables(true);
        encoder.encode_image(self).unwrap();
        bytes
    }
}

/// Produces rows that grow lighter to the right, without holding all the pixels in memory.
impl ImageBuffer for Jpeg {
    fn get_jpeg_color_type(&self) -> JpegColorType {
        self.colors
    }

    fn width(&self) -> u16 {
        self.size.0
    }

    fn height(&self) -> u16 {
        self.size.1
    }

    fn fill_buffers(&self, y: u16, buffers: &mut [Vec<u8>; 4]) {
        let width = u32::from(self.size.0);
        let mut random = u32::from(y).wrapping_mul(2_654_435_761) | 1;
        for x in 0..width {
            let light = u8::try_from((x / 64 * 64) * 200 / width).unwrap();
            random ^= random << 13;
            random ^= random >> 17;
            random ^= random << 5;
            let noise = random.to_le_bytes()[1] & self.noise;
            for (buffer, light) in buffers.iter_mut().zip([light, 90, 160, 255]) {
                buffer.push(light ^ noise);
            }
        }
    }
}

/// A PNG of very few bytes.
pub(crate) fn flat_png(width: u32, height: u32, colors: ExtendedColorType) -> Vec<u8> {
    let length = u64::from(width) * u64::from(height) * u64::from(colors.bits_per_pixel()) / 8;
    png(
        width,
        height,
        colors,
        &vec![0x99; usize::try_from(length).unwrap()],
    )
}

pub(crate) fn png(width: u32, height: u32, colors: ExtendedColorType, pixels: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let encoder =
        PngEncoder::new_with_quality(&mut bytes, CompressionType::Fast, FilterType::NoFilter);
    encoder.write_image(pixels, width, height, colors).unwrap();
    bytes
}

pub(crate) fn encoded(picture: &DynamicImage, format: image::ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}
