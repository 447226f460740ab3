//! The memory that decoding a WebP takes, by the sizes and flags in its chunks. Decodes nothing.

/// Flags for transparency that is stored separately, and for an animation.
const ALPHA: u8 = 0x10;
const ANIMATION: u8 = 0x02;

/// Returns the bytes that the decoder allocates for a picture of that size, including those of the
/// picture.
pub(super) fn memory(bytes: &[u8], size: (u32, u32)) -> u64 {
    let extended = chunks(bytes.get(12..).unwrap_or_default()).find(|chunk| chunk.name == *b"VP8X");
    let flags = extended
        .and_then(|chunk| chunk.content.first().copied())
        .unwrap_or(0);
    let each = match flags & (ALPHA | ANIMATION) {
        // Four bytes per pixel of a lossless picture even without transparency, and the copy that
        // drops it.
        0 => 7,
        // The frame, the canvas that it is drawn on, and the copy.
        _ => 12,
    };
    // A frame may claim to be larger than the picture, and is decoded before that is checked.
    let frames = frames(bytes.get(12..).unwrap_or_default()).chain([size]);
    let pixels = frames
        .map(|(width, height)| u64::from(width) * u64::from(height))
        .max()
        .unwrap_or(0);
    // A lossy frame is copied before it is decoded.
    pixels
        .saturating_mul(each)
        .saturating_add(bytes.len() as u64)
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
        bytes = rest
            .get(length.saturating_add(length % 2)..)
            .unwrap_or_default();
        Some(Chunk {
            name: *name,
            content,
        })
    })
}

/// Returns the widths and heights of the lossy frames, including those of an animation.
fn frames(bytes: &[u8]) -> impl Iterator<Item = (u32, u32)> {
    let of_animation = chunks(bytes)
        .filter(|chunk| chunk.name == *b"ANMF")
        .flat_map(|frame| {
            // Skips the frame's position, size, duration and flags.
            chunks(frame.content.get(16..).unwrap_or_default())
        });
    chunks(bytes)
        .chain(of_animation)
        .filter(|chunk| chunk.name == *b"VP8 ")
        .filter_map(|frame| {
            let side = |at: usize| {
                let bytes = frame.content.get(at..)?.first_chunk()?;
                Some(u32::from(u16::from_le_bytes(*bytes) & 0x3fff))
            };
            Some((side(6)?, side(8)?))
        })
}
