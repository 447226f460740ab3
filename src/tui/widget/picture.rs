//! A picture in half blocks: two dots per cell, one above the other. Works in any terminal with
//! colors.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Color;

use crate::engine::preview::Picture;
use crate::tui::style::theme::Theme;

/// Small pictures are not enlarged further, because their dots would dominate.
const MOST_ENLARGED: u32 = 2;

/// Samples for one dot, across and down: enough for the eye, however large the picture is.
const PLACES: usize = 3;

/// The part of `area` that the picture fills, at its top and centered. `cell` is the size of a cell
/// in its pixels.
pub fn fit(picture: &Picture, area: Rect, cell: (u16, u16)) -> Rect {
    let (cell_width, cell_height) = (u64::from(cell.0.max(1)), u64::from(cell.1.max(1)));
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

pub fn draw(picture: &Picture, area: Rect, theme: &Theme, buffer: &mut Buffer) {
    let background = theme.background();
    // Computed once for all rows and columns, because every dot would divide anew.
    let (across, down) = (
        places(area.width.into(), picture.width),
        places(u32::from(area.height) * 2, picture.height),
    );
    let ((across, _), (down, _)) = (across.as_chunks::<PLACES>(), down.as_chunks::<PLACES>());
    for (y, halves) in (area.top()..area.bottom()).zip(down.as_chunks::<2>().0) {
        for (x, across) in (area.left()..area.right()).zip(across) {
            let [upper, lower] = halves
                .each_ref()
                .map(|down| theme.nearest(average(picture, background, across, down)));
            if let Some(cell) = buffer.cell_mut((x, y)) {
                cell.set_symbol("▀").set_fg(upper).set_bg(lower);
            }
        }
    }
}

/// The sample positions for `dots` along a side of the picture, in its pixels.
fn places(dots: u32, side: u32) -> Vec<u32> {
    let all = u64::from(dots) * PLACES as u64;
    (0..all)
        .map(|at| u32::try_from((at * 2 + 1) * u64::from(side) / (all * 2)).unwrap_or(0))
        .collect()
}

/// The color of one dot, over `background`.
fn average(
    picture: &Picture,
    background: [u8; 3],
    across: &[u32; PLACES],
    down: &[u32; PLACES],
) -> Color {
    let mut sums = [0_u32; 3];
    for y in down {
        for x in across {
            for (sum, channel) in sums.iter_mut().zip(picture.at(*x, *y, background)) {
                *sum += u32::from(channel);
            }
        }
    }
    let [red, green, blue] =
        sums.map(|sum| u8::try_from(sum as usize / (PLACES * PLACES)).unwrap_or(u8::MAX));
    Color::Rgb(red, green, blue)
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
        let fit = fit(&picture(width, height, |_, _| [0; 3]), area, cell);
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
            &Theme::named(name, depth).unwrap(),
            &mut buffer,
        );
        assert_eq!(
            (buffer[(0, 0)].fg, buffer[(0, 0)].bg),
            (background, background)
        );
    }
}
