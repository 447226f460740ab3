//! The total transfer speed, its history and the time left.

use ratatui::text::{Line, Span};

use crate::engine::batch::BatchState;
use crate::tui::state::State;
use crate::tui::style::symbols::BETWEEN;
use crate::tui::style::theme::Theme;
use crate::tui::widget::{figures, spark};

/// `▁▂▃▅▇  3.1 MB/s · 0:42 left`; only the limit while nothing is transferred.
pub(crate) fn line<'a>(state: &State, theme: &Theme) -> Line<'a> {
    let tasks = &state.session.tasks;
    let running = || {
        tasks
            .current()
            .iter()
            .filter(|batch| batch.state == BatchState::Running)
    };
    let speed: u64 = running()
        .filter_map(|batch| tasks.speed(batch.id, state.now))
        .sum();
    let limit = state
        .settings
        .config
        .limit_rate
        .bytes()
        .map(|limit| format!("limit {}/s", figures::size(limit.get())));
    if speed == 0 {
        return Line::styled(limit.unwrap_or_default(), theme.dim);
    }
    let limit = limit
        .map(|limit| format!(" {BETWEEN} {limit}"))
        .unwrap_or_default();
    let left = running()
        .filter_map(|batch| tasks.time_left(batch, state.now))
        .max();
    let left = left.and_then(|left| u64::try_from(left.as_secs()).ok());
    let left = left
        .map(|left| format!(" {BETWEEN} {} left", figures::elapsed(left)))
        .unwrap_or_default();
    Line::from(vec![
        Span::styled(spark::line(tasks.history()), theme.gauge),
        Span::styled(
            format!("  {}/s{limit}{left}", figures::size(speed)),
            theme.dim,
        ),
    ])
}
