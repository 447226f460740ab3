//! Tasks: the view with all of them, the pane of the strip with the most urgent ones, and the
//! status line.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::row::TaskRows;
use super::{background_accounts, empty, row, speed};
use crate::engine::batch::Batch;
use crate::engine::queue_view::Totals;
use crate::tui::areas;
use crate::tui::keymap::Action;
use crate::tui::pane::frame;
use crate::tui::pane::hit_target::ListBox;
use crate::tui::pane::keys::key;
use crate::tui::state::Pane;
use crate::tui::state::{OlderTasks, State, TaskRow, View};
use crate::tui::style::symbols::{self, BETWEEN};
use crate::tui::style::theme::Theme;
use crate::tui::widget::text::{fitting, width, wrap};
use crate::tui::widget::{figures, gauge};
use crate::tui::wording::progress::progress;
use crate::tui::wording::task;

/// Cells before a row, with the sign that shows if it is expanded.
const SIGN: u16 = 4;
const INDENT: u16 = 2;

/// Draws all tasks, the most urgent first, with the jobs of expanded ones.
pub(crate) fn draw(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let [list, details] = areas::tasks(area, state);
    draw_list(frame, list, state, theme);
    if let Some(row) = state
        .session
        .tasks
        .selected()
        .filter(|_| details.height > 0)
    {
        draw_details(frame, details, row, state, theme);
    }
}

pub(crate) fn list_box(area: Rect, state: &State) -> ListBox {
    let tasks = &state.session.tasks;
    let rows = background_accounts::room(frame::below(frame::inner(area), 1), tasks.len(), state);
    ListBox {
        of: Pane::Tasks,
        area,
        rows,
        shown: state.window(tasks.cursor(), usize::from(rows.height)),
        len: tasks.len(),
    }
}

/// Returns `true` if column `x` of a row holds the sign that expands it.
pub(crate) fn is_sign(list: Rect, x: u16, row: usize, state: &State) -> bool {
    let is_there = match state.session.tasks.at(row) {
        Some(TaskRow::Batch(batch)) => batch.can_unfold(),
        Some(TaskRow::Older(_)) => true,
        Some(TaskRow::Job(_)) | None => false,
    };
    is_there && frame::inner(list).x + SIGN > x
}

/// `Tasks`; with the account if there are two on the screen.
fn title(state: &State) -> String {
    match state.mode.other_account() {
        Some(_) => format!("Tasks {BETWEEN} {}", state.session.account.in_words()),
        None => "Tasks".to_owned(),
    }
}

