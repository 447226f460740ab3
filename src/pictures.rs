//! Pictures, decoded and scaled down within a bound on memory, for the screen and for the service. What would need more is
//! refused before it is decoded. No files, no queues: who decodes how many at once is the caller's business.

mod jpeg;

use std::io::Cursor;

use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};

/// Why there is no picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Decoding it would take more memory than is allowed.
    #[error("the picture is too large")]
    TooLarge,
    /// The bytes are not a picture, or a damaged one.
    #[error("the picture is damaged or of another type")]
    Damaged,
}

impl From<ImageError> for Refused {
    fn from(error: ImageError) -> Self {
        match error {
            ImageError::Limits(_) => Self::TooLarge,
            _ => Self::Damaged,
        }
    }
}

/// A picture whose header has been read.
#[derive(Debug)]
pub struct Source<'a> {
    bytes: &'a [u8],
    format: ImageFormat,
    width: u32,
    height: u32,
}

impl<'a> Source<'a> {
    /// Reads the header. It may claim any size.
    pub fn read(bytes: &'a [u8]) -> Result<Self, Refused> {
        let format = image::guess_format(bytes)?;
        // A decoder of GIF or WebP allocates what the header claims; this only reads.
        let size = imagesize::blob_size(bytes).ok();
        let side = |side: usize| u32::try_from(side).map_err(|_| Refused::TooLarge);
        match size {
            Some(size) => Ok(Self { bytes, format, width: side(size.width)?, height: side(size.height)? }),
            None => Err(Refused::Damaged),
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
    pub fn fitted(&self, room: (u32, u32), memory: u64) -> Result<DynamicImage, Refused> {
        let mut reader = ImageReader::with_format(Cursor::new(self.bytes), self.format);
        let mut limits = Limits::default();
        limits.max_alloc = Some(memory);
        reader.limits(limits);
        let (image, orientation) = if self.format == ImageFormat::Jpeg {
            let frame = jpeg::Frame::find(self.bytes)?;
            // This decoder allocates nothing before it is asked for the pixels.
            let mut decoder = reader.into_decoder()?;
            let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
            let image = if frame.memory() <= memory {
                DynamicImage::from_decoder(decoder)?
            } else {
                drop(decoder);
                frame.scaled(self.bytes, turned(room, orientation), memory)?
            };
            (image, orientation)
        } else {
            if self.least_memory() > memory {
                return Err(Refused::TooLarge);
            }
            let mut decoder = reader.into_decoder()?;
            let times = match self.format {
                // Four bytes of each pixel, then the copy without transparency.
                ImageFormat::WebP | ImageFormat::Gif | ImageFormat::Tiff | ImageFormat::Ico => 2,
                _ => 1,
            };
            if decoder.total_bytes().saturating_mul(times) > memory {
                return Err(Refused::TooLarge);
            }
            let orientation = decoder.orientation()?;
            (DynamicImage::from_decoder(decoder)?, orientation)
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

    /// What the decoder takes at least, before it has said anything.
    fn least_memory(&self) -> u64 {
        let pixels = u64::from(self.width) * u64::from(self.height);
        match self.format {
            // The lossless kind fills four bytes a pixel whatever it has, and copies them.
            ImageFormat::WebP => pixels.saturating_mul(7),
            // A byte a pixel beside the four of the picture.
            ImageFormat::Gif => pixels.saturating_mul(5),
            _ => 0,
        }
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
