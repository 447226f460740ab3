//! Limits in the strip: the fullest object types as gauges. Also the badge of the tab, for the
//! fullest of all.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::engine::limits::Report;
use crate::tui::pane::frame;
use crate::tui::state::State;
use crate::tui::state::limits::{ReportState, label};
use crate::tui::style::symbols::{BETWEEN, DANGER};
use crate::tui::style::theme::Theme;
use crate::tui::widget::text::{left, right, width};
use crate::tui::widget::{figures, gauge};

const BADGE_FROM: f64 = 75.0;
const NAME: usize = 11;
/// Widths of `▲ 100%` and `1,000 left`.
const PERCENT: usize = 7;
const LEFT: usize = 10;

/// `100%`: the fullest of all gauges, if high enough.
pub(crate) fn badge(state: &State, theme: &Theme) -> Option<(String, Style)> {
    match state.session.limits.book.fullest() {
        Some(percent) if percent >= BADGE_FROM => {
            Some((figures::percent(percent), theme.level(percent)))
        }
        None if answer(state).problem.is_some() => Some((DANGER.to_owned(), theme.warn)),
        _ => None,
    }
}

pub(crate) fn draw_strip(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let report = answer(state);
    let note = match (report.loaded_at, &report.problem) {
        (_, Some(_)) => "not read".to_owned(),
        (Some(at), None) => figures::ago(at, state.now),
        (None, None) => "reading …".to_owned(),
    };
    let style = if report.problem.is_some() {
        theme.warn
    } else {
        theme.dim
    };
    let title = format!("Limits {BETWEEN} custom properties");
    // The corners, a piece of border and padding around both.
    let fits = width(&title) + width(&note) + 10 <= usize::from(area.width);
    let title = if fits { title.as_str() } else { "Limits" };
    let boxed = frame::PaneBox {
        title,
        note: Line::styled(note, style),
        ..Default::default()
    };
    let body = frame::padded(boxed.draw(frame, area, theme));
    let cells = usize::from(body.width);
    let bar = cells.saturating_sub(NAME + 1 + PERCENT + 1 + LEFT);
    for (at, (name, share)) in (0..body.height).zip(state.session.limits.book.fullest_types()) {
        let row = frame::row(body, at);
        let style = theme.level(share.percentage);
        let percent = format!(
            "{} {:>5}",
            gauge::sign(share.percentage),
            figures::percent(share.percentage)
        );
        let left_over = format!("{} left", figures::grouped(share.left()));
        let line = Line::from(vec![
            Span::styled(left(&label(name), NAME), theme.text),
            Span::raw(" ".repeat(bar + 1)),
            Span::styled(right(&percent, PERCENT), style),
            Span::styled(right(&left_over, LEFT + 1), theme.dim),
        ]);
        frame.render_widget(line, row);
        let start = u16::try_from(NAME + 1).unwrap_or(0);
        // A sign directly precedes the percentage, and needs space before it.
        let cells = u16::try_from(bar.saturating_sub(1)).unwrap_or(0);
        let bar = Rect {
            x: row.x + start,
            width: cells,
            ..row
        };
        gauge::draw(
            frame.buffer_mut(),
            bar.intersection(body),
            share.percentage,
            style,
            theme,
        );
    }
}

fn answer(state: &State) -> &ReportState {
    state.session.limits.book.answer(&Report::CustomProperties)
}
