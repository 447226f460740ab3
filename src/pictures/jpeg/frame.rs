//! What the headers of a JPEG say (ITU-T T.81, annex B). Decodes nothing.

use image::metadata::Orientation;

use crate::pictures::undecodable::Undecodable;

/// What the frame header says.
#[derive(Debug)]
pub(crate) struct FrameHeader {
    pub(super) width: u16,
    pub(super) height: u16,
    pub(super) is_progressive: bool,
    /// The first scan has all components.
    is_interleaved: bool,
    pub(super) components: Vec<Component>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Component {
    pub(super) id: u8,
    pub(super) horizontal: u8,
    pub(super) vertical: u8,
    pub(super) table: u8,
}

/// A segment after its marker: which one, and its content; the place behind it.
pub(super) struct Segment<'a> {
    pub(super) marker: u8,
    pub(super) content: &'a [u8],
    pub(super) end: usize,
}

/// The next segment that has a length, from `at` on. Entropy-coded data is passed over.
pub(super) fn segment(bytes: &[u8], mut at: usize) -> Option<Segment<'_>> {
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

/// How the picture is to be turned, by what is before the first scan.
pub(crate) fn orientation(bytes: &[u8]) -> Orientation {
    let mut at = 0;
    while let Some(Segment { marker, content, end }) = segment(bytes, at).filter(|segment| segment.marker != SCAN) {
        at = end;
        if let Some(exif) = content.strip_prefix(b"Exif\0\0").filter(|_| marker == 0xe1) {
            return Orientation::from_exif_chunk(exif).unwrap_or(Orientation::NoTransforms);
        }
    }
    Orientation::NoTransforms
}

const SCAN: u8 = 0xda;

impl FrameHeader {
    pub(crate) fn find(bytes: &[u8]) -> Result<Self, Undecodable> {
        let (mut at, mut found) = (0, None);
        while let Some(Segment { marker, content, end }) = segment(bytes, at) {
            at = end;
            if marker == SCAN {
                let mut frame: Self = found.ok_or(Undecodable::Damaged)?;
                frame.is_interleaved =
                    content.first().is_some_and(|count| usize::from(*count) == frame.components.len());
                return Ok(frame);
            }
            if matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc) {
                found = Some(Self::read(marker, content).ok_or(Undecodable::Damaged)?);
            }
        }
        Err(Undecodable::Damaged)
    }

    fn read(marker: u8, content: &[u8]) -> Option<Self> {
        // Samples of eight bits: nothing decodes others.
        let [8, high, low, wide, narrow, count, components @ ..] = content else { return None };
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
            is_interleaved: false,
            components,
        })
    }

    /// The largest sampling factors, across and down.
    pub(super) fn most(&self) -> (u8, u8) {
        let most = |of: fn(&Component) -> u8| self.components.iter().map(of).max().unwrap_or(1);
        (most(|component| component.horizontal), most(|component| component.vertical))
    }

    /// Blocks of a component, filled up to whole units of the interleaved data.
    pub(super) fn blocks(&self, component: Component) -> (usize, usize) {
        let (horizontal, vertical) = self.most();
        let units = |side: u16, most: u8| usize::from(side).div_ceil(8 * usize::from(most));
        (
            units(self.width, horizontal) * usize::from(component.horizontal),
            units(self.height, vertical) * usize::from(component.vertical),
        )
    }

    /// So much that it fills the room at the scales at which it can be decoded.
    pub(crate) fn is_much_larger_than(&self, room: (u32, u32)) -> bool {
        let times = if self.is_progressive { 8 } else { 4 };
        room.0.saturating_mul(times) <= self.width.into() || room.1.saturating_mul(times) <= self.height.into()
    }

    /// What decoding it whole takes: the pixels, and two bytes for each coefficient where several scans make a picture.
    pub(crate) fn memory(&self) -> u64 {
        let pixels = u64::from(self.width) * u64::from(self.height) * self.components.len() as u64;
        let blocks: u64 =
            self.components.iter().map(|component| self.blocks(*component)).map(|(x, y)| (x * y) as u64).sum();
        pixels + if self.is_progressive || !self.is_interleaved { blocks * 128 } else { 0 }
    }
}