fn draw_list(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let tasks = &state.session.tasks;
    let is_focused = state.dialogs.is_empty();
    let inside = frame::PaneBox {
        title: &title(state),
        note: summary(state, usize::from(area.width) * 2 / 3, theme),
        foot: if state.panes.plain {
            Line::default()
        } else {
            speed::line(state, theme)
        },
        is_focused,
        ..Default::default()
    }
    .draw(frame, area, theme);
    let ListBox {
        rows: body, shown, ..
    } = list_box(area, state);
    let in_view: Vec<_> = shown.clone().filter_map(|at| tasks.at(at)).collect();
    let indent = if shown.clone().any(|at| tasks.is_older(at)) {
        INDENT
    } else {
        0
    };
    let rows = TaskRows::with_indent(
        inside.width.saturating_sub(SIGN + 1),
        indent,
        &in_view,
        state,
        theme,
    );
    let columns = rows.columns;
    let heading = format!(
        "      {:label$}  {:gauge$}{:>done$}{:>rate$}{:>took$}{:>left$}",
        "What",
        "State",
        if columns.done > 0 { "Done" } else { "" },
        if columns.rate > 0 { "Rate" } else { "" },
        if columns.took > 0 { "Took" } else { "" },
        if columns.left > 0 { "Left" } else { "" },
        label = columns.label,
        gauge = columns.gauge,
        done = columns.done,
        rate = columns.rate,
        took = columns.took,
        left = columns.left
    );
    frame.render_widget(Line::styled(heading, theme.dim), frame::row(inside, 0));
    background_accounts::draw(frame, frame::below(inside, 1), tasks.len(), state, theme);
    if tasks.listed().is_empty() && state.background_work().next().is_none() {
        let below = frame::below(body, u16::from(!tasks.is_empty()));
        frame::say(frame, below, &empty::words(state, theme));
    }
    for (y, at) in (body.y..).zip(shown.clone()) {
        let area = Rect {
            y,
            height: 1,
            ..body
        };
        // Older tasks are indented below the row that collapses them.
        let indent = if tasks.is_older(at) {
            SIGN + INDENT
        } else {
            SIGN
        };
        let line = Rect {
            x: area.x + indent,
            width: area.width.saturating_sub(indent + 1),
            ..area
        };
        let rows = if tasks.is_older(at) {
            rows.indented(usize::from(INDENT))
        } else {
            rows
        };
        match tasks.at(at) {
            Some(TaskRow::Batch(batch)) => {
                let sign = match (batch.can_unfold(), tasks.is_unfolded(batch.id)) {
                    (true, true) => symbols::OPENED,
                    (true, false) => symbols::CLOSED,
                    (false, _) => " ",
                };
                let sign = format!("  {sign} ");
                frame.render_widget(
                    Span::styled(sign, theme.dim),
                    Rect {
                        x: line.x - SIGN,
                        ..area
                    },
                );
                rows.draw(frame, line, batch);
            }
            Some(TaskRow::Job(job)) => rows.draw_job(frame, line, job),
            Some(TaskRow::Older(older)) => frame.render_widget(older_row(older, theme), area),
            None => {
                let unknown = Span::styled(format!("  {}", symbols::ELLIPSIS), theme.dim);
                frame.render_widget(unknown, line);
            }
        }
        if at == tasks.cursor().at() {
            frame::select(frame, area, is_focused, theme);
        }
    }
    if state.panes.plain {
        let below = u16::try_from(shown.len())
            .unwrap_or(u16::MAX)
            .saturating_add(1);
        draw_reasons(frame, frame::below(body, below), &in_view, state, theme);
    }
    frame::scrollbar(frame, area, shown, tasks.len(), theme);
}

/// Lists the failures below all rows: text that is read aloud must not change with the cursor.
fn draw_reasons(
    frame: &mut Frame<'_>,
    area: Rect,
    rows: &[TaskRow<'_>],
    state: &State,
    theme: &Theme,
) {
    let area = Rect {
        x: area.x + 2,
        width: area.width.saturating_sub(3),
        ..area
    };
    let failed = rows.iter().filter_map(|row| match row {
        TaskRow::Batch(batch) if batch.has_failed() => Some(batch),
        _ => None,
    });
    let reasons = failed.map(|batch| {
        format!(
            "{}: {}",
            row::spoken(batch, state),
            progress(batch, state).state_and_reason()
        )
    });
    let lines = reasons.flat_map(|reason| wrap(&reason, usize::from(area.width)));
    for (at, line) in (0..area.height).zip(lines) {
        frame.render_widget(Line::styled(line, theme.text), frame::row(area, at));
    }
}

/// `▸ 6 older tasks, 2 failed`.
fn older_row(older: OlderTasks, theme: &Theme) -> Line<'static> {
    let sign = if older.is_unfolded {
        symbols::OPENED
    } else {
        symbols::CLOSED
    };
    let failed = task::older_failed(older).map(|failed| {
        [
            Span::styled(", ", theme.dim),
            Span::styled(failed, theme.error),
        ]
    });
    let mut spans = vec![
        Span::styled(format!("  {sign} "), theme.dim),
        Span::styled(
            task::older_count(older),
            if older.is_unfolded {
                theme.text
            } else {
                theme.dim
            },
        ),
    ];
    spans.extend(failed.into_iter().flatten());
    Line::from(spans)
}

fn turns(is_unfolded: bool) -> &'static str {
    if is_unfolded { "folds" } else { "unfolds" }
}

