//! The cells of a grid: a pure function of the list's area. A cell has a picture, a name and a line
//! of facts.

use std::ops::Range;

use ratatui::layout::{Position, Rect};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    pub area: Rect,
    /// The number of cells per line.
    pub across: usize,
    /// The number of lines of cells that fit.
    pub lines: usize,
    cell: (u16, u16),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GridCell {
    /// Everything except the blank line below it.
    pub all: Rect,
    pub picture: Rect,
    pub name: Rect,
    pub facts: Rect,
}

/// The approximate cell widths: narrow lists have small pictures; wide ones have larger ones rather
/// than more.
const NARROW: u16 = 16;
const WIDE: u16 = 26;
const WIDE_FROM: u16 = 90;
/// The cursor's bar at the left with a margin, and the margin at the right.
const BAR: u16 = 2;
const AIR: u16 = 1;
/// A name, its facts, and a blank line.
const TEXT: u16 = 3;
const LEAST_PICTURE: u16 = 3;
/// The least useful height of a picture.
const SMALL_PICTURE: u16 = 4;

impl Grid {
    /// Lays out the inside of the list's box, without the line of its filter.
    pub fn of(area: Rect) -> Self {
        let about = if area.width >= WIDE_FROM {
            WIDE
        } else {
            NARROW
        };
        let across = (area.width / about).max(1);
        let width = area.width / across;
        let picture = width.saturating_sub(BAR + 2 * AIR);
        // Most pictures are 4:3 or wider, and a terminal cell is twice as high as wide.
        let usual = (picture * 3 / 8).max(LEAST_PICTURE);
        let lines_of = |picture: u16| (area.height.saturating_add(1) / (picture + TEXT)).max(1);
        // Two lines of small pictures show more than one of large ones.
        let lines = lines_of(usual).max(lines_of(SMALL_PICTURE).min(2));
        // The remaining height goes to the pictures, up to a square; below the last line is a
        // margin, too.
        let room = area.height / lines;
        let room = if room < SMALL_PICTURE + TEXT {
            area.height.saturating_add(1) / lines
        } else {
            room
        };
        let height = room.min((picture / 2).max(usual) + TEXT);
        Self {
            area,
            across: usize::from(across),
            lines: usize::from(lines),
            cell: (width, height),
        }
    }

    pub fn lines_of(&self, cells: usize) -> usize {
        cells.div_ceil(self.across)
    }

    /// The range of items on these lines, out of `len`.
    pub fn items(&self, lines: Range<usize>, len: usize) -> Range<usize> {
        (lines.start * self.across).min(len)..(lines.end * self.across).min(len)
    }

    /// The areas of a cell, counted from the first one on the screen.
    pub fn cell(&self, at: usize) -> GridCell {
        let (width, height) = self.cell;
        let [column, line] =
            [at % self.across, at / self.across].map(|at| u16::try_from(at).unwrap_or(u16::MAX));
        let all = Rect {
            x: self.area.x.saturating_add(column.saturating_mul(width)),
            y: self.area.y.saturating_add(line.saturating_mul(height)),
            width: width.saturating_sub(AIR),
            height: height.saturating_sub(1),
        }
        .intersection(self.area);
        let inside = Rect {
            x: all.x.saturating_add(BAR),
            width: all.width.saturating_sub(BAR + AIR),
            ..all
        };
        let picture = inside.height.saturating_sub(TEXT - 1);
        let line = |at: u16| {
            Rect {
                y: inside.y.saturating_add(picture + at),
                height: 1,
                ..inside
            }
            .intersection(all)
        };
        GridCell {
            all,
            picture: Rect {
                height: picture,
                ..inside
            },
            name: line(0),
            facts: line(1),
        }
    }

    /// The cell at a position, counted from the first one on the screen, and its line.
    pub fn at(&self, place: Position) -> Option<(usize, usize)> {
        if !self.area.contains(place) {
            return None;
        }
        let (width, height) = self.cell;
        let column = usize::from((place.x - self.area.x).checked_div(width)?);
        let line = usize::from((place.y - self.area.y).checked_div(height)?);
        (column < self.across && line < self.lines).then(|| (line * self.across + column, line))
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::narrow(Rect::new(1, 2, 76, 12), 4, 1)]
    #[case::low(Rect::new(20, 2, 50, 19), 3, 2)]
    #[case::usual(Rect::new(25, 2, 56, 30), 3, 3)]
    #[case::wide(Rect::new(33, 2, 104, 43), 4, 4)]
    #[case::smallest(Rect::new(1, 2, 10, 2), 1, 1)]
    fn cells_fill_the_list_and_stay_inside(
        #[case] area: Rect,
        #[case] across: usize,
        #[case] lines: usize,
    ) {
        let grid = Grid::of(area);
        assert_eq!((grid.across, grid.lines), (across, lines));
        for at in 0..across * lines {
            let cell = grid.cell(at);
            for part in [cell.all, cell.picture, cell.name, cell.facts] {
                assert_eq!(part.intersection(area), part, "{cell:?}");
            }
            assert_eq!(grid.at(cell.all.as_position()), Some((at, at / across)));
        }
    }

    #[test]
    fn the_last_line_may_be_short() {
        let grid = Grid::of(Rect::new(0, 0, 56, 30));
        assert_eq!(grid.lines_of(7), 3);
        assert_eq!(grid.items(1..3, 7), 3..7);
    }
}
