//! JPEGs that are too large to decode whole: sequential ones at a half, a quarter or an eighth by `jpeg-decoder`, which keeps
//! all coefficients of progressive ones; of these the first of each block is read here (ITU-T T.81, annex G), an eighth
//! of the size.

mod dc;

use image::{DynamicImage, GrayImage, RgbImage};
use jpeg_decoder::{Decoder, PixelFormat};

use super::Refused;

/// What the frame header says.
#[derive(Debug)]
pub(super) struct Frame {
    width: u16,
    height: u16,
    is_progressive: bool,
    components: Vec<Component>,
}

#[derive(Debug, Clone, Copy)]
struct Component {
    id: u8,
    horizontal: u8,
    vertical: u8,
    table: u8,
}

/// A segment after its marker: which one, and its content; the place behind it.
struct Segment<'a> {
    marker: u8,
    content: &'a [u8],
    end: usize,
}

/// The next segment that has a length, from `at` on. Entropy-coded data is passed over.
fn segment(bytes: &[u8], mut at: usize) -> Option<Segment<'_>> {
    loop {
        let rest = bytes.get(at..)?;
        at += rest.iter().position(|byte| *byte == 0xff)?;
        let marker = *bytes.get(at + 1)?;
        match marker {
            0xff => at += 1,
            // A stuffed byte, restarts, the start: nothing follows them.
            0 | 1 | 0xd0..=0xd8 => at += 2,
            0xd9 => return None,
            _ => {
                let length = usize::from(u16::from_be_bytes(*bytes.get(at + 2..)?.first_chunk()?));
                let end = at + 2 + length.max(2);
                return Some(Segment { marker, content: bytes.get(at + 4..end)?, end });
            }
        }
    }
}

impl Frame {
    pub(super) fn find(bytes: &[u8]) -> Result<Self, Refused> {
        let mut at = 0;
        while let Some(Segment { marker, content, end }) = segment(bytes, at) {
            at = end;
            if matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc) {
                return Self::read(marker, content).ok_or(Refused::Damaged);
            }
        }
        Err(Refused::Damaged)
    }

    fn read(marker: u8, content: &[u8]) -> Option<Self> {
        let [_, high, low, wide, narrow, count, components @ ..] = content else { return None };
        let (height, width) = (u16::from_be_bytes([*high, *low]), u16::from_be_bytes([*wide, *narrow]));
        let components: Vec<Component> = components
            .chunks_exact(3)
            .take(usize::from(*count))
            .filter_map(|bytes| {
                let [id, sampling, table] = *bytes else { return None };
                let (horizontal, vertical) = (sampling >> 4, sampling & 15);
                let is_valid = (1..=4).contains(&horizontal) && (1..=4).contains(&vertical) && table < 4;
                is_valid.then_some(Component { id, horizontal, vertical, table })
            })
            .collect();
        let is_whole = components.len() == usize::from(*count) && matches!(count, 1..=4) && width > 0 && height > 0;
        is_whole.then_some(Self {
            width,
            height,
            is_progressive: matches!(marker, 0xc2 | 0xc6 | 0xca | 0xce),
            components,
        })
    }

    /// The largest sampling factors, across and down.
    fn most(&self) -> (u8, u8) {
        let most = |of: fn(&Component) -> u8| self.components.iter().map(of).max().unwrap_or(1);
        (most(|component| component.horizontal), most(|component| component.vertical))
    }

    /// Blocks of a component, filled up to whole units of the interleaved data.
    fn blocks(&self, component: &Component) -> (usize, usize) {
        let (horizontal, vertical) = self.most();
        let units = |side: u16, most: u8| usize::from(side).div_ceil(8 * usize::from(most));
        (
            units(self.width, horizontal) * usize::from(component.horizontal),
            units(self.height, vertical) * usize::from(component.vertical),
        )
    }

    /// What decoding it whole takes: the pixels, and of progressive ones two bytes for each coefficient.
    pub(super) fn memory(&self) -> u64 {
        let pixels = u64::from(self.width) * u64::from(self.height) * self.components.len() as u64;
        let blocks: u64 =
            self.components.iter().map(|component| self.blocks(component)).map(|(x, y)| (x * y) as u64).sum();
        pixels + if self.is_progressive { blocks * 128 } else { 0 }
    }

    /// The picture at the smallest scale that fills the room, or the largest that there is memory for.
    pub(super) fn scaled(&self, bytes: &[u8], room: (u32, u32), memory: u64) -> Result<DynamicImage, Refused> {
        if self.is_progressive {
            // Two bytes of each block while it is read, and one pixel for each.
            return if self.memory() / 32 > memory { Err(Refused::TooLarge) } else { dc::decode(self, bytes) };
        }
        let mut decoder = Decoder::new(bytes);
        let side = |side: u32| u16::try_from(side.max(1)).unwrap_or(u16::MAX);
        let (mut width, mut height) = (side(room.0), side(room.1));
        let damaged = |_| Refused::Damaged;
        // Samples of each component, then pixels.
        let bound = memory / (2 * self.components.len() as u64);
        loop {
            let (wide, high) = decoder.scale(width, height).map_err(damaged)?;
            if u64::from(wide) * u64::from(high) <= bound {
                break;
            }
            if width == 1 && height == 1 {
                return Err(Refused::TooLarge);
            }
            (width, height) = ((width / 2).max(1), (height / 2).max(1));
        }
        let pixels = decoder.decode().map_err(damaged)?;
        let info = decoder.info().ok_or(Refused::Damaged)?;
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
        image.ok_or(Refused::Damaged)
    }
}

/// A channel of light, of two of ink: 255 is all of it.
fn over(ink: u8, black: u8) -> u8 {
    let light = |ink: u8| u16::from(255 - ink);
    u8::try_from(light(ink) * light(black) / 255).unwrap_or(u8::MAX)
}
