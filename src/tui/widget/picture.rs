//! A picture in block characters: each cell gets the glyph and the two colors that come nearest to
//! the dots in it. Works in any terminal with colors.

use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::style::Color;

use crate::engine::preview::{Picture, over};
use crate::tui::style::theme::Theme;

/// Small pictures are not enlarged further, because their dots would dominate.
const MOST_ENLARGED: u32 = 2;

/// The samples of a cell, across and down: enough for the eye, however large the picture is.
const ACROSS: usize = 4;
const DOWN: usize = 6;

/// The dots of a cell, of which a glyph draws some in the first color and the others in the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mosaic {
    /// Two across and two down, in any terminal.
    #[default]
    Quadrants,
    /// Two across and three down.
    Sextants,
}

/// The part of `area` that the picture fills, at its top and centered. `cell` is the size of a cell
/// in its pixels.
pub fn fit(picture: &Picture, area: Rect, cell: Size) -> Rect {
    let (cell_width, cell_height) = (u64::from(cell.width.max(1)), u64::from(cell.height.max(1)));
    let (width, height) = (
        u64::from(picture.width.max(1)),
        u64::from(picture.height.max(1)),
    );
    let across = (u64::from(area.width) * cell_width).min(width * u64::from(MOST_ENLARGED));
    let down = (u64::from(area.height) * cell_height).min(height * u64::from(MOST_ENLARGED));
    let (across, down) = if across * height <= down * width {
        (across, across * height / width)
    } else {
        (down * width / height, down)
    };
    let cells = |dots: u64, of: u64, most: u16| {
        u16::try_from(dots.div_ceil(of))
            .unwrap_or(most)
            .clamp(1, most.max(1))
    };
    let columns = cells(across, cell_width, area.width);
    let rows = cells(down, cell_height, area.height);
    let x = area.x + area.width.saturating_sub(columns) / 2;
    Rect {
        x,
        y: area.y,
        width: columns,
        height: rows,
    }
    .intersection(area)
}

pub fn draw(picture: &Picture, area: Rect, mosaic: Mosaic, theme: &Theme, buffer: &mut Buffer) {
    match mosaic {
        Mosaic::Quadrants => draw_cells::<2, 2>(picture, area, theme, buffer),
        Mosaic::Sextants => draw_cells::<3, 8>(picture, area, theme, buffer),
    }
}

/// Draws cells with `ROWS` rows of two dots, for which there are four times `FOURS` glyphs.
fn draw_cells<const ROWS: usize, const FOURS: usize>(
    picture: &Picture,
    area: Rect,
    theme: &Theme,
    buffer: &mut Buffer,
) {
    let background = theme.background();
    let factors = factors::<FOURS>(2 * ROWS);
    // Computed once for all rows and columns, because every dot would divide anew.
    let (across, down) = (
        places::<ACROSS>(area.width, picture.width),
        places::<DOWN>(area.height, picture.height),
    );
    let ((across, _), (down, _)) = (across.as_chunks::<ACROSS>(), down.as_chunks::<DOWN>());
    for (y, down) in (area.top()..area.bottom()).zip(down) {
        let lines = down.map(|y| picture.row(y));
        for (x, across) in (area.left()..area.right()).zip(across) {
            let mut dots = [[ColorSum::default(); 2]; ROWS];
            for (dots, lines) in dots.iter_mut().zip(lines.chunks(DOWN / ROWS)) {
                for (dot, across) in dots.iter_mut().zip(across.chunks(ACROSS / 2)) {
                    *dot = ColorSum::of_samples(lines, across, background);
                }
            }
            let (glyph, colors) = nearest(dots.as_flattened(), &factors);
            let [ink, paper] = colors.map(|sum| theme.nearest(sum.average()));
            if let Some(cell) = buffer.cell_mut((x, y)) {
                cell.set_char(glyph).set_fg(ink).set_bg(paper);
            }
        }
    }
}

/// The sample positions for `cells` along a side of the picture, in its pixels.
fn places<const EACH: usize>(cells: u16, side: u32) -> Vec<u32> {
    let all = u64::from(cells) * EACH as u64;
    (0..all)
        .map(|at| u32::try_from((at * 2 + 1) * u64::from(side) / (all * 2)).unwrap_or(0))
        .collect()
}

