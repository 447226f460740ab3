//! Decodes pictures and scales them down within a memory limit. A picture that would exceed it is
//! refused before it is decoded.

mod jpeg;
#[cfg(test)]
mod tests;
mod turned;
mod webp;

use std::io::Cursor;

use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};

use turned::turned;

use super::request::{DrawRequest, Drawing, Undrawable};

/// The memory limit for the file and its decoder together. A progressive JPEG of 48 megapixels
/// takes up to 288 MB.
const MEMORY: u64 = 320 * 1024 * 1024;

impl From<ImageError> for Undrawable {
    fn from(error: ImageError) -> Self {
        match error {
            ImageError::Limits(_) => Self::TooMuch,
            _ => Self::Damaged,
        }
    }
}

/// Draws the first frame, scaled down to fit the room.
pub(super) fn draw(bytes: &[u8], request: DrawRequest) -> Result<Drawing, Undrawable> {
    let memory = MEMORY.saturating_sub(bytes.len() as u64);
    let image = PictureSource::read(bytes)?
        .fitted(request.room, memory)?
        .into_rgba8();
    Ok(Drawing {
        width: image.width(),
        height: image.height(),
        pages: 1,
        rgba: image.into_raw(),
    })
}

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
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are not a picture.
    pub fn read(bytes: &'a [u8]) -> Result<Self, Undrawable> {
        let format = image::guess_format(bytes)?;
        // A decoder of GIF or WebP allocates what the header claims; this only reads.
        let size = imagesize::blob_size(bytes).map_err(|_| Undrawable::Damaged)?;
        let pixels = |side: usize| u32::try_from(side).map_err(|_| Undrawable::TooMuch);
        Ok(Self {
            bytes,
            format,
            width: pixels(size.width)?,
            height: pixels(size.height)?,
        })
    }

    pub fn format(&self) -> ImageFormat {
        self.format
    }

    /// The width and height as stored, before the orientation is applied.
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Returns the first frame, with its orientation applied, scaled down to fit into `room`; never
    /// enlarged. Takes at most about `memory` bytes besides those of the file.
    fn fitted(&self, room: (u32, u32), memory: u64) -> Result<DynamicImage, Undrawable> {
        let scaled = match self.format {
            ImageFormat::Jpeg => jpeg::decode(self.bytes, room, memory),
            _ => Err(Undrawable::Damaged),
        };
        let (image, orientation) = match scaled {
            // The other decoder reads the beginning of some pictures that this one refuses, such as
            // truncated ones.
            Err(Undrawable::Damaged) => self.whole(memory)?,
            scaled => scaled?,
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

    fn whole(&self, memory: u64) -> Result<(DynamicImage, Orientation), Undrawable> {
        let pixels = u64::from(self.width) * u64::from(self.height);
        let least = match self.format {
            ImageFormat::WebP => webp::memory(self.bytes, (self.width, self.height)),
            // One byte per pixel besides the four of the picture.
            ImageFormat::Gif => pixels.saturating_mul(5),
            _ => 0,
        };
        if least > memory {
            return Err(Undrawable::TooMuch);
        }
        let mut reader = ImageReader::with_format(Cursor::new(self.bytes), self.format);
        let mut limits = Limits::default();
        limits.max_alloc = Some(memory);
        reader.limits(limits);
        let mut decoder = reader.into_decoder()?;
        let times = match self.format {
            // Two bytes for each coefficient besides the pixels.
            ImageFormat::Jpeg => 3,
            // Four bytes per pixel, then the copy without transparency.
            ImageFormat::Gif | ImageFormat::Tiff | ImageFormat::Ico => 2,
            _ => 1,
        };
        if decoder.total_bytes().saturating_mul(times) > memory {
            return Err(Undrawable::TooMuch);
        }
        let orientation = decoder.orientation()?;
        Ok((DynamicImage::from_decoder(decoder)?, orientation))
    }
}
