//! Gauges: a bar on a track with ticks at the thresholds. A bar is lower than its row, to keep
//! adjacent gauges apart.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use crate::tui::style::symbols::{CAUTION, DANGER};
use crate::tui::style::theme::Theme;

/// Thresholds in percent.
const LEVELS: [f64; 2] = [75.0, 90.0];
const FULL: &str = "▆";
/// The bar without colors: a heavy line on a dashed one, because a block would be the brightest
/// thing on the screen. The line may end in the middle of a cell, which no block that is lower than
/// its row can do.
const MONO_FULL: &str = "━";
const MONO_HALF: &str = "╸";
const MONO_TRACK: &str = "╌";
/// For a track with a background color, and for one without.
const TRACK: [&str; 2] = [" ", "─"];
pub const TICK: &str = "│";

/// Fills one row of cells. More than 0% fills something, and only 100% fills all.
pub fn draw(buf: &mut Buffer, area: Rect, percent: f64, style: Style, theme: &Theme) {
    let [colored, plain] = TRACK;
    let (filling, half, track) = match () {
        () if theme.is_mono() => (MONO_FULL, Some(MONO_HALF), MONO_TRACK),
        () if theme.track.bg.is_some_and(|color| color != Color::Reset) => (FULL, None, colored),
        () => (FULL, None, plain),
    };
    let parts = 1 + u16::from(half.is_some());
    let filled = filled(percent, area.width.saturating_mul(parts));
    let (full, begun) = (filled / parts, filled.div_ceil(parts));
    // With two line weights in use, bold would be a third.
    let style = if theme.is_mono() {
        style.remove_modifier(Modifier::BOLD)
    } else {
        style
    };
    for at in 0..area.width {
        let symbol = match () {
            () if at < full => filling,
            () if at < begun => half.unwrap_or(filling),
            () => track,
        };
        if let Some(cell) = buf.cell_mut((area.x + at, area.y)) {
            cell.set_symbol(symbol).set_style(theme.track);
            if at < begun {
                cell.set_style(style);
            }
        }
    }
}

/// Draws a gauge in the style of its level, with a tick at each threshold that it does not reach.
pub fn draw_with_ticks(buf: &mut Buffer, area: Rect, percent: f64, theme: &Theme) {
    draw(buf, area, percent, theme.level(percent), theme);
    for level in LEVELS {
        let is_open = percent.is_nan() || percent < level;
        let at = (area.x + tick(area.width, level), area.y);
        if let Some(cell) = buf
            .cell_mut(at)
            .filter(|cell| is_open && is_track(cell.symbol()))
        {
            cell.set_symbol(TICK).set_style(theme.dim);
        }
    }
}

fn is_track(symbol: &str) -> bool {
    symbol == MONO_TRACK || TRACK.contains(&symbol)
}

fn filled(percent: f64, cells: u16) -> u16 {
    if percent.is_nan() || percent <= 0.0 {
        return 0;
    }
    if percent >= 100.0 {
        return cells;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "0..cells"
    )]
    let filled = (percent / 100.0 * f64::from(cells)).round() as u16;
    filled.clamp(1, cells.saturating_sub(1).max(1))
}

/// The cell of a threshold in a gauge of `cells`.
pub fn tick(cells: u16, level: f64) -> u16 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of the cells"
    )]
    let at = (f64::from(cells) * level / 100.0) as u16;
    at.min(cells.saturating_sub(1))
}

/// The sign of a percentage, one cell wide: a blank below 75, one sign below 90, another from there
/// on.
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
        draw_with_ticks(&mut buf, area, percent, &Theme::default());
        buf.content()
            .iter()
            .map(ratatui::buffer::Cell::symbol)
            .collect()
    }

    #[rstest]
    #[case::empty(0.0, "╌╌╌╌╌╌╌│╌│")]
    #[case::just_begun(0.2, "╸╌╌╌╌╌╌│╌│")]
    #[case::some(62.0, "━━━━━━╌│╌│")]
    #[case::a_half(66.0, "━━━━━━╸│╌│")]
    #[case::a_warning(80.0, "━━━━━━━━╌│")]
    #[case::almost_full(99.9, "━━━━━━━━━╸")]
    #[case::a_level_that_its_cell_hides(75.0, "━━━━━━━╸╌│")]
    #[case::full(100.0, "━━━━━━━━━━")]
    #[case::over(130.0, "━━━━━━━━━━")]
    #[case::not_a_number(f64::NAN, "╌╌╌╌╌╌╌│╌│")]
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
