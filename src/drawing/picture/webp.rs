//! What decoding a WebP takes, by the sizes and flags in its chunks. Decodes nothing.

/// Of transparency that is stored apart, and of an animation.
const ALPHA: u8 = 0x10;
const ANIMATION: u8 = 0x02;

/// Bytes that the decoder allocates for a picture of that size, those of the picture included.
pub(super) fn memory(bytes: &[u8], size: (u32, u32)) -> u64 {
    let extended = chunks(bytes.get(12..).unwrap_or_default()).find(|chunk| chunk.name == *b"VP8X");
    let flags = extended.and_then(|chunk| chunk.content.first().copied()).unwrap_or(0);
    let each = match flags & (ALPHA | ANIMATION) {
        // Four bytes a pixel of the lossless kind whatever it has, and the copy without transparency.
        0 => 7,
        // The frame, what it is drawn on, and the copy.
        _ => 12,
    };
    // A frame may claim to be larger than the picture, and is decoded before that is seen.
    let frames = frames(bytes.get(12..).unwrap_or_default()).chain([size]);
    let pixels = frames.map(|(width, height)| u64::from(width) * u64::from(height)).max().unwrap_or(0);
    // The lossy kind copies what it decodes.
    pixels.saturating_mul(each).saturating_add(bytes.len() as u64)
}

struct Chunk<'a> {
    name: [u8; 4],
    content: &'a [u8],
}

fn chunks(mut bytes: &[u8]) -> impl Iterator<Item = Chunk<'_>> {
    std::iter::from_fn(move || {
        let (name, rest) = bytes.split_first_chunk()?;
        let (length, rest) = rest.split_first_chunk()?;
        let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        let (content, _) = rest.split_at_checked(length).unwrap_or((rest, &[]));
        bytes = rest.get(length.saturating_add(length % 2)..).unwrap_or_default();
        Some(Chunk { name: *name, content })
    })
}

/// Widths and heights of the lossy frames, those of an animation included.
fn frames(bytes: &[u8]) -> impl Iterator<Item = (u32, u32)> {
    let of_animation = chunks(bytes).filter(|chunk| chunk.name == *b"ANMF").flat_map(|frame| {
        // After its place, size, duration and flags.
        chunks(frame.content.get(16..).unwrap_or_default())
    });
    chunks(bytes).chain(of_animation).filter(|chunk| chunk.name == *b"VP8 ").filter_map(|frame| {
        let side = |at: usize| {
            let bytes = frame.content.get(at..)?.first_chunk()?;
            Some(u32::from(u16::from_le_bytes(*bytes) & 0x3fff))
        };
        Some((side(6)?, side(8)?))
    })
}
