//! The first coefficient of each block of a progressive JPEG, which is the picture at an eighth of its size. Scans of other
//! coefficients are passed over.

use image::{DynamicImage, GrayImage, Luma, Rgb, RgbImage};

use super::frame::{Component, FrameHeader, Segment, segment};
use crate::pictures::undecodable::Undecodable;

pub(super) fn decode(frame: &FrameHeader, bytes: &[u8]) -> Result<DynamicImage, Undecodable> {
    let mut reader = BitReader::new(frame);
    let mut at = 0;
    while let Some(Segment { marker, content, end }) = segment(bytes, at) {
        at = end;
        match marker {
            0xdb => reader.quantization(content),
            0xc4 => reader.huffman(content),
            0xdd => reader.restart = content.first_chunk().map_or(0, |count| usize::from(u16::from_be_bytes(*count))),
            0xee if content.starts_with(b"Adobe") => reader.transform = content.get(11).copied(),
            // What a scan that ends early has not told stays gray.
            0xda => reader.scan(content, bytes.get(end..).unwrap_or_default()).unwrap_or(()),
            _ => {}
        }
    }
    reader.picture().ok_or(Undecodable::Damaged)
}

struct Plane {
    component: Component,
    /// Blocks in a row and in a column, filled up to whole units of interleaved data.
    stride: usize,
    rows: usize,
    /// Blocks that have pixels, across and down: what a scan of this component alone has.
    seen: (usize, usize),
    values: Vec<i16>,
    quantum: i32,
}

struct BitReader<'a> {
    frame: &'a FrameHeader,
    planes: Vec<Plane>,
    quanta: [i32; 4],
    tables: [Option<HuffmanTable>; 4],
    restart: usize,
    transform: Option<u8>,
    has_values: bool,
}

impl<'a> BitReader<'a> {
    fn new(frame: &'a FrameHeader) -> Self {
        let (most_x, most_y) = frame.most();
        let seen = |side: u16, factor: u8, most: u8| {
            (usize::from(side) * usize::from(factor)).div_ceil(usize::from(most)).div_ceil(8)
        };
        let plane = |component: &Component| {
            let (stride, rows) = frame.blocks(*component);
            let seen =
                (seen(frame.width, component.horizontal, most_x), seen(frame.height, component.vertical, most_y));
            Plane { component: *component, stride, rows, seen, values: vec![0; stride * rows], quantum: 1 }
        };
        let planes = frame.components.iter().map(plane).collect();
        let tables = [const { None }; 4];
        Self { frame, planes, quanta: [1; 4], tables, restart: 0, transform: None, has_values: false }
    }

    fn quantization(&mut self, mut content: &[u8]) {
        while let [head, rest @ ..] = content {
            let (length, first) = match (head >> 4, rest) {
                (0, [first, ..]) => (64, i32::from(*first)),
                (_, [high, low, ..]) => (128, i32::from(u16::from_be_bytes([*high, *low]))),
                _ => return,
            };
            if let Some(quantum) = self.quanta.get_mut(usize::from(head & 3)) {
                *quantum = first;
            }
            content = rest.get(length..).unwrap_or_default();
        }
    }

    fn huffman(&mut self, mut content: &[u8]) {
        while let Some((head, rest)) = content.split_first_chunk::<17>() {
            let [class, counts @ ..] = head;
            let length = counts.iter().map(|count| usize::from(*count)).sum();
            let Some((symbols, rest)) = rest.split_at_checked(length) else { return };
            if class >> 4 == 0
                && let Some(table) = self.tables.get_mut(usize::from(class & 3))
            {
                *table = Some(HuffmanTable::new(counts, symbols));
            }
            content = rest;
        }
    }

    /// Reads a scan of first coefficients; passes over any other. None where the data ends early.
    fn scan(&mut self, head: &[u8], data: &[u8]) -> Option<()> {
        let (count, rest) = head.split_first()?;
        let (parts, last) = rest.split_at_checked(usize::from(*count) * 2)?;
        let [0, 0, approximation] = *last.first_chunk::<3>()? else { return Some(()) };
        let (is_first, shift) = (approximation >> 4 == 0, u32::from(approximation & 15).min(13));
        let mut members = Vec::new();
        for part in parts.chunks_exact(2) {
            let [id, tables] = *part else { return None };
            let at = self.planes.iter().position(|plane| plane.component.id == id)?;
            let plane = self.planes.get_mut(at)?;
            plane.quantum = *self.quanta.get(usize::from(plane.component.table))?;
            members.push((at, usize::from(tables >> 4)));
        }
        let mut bits = Bits { bytes: data, at: 0, held: 0, count: 0 };
        let mut predicted = [0_i32; 4];
        // Of one component alone, each block is a unit.
        let is_alone = members.len() == 1;
        let first = self.planes.get(members.first()?.0)?;
        let (across, down) = if is_alone {
            first.seen
        } else {
            let Component { horizontal, vertical, .. } = first.component;
            (first.stride / usize::from(horizontal), first.rows / usize::from(vertical))
        };
        for unit in 0..across * down {
            if unit > 0 && self.restart > 0 && unit.is_multiple_of(self.restart) {
                bits.restart()?;
                predicted = [0; 4];
            }
            for ((plane, table), predicted) in members.iter().zip(&mut predicted) {
                let plane = self.planes.get_mut(*plane)?;
                let Component { horizontal, vertical, .. } = plane.component;
                let (wide, high) = if is_alone { (1, 1) } else { (usize::from(horizontal), usize::from(vertical)) };
                for block in 0..wide * high {
                    let (x, y) = (unit % across * wide + block % wide, unit / across * high + block / wide);
                    let value = plane.values.get_mut(y * plane.stride + x)?;
                    if is_first {
                        let length = self.tables.get(*table)?.as_ref()?.symbol(&mut bits)?;
                        *predicted = predicted.wrapping_add(bits.signed(u32::from(length.min(15)))?);
                        *value = i16::try_from(predicted.checked_shl(shift)?).unwrap_or_default();
                    } else if bits.take(1)? == 1 {
                        *value |= 1_i16 << shift;
                    }
                    self.has_values = true;
                }
            }
        }
        Some(())
    }

