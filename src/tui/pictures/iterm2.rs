//! iTerm2's protocol: a picture file within the text, stretched over a number of cells.

use std::io::Cursor;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::{ImageFormat, RgbaImage};
use ratatui::layout::Size;

use crate::engine::preview::Picture;

/// Returns the sequence that draws the picture at the cursor.
pub(super) fn sequence(seen: &Picture, size: Size) -> Option<String> {
    let image = RgbaImage::from_raw(seen.width, seen.height, seen.rgba.to_vec())?;
    let mut png = Cursor::new(Vec::new());
    image.write_to(&mut png, ImageFormat::Png).ok()?;
    let png = png.into_inner();
    let (Size { width, height }, bytes, data) = (size, png.len(), STANDARD.encode(png));
    let shape = format!("width={width};height={height};preserveAspectRatio=0");
    Some(format!(
        "\x1b]1337;File=inline=1;size={bytes};{shape};doNotMoveCursor=1:{data}\x07"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_a_file_in_the_text() {
        let seen = Picture {
            width: 3,
            height: 2,
            rgba: vec![200; 24].into(),
        };
        let sequence = sequence(
            &seen,
            Size {
                width: 12,
                height: 4,
            },
        )
        .unwrap();
        let (head, data) = sequence
            .strip_suffix('\x07')
            .unwrap()
            .split_once(':')
            .unwrap();
        assert!(
            head.starts_with("\x1b]1337;File=inline=1;size=")
                && head.contains(";width=12;height=4;"),
            "{head:?}"
        );
        let png = STANDARD.decode(data).unwrap();
        assert_eq!(
            image::load_from_memory(&png)
                .unwrap()
                .into_rgba8()
                .into_raw(),
            [200; 24]
        );
    }
}
