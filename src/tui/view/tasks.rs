//! Tasks: the view with all of them, and the pane of the strip with those that matter now.

mod row;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::pane;
use crate::engine::Job;
use crate::tui::keymap::Action;
use crate::tui::state::{State, Status, Task};
use crate::tui::theme::Theme;
use crate::tui::view::keys::key;
use crate::tui::widget::figures;
use crate::tui::widget::scroll::window;

pub(super) use row::progress;

/// All tasks in the order of asking.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let line = Line::from([vec![Span::raw(" ")], summary(state, theme)].concat());
    frame.render_widget(line, pane::row(area, 0));
    let body = pane::below(area, 1);
    let tasks = &state.desk.ops.tasks;
    if tasks.is_empty() {
        let text = "No tasks yet. Uploads, downloads, imports, moves and deletions show up here.".to_owned();
        let back = format!("{} goes back to the files.", key(state, Action::ViewFiles));
        pane::say(frame, body, &[(text, theme.text), (back, theme.dim)]);
        return;
    }
    for (y, at) in (body.y..).zip(window(state.desk.ops.cursor, tasks.len(), usize::from(body.height))) {
        let area = Rect { y, height: 1, ..body };
        let Some(task) = tasks.get(at) else { continue };
        let is_cursor = at == state.desk.ops.cursor;
        let sign = if is_cursor { " > " } else { "   " };
        let mut line = row::line(task, usize::from(body.width).saturating_sub(3), state.now, theme);
        line.spans.insert(0, Span::raw(sign));
        frame.render_widget(line, area);
        if is_cursor {
            pane::select(frame, area, state.dialogs.is_empty(), theme);
        }
    }
}

/// The pane of the strip: a summary, then running tasks, failed ones, queued ones, and what ended last.
pub(super) fn draw_strip(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let line = Line::from([vec![Span::styled(" Tasks  ", theme.dim)], summary(state, theme)].concat());
    frame.render_widget(line, pane::row(area, 0));
    let body = pane::below(area, 1);
    for (at, task) in (0..body.height).zip(by_urgency(&state.desk.ops.tasks)) {
        let mut line = row::line(task, usize::from(body.width).saturating_sub(2), state.now, theme);
        line.spans.insert(0, Span::raw(" "));
        frame.render_widget(line, pane::row(body, at));
    }
}

/// `2 up  1 down  14 queued  1 FAILED   3.1M/s  ETA 0:42`
fn summary<'a>(state: &State, theme: &Theme) -> Vec<Span<'a>> {
    let counts = live_counts(&state.desk.ops.tasks);
    let failed = state.desk.ops.failed();
    if counts.is_empty() && failed == 0 {
        return vec![Span::styled("none running", theme.dim)];
    }
    let mut spans: Vec<Span<'a>> =
        counts.iter().map(|(count, word)| Span::styled(format!("{count} {word}  "), theme.text)).collect();
    if failed > 0 {
        spans.push(Span::styled(format!("{failed} FAILED  "), theme.error));
    }
    let moving = || state.desk.ops.live().filter(|task| task.speed.stalled(state.now).is_none());
    let speed: u64 = moving().filter_map(|task| task.speed.bytes_per_second()).sum();
    if speed > 0 {
        spans.push(Span::styled(format!(" {}/s", figures::size(speed)), theme.text));
    }
    let left = moving().filter_map(Task::time_left).max();
    if let Some(left) = left.and_then(|left| u64::try_from(left.as_secs()).ok()) {
        spans.push(Span::styled(format!("  ETA {}", figures::elapsed(left)), theme.text));
    }
    spans
}

/// How many of each kind run, then how many wait in the queue: `(2, "up")`.
fn live_counts(tasks: &[Task]) -> Vec<(usize, &'static str)> {
    let running = |short: &str| tasks.iter().filter(|task| task.job.short() == short && is_running(task)).count();
    let mut counts: Vec<(usize, &str)> = Job::SHORTS.iter().map(|short| (running(short), *short)).collect();
    counts.push((tasks.iter().filter(|task| task.status == Status::Queued).count(), "queued"));
    counts.retain(|(count, _)| *count > 0);
    counts
}

/// `up2 import1 q14`
pub(super) fn short_counts(tasks: &[Task]) -> String {
    let counts = live_counts(tasks);
    let short = |word: &'static str| if word == "queued" { "q" } else { word };
    counts.iter().map(|(count, word)| format!("{}{count}", short(word))).collect::<Vec<_>>().join(" ")
}

fn is_running(task: &Task) -> bool {
    task.is_live() && task.status != Status::Queued
}

/// Running first, then failed, then queued, then ended, the last one first.
pub(super) fn by_urgency(tasks: &[Task]) -> impl Iterator<Item = &Task> {
    let is_failed = |task: &&Task| task.error().is_some();
    let is_queued = |task: &&Task| task.status == Status::Queued;
    let running = tasks.iter().filter(|task| is_running(task));
    let failed = tasks.iter().rev().filter(is_failed);
    let queued = tasks.iter().filter(is_queued);
    let ended = tasks.iter().rev().filter(move |task| !task.is_live() && !is_failed(task));
    running.chain(failed).chain(queued).chain(ended)
}