/// The effect of Enter on the task in the details, if any.
fn does(row: TaskRow<'_>, is_all_shown: bool, state: &State) -> Option<&'static str> {
    let is_unfolded = |batch: &Batch| state.session.tasks.is_unfolded(batch.id);
    match row {
        TaskRow::Older(older) => Some(turns(older.is_unfolded)),
        TaskRow::Batch(batch) if is_all_shown && !task::has_more(batch) => {
            batch.can_unfold().then(|| turns(is_unfolded(batch)))
        }
        TaskRow::Batch(_) | TaskRow::Job(_) => Some("details"),
    }
}

const LABEL: usize = 11;

fn draw_details(frame: &mut Frame<'_>, area: Rect, row: TaskRow<'_>, state: &State, theme: &Theme) {
    let lines = task::lines(row, state);
    let is_all_shown = lines.len() <= usize::from(frame::inner(area).height);
    let does = does(row, is_all_shown, state);
    let foot = does
        .map(|does| format!("{} {does}", key(state, Action::Open)))
        .unwrap_or_default();
    let boxed = frame::PaneBox {
        title: &task::title(row, state),
        foot: Line::styled(foot, theme.dim),
        ..Default::default()
    };
    let body = frame::padded(boxed.draw(frame, area, theme));
    let lines = lines.iter().flat_map(|line| match line.split_once("  ") {
        Some((label, value)) if !label.is_empty() => {
            let labels = [label].into_iter().chain(std::iter::repeat(""));
            let values = wrap(
                value.trim_start(),
                usize::from(body.width).saturating_sub(LABEL),
            );
            let line = |(label, value): (&str, String)| {
                Line::from(vec![
                    Span::styled(format!("{label:>9}  "), theme.dim),
                    Span::styled(value, theme.text),
                ])
            };
            labels.zip(values).map(line).collect::<Vec<_>>()
        }
        _ => wrap(line, usize::from(body.width))
            .into_iter()
            .map(|line| Line::styled(line, theme.text))
            .collect(),
    });
    for (at, line) in (0..body.height).zip(lines) {
        frame.render_widget(line, frame::row(body, at));
    }
}

/// Draws the pane of the strip: counts, then as many tasks as fit.
pub(crate) fn draw_strip(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let note = summary(state, usize::from(area.width).saturating_sub(16), theme);
    let boxed = frame::PaneBox {
        title: &title(state),
        note,
        foot: speed::line(state, theme),
        ..Default::default()
    };
    let body = frame::padded(boxed.draw(frame, area, theme));
    let tasks = state.session.tasks.current();
    let body = background_accounts::draw(frame, body, tasks.len(), state, theme);
    let shown = tasks.iter().take(body.height.into());
    let shown: Vec<_> = shown.map(|batch| TaskRow::Batch(batch)).collect();
    let rows = TaskRows::new(body.width, &shown, state, theme);
    for (at, batch) in (0..body.height).zip(tasks) {
        rows.draw(frame, frame::row(body, at), batch);
    }
    if tasks.is_empty() && state.background_work().next().is_none() {
        for (at, line) in (0..body.height).zip(empty::strip(state, theme)) {
            frame.render_widget(line, frame::row(body, at));
        }
    }
}

/// Returns `true` if there is more to report than that there are no tasks.
pub(crate) fn is_worth_a_line(state: &State) -> bool {
    let totals = state.session.tasks.totals();
    totals.unfinished > 0
        || state.session.tasks.unseen_failures > 0
        || state.background_work().next().is_some()
}

/// `↑ teaser.mp4  ██████   24 of 38 MB  3.1 MB/s  0:42  +14 waiting   1 failed`
pub(crate) fn draw_line(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    const BAR: usize = 14;
    let totals = state.session.tasks.totals();
    let cells = usize::from(area.width);
    let failed = match state.session.tasks.unseen_failures {
        0 => String::new(),
        failed => format!("  {} failed", figures::number(failed)),
    };
    let away = background_accounts::counts(state);
    let Some(batch) = state
        .session
        .tasks
        .current()
        .first()
        .filter(|batch| batch.is_live())
    else {
        let words = fitting([away.as_str()], cells.saturating_sub(width(&failed)));
        frame.render_widget(Line::styled(words, theme.text), area);
        frame.render_widget(Line::styled(failed, theme.error).right_aligned(), area);
        return;
    };
    let (glyph, style) = row::glyph(batch, theme);
    let label = row::cut(&task::title(TaskRow::Batch(batch), state), cells / 3);
    let shown = progress(batch, state);
    let bar = if shown.percent.is_some() { BAR + 2 } else { 0 };
    let lead = 2 + width(&label) + 2;
    let rest = beside(totals, batch);
    let parts = shown.parts();
    let parts = parts
        .iter()
        .map(String::as_str)
        .chain([rest.as_str(), away.as_str()]);
    let words = fitting(parts, cells.saturating_sub(lead + bar + width(&failed)));
    let line = Line::from(vec![
        Span::styled(format!("{glyph} "), style),
        Span::styled(label, theme.text),
        Span::raw(" ".repeat(2 + bar)),
        Span::styled(words, theme.dim),
    ]);
    frame.render_widget(line, area);
    frame.render_widget(Line::styled(failed, theme.error).right_aligned(), area);
    if let Some(percent) = shown.percent {
        let cell = |cells: usize| u16::try_from(cells).unwrap_or(u16::MAX);
        let bar = Rect {
            x: area.x.saturating_add(cell(lead)),
            width: cell(BAR),
            ..area
        }
        .intersection(area);
        gauge::draw(frame.buffer_mut(), bar, percent.into(), theme.gauge, theme);
    }
}

/// The badge of the tab: the unfinished tasks with their progress and unseen failures.
pub(crate) fn badge(state: &State, theme: &Theme) -> Option<(String, Style)> {
    let tasks = &state.session.tasks;
    match (tasks.totals().unfinished, tasks.unseen_failures) {
        (0, 0) => None,
        (0, failed) => Some((
            format!("{}{}", figures::number(failed), symbols::FAILED),
            theme.error,
        )),
        (live, failed) => {
            let done = tasks
                .progress()
                .map(|percent| format!(" {BETWEEN} {percent}%"))
                .unwrap_or_default();
            let failed = if failed > 0 {
                format!(" {failed}{}", symbols::FAILED)
            } else {
                String::new()
            };
            Some((
                format!("{}{done}{failed}", figures::number(live)),
                theme.cursor,
            ))
        }
    }
}

/// `2 up · 1 import · 14 queued · 1 failed`; parts that do not fit are omitted.
fn summary<'a>(state: &State, cells: usize, theme: &Theme) -> Line<'a> {
    let totals = state.session.tasks.totals();
    let mut parts: Vec<Span<'a>> = Vec::new();
    if totals.draining {
        parts.push(Span::styled("paused: nothing new starts", theme.warn));
    }
    parts.extend(named(totals).iter().map(|(word, count)| {
        Span::styled(format!("{} {word}", figures::number(*count)), theme.dim)
    }));
    let failed = if state.view == View::Tasks {
        state.session.tasks.failed()
    } else {
        state.session.tasks.unseen_failures
    };
    if failed > 0 {
        let style = if state.view == View::Tasks {
            theme.dim
        } else {
            theme.error
        };
        parts.push(Span::styled(
            format!("{} failed", figures::number(failed)),
            style,
        ));
    }
    let away = background_accounts::counts(state);
    if !away.is_empty() {
        parts.push(Span::styled(away, theme.account));
    }
    let (mut spans, mut used) = (Vec::new(), 0);
    for part in parts {
        let gap = if spans.is_empty() { 0 } else { 3 };
        used += gap + width(&part.content);
        if used > cells {
            break;
        }
        if gap > 0 {
            spans.push(Span::styled(format!(" {BETWEEN} "), theme.dim));
        }
        spans.push(part);
    }
    Line::from(spans)
}

/// The number of running jobs of each kind, then of the others: `("up", 2)`.
fn named(totals: &Totals) -> Vec<(&'static str, usize)> {
    let mut counts: Vec<(&'static str, usize)> = Vec::new();
    for (kind, count) in &totals.running {
        // Moves and renames of folders share the words of those of files.
        match counts.iter_mut().find(|(word, _)| *word == kind.short()) {
            Some((_, known)) => *known += count,
            None => counts.push((kind.short(), *count)),
        }
    }
    counts.extend([("queued", totals.queued), ("held", totals.held)]);
    counts.retain(|(_, count)| *count > 0);
    counts
}

/// `+14 waiting`: the jobs of other batches.
fn beside(totals: &Totals, batch: &Batch) -> String {
    let running: usize = totals.running.iter().map(|(_, count)| count).sum();
    let parts = [
        (running.saturating_sub(batch.counts.running), "more"),
        (
            (totals.queued + totals.held).saturating_sub(batch.counts.waiting()),
            "waiting",
        ),
    ];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    parts
        .map(|(count, word)| format!("+{} {word}", figures::number(count)))
        .collect::<Vec<_>>()
        .join("  ")
}
