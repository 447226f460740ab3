//! Gauges: eighth blocks on a track, with a tick where one level ends and the next begins.

use std::cmp::Ordering;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::tui::style::symbols::TICK;
use crate::tui::style::theme::Theme;

/// Where levels end, in percent.
const LEVELS: [f64; 2] = [75.0, 90.0];

const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// Fills one row of cells. More than 0 % shows at least a sliver, and only 100 % fills it. (ratatui's gauge always leaves a
/// cell for its label, which is seen where there are no colors.)
pub fn draw(buf: &mut Buffer, area: Rect, percent: f64, style: Style, theme: &Theme) {
    let eighths = eighths(percent, usize::from(area.width) * 8);
    let (full, part) = (eighths / 8, eighths % 8);
    // Without colors the track has no ground to be seen by.
    let track = if theme.is_mono() { "░" } else { " " };
    buf.set_style(area, theme.track);
    for (at, x) in (area.left()..area.right()).enumerate() {
        let symbol = match at.cmp(&full) {
            Ordering::Less => "█",
            Ordering::Equal if part > 0 => EIGHTHS.get(part).copied().unwrap_or(track),
            _ => track,
        };
        if let Some(cell) = buf.cell_mut((x, area.y)) {
            cell.set_symbol(symbol);
            if symbol != track {
                cell.set_style(style);
            }
        }
    }
}

fn eighths(percent: f64, room: usize) -> usize {
    if percent.is_nan() || percent <= 0.0 {
        return 0;
    }
    if percent >= 100.0 {
        return room;
    }
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0..room")]
    let eighths = (percent / 100.0 * room as f64).round() as usize;
    eighths.clamp(1, room.saturating_sub(1).max(1))
}

/// The same, with ticks where the fill has not come to yet.
pub fn draw_with_ticks(buf: &mut Buffer, area: Rect, percent: f64, style: Style, theme: &Theme) {
    draw(buf, area, percent, style, theme);
    for level in LEVELS.into_iter().filter(|level| percent.is_nan() || percent < *level) {
        let at = ratatui::layout::Position { x: area.x + tick(area.width, level), y: area.y };
        if let Some(cell) = buf.cell_mut(at).filter(|cell| [" ", "░"].contains(&cell.symbol())) {
            cell.set_symbol(TICK).set_style(theme.dim);
        }
    }
}

/// The cell of a level in a gauge of so many.
pub fn tick(cells: u16, level: f64) -> u16 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of the cells")]
    let at = (f64::from(cells) * level / 100.0) as u16;
    at.min(cells.saturating_sub(1))
}

/// The sign that goes with a percentage: nothing below 75, `!` below 90, then `!!`.
pub fn sign(percent: f64) -> &'static str {
    match percent {
        p if p >= 90.0 => "!!",
        p if p >= 75.0 => "!",
        _ => "",
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
    #[case::empty(0.0, "░░░░░░░│░│")]
    #[case::just_begun(0.2, "▏░░░░░░│░│")]
    #[case::some(62.0, "██████▎│░│")]
    #[case::a_warning(80.0, "████████░│")]
    #[case::almost_full(99.9, "█████████▉")]
    #[case::full(100.0, "██████████")]
    #[case::over(130.0, "██████████")]
    #[case::not_a_number(f64::NAN, "░░░░░░░│░│")]
    fn a_bar_shows_how_full(#[case] percent: f64, #[case] expected: &str) {
        assert_eq!(bar(percent, 10), expected);
    }

    #[test]
    fn a_bar_without_room_is_nothing() {
        assert_eq!(bar(50.0, 0), "");
        assert_eq!(bar(100.0, 1), "█");
    }

    #[rstest]
    #[case(74.9, "")]
    #[case(75.0, "!")]
    #[case(89.9, "!")]
    #[case(90.0, "!!")]
    fn marks_stand_at_75_and_90(#[case] value: f64, #[case] mark: &str) {
        assert_eq!(sign(value), mark);
    }
}