/// The sum of the colors of some samples. Those of a cell fit into an `i16`.
#[derive(Debug, Clone, Copy, Default)]
struct ColorSum {
    channels: [i16; 3],
    samples: i16,
}

impl ColorSum {
    fn of_samples(lines: &[&[[u8; 4]]], across: &[u32], background: [u8; 3]) -> Self {
        let mut sum = Self::default();
        for line in lines {
            for x in across {
                let color = line.get(*x as usize);
                let color = color.map_or(background, |color| over(*color, background));
                sum.add(color.map(i16::from), 1);
            }
        }
        sum
    }

    fn of_dots<'a>(dots: impl Iterator<Item = &'a Self>) -> Self {
        dots.fold(Self::default(), |mut sum, dot| {
            sum.add(dot.channels, dot.samples);
            sum
        })
    }

    fn add(&mut self, channels: [i16; 3], samples: i16) {
        self.samples += samples;
        for (sum, channel) in self.channels.iter_mut().zip(channels) {
            *sum += channel;
        }
    }

    fn average(self) -> Color {
        let [red, green, blue] = self
            .channels
            .map(|sum| u8::try_from(sum / self.samples.max(1)).unwrap_or(u8::MAX));
        Color::Rgb(red, green, blue)
    }
}

/// Returns `true` if a glyph draws the dot in the first color. It always does so with the first
/// dot: the other half of the glyphs would only swap the colors.
fn has_ink(glyph: usize, dot: usize) -> bool {
    (glyph << 1 | 1) >> dot & 1 == 1
}

/// The factors of the glyphs: the more even the sides, the less the average of each differs from
/// that of the cell.
fn factors<const FOURS: usize>(dots: usize) -> [[f32; 4]; FOURS] {
    let factor = |glyph| {
        let [ink, paper] = [true, false].map(|ink| {
            let dots = (0..dots).filter(|dot| has_ink(glyph, *dot) == ink);
            dots.map(|_| 1.0).sum::<f32>()
        });
        if paper > 0.0 {
            1.0 / (ink * paper)
        } else {
            0.0
        }
    };
    std::array::from_fn(|four| std::array::from_fn(|at| factor(four * 4 + at)))
}

/// Returns the glyph with the least squared error, and the sums of its two colors. That error is
/// least where the scaled distance of a side from the average is largest, so that each glyph costs
/// a few additions, four at a time.
fn nearest<const FOURS: usize>(
    dots: &[ColorSum],
    factors: &[[f32; 4]; FOURS],
) -> (char, [ColorSum; 2]) {
    let all = ColorSum::of_dots(dots.iter());
    let mut distances = [[0.0; 4]; FOURS];
    for channel in 0..3 {
        let of = |sum: &ColorSum| sum.channels.get(channel).copied().unwrap_or(0);
        let count = i16::try_from(dots.len()).unwrap_or(1);
        let mut differences = dots.iter().map(|dot| f32::from(of(dot) * count - of(&all)));
        let mut next = || differences.next().unwrap_or(0.0);
        let (first, second, third) = (next(), next(), next());
        let four = [first, first + second, first + third, first + second + third];
        let mut rest = [0.0; FOURS];
        for (dot, difference) in differences.enumerate() {
            let (without, with) = rest.split_at_mut(1 << dot);
            for (with, without) in with.iter_mut().zip(without) {
                *with = *without + difference;
            }
        }
        for (distances, rest) in distances.iter_mut().zip(rest) {
            for (distance, of_four) in distances.iter_mut().zip(four) {
                *distance += (of_four + rest) * (of_four + rest);
            }
        }
    }
    for (distances, factors) in distances.iter_mut().zip(factors) {
        for (distance, factor) in distances.iter_mut().zip(factors) {
            *distance *= factor;
        }
    }
    let distances = distances.as_flattened();
    let most = distances.iter().copied().fold(0.0, f32::max);
    if most <= 0.0 {
        return ('▀', [all; 2]);
    }
    let glyph = distances.iter().position(|distance| *distance >= most);
    let glyph = glyph.unwrap_or(0);
    let colors = [true, false].map(|ink| {
        let dots = dots.iter().enumerate();
        ColorSum::of_dots(
            dots.filter(|(dot, _)| has_ink(glyph, *dot) == ink)
                .map(|(_, sum)| sum),
        )
    });
    (symbol(glyph, dots.len()), colors)
}

