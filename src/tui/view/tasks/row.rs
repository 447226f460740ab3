//! One task as a line: what it is, what it works on, how far it is.

use jiff::Timestamp;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::api::text::visible;
use crate::tui::state::{Status, Task};
use crate::tui::theme::Theme;
use crate::tui::widget::text::{left, truncate};
use crate::tui::widget::{figures, gauge};

const KIND: usize = 7;
const BAR: usize = 12;

/// How far a task is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Progress {
    /// A bar, where a share is known.
    pub(crate) bar: Option<String>,
    pub(crate) text: String,
}

pub(crate) fn line<'a>(task: &Task, cells: usize, now: Timestamp, theme: &Theme) -> Line<'a> {
    let progress = progress(task, now);
    let text = match &progress.bar {
        Some(bar) => format!("{bar} {}", progress.text),
        None => progress.text,
    };
    let room = cells.saturating_sub(KIND + 1);
    let label_room = (room * 2 / 5).clamp(12, 50);
    let text = truncate(&text, room.saturating_sub(label_room + 2)).into_owned();
    Line::from(vec![
        Span::styled(left(task.job.short(), KIND), theme.dim),
        Span::styled(left(&task.label, label_room), theme.text),
        Span::raw("  "),
        Span::styled(text, style(task, theme)),
    ])
}

pub(crate) fn style(task: &Task, theme: &Theme) -> Style {
    match &task.status {
        Status::Queued | Status::Cancelled => theme.dim,
        Status::Running => theme.text,
        Status::Waiting { .. } => theme.warn,
        Status::Done => theme.ok,
        Status::Failed(_) => theme.error,
    }
}

/// The state of a task in words and figures.
pub(crate) fn progress(task: &Task, now: Timestamp) -> Progress {
    let bar = task.percent().filter(|_| task.status == Status::Running).map(|percent| gauge::bar(percent.into(), BAR));
    let text = match &task.status {
        Status::Queued => "queued".to_owned(),
        Status::Running => running(task, now),
        Status::Waiting { until, reason } => reason.in_words(seconds(now, *until)),
        Status::Done => match task.ended_at {
            Some(at) => format!("done {}", figures::ago(at, now)),
            None => "done".to_owned(),
        },
        Status::Failed(error) => format!("FAILED {}", visible(&error.message)),
        Status::Cancelled if task.job.is_remote() && task.remote.is_some() => {
            "not watched any more; the service goes on".to_owned()
        }
        Status::Cancelled => match task.items {
            Some((done, total)) => format!("cancelled after {done} of {total}"),
            None => "cancelled".to_owned(),
        },
    };
    Progress { bar, text }
}

fn running(task: &Task, now: Timestamp) -> String {
    if let Some(remote) = &task.remote {
        let status = remote.status.as_ref().map_or_else(|| "accepted".into(), |status| visible(status.as_str()));
        let elapsed = figures::elapsed(seconds(task.started_at.unwrap_or(task.queued_at), now));
        return match remote.next_poll.filter(|at| *at > now) {
            Some(at) => format!("{status} {elapsed} (next poll {}s)", seconds(now, at)),
            None => format!("{status} {elapsed} (polling)"),
        };
    }
    if let Some((done, total)) = task.items {
        return format!("{done} of {total}");
    }
    if let Some((done, total)) = task.bytes {
        let mut parts = match (task.percent(), total) {
            (Some(percent), _) => vec![format!("{percent:>3}%")],
            (None, _) => vec![figures::size(done)],
        };
        if let Some(still) = task.speed.stalled(now) {
            let words = if total == Some(done) { "sent, no answer yet" } else { "nothing moves" };
            parts.push(format!("{words} for {still} s"));
            return parts.join("  ");
        }
        parts.extend(task.speed.bytes_per_second().map(|speed| format!("{}/s", figures::size(speed))));
        let left = task.time_left().and_then(|left| u64::try_from(left.as_secs()).ok());
        parts.extend(left.map(figures::elapsed));
        return parts.join("  ");
    }
    format!("running {}", figures::elapsed(seconds(task.started_at.unwrap_or(task.queued_at), now)))
}

fn seconds(from: Timestamp, to: Timestamp) -> u64 {
    u64::try_from(to.as_second().saturating_sub(from.as_second())).unwrap_or(0)
}
