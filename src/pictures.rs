//! Pictures, decoded and scaled down within a bound on memory, for the screen and for the service. What would need more is
//! refused before it is decoded. No files.

mod decoder;
mod jpeg;
mod undecodable;
mod webp;

use std::io::Cursor;

use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};

pub use decoder::{Ended, decode};
pub use undecodable::Undecodable;

/// A picture whose header has been read.
#[derive(Debug)]
pub struct PictureSource<'a> {
    bytes: &'a [u8],
    format: ImageFormat,
    width: u32,
    height: u32,
}

impl<'a> PictureSource<'a> {
    /// Reads the header. It may claim any size.
    pub fn read(bytes: &'a [u8]) -> Result<Self, Undecodable> {
        let format = image::guess_format(bytes)?;
        // A decoder of GIF or WebP allocates what the header claims; this only reads.
        let size = imagesize::blob_size(bytes).ok();
        let pixels = |side: usize| u32::try_from(side).map_err(|_| Undecodable::TooLarge);
        match size {
            Some(size) => Ok(Self { bytes, format, width: pixels(size.width)?, height: pixels(size.height)? }),
            None => Err(Undecodable::Damaged),
        }
    }

    pub fn format(&self) -> ImageFormat {
        self.format
    }

    /// Width and height as stored, before it is turned.
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// The first frame, turned as it says, scaled down to fit into `room`; never enlarged. Takes at most about `memory`
    /// bytes beside those of the file. A JPEG that would take more is decoded at a smaller scale, which may leave it
    /// smaller than the room.
    pub fn fitted(&self, room: (u32, u32), memory: u64) -> Result<DynamicImage, Undecodable> {
        let (image, orientation) = match self.format {
            ImageFormat::Jpeg => self.jpeg(room, memory)?,
            _ => self.other(memory)?,
        };
        let room = turned(room, orientation);
        let mut image = if image.width() > room.0 || image.height() > room.1 {
            image.thumbnail(room.0.max(1), room.1.max(1))
        } else {
            image
        };
        image.apply_orientation(orientation);
        Ok(image)
    }

    fn jpeg(&self, room: (u32, u32), memory: u64) -> Result<(DynamicImage, Orientation), Undecodable> {
        let frame = jpeg::FrameHeader::find(self.bytes)?;
        let orientation = jpeg::orientation(self.bytes);
        let room = turned(room, orientation);
        // The decoder of whole pictures copies the file.
        let has_room_for_all = frame.memory().saturating_add(self.bytes.len() as u64) <= memory;
        if !has_room_for_all {
            return Ok((frame.scaled(self.bytes, room, memory)?, orientation));
        }
        // Twice as fast, but it fails on some pictures that the whole decoder can read.
        if frame.is_much_larger_than(room)
            && let Ok(scaled) = frame.scaled(self.bytes, room, memory)
        {
            return Ok((scaled, orientation));
        }
        let image = DynamicImage::from_decoder(self.reader(memory).into_decoder()?)?;
        Ok((image, orientation))
    }

    fn other(&self, memory: u64) -> Result<(DynamicImage, Orientation), Undecodable> {
        let pixels = u64::from(self.width) * u64::from(self.height);
        let least = match self.format {
            ImageFormat::WebP => webp::memory(self.bytes, (self.width, self.height)),
            // A byte a pixel beside the four of the picture.
            ImageFormat::Gif => pixels.saturating_mul(5),
            _ => 0,
        };
        if least > memory {
            return Err(Undecodable::TooLarge);
        }
        let mut decoder = self.reader(memory).into_decoder()?;
        let times = match self.format {
            // Four bytes of each pixel, then the copy without transparency.
            ImageFormat::Gif | ImageFormat::Tiff | ImageFormat::Ico => 2,
            _ => 1,
        };
        if decoder.total_bytes().saturating_mul(times) > memory {
            return Err(Undecodable::TooLarge);
        }
        let orientation = decoder.orientation()?;
        Ok((DynamicImage::from_decoder(decoder)?, orientation))
    }

    fn reader(&self, memory: u64) -> ImageReader<Cursor<&'a [u8]>> {
        let mut reader = ImageReader::with_format(Cursor::new(self.bytes), self.format);
        let mut limits = Limits::default();
        limits.max_alloc = Some(memory);
        reader.limits(limits);
        reader
    }
}

/// The room before the picture is turned into it.
fn turned(room: (u32, u32), orientation: Orientation) -> (u32, u32) {
    let is_turned = matches!(
        orientation,
        Orientation::Rotate90 | Orientation::Rotate270 | Orientation::Rotate90FlipH | Orientation::Rotate270FlipH
    );
    if is_turned { (room.1, room.0) } else { room }
}

#[cfg(test)]
mod tests {
    use image::Rgb;
    use jpeg_encoder::{ColorType, Encoder, SamplingFactor};
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;
    use crate::hostile;