    fn picture(&self) -> Option<DynamicImage> {
        if !self.has_values {
            return None;
        }
        let (width, height) = (u32::from(self.frame.width).div_ceil(8), u32::from(self.frame.height).div_ceil(8));
        let (most_x, most_y) = self.frame.most();
        let at = |plane: &Plane, x: u32, y: u32| {
            let x = x as usize * usize::from(plane.component.horizontal) / usize::from(most_x);
            let y = y as usize * usize::from(plane.component.vertical) / usize::from(most_y);
            let value = plane.values.get(y * plane.stride + x).map_or(0, |value| i32::from(*value));
            // Eight times the mean of the block's samples, counted from the middle.
            u8::try_from((value.saturating_mul(plane.quantum) / 8).saturating_add(128).clamp(0, 255)).unwrap_or(0)
        };
        let image = match &self.planes[..] {
            [gray] => GrayImage::from_fn(width, height, |x, y| Luma([at(gray, x, y)])).into(),
            [one, two, three] => {
                let ids = [one, two, three].map(|plane| plane.component.id);
                let is_rgb = self.transform == Some(0) || (self.transform.is_none() && ids == *b"RGB");
                let dot = |x, y| [at(one, x, y), at(two, x, y), at(three, x, y)];
                RgbImage::from_fn(width, height, |x, y| Rgb(if is_rgb { dot(x, y) } else { rgb(dot(x, y)) })).into()
            }
            [one, two, three, black] => {
                let is_ycck = self.transform == Some(2);
                let dot = |x, y| [at(one, x, y), at(two, x, y), at(three, x, y)];
                RgbImage::from_fn(width, height, |x, y| {
                    // Adobe stores inks as the light that they leave, and turns that around before it makes YCC of it.
                    let light = if is_ycck { rgb(dot(x, y)).map(|ink| 255 - ink) } else { dot(x, y) };
                    let black = at(black, x, y);
                    Rgb(light.map(|light| u8::try_from(u16::from(light) * u16::from(black) / 255).unwrap_or(255)))
                })
                .into()
            }
            _ => return None,
        };
        Some(image)
    }
}

/// ITU-R BT.601, in 65536ths.
fn rgb([luma, blue, red]: [u8; 3]) -> [u8; 3] {
    let (luma, blue, red) = (i32::from(luma) << 16, i32::from(blue) - 128, i32::from(red) - 128);
    let channels = [luma + 91_881 * red, luma - 22_554 * blue - 46_802 * red, luma + 116_130 * blue];
    channels.map(|channel| u8::try_from(((channel + 32_768) >> 16).clamp(0, 255)).unwrap_or(0))
}

struct HuffmanTable {
    /// Of each length of codes the first one, the place of its symbol, and how many there are.
    lengths: [(u32, usize, u32); 16],
    symbols: Vec<u8>,
}

impl HuffmanTable {
    fn new(counts: &[u8], symbols: &[u8]) -> Self {
        let mut lengths = [(0, 0, 0); 16];
        let (mut code, mut place) = (0_u32, 0);
        for (length, count) in lengths.iter_mut().zip(counts) {
            *length = (code, place, u32::from(*count));
            code = (code + u32::from(*count)) << 1;
            place += usize::from(*count);
        }
        Self { lengths, symbols: symbols.to_vec() }
    }

    fn symbol(&self, bits: &mut Bits<'_>) -> Option<u8> {
        let mut code = 0;
        for (first, place, count) in self.lengths {
            code = code << 1 | bits.take(1)?;
            if let Some(offset) = code.checked_sub(first).filter(|offset| *offset < count) {
                return self.symbols.get(place + offset as usize).copied();
            }
        }
        None
    }
}

/// Entropy-coded data, bit by bit.
struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
    held: u32,
    count: u32,
}

impl Bits<'_> {
    /// So many bits, at most 16. None at the next marker.
    fn take(&mut self, count: u32) -> Option<u32> {
        while self.count < count {
            let byte = *self.bytes.get(self.at)?;
            if byte == 0xff && *self.bytes.get(self.at + 1)? != 0 {
                return None;
            }
            self.at += if byte == 0xff { 2 } else { 1 };
            self.held = self.held << 8 | u32::from(byte);
            self.count += 8;
        }
        self.count -= count;
        Some(self.held >> self.count & ((1 << count) - 1))
    }

    /// A number of so many bits; those that begin with 0 are below 0.
    fn signed(&mut self, length: u32) -> Option<i32> {
        let value = i32::try_from(self.take(length)?).ok()?;
        let is_negative = length > 0 && value >> (length - 1) == 0;
        Some(if is_negative { value - (1 << length) + 1 } else { value })
    }

    /// Continues behind the next restart marker.
    fn restart(&mut self) -> Option<()> {
        (self.held, self.count) = (0, 0);
        let rest = self.bytes.get(self.at..)?;
        self.at += rest.windows(2).position(|pair| matches!(pair, [0xff, 0xd0..=0xd7]))? + 2;
        Some(())
    }
}
