//! Sixels: bands of six rows with a palette of 256 colors, and one pass over a band for each color
//! in it.

use std::fmt::Write as _;

use color_quant::NeuQuant;
use image::RgbaImage;
use image::imageops::{FilterType, resize};
use ratatui::layout::Size;

use crate::engine::preview::Picture;

const BAND: u32 = 6;
const COLORS: usize = 256;
/// Every tenth dot is sampled for the palette.
const SAMPLING: i32 = 10;

/// Returns the sequence that draws the picture at the cursor, over this many cells of that size in
/// pixels.
pub(super) fn sequence(seen: &Picture, size: Size, cell: Size) -> Option<String> {
    let (width, height) = (
        u32::from(size.width) * u32::from(cell.width),
        u32::from(size.height) * u32::from(cell.height),
    );
    // A band is always drawn whole, so it must not reach below the last row of cells.
    let (width, height) = (width.min(MOST_EDGE), height.min(MOST_EDGE) / BAND * BAND);
    let image = RgbaImage::from_raw(seen.width, seen.height, seen.rgba.to_vec())
        .filter(|_| width * height > 0)?;
    let image = resize(&image, width, height, FilterType::Triangle);
    let palette = NeuQuant::new(SAMPLING, COLORS, image.as_raw());
    let mut out = format!("\x1bP0;1;0q\"1;1;{width};{height}");
    for (number, rgb) in palette.color_map_rgb().chunks_exact(3).enumerate() {
        let [red, green, blue] =
            [0, 1, 2].map(|at| rgb.get(at).map_or(0, |value| u32::from(*value) * 100 / 255));
        let _ = write!(out, "#{number};2;{red};{green};{blue}");
    }
    for band in image.as_raw().chunks_exact((width * BAND * 4) as usize) {
        push_band(&mut out, band, width as usize, &palette);
    }
    out.push_str("\x1b\\");
    Some(out)
}

/// The longest edge of a picture in pixels, whatever the size of the screen.
const MOST_EDGE: u32 = 1_600;

/// Appends a band of six rows: for each color, the dots of each column that have it.
fn push_band(out: &mut String, band: &[u8], width: usize, palette: &NeuQuant) {
    let mut columns: Vec<Option<Vec<u8>>> = vec![None; COLORS];
    for (row, dots) in band.chunks_exact(width * 4).enumerate() {
        for (column, dot) in dots.chunks_exact(4).enumerate() {
            let color = columns.get_mut(palette.index_of(dot));
            let mask =
                color.and_then(|color| color.get_or_insert_with(|| vec![0; width]).get_mut(column));
            if let Some(mask) = mask {
                *mask |= 1 << row;
            }
        }
    }
    for (number, masks) in columns.iter().enumerate() {
        if let Some(masks) = masks {
            let _ = write!(out, "#{number}");
            for run in masks.chunk_by(|mask, other| mask == other) {
                let sign = char::from(b'?' + run.first().copied().unwrap_or(0));
                match run.len() {
                    length @ 4.. => {
                        let _ = write!(out, "!{length}{sign}");
                    }
                    length => out.extend(std::iter::repeat_n(sign, length)),
                }
            }
            // Back to the start of the band, for the next color.
            out.push('$');
        }
    }
    out.push('-');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_bands_of_runs() {
        let rgba: Vec<u8> = (0..20 * 20).flat_map(|_| [250, 0, 0, 255]).collect();
        let seen = Picture {
            width: 20,
            height: 20,
            rgba: rgba.into(),
        };
        let drawn = sequence(
            &seen,
            Size {
                width: 4,
                height: 2,
            },
            Size::new(10, 20),
        )
        .unwrap();
        assert!(
            drawn.starts_with("\x1bP0;1;0q\"1;1;40;36#0;2;") && drawn.ends_with("\x1b\\"),
            "{drawn:?}"
        );
        let bands: Vec<&str> = drawn.split('-').collect();
        assert_eq!(bands.len(), 7, "six bands of 6 rows in 2 cells of 20");
        assert!(bands[1].ends_with("!40~$"), "{}", bands[1]);
    }

    #[test]
    fn what_has_no_room_is_not_drawn() {
        let seen = Picture {
            width: 1,
            height: 1,
            rgba: vec![0; 4].into(),
        };
        assert_eq!(
            sequence(
                &seen,
                Size {
                    width: 1,
                    height: 1
                },
                Size::new(5, 5)
            ),
            None
        );
    }
}
