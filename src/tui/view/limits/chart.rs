//! The last thirty days of the gauge under the cursor as a line over the levels of its limit, where the screen is high.

use ratatui::Frame;
use ratatui::layout::{Margin, Rect};
use ratatui::text::{Line, Span};

use super::columns::{usage_at, used};
use super::lines::records;
use crate::engine::limits::{LimitHistory, Report, Share};
use crate::tui::state::State;
use crate::tui::state::limits::{Flag, LimitLine, LimitRow, LineValue, OpenTopic, gauge};
use crate::tui::style::symbols::{BETWEEN, towards};
use crate::tui::style::theme::Theme;
use crate::tui::view::pane;
use crate::tui::widget::text::right;
use crate::tui::widget::{figures, gauge};

/// Levels of the limit, in percent, that have a line.
const LEVELS: [u64; 6] = [100, 90, 75, 50, 25, 0];
/// Cells of their labels, with the gap behind them.
const LABEL: u16 = 6;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let Some((of, past, share)) = under_cursor(state) else {
        let (title, words) = instead(state).unwrap_or_else(|| ("30 days".to_owned(), Vec::new()));
        let last = words.len().saturating_sub(1);
        let style = |at: usize| if at == last { theme.dim } else { theme.text };
        let words: Vec<_> = words.into_iter().enumerate().map(|(at, words)| (words, style(at))).collect();
        let body = pane::padded(pane::PaneBox { title: &title, ..Default::default() }.draw(frame, area, theme));
        pane::say(frame, body, &words);
        // Below the words and an empty line.
        let said = pane::wrapped(&words, usize::from(body.width).saturating_sub(4)).len() + 2;
        draw_records(frame, pane::below(body, u16::try_from(said).unwrap_or(u16::MAX)), state, theme);
        return;
    };
    let title = format!("{of} {BETWEEN} 30 days");
    let note = Line::styled(used(share), theme.dim);
    let body = pane::padded(pane::PaneBox { title: &title, note, ..Default::default() }.draw(frame, area, theme));
    let Some(past) = past.filter(|past| past.days.len() > 1) else {
        let words = "filedeck keeps a reading of each day: a line is drawn from the second day on.";
        pane::say(frame, body, &[(words.to_owned(), theme.dim)]);
        return;
    };
    let plot = Rect { x: body.x + LABEL, width: body.width.saturating_sub(LABEL), height: body.height - 1, ..body };
    draw_levels(frame, plot, theme);
    draw_line(frame, plot, (past, share), state, theme);
    let days = Rect { y: plot.bottom(), height: 1, ..plot };
    frame.render_widget(Line::styled("30 days ago", theme.dim), days);
    frame.render_widget(Line::from(Span::styled("today", theme.dim)).right_aligned(), days);
}

/// The records of the line under the cursor, each with a gauge as wide as the pane; as many as there is room for.
fn draw_records(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    const ROWS: u16 = 3;
    let area = area.inner(Margin::new(2, 0));
    let Some(inside) = &state.current.limits.inside else { return };
    for (y, (name, share)) in (area.y..area.bottom()).step_by(ROWS.into()).zip(records_of(inside, state)) {
        let style = theme.level(share.percentage);
        let percent = format!("{} {:>5}", gauge::sign(share.percentage), figures::percent(share.percentage));
        let told = format!("  {name} {BETWEEN} {} used {BETWEEN} {} left", used(share), figures::grouped(share.left()));
        let line = Line::from(vec![Span::styled(percent, style), Span::styled(told, theme.text)]);
        let rows = [y, y + 1].map(|y| Rect { y, height: 1, ..area }.intersection(area));
        frame.render_widget(line, rows[0]);
        gauge::draw_with_ticks(frame.buffer_mut(), rows[1], share.percentage, style, theme);
    }
}

/// What is under the line under the cursor, or beside it.
fn records_of(inside: &OpenTopic, state: &State) -> Vec<(String, Share)> {
    let lines = state.current.limits.lines_of(&inside.topic);
    let first = lines.iter().take(inside.cursor + 1).rposition(|line| line.depth == 0).unwrap_or(0);
    let below = lines.into_iter().skip(first + 1).take_while(|line| line.depth > 0);
    below
        .filter_map(|line| if let LineValue::Share(share) = line.what { Some((line.name, share)) } else { None })
        .collect()
}

