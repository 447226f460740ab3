//! Resized copies of images, made for each request and not kept. A child process decodes the image
//! (`guarantees.md#pictures-are-decoded-within-bounds`).

use std::fs::File;
use std::io::{self, BufWriter, Seek as _};

use bytes::Bytes;
use futures::Stream;
use image::imageops::FilterType;
use image::{DynamicImage, ImageError, ImageFormat, RgbaImage};
use tokio_util::io::ReaderStream;

use crate::drawing::{DrawKind, DrawRequest, Drawing, PictureSource};

#[derive(Debug)]
pub(crate) struct Resized {
    /// A file without a name, at its start. Not in memory, where copies for slow clients would add
    /// up.
    pub(crate) file: File,
    /// In bytes.
    pub(crate) size: u64,
    pub(crate) media_type: &'static str,
    /// The file name extension for the media type.
    pub(crate) extension: &'static str,
    /// In pixels.
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl Resized {
    pub(crate) fn into_bytes(self) -> impl Stream<Item = io::Result<Bytes>> {
        ReaderStream::new(tokio::fs::File::from_std(self.file))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CopyPlan {
    edge: u32,
    is_enlarged: bool,
    is_photograph: bool,
}

impl CopyPlan {
    /// Plans a copy that fits into a square of `edge` pixels and keeps the proportions. Returns
    /// `None` if the image fits already and `upscale` is not set, or if the bytes are not an image.
    pub(crate) fn of(bytes: &[u8], edge: u32, upscale: bool) -> Option<Self> {
        let source = PictureSource::read(bytes).ok()?;
        let (width, height) = source.size();
        let fits = width <= edge && height <= edge;
        let is_photograph = source.format() == ImageFormat::Jpeg;
        (!fits || upscale).then_some(Self {
            edge,
            is_enlarged: fits,
            is_photograph,
        })
    }

    /// Returns the request to draw the image that the copy is made from.
    pub(crate) fn request(self) -> DrawRequest {
        DrawRequest {
            kind: DrawKind::Picture,
            room: (self.edge, self.edge),
            page: 0,
        }
    }

    /// Encodes the copy into an empty file.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be encoded or written.
    pub(crate) fn encode(self, drawing: Drawing, file: File) -> io::Result<Resized> {
        let drawn =
            RgbaImage::from_raw(drawing.width, drawing.height, drawing.rgba).unwrap_or_default();
        let mut copy = DynamicImage::from(drawn);
        if self.is_enlarged {
            copy = copy.resize(self.edge, self.edge, FilterType::Triangle);
        }
        let (width, height) = (copy.width(), copy.height());
        // Photographs stay photographs; everything else keeps its sharp edges and its transparency.
        let (format, copy, media_type, extension) = if self.is_photograph {
            (
                ImageFormat::Jpeg,
                DynamicImage::from(copy.into_rgb8()),
                "image/jpeg",
                "jpg",
            )
        } else {
            (ImageFormat::Png, copy, "image/png", "png")
        };
        let mut writer = BufWriter::new(file);
        copy.write_to(&mut writer, format)
            .map_err(|error| match error {
                ImageError::IoError(error) => error,
                error => io::Error::other(error),
            })?;
        let mut file = writer.into_inner()?;
        let size = file.stream_position()?;
        file.rewind()?;
        Ok(Resized {
            file,
            size,
            media_type,
            extension,
            width,
            height,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read as _};

    use rstest::rstest;

    use super::*;

    fn encode(plan: CopyPlan, drawing: Drawing) -> (Resized, Vec<u8>) {
        let mut copy = plan.encode(drawing, tempfile::tempfile().unwrap()).unwrap();
        let mut bytes = Vec::new();
        copy.file.read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes.len() as u64, copy.size);
        (copy, bytes)
    }

    fn picture(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        DynamicImage::new_rgb8(width, height)
            .write_to(&mut bytes, format)
            .unwrap();
        bytes.into_inner()
    }

    fn drawing(width: u32, height: u32) -> Drawing {
        Drawing {
            width,
            height,
            pages: 1,
            rgba: vec![255; (width * height * 4) as usize],
        }
    }

    #[rstest]
    #[case::wide(800, 400, false, (100, 50), Some((100, 50)))]
    #[case::small(40, 20, false, (40, 20), None)]
    #[case::small_enlarged(40, 20, true, (40, 20), Some((100, 50)))]
    fn copies_fit_and_keep_their_proportions(
        #[case] width: u32,
        #[case] height: u32,
        #[case] upscale: bool,
        #[case] drawn: (u32, u32),
        #[case] expected: Option<(u32, u32)>,
    ) {
        let plan = CopyPlan::of(&picture(width, height, ImageFormat::Png), 100, upscale);
        let copy = plan.map(|plan| encode(plan, drawing(drawn.0, drawn.1)));
        assert_eq!(
            copy.as_ref().map(|(copy, _)| (copy.width, copy.height)),
            expected
        );
        let read = copy.map(|(_, bytes)| image::load_from_memory(&bytes).unwrap());
        assert_eq!(read.map(|read| (read.width(), read.height())), expected);
    }

    #[rstest]
    #[case::jpeg(ImageFormat::Jpeg, "image/jpeg")]
    #[case::png(ImageFormat::Png, "image/png")]
    #[case::gif(ImageFormat::Gif, "image/png")]
    #[case::webp(ImageFormat::WebP, "image/png")]
    #[case::bmp(ImageFormat::Bmp, "image/png")]
    #[case::tiff(ImageFormat::Tiff, "image/png")]
    fn copies_come_in_a_format_that_every_viewer_knows(
        #[case] format: ImageFormat,
        #[case] media_type: &str,
    ) {
        let plan = CopyPlan::of(&picture(200, 200, format), 100, false).unwrap();
        let (copy, bytes) = encode(plan, drawing(100, 100));
        assert_eq!(copy.media_type, media_type);
        assert_eq!(
            image::guess_format(&bytes).unwrap().to_mime_type(),
            media_type
        );
    }

    #[test]
    fn there_is_no_copy_of_what_is_no_image() {
        assert_eq!(CopyPlan::of(b"\x89PNG\r\n\x1a\nrubbish", 100, false), None);
        assert_eq!(CopyPlan::of(b"", 100, true), None);
    }
}
