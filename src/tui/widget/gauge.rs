//! Gauges: a heavy line on a light one, which has a tick where one level ends and the next begins. A line leaves the rows of a
//! list apart, and its weight says how full it is where there are no colors.

use std::cmp::Ordering;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::tui::style::symbols::{CAUTION, CROSSING, DANGER};
use crate::tui::style::theme::Theme;

/// Where levels end, in percent.
const LEVELS: [f64; 2] = [75.0, 90.0];
const FULL: &str = "━";
const HALF: &str = "╾";
const EMPTY: &str = "─";

/// Fills one row of cells, in halves of a cell. More than 0 % fills at least one half, and only 100 % fills all.
pub fn draw(buf: &mut Buffer, area: Rect, percent: f64, style: Style, theme: &Theme) {
    let halves = halves(percent, usize::from(area.width) * 2);
    let (full, has_half) = (halves / 2, halves % 2 == 1);
    for (at, x) in (area.left()..area.right()).enumerate() {
        let (symbol, style) = match at.cmp(&full) {
            Ordering::Less => (FULL, style),
            Ordering::Equal if has_half => (HALF, style),
            _ => (EMPTY, theme.faint),
        };
        if let Some(cell) = buf.cell_mut((x, area.y)) {
            cell.set_symbol(symbol).set_style(style);
        }
    }
}

fn halves(percent: f64, room: usize) -> usize {
    if percent.is_nan() || percent <= 0.0 {
        return 0;
    }
    if percent >= 100.0 {
        return room;
    }
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0..room")]
    let halves = (percent / 100.0 * room as f64).round() as usize;
    halves.clamp(1, room.saturating_sub(1).max(1))
}

/// The same, with a tick at each level that is not reached.
pub fn draw_with_ticks(buf: &mut Buffer, area: Rect, percent: f64, style: Style, theme: &Theme) {
    draw(buf, area, percent, style, theme);
    for level in LEVELS {
        let at = ratatui::layout::Position { x: area.x + tick(area.width, level), y: area.y };
        let Some(cell) = buf.cell_mut(at) else { continue };
        if cell.symbol() == EMPTY {
            cell.set_symbol(CROSSING).set_style(theme.dim);
        }
    }
}

/// The cell of a level in a gauge of so many.
pub fn tick(cells: u16, level: f64) -> u16 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of the cells")]
    let at = (f64::from(cells) * level / 100.0) as u16;
    at.min(cells.saturating_sub(1))
}

/// The sign that goes with a percentage, a cell wide: none below 75, one below 90, another one from there on.
pub fn sign(percent: f64) -> &'static str {
    match percent {
        p if p >= 90.0 => DANGER,
        p if p >= 75.0 => CAUTION,
        _ => " ",
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn bar(percent: f64, cells: u16) -> String {
        let area = Rect::new(0, 0, cells, 1);
        let mut buf = Buffer::empty(area);
        draw_with_ticks(&mut buf, area, percent, Style::new(), &Theme::default());
        buf.content().iter().map(ratatui::buffer::Cell::symbol).collect()
    }

    #[rstest]
    #[case::empty(0.0, "───────┼─┼")]
    #[case::just_begun(0.2, "╾──────┼─┼")]
    #[case::some(62.0, "━━━━━━─┼─┼")]
    #[case::half_a_cell(64.0, "━━━━━━╾┼─┼")]
    #[case::a_warning(80.0, "━━━━━━━━─┼")]
    #[case::almost_full(99.9, "━━━━━━━━━╾")]
    #[case::full(100.0, "━━━━━━━━━━")]
    #[case::over(130.0, "━━━━━━━━━━")]
    #[case::not_a_number(f64::NAN, "───────┼─┼")]
    fn a_bar_shows_how_full(#[case] percent: f64, #[case] expected: &str) {
        assert_eq!(bar(percent, 10), expected);
    }

    #[test]
    fn a_bar_without_room_is_nothing() {
        assert_eq!(bar(50.0, 0), "");
        assert_eq!(bar(100.0, 1), "━");
    }

    #[rstest]
    #[case(74.9, " ")]
    #[case(75.0, "△")]
    #[case(89.9, "△")]
    #[case(90.0, "▲")]
    fn marks_stand_at_75_and_90(#[case] value: f64, #[case] mark: &str) {
        assert_eq!(sign(value), mark);
    }
}
