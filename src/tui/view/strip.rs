//! The foot of the screen: running tasks and limits, as two panes or as one line.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{limits, pane, tasks};
use crate::tui::areas::Strip;
use crate::tui::progress::progress;
use crate::tui::state::State;
use crate::tui::theme::Theme;
use crate::tui::widget::figures;
use crate::tui::widget::text::{fitting, truncate_middle, width};

pub(super) fn draw(frame: &mut Frame<'_>, strip: Strip, state: &State, theme: &Theme) {
    match strip {
        Strip::Line(area) => draw_line(frame, area, state, theme),
        Strip::Panes { rule, tasks: left, limits: right } => {
            pane::rule(frame, rule, "", false, theme);
            tasks::draw_strip(frame, left, state, theme);
            limits::draw_strip(frame, right, state, theme);
        }
    }
}

/// `up2 q14  [######----]  62%  3.1M/s  0:42  banner-07.png   1 FAILED  Limits 87%!`
fn draw_line(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let (badge, badge_style) = limits::badge(state, theme);
    let mut right = Vec::new();
    let failed = state.desk.tasks.totals().failed;
    if failed > 0 {
        right.push(Span::styled(format!("{} FAILED  ", figures::number(failed)), theme.error));
    }
    right.push(Span::styled(badge, badge_style));
    let right_width: usize = right.iter().map(|span| width(&span.content)).sum();
    let room = usize::from(area.width).saturating_sub(right_width + 4);
    let left = running(state, room);
    let (left, style) = if left.is_empty() { ("no tasks running".to_owned(), theme.dim) } else { (left, theme.text) };
    let gap = room.saturating_sub(width(&left)) + 2;
    let left = [Span::raw(" "), Span::styled(left, style), Span::raw(" ".repeat(gap))];
    frame.render_widget(left.into_iter().chain(right).collect::<Line<'_>>(), area);
}

/// Counts, then how far the first task is; parts that do not fit are left out whole.
fn running(state: &State, room: usize) -> String {
    let mut parts = vec![tasks::short_counts(state.desk.tasks.totals()), tasks::counts_away(state)];
    let first = state.desk.tasks.top().first().filter(|batch| batch.is_live());
    if let Some(batch) = first {
        let progress = progress(batch, state);
        parts.extend(tasks::bar(&progress));
        parts.extend(progress.parts);
    }
    let line = fitting(parts.iter().map(String::as_str), room);
    let label_room = room.saturating_sub(width(&line) + 2);
    match first {
        Some(batch) if label_room >= 8 => format!("{line}  {}", truncate_middle(&batch.label, label_room)),
        _ => line,
    }
}