fn symbol(glyph: usize, dots: usize) -> char {
    const QUADRANTS: [char; 8] = ['▘', '▀', '▌', '▛', '▚', '▜', '▙', '█'];
    /// The left half. The block of sextants has neither this nor the right half.
    const LEFT: usize = 0b01010;
    let symbol = match glyph {
        _ if dots == 4 => QUADRANTS.get(glyph).copied(),
        LEFT => Some('▌'),
        _ => {
            let left_out = usize::from(glyph > LEFT) + usize::from(glyph > 2 * LEFT);
            ('\u{1fb00}'..='\u{1fb3b}').nth(2 * glyph - left_out)
        }
    };
    symbol.unwrap_or('█')
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::tui::style::theme::Depth;

    fn picture(width: u32, height: u32, dot: impl Fn(u32, u32) -> [u8; 3]) -> Picture {
        let dots = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let rgba: Vec<u8> = dots
            .flat_map(|(x, y)| {
                let [red, green, blue] = dot(x, y);
                [red, green, blue, 255]
            })
            .collect();
        Picture {
            width,
            height,
            rgba: rgba.into(),
        }
    }

    #[rstest]
    #[case::wide((160, 90), (34, 15), (1, 2), (0, 34, 10))]
    #[case::tall((90, 160), (34, 15), (1, 2), (9, 16, 15))]
    #[case::in_pixels((160, 90), (34, 15), (10, 20), (1, 32, 9))]
    #[case::small((4, 4), (34, 15), (1, 2), (13, 8, 4))]
    #[case::a_line((1000, 1), (34, 15), (1, 2), (0, 34, 1))]
    #[case::no_room((160, 90), (0, 0), (1, 2), (0, 0, 0))]
    fn a_picture_keeps_its_shape(
        #[case] (width, height): (u32, u32),
        #[case] (columns, rows): (u16, u16),
        #[case] cell: (u16, u16),
        #[case] (x, across, down): (u16, u16, u16),
    ) {
        let area = Rect {
            x: 0,
            y: 0,
            width: columns,
            height: rows,
        };
        let fit = fit(&picture(width, height, |_, _| [0; 3]), area, cell.into());
        assert_eq!((fit.x, fit.width, fit.height), (x, across, down));
    }

    #[test]
    fn each_half_of_a_cell_has_its_own_color() {
        let picture = picture(2, 2, |x, y| {
            [
                u8::try_from(x * 200).unwrap(),
                u8::try_from(y * 100).unwrap(),
                7,
            ]
        });
        let area = Rect {
            x: 0,
            y: 0,
            width: 2,
            height: 1,
        };
        let mut buffer = Buffer::empty(area);
        draw(
            &picture,
            area,
            Mosaic::Quadrants,
            &Theme::named("dark", Depth::True).unwrap(),
            &mut buffer,
        );
        let colors: Vec<_> = buffer
            .content
            .iter()
            .map(|cell| (cell.fg, cell.bg))
            .collect();
        let [dark, below] = [Color::Rgb(0, 0, 7), Color::Rgb(0, 100, 7)];
        let [right, both] = [Color::Rgb(200, 0, 7), Color::Rgb(200, 100, 7)];
        assert_eq!(colors, [(dark, below), (right, both)]);
    }

    /// Draws a picture of four by six pixels in one cell, so that each pixel is one sample.
    fn cell(mosaic: Mosaic, pixel: impl Fn(u32, u32) -> [u8; 3]) -> (String, Color, Color) {
        let area = Rect {
            width: 1,
            height: 1,
            ..Rect::default()
        };
        let mut buffer = Buffer::empty(area);
        let theme = Theme::named("dark", Depth::True).unwrap();
        draw(&picture(4, 6, pixel), area, mosaic, &theme, &mut buffer);
        let cell = &buffer[(0, 0)];
        (cell.symbol().to_owned(), cell.fg, cell.bg)
    }

    /// The sides of an edge: white where the position fulfills the condition.
    #[rstest]
    #[case::left(|x, _| x < 2, "▌", "▌")]
    #[case::right(|x, _| x >= 2, "▌", "▌")]
    #[case::corner(|x, y| x < 2 && y < 2, "▘", "\u{1fb00}")]
    #[case::diagonal(|x, y| (x < 2) == (y < 2), "▚", "\u{1fb27}")]
    #[case::all_but_a_corner(|x, y| x < 2 || y < 4, "▛", "\u{1fb1d}")]
    #[case::upper_third(|_, y| y < 2, "▀", "\u{1fb02}")]
    #[case::lower_third(|_, y| y >= 4, "▀", "\u{1fb0e}")]
    #[case::everything(|_, _| true, "▀", "▀")]
    fn the_glyph_follows_the_edge(
        #[case] is_white: fn(u32, u32) -> bool,
        #[case] quadrant: &str,
        #[case] sextant: &str,
    ) {
        let pixel = |x, y| if is_white(x, y) { [255; 3] } else { [0; 3] };
        let (symbol, ..) = cell(Mosaic::Quadrants, pixel);
        assert_eq!(symbol, quadrant);
        let (symbol, ink, _) = cell(Mosaic::Sextants, pixel);
        assert_eq!(symbol, sextant);
        if is_white(0, 0) {
            assert_eq!(ink, Color::Rgb(255, 255, 255));
        }
    }

    /// The glyphs, by the dots that they draw in the first color.
    fn glyphs(rows: usize) -> impl Iterator<Item = (String, Vec<bool>)> {
        let dots = 2 * rows;
        (0..1 << (dots - 1)).map(move |glyph| {
            let inks = (0..dots).map(|dot| has_ink(glyph, dot)).collect();
            (symbol(glyph, dots).to_string(), inks)
        })
    }

    #[rstest]
    #[case::quadrants(Mosaic::Quadrants, 2)]
    #[case::sextants(Mosaic::Sextants, 3)]
    fn no_other_glyph_has_a_smaller_error(#[case] mosaic: Mosaic, #[case] rows: usize) {
        let mut seed = 1_u32;
        let mut noise = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed.to_be_bytes()[0]
        };
        for _ in 0..200 {
            let dots: Vec<[u8; 3]> = (0..2 * rows).map(|_| [noise(), noise(), noise()]).collect();
            let dot = |x: u32, y: u32| (y as usize * rows / 6) * 2 + x as usize / 2;
            let (drawn, ..) = cell(mosaic, |x, y| dots[dot(x, y)]);
            let error = |inks: &[bool]| {
                let side = |ink| {
                    let side = dots.iter().zip(inks).filter(move |(_, is)| **is == ink);
                    side.map(|(dot, _)| dot.map(f64::from))
                };
                let of_side = |ink| {
                    let count = f64::from(u8::try_from(side(ink).count().max(1)).unwrap());
                    let of_channel = |channel: usize| {
                        let mean = side(ink).map(|dot| dot[channel]).sum::<f64>() / count;
                        side(ink)
                            .map(|dot| (dot[channel] - mean).powi(2))
                            .sum::<f64>()
                    };
                    (0..3).map(of_channel).sum::<f64>()
                };
                of_side(true) + of_side(false)
            };
            let least = glyphs(rows)
                .map(|(_, inks)| error(&inks))
                .fold(f64::MAX, f64::min);
            let (_, inks) = glyphs(rows).find(|(symbol, _)| *symbol == drawn).unwrap();
            assert!(error(&inks) <= least + 0.5, "{drawn} {dots:?}");
        }
    }

    #[rstest]
    #[case::light("light", Depth::True, Color::Rgb(255, 255, 255))]
    #[case::few_colors("light", Depth::Indexed, Color::Indexed(231))]
    #[case::dark("dark", Depth::True, Color::Rgb(0x16, 0x18, 0x1d))]
    fn what_is_transparent_has_the_background_of_the_theme(
        #[case] name: &str,
        #[case] depth: Depth,
        #[case] background: Color,
    ) {
        let clear = Picture {
            width: 1,
            height: 1,
            rgba: vec![0; 4].into(),
        };
        let area = Rect {
            x: 0,
            y: 0,
            width: 1,
            height: 1,
        };
        let mut buffer = Buffer::empty(area);
        draw(
            &clear,
            area,
            Mosaic::Quadrants,
            &Theme::named(name, depth).unwrap(),
            &mut buffer,
        );
        assert_eq!(
            (buffer[(0, 0)].fg, buffer[(0, 0)].bg),
            (background, background)
        );
    }
}
