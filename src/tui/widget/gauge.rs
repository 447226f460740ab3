//! Gauges: a bar on a track, which has a line where one level ends and the next begins. A bar ends in eighths of a cell, so
//! that 91 and 95 percent differ.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use crate::tui::style::symbols::{CAUTION, DANGER};
use crate::tui::style::theme::Theme;

/// Where levels end, in percent.
const LEVELS: [f64; 2] = [75.0, 90.0];
/// A cell filled from its left: an eighth, two, and so on.
const FILLED: [&str; 8] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"];
const EIGHTHS: u16 = 8;
/// Of a track without a color of its own; ticks say enough where there are any.
const TRACK: &str = "─";
const TICK: &str = "│";

/// Fills one row of cells. More than 0 % fills something, and only 100 % fills all.
pub fn draw(buf: &mut Buffer, area: Rect, percent: f64, style: Style, theme: &Theme) {
    let is_colored = theme.track.bg.is_some_and(|color| color != Color::Reset);
    draw_over(buf, area, percent, style, theme, |_| if is_colored { " " } else { TRACK });
}

/// The same, with a tick at each level that is not reached.
pub fn draw_with_ticks(buf: &mut Buffer, area: Rect, percent: f64, style: Style, theme: &Theme) {
    let is_open = |level: f64| percent.is_nan() || percent < level;
    let ticks = LEVELS.map(|level| is_open(level).then(|| tick(area.width, level)));
    draw_over(buf, area, percent, style, theme, |at| if ticks.contains(&Some(at)) { TICK } else { " " });
}

fn draw_over(
    buf: &mut Buffer,
    area: Rect,
    percent: f64,
    style: Style,
    theme: &Theme,
    track: impl Fn(u16) -> &'static str,
) {
    let eighths = eighths(percent, area.width);
    for at in 0..area.width {
        let filled = eighths.saturating_sub(at.saturating_mul(EIGHTHS)).min(EIGHTHS);
        let symbol = filled.checked_sub(1).and_then(|last| FILLED.get(usize::from(last)));
        if let Some(cell) = buf.cell_mut((area.x + at, area.y)) {
            cell.set_symbol(symbol.copied().unwrap_or_else(|| track(at))).set_style(theme.track);
            if symbol.is_some() {
                cell.set_style(style);
            }
            // A full bar that is reversed with its row would look empty.
            cell.modifier.remove(Modifier::REVERSED);
        }
    }
}

fn eighths(percent: f64, cells: u16) -> u16 {
    let all = cells.saturating_mul(EIGHTHS);
    if percent.is_nan() || percent <= 0.0 {
        return 0;
    }
    if percent >= 100.0 {
        return all;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of the eighths")]
    let filled = (percent / 100.0 * f64::from(all)).round() as u16;
    filled.clamp(1, all.saturating_sub(1).max(1))
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
    #[case::empty(0.0, "       │ │")]
    #[case::just_begun(0.2, "▏      │ │")]
    #[case::some(62.0, "██████▎│ │")]
    #[case::half_a_cell(65.0, "██████▌│ │")]
    #[case::a_warning(80.0, "████████ │")]
    #[case::a_danger(91.0, "█████████▏")]
    #[case::more_danger(95.0, "█████████▌")]
    #[case::almost_full(99.9, "█████████▉")]
    #[case::a_level_that_its_cell_hides(75.0, "███████▌ │")]
    #[case::full(100.0, "██████████")]
    #[case::over(130.0, "██████████")]
    #[case::not_a_number(f64::NAN, "       │ │")]
    fn a_bar_shows_how_full(#[case] percent: f64, #[case] expected: &str) {
        assert_eq!(bar(percent, 10), expected);
    }

    #[test]
    fn a_bar_without_room_is_nothing() {
        assert_eq!(bar(50.0, 0), "");
        assert_eq!(bar(100.0, 1), "█");
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
