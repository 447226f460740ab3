//! Tasks: the view with all of them, and the pane of the strip with the most urgent ones.

mod away;
mod row;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::pane;
use crate::engine::batch::{BatchState, Totals};
use crate::tui::keymap::Action;
use crate::tui::state::State;
use crate::tui::theme::Theme;
use crate::tui::view::keys::key;
use crate::tui::widget::figures;
use crate::tui::widget::scroll::window;
use crate::tui::widget::text::width;

pub(super) use away::counts as counts_away;
pub(super) use row::bar;

/// All tasks, the most urgent first.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let line =
        Line::from([vec![Span::raw(" ")], summary(state, usize::from(area.width).saturating_sub(1), theme)].concat());
    frame.render_widget(line, pane::row(area, 0));
    let tasks = &state.desk.tasks;
    let body = away::draw(frame, pane::below(area, 1), tasks.len(), state, theme);
    if tasks.is_empty() && state.away.is_empty() {
        let text = "No tasks yet. Uploads, downloads, imports, moves and deletions show up here.".to_owned();
        let back = format!("{} goes back to the files.", key(state, Action::ViewFiles));
        pane::say(frame, body, &[(text, theme.text), (back, theme.dim)]);
        return;
    }
    for (y, at) in (body.y..).zip(window(tasks.row(), tasks.len(), usize::from(body.height))) {
        let area = Rect { y, height: 1, ..body };
        // The queue is asked for rows that it has not shown yet.
        let Some(batch) = tasks.at(at) else { continue };
        let is_cursor = at == tasks.row();
        let sign = if is_cursor { " > " } else { "   " };
        let mut line = row::line(batch, usize::from(body.width).saturating_sub(3), state, theme);
        line.spans.insert(0, Span::raw(sign));
        frame.render_widget(line, area);
        if is_cursor {
            pane::select(frame, area, state.dialogs.is_empty(), theme);
        }
    }
}

/// The pane of the strip: a summary, then as many tasks as fit.
pub(super) fn draw_strip(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let title = " Tasks  ";
    let room = usize::from(area.width).saturating_sub(title.len());
    let line = Line::from([vec![Span::styled(title, theme.dim)], summary(state, room, theme)].concat());
    frame.render_widget(line, pane::row(area, 0));
    let body = away::draw(frame, pane::below(area, 1), state.desk.tasks.top().len(), state, theme);
    for (at, batch) in (0..body.height).zip(state.desk.tasks.top()) {
        let mut line = row::line(batch, usize::from(body.width).saturating_sub(2), state, theme);
        line.spans.insert(0, Span::raw(" "));
        frame.render_widget(line, pane::row(body, at));
    }
}

/// `2 up  1 down  14 queued  1 FAILED   3.1M/s  ETA 0:42`; what does not fit is left out whole.
fn summary<'a>(state: &State, cells: usize, theme: &Theme) -> Vec<Span<'a>> {
    let tasks = &state.desk.tasks;
    let totals = tasks.totals();
    let counts = counts(totals);
    let mut spans: Vec<Span<'a>> = Vec::new();
    if totals.draining {
        spans.push(Span::styled("draining: nothing new begins  ", theme.warn));
    }
    let count =
        |(word, count): &(&str, usize)| Span::styled(format!("{} {word}  ", figures::number(*count)), theme.text);
    spans.extend(counts.iter().map(count));
    if totals.failed > 0 {
        spans.push(Span::styled(format!("{} FAILED  ", figures::number(totals.failed)), theme.error));
    }
    let away = counts_away(state);
    if !away.is_empty() {
        spans.push(Span::styled(format!("{away}  "), theme.account));
    }
    if spans.is_empty() {
        return vec![Span::styled("none running", theme.dim)];
    }
    let running = || tasks.known().filter(|batch| batch.state == BatchState::Running);
    let speed: u64 = running().filter_map(|batch| tasks.speed(batch.id, state.now)).sum();
    if speed > 0 {
        spans.push(Span::styled(format!(" {}/s", figures::size(speed)), theme.text));
    }
    let left = running().filter_map(|batch| tasks.time_left(batch, state.now)).max();
    if let Some(left) = left.and_then(|left| u64::try_from(left.as_secs()).ok()) {
        spans.push(Span::styled(format!("  ETA {}", figures::elapsed(left)), theme.text));
    }
    let mut used = 0;
    let fits = |span: &Span<'_>| {
        used += width(&span.content);
        used <= cells
    };
    spans.into_iter().take_while(fits).collect()
}

/// How many jobs of each kind are under way, then how many are not: `("up", 2)`.
fn counts(totals: &Totals) -> Vec<(&'static str, usize)> {
    let mut counts: Vec<(&'static str, usize)> = Vec::new();
    for (verb, count) in &totals.running {
        // A folder's move and a file's are one word.
        match counts.iter_mut().find(|(word, _)| *word == verb.short()) {
            Some((_, known)) => *known += count,
            None => counts.push((verb.short(), *count)),
        }
    }
    counts.extend([("queued", totals.queued), ("held", totals.held)]);
    counts.retain(|(_, count)| *count > 0);
    counts
}

/// `up2 import1 q14 h3`, and what keeps others from beginning.
pub(super) fn short_counts(totals: &Totals) -> String {
    let short = |word: &'static str| match word {
        "queued" => "q",
        "held" => "h",
        word => word,
    };
    let counts = counts(totals);
    let counts = counts.iter().map(|(word, count)| format!("{}{}", short(word), figures::number(*count)));
    counts.chain(totals.draining.then(|| "draining".to_owned())).collect::<Vec<_>>().join(" ")
}
