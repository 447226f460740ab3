//! One task as a line: what it is, what it works on, how far it is.

use jiff::Timestamp;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::engine::batch::{Batch, BatchState};
use crate::tui::progress::{Progress, progress, waiting};
use crate::tui::state::State;
use crate::tui::theme::Theme;
use crate::tui::widget::gauge;
use crate::tui::widget::text::{fitting, left};

const KIND: usize = 7;
const BAR: usize = 12;

pub(crate) fn line<'a>(batch: &Batch, cells: usize, state: &State, theme: &Theme) -> Line<'a> {
    let progress = progress(batch, state);
    let room = cells.saturating_sub(KIND + 1);
    let label_room = (room * 2 / 5).clamp(12, 50);
    let bar = bar(&progress);
    let parts = bar.iter().chain(&progress.parts).map(String::as_str);
    let text = fitting(parts, room.saturating_sub(label_room + 2));
    Line::from(vec![
        Span::styled(left(batch.verb.short(), KIND), theme.dim),
        Span::styled(left(&batch.label, label_room), theme.text),
        Span::raw("  "),
        Span::styled(text, style(batch, state.now, theme)),
    ])
}

/// How far it is as a bar, where that is known.
pub(crate) fn bar(progress: &Progress) -> Option<String> {
    progress.percent.map(|percent| gauge::bar(percent.into(), BAR))
}

fn style(batch: &Batch, now: Timestamp, theme: &Theme) -> Style {
    match batch.state {
        BatchState::Queued => theme.dim,
        BatchState::Running if waiting(batch, now).is_some() => theme.warn,
        BatchState::Running => theme.text,
        BatchState::Held(_) => theme.warn,
        BatchState::Ended if batch.is_cancelled() => theme.dim,
        BatchState::Ended if batch.has_failed() => theme.error,
        BatchState::Ended => theme.ok,
    }
}
