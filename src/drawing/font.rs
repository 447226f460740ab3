//! A sample of a font: its name, letters and digits in lines, black on white; of a font without
//! Latin letters, its first characters.

use resvg::tiny_skia::{Color, FillRule, Paint, PathBuilder, Pixmap, Transform};
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::string::StringId;
use skrifa::{FontRef, GlyphId, MetadataProvider as _};

use super::request::{DrawRequest, Drawing};

const SAMPLE: [&str; 5] = [
    "ABCDEFGHIJKLM",
    "NOPQRSTUVWXYZ",
    "abcdefghijklm",
    "nopqrstuvwxyz",
    "0123456789 .,;!?&@",
];
/// The most characters of the name.
const LONGEST: usize = 24;
/// The font size. It and the lengths below are in units that are scaled to pixels later.
const EM: f32 = 100.0;
const LINE: f32 = 130.0;
const MARGIN: f32 = 40.0;

/// Collects the outlines of all letters in one path.
struct Pen {
    path: PathBuilder,
    at: (f32, f32),
}

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to(self.at.0 + x, self.at.1 - y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(self.at.0 + x, self.at.1 - y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (left, base) = self.at;
        self.path.quad_to(left + x1, base - y1, left + x, base - y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let (left, base) = self.at;
        self.path.cubic_to(
            left + x1,
            base - y1,
            left + x2,
            base - y2,
            left + x,
            base - y,
        );
    }

    fn close(&mut self) {
        self.path.close();
    }
}

pub(super) fn draw(bytes: &[u8], request: DrawRequest) -> Option<Drawing> {
    let font = FontRef::from_index(bytes, 0).ok()?;
    let lines = lines(&font);
    let (letters, outlines) = (font.charmap(), font.outline_glyphs());
    let advances = font.glyph_metrics(Size::new(EM), LocationRef::default());
    let mut pen = Pen {
        path: PathBuilder::new(),
        at: (MARGIN, MARGIN + EM),
    };
    let mut widest: f32 = 0.0;
    for line in &lines {
        for letter in line.chars() {
            let glyph = letters.map(letter).unwrap_or(GlyphId::NOTDEF);
            if let Some(outline) = outlines.get(glyph) {
                // A damaged letter is left out.
                let _ = outline.draw(
                    DrawSettings::unhinted(Size::new(EM), LocationRef::default()),
                    &mut pen,
                );
            }
            pen.at.0 += advances
                .advance_width(glyph)
                .unwrap_or(EM)
                .clamp(0.0, 4.0 * EM);
        }
        widest = widest.max(pen.at.0);
        pen.at = (MARGIN, pen.at.1 + LINE);
    }
    let path = pen.path.finish()?;
    let (width, height, scale) = request.fit(widest + MARGIN, pen.at.1 - EM + MARGIN)?;
    let mut pixmap = Pixmap::new(width, height)?;
    pixmap.fill(Color::WHITE);
    let mut ink = Paint::default();
    ink.set_color(Color::BLACK);
    pixmap.fill_path(
        &path,
        &ink,
        FillRule::Winding,
        Transform::from_scale(scale, scale),
        None,
    );
    Some(Drawing {
        width,
        height,
        pages: 1,
        rgba: pixmap.take(),
    })
}

fn lines(font: &FontRef<'_>) -> Vec<String> {
    let letters = font.charmap();
    let has_all = |text: &str| text.chars().all(|letter| letters.map(letter).is_some());
    if SAMPLE.into_iter().take(4).all(has_all) {
        let name = font
            .localized_strings(StringId::FULL_NAME)
            .english_or_first();
        let name: String = name
            .into_iter()
            .flat_map(|name| name.chars().collect::<Vec<_>>())
            .take(LONGEST)
            .collect();
        return [name]
            .into_iter()
            .chain(SAMPLE.into_iter().map(str::to_owned))
            .filter(|line| !line.is_empty())
            .collect();
    }
    let first: Vec<char> = letters
        .mappings()
        .filter_map(|(letter, _)| char::from_u32(letter))
        .filter(|c| !c.is_whitespace())
        .take(60)
        .collect();
    first.chunks(12).map(|line| line.iter().collect()).collect()
}