    /// Red on the left, green on the right, darker towards the bottom.
    fn jpeg(width: u16, height: u16, is_progressive: bool, sampling: SamplingFactor, restart: u16) -> Vec<u8> {
        let (wide, high) = (u32::from(width), u32::from(height));
        let picture = image::RgbImage::from_fn(wide, high, |x, y| {
            let light = u8::try_from(250 - 150 * y / high).unwrap();
            Rgb(if x < wide / 2 { [light, 0, 0] } else { [0, light, 0] })
        });
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, 95);
        encoder.set_progressive(is_progressive);
        encoder.set_sampling_factor(sampling);
        if restart > 0 {
            encoder.set_restart_interval(restart);
        }
        encoder.encode(&picture, width, height, ColorType::Rgb).unwrap();
        bytes
    }

    #[rstest]
    fn a_large_jpeg_looks_the_same_at_a_smaller_scale(
        #[values(false, true)] is_progressive: bool,
        #[values(SamplingFactor::R_4_4_4, SamplingFactor::R_4_2_0, SamplingFactor::R_4_2_2)] sampling: SamplingFactor,
        #[values(0, 3)] restart: u16,
    ) {
        let bytes = jpeg(1_203, 805, is_progressive, sampling, restart);
        let source = PictureSource::read(&bytes).unwrap();
        let whole = image::load_from_memory(&bytes).unwrap().thumbnail(100, 100).into_rgb8();
        let small = source.fitted((100, 100), 400_000).unwrap().into_rgb8();
        assert_eq!(whole.dimensions(), (100, 67));
        assert_eq!(small.dimensions(), whole.dimensions());
        for (x, y) in [(10, 5), (40, 60), (60, 5), (90, 60), (25, 33)] {
            let (one, other) = (whole.get_pixel(x, y).0, small.get_pixel(x, y).0);
            assert!(one.iter().zip(other).all(|(one, other)| one.abs_diff(other) < 10), "{x} {y}: {one:?} {other:?}");
        }
    }

    /// What a reader takes inks for is told by what lies next to the picture, and not by all of them in the same way.
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
        let whole = image::load_from_memory(&bytes).unwrap().thumbnail(30, 30).into_rgb8();
        let small = source.fitted((30, 30), 70_000).unwrap().into_rgb8();
        assert_eq!((whole.dimensions(), small.dimensions()), ((30, 20), (30, 20)));
        for x in [5, 15, 25] {
            let (one, other) = (whole.get_pixel(x, 10).0, small.get_pixel(x, 10).0);
            assert!(one.iter().zip(other).all(|(one, other)| one.abs_diff(other) < 10), "{x}: {one:?} {other:?}");
        }
    }

    /// Without its Huffman tables a progressive picture has no values, and would be all gray.
    #[test]
    fn a_progressive_jpeg_without_tables_is_no_gray_picture() {
        let bytes = jpeg(800, 600, true, SamplingFactor::R_4_2_0, 0);
        let mut without = bytes[..2].to_vec();
        let mut at = 2;
        while bytes[at + 1] != 0xda {
            let end = at + 2 + usize::from(u16::from_be_bytes([bytes[at + 2], bytes[at + 3]]));
            if bytes[at + 1] != 0xc4 {
                without.extend(&bytes[at..end]);
            }
            at = end;
        }
        // Later scans bring tables of their own: the first one has to do.
        without.extend(&bytes[at..at + 200]);
        let source = PictureSource::read(&without).unwrap();
        assert!(source.fitted((90, 90), 400_000).is_err());
    }

    #[test]
    fn a_jpeg_with_a_scan_for_each_component_counts_its_coefficients() {
        let bytes = |sampling| jpeg(640, 480, false, sampling, 0);
        let taken = |bytes: &[u8]| jpeg::FrameHeader::find(bytes).unwrap().memory();
        assert_eq!(taken(&bytes(SamplingFactor::R_4_2_0)), 640 * 480 * 3);
        // The encoder writes no other way where colors are stored four times as coarse.
        assert!(taken(&bytes(SamplingFactor::R_4_1_1)) >= 640 * 480 * 6);
    }

    #[test]
    fn a_webp_counts_frames_that_are_larger_than_it_says() {
        let chunk = |name: &[u8], content: &[u8]| {
            [name, &u32::try_from(content.len()).unwrap().to_le_bytes(), content].concat()
        };
        let frame = chunk(b"VP8 ", &[0x10, 0, 0, 0x9d, 0x01, 0x2a, 0xff, 0x3f, 0xff, 0x3f]);
        let extended = chunk(b"VP8X", &[2, 0, 0, 0, 9, 0, 0, 9, 0, 0]);
        let animated = chunk(b"ANMF", &[&[0; 16][..], &frame].concat());
        for frame in [frame, animated] {
            let bytes = [b"RIFF\0\0\0\0WEBP".as_slice(), &extended, &frame].concat();
            let source = PictureSource::read(&bytes).unwrap();
            assert_eq!(source.size(), (10, 10));
            assert_eq!(source.fitted((5, 5), 100_000_000).unwrap_err(), Undecodable::TooLarge);
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
        #[values(ImageFormat::Png, ImageFormat::WebP, ImageFormat::Gif, ImageFormat::Bmp, ImageFormat::Tiff)]
        format: ImageFormat,
    ) {
        let mut bytes = Cursor::new(Vec::new());
        DynamicImage::new_rgb8(200, 200).write_to(&mut bytes, format).unwrap();
        let bytes = bytes.into_inner();
        let source = PictureSource::read(&bytes).unwrap();
        assert!(source.fitted((50, 50), 100_000).is_err_and(|refused| refused == Undecodable::TooLarge));
        assert!(source.fitted((50, 50), 1_000_000).is_ok());
    }

    fn samples() -> Vec<Vec<u8>> {
        let built_in: [&[u8]; 4] = [
            include_bytes!("../assets/sample/library/favicon.ico"),
            include_bytes!("../assets/sample/library/lighthouse.gif"),
            include_bytes!("../assets/sample/library/logo.png"),
            include_bytes!("../assets/sample/library/meadow.webp"),
        ];
        let jpegs = [jpeg(40, 30, false, SamplingFactor::F_2_2, 2), jpeg(40, 30, true, SamplingFactor::F_1_1, 0)];
        built_in.map(<[u8]>::to_vec).into_iter().chain(jpegs).collect()
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
}