/// What is under the cursor, of a report its fullest entry; none where the service tells no share.
fn under_cursor(state: &State) -> Option<(String, Option<&LimitHistory>, Share)> {
    let limits = &state.current.limits;
    if let Some(inside) = &limits.inside {
        return of_line(inside, state);
    }
    let (report, entry, share) = match limits.row(limits.cursor)? {
        LimitRow::Type(entry) => (&Report::CustomProperties, entry, entry.share()?),
        LimitRow::Report(report) => limits.book.worst(report).map(|(entry, share)| (report, entry, share))?,
    };
    Some((gauge(report, &entry.subject, state.panes.plain), limits.book.past(report, entry), share))
}

/// The line under the cursor; none where nothing is remembered of that.
fn of_line<'a>(inside: &OpenTopic, state: &'a State) -> Option<(String, Option<&'a LimitHistory>, Share)> {
    let line = line_under_cursor(inside, state)?;
    let (LineValue::Share(share), Some(gauge)) = (&line.what, &line.gauge) else { return None };
    let name = format!("{} {BETWEEN} {}", inside.topic.label(), line.called(state.panes.plain));
    Some((name, state.current.limits.book.past_of(gauge), *share))
}

/// The line under the cursor, or the one that it belongs to.
fn line_under_cursor(inside: &OpenTopic, state: &State) -> Option<LimitLine> {
    state.current.limits.lines_of(&inside.topic).into_iter().take(inside.cursor + 1).rev().find(|line| line.depth == 0)
}

/// What a line says that has no past: a title, and sentences.
fn instead(state: &State) -> Option<(String, Vec<String>)> {
    let inside = state.current.limits.inside.as_ref()?;
    let of = inside.topic.label();
    let line = line_under_cursor(inside, state)?;
    let LineValue::Flags(flags, _) = &line.what else {
        return Some((of, vec!["No chart: filedeck keeps no history of this line.".to_owned()]));
    };
    let told = |(flag, count): &(Flag, Option<u64>)| {
        let who = count.map_or_else(|| "Some records".to_owned(), records);
        let are = if *count == Some(1) { "is" } else { "are" };
        let (place, next) = match flag {
            Flag::At => ("at", ": remove some before adding more"),
            Flag::Near => ("near", ""),
            Flag::Unknown | Flag::Ok => return None,
        };
        Some(format!("{who} of {of} {are} {place} the limit of associations with {}{next}.", line.name))
    };
    let words =
        flags.iter().filter_map(told).chain(["No chart: filedeck keeps no history of associations.".to_owned()]);
    Some((towards(&of, &line.name, state.panes.plain), words.collect()))
}

/// The row of so many percent.
fn row(plot: Rect, percent: u64) -> u16 {
    let rows = u64::from(plot.height.saturating_sub(1));
    let above = u16::try_from((percent.min(100) * rows + 50) / 100).unwrap_or(0);
    plot.bottom().saturating_sub(1 + above)
}

fn draw_levels(frame: &mut Frame<'_>, plot: Rect, theme: &Theme) {
    for level in LEVELS {
        let y = row(plot, level);
        let label = format!("{}  ", right(&format!("{level}%"), usize::from(LABEL) - 2));
        frame.buffer_mut().set_string(plot.x - LABEL, y, label, theme.dim);
        // Without colors a whole line would be one with the curve.
        let line = if theme.is_mono() { "╌" } else { "─" };
        frame.buffer_mut().set_string(plot.x, y, line.repeat(plot.width.into()), theme.border);
    }
}

fn draw_line(frame: &mut Frame<'_>, plot: Rect, (past, share): (&LimitHistory, Share), state: &State, theme: &Theme) {
    let mut before = None;
    for (cell, x) in (plot.x..plot.right()).enumerate() {
        let Some(usage) = usage_at(past, cell, plot.width.into(), state.now) else { continue };
        let percent = usage.saturating_mul(100).checked_div(share.limit).unwrap_or(100);
        // What the figures beside the gauges call full, the line does, too.
        let style = theme.level(u32::try_from(percent).map_or(100.0, f64::from));
        let (y, from) = (row(plot, percent), before.unwrap_or(row(plot, percent)));
        for between in y.min(from)..=y.max(from) {
            let symbol = match (between == from, between == y) {
                (true, true) => "━",
                (true, false) if y < from => "┛",
                (true, false) => "┓",
                (false, true) if y < from => "┏",
                (false, true) => "┗",
                (false, false) => "┃",
            };
            frame.buffer_mut().set_string(x, between, symbol, style);
        }
        before = Some(y);
    }
}
