//! A chart of the last thirty days of the gauge under the cursor, with the levels of its limit, on
//! high screens.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Margin, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::columns::{usage_at, used};
use super::lines::records;
use crate::engine::limits::{LimitHistory, Report, Share};
use crate::tui::pane::frame;
use crate::tui::state::State;
use crate::tui::state::limits::{Flag, LimitLine, LimitRow, LineValue, OpenTopic, gauge};
use crate::tui::style::symbols::{BETWEEN, towards};
use crate::tui::style::theme::Theme;
use crate::tui::widget::figures;
use crate::tui::widget::text::right;

/// Levels with a line, in percent of the limit.
const LEVELS: [u64; 6] = [100, 90, 75, 50, 25, 0];
/// Width of the labels, with the gap after them.
const LABEL: u16 = 6;
/// The lower end of the chart is the highest of these percentages that all days reach, or else 0.
const FLOORS: [u64; 2] = [75, 50];
/// The least number of rows of a chart, with its box and the dates.
const LEAST_HEIGHT: u16 = 11;

pub(crate) fn draw(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let Some(shown) = under_cursor(state) else {
        let (title, words) = instead(state).unwrap_or_else(|| ("30 days".to_owned(), Vec::new()));
        let words: Vec<_> = words.into_iter().map(|words| (words, theme.text)).collect();
        let text = |area| frame::inner(area).inner(Margin::new(2, 0));
        let lines = frame::wrapped(&words, text(area).width.into());
        let rows = Constraint::Length(u16::try_from(lines.len() + 2).unwrap_or(u16::MAX));
        let [text_area, below] = Layout::vertical([rows, Constraint::Fill(1)]).areas(area);
        // Also shows something related: the fullest gauge of the same type with a history, if there
        // is space.
        let fullest = fullest(state).filter(|_| below.height >= LEAST_HEIGHT);
        let text_area = if fullest.is_some() { text_area } else { area };
        frame::PaneBox {
            title: &title,
            ..Default::default()
        }
        .draw(frame, text_area, theme);
        for (at, line) in (0..text(text_area).height).zip(lines) {
            frame.render_widget(line, frame::row(text(text_area), at));
        }
        if let Some(shown) = fullest {
            draw_past(frame, below, shown, state, theme);
        }
        return;
    };
    draw_past(frame, area, shown, state, theme);
}

/// A gauge and its history: the name, the remembered usage, the current usage.
type ChartedGauge<'a> = (String, Option<&'a LimitHistory>, Share);

fn draw_past(
    frame: &mut Frame<'_>,
    area: Rect,
    (of, past, share): ChartedGauge<'_>,
    state: &State,
    theme: &Theme,
) {
    let title = format!("{of} {BETWEEN} 30 days");
    let note = Line::styled(used(share), theme.dim);
    let body = frame::padded(
        frame::PaneBox {
            title: &title,
            note,
            ..Default::default()
        }
        .draw(frame, area, theme),
    );
    let Some(past) = past.filter(|past| past.days.len() > 1) else {
        let words = "filedeck keeps a reading of each day: a line is drawn from the second day on.";
        frame::say(frame, body, &[(words.to_owned(), theme.dim)]);
        return;
    };
    // Rounded so that each quarter has the same number of rows, if there are enough.
    let rows = body.height.saturating_sub(1);
    let height = if rows < 9 {
        rows
    } else {
        (rows - 1) / 4 * 4 + 1
    };
    let area = Rect {
        x: body.x + LABEL,
        width: body.width.saturating_sub(LABEL),
        height,
        ..body
    };
    let percents: Vec<Option<u64>> = (0..area.width)
        .map(|cell| usage_at(past, cell.into(), area.width.into(), state.now))
        .map(|usage| {
            usage.map(|usage| {
                usage
                    .saturating_mul(100)
                    .checked_div(share.limit)
                    .unwrap_or(100)
            })
        })
        .collect();
    let is_above = |floor: &u64| percents.iter().flatten().all(|percent| percent >= floor);
    let plot = Plot {
        area,
        floor: FLOORS.into_iter().find(is_above).unwrap_or(0),
    };
    plot.draw_line(frame, &percents, theme);
    plot.draw_levels(frame, theme);
    let days = Rect {
        y: area.bottom(),
        height: 1,
        ..area
    };
    frame.render_widget(Line::styled("30 days ago", theme.dim), days);
    frame.render_widget(
        Line::from(Span::styled("today", theme.dim)).right_aligned(),
        days,
    );
}

/// The fullest gauge with a history inside the open object type or report.
fn fullest(state: &State) -> Option<ChartedGauge<'_>> {
    let limits = &state.session.limits;
    let topic = &limits.inside.as_ref()?.topic;
    let lines = limits.lines_of(topic).into_iter();
    let gauges = lines.filter_map(|line| {
        let (LineValue::Share(share), Some(gauge)) = (&line.what, &line.gauge) else {
            return None;
        };
        let past = limits
            .book
            .past_of(gauge)
            .filter(|past| past.days.len() > 1)?;
        let of = format!(
            "{} (this line has no history)",
            line.called(state.panes.plain)
        );
        Some((of, Some(past), *share))
    });
    gauges.max_by(|(.., share), (.., other)| share.percentage.total_cmp(&other.percentage))
}

/// The gauge under the cursor, or the fullest entry of a report; `None` if the service gives no
/// share.
fn under_cursor(state: &State) -> Option<ChartedGauge<'_>> {
    let limits = &state.session.limits;
    if let Some(inside) = &limits.inside {
        return of_line(inside, state);
    }
    let (report, entry, share) = match limits.row(limits.cursor.at())? {
        LimitRow::Type(entry) => (&Report::CustomProperties, entry, entry.share()?),
        LimitRow::Report(report) => limits
            .book
            .worst(report)
            .map(|(entry, share)| (report, entry, share))?,
    };
    Some((
        gauge(report, &entry.subject, state.panes.plain),
        limits.book.past(report, entry),
        share,
    ))
}

/// The gauge of the line under the cursor; `None` if it has no history.
fn of_line<'a>(inside: &OpenTopic, state: &'a State) -> Option<ChartedGauge<'a>> {
    let line = line_under_cursor(inside, state)?;
    let (LineValue::Share(share), Some(gauge)) = (&line.what, &line.gauge) else {
        return None;
    };
    let name = format!(
        "{} {BETWEEN} {}",
        inside.topic.label(),
        line.called(state.panes.plain)
    );
    Some((name, state.session.limits.book.past_of(gauge), *share))
}

/// The line under the cursor, or its parent.
fn line_under_cursor(inside: &OpenTopic, state: &State) -> Option<LimitLine> {
    state
        .session
        .limits
        .lines_of(&inside.topic)
        .into_iter()
        .take(inside.cursor.at() + 1)
        .rev()
        .find(|line| line.depth == 0)
}

fn instead(state: &State) -> Option<(String, Vec<String>)> {
    let inside = state.session.limits.inside.as_ref()?;
    let of = inside.topic.label();
    let line = line_under_cursor(inside, state)?;
    let LineValue::Flags(flags, _) = &line.what else {
        return Some((
            of,
            vec!["filedeck keeps no history of this line.".to_owned()],
        ));
    };
    let count_of = |wanted: Flag| {
        flags
            .iter()
            .find(|(flag, _)| *flag == wanted)
            .map(|(_, count)| *count)
    };
    let who = |count: Option<u64>| count.map_or_else(|| "Some records".to_owned(), records);
    let are = |count| if count == Some(1) { "is" } else { "are" };
    let limit = format!("the limit of associations with {}", line.name);
    let words = match (count_of(Flag::At), count_of(Flag::Near)) {
        (Some(at), near) => {
            let near = near.map(|near| match near {
                Some(count) => format!(", {} {} near it", figures::grouped(count), are(near)),
                None => ", some are near it".to_owned(),
            });
            let near = near.unwrap_or_default();
            vec![format!(
                "{} of {of} {} at {limit}{near}: remove some before adding more.",
                who(at),
                are(at)
            )]
        }
        (None, Some(near)) => vec![format!("{} of {of} {} near {limit}.", who(near), are(near))],
        (None, None) if flags.iter().any(|(flag, _)| *flag == Flag::Ok) => {
            vec![format!("No record of {of} is near {limit}.")]
        }
        (None, None) => vec![format!(
            "The service does not say how many records of {of} are near {limit}."
        )],
    };
    Some((towards(&of, &line.name, state.panes.plain), words))
}

#[derive(Debug, Clone, Copy)]
struct Plot {
    area: Rect,
    /// The percentage of the lowest row.
    floor: u64,
}

impl Plot {
    fn row(self, percent: u64) -> u16 {
        let (rows, span) = (
            u64::from(self.area.height.saturating_sub(1)),
            100 - self.floor,
        );
        let above = ((percent.clamp(self.floor, 100) - self.floor) * rows + span / 2) / span;
        self.area
            .bottom()
            .saturating_sub(1)
            .saturating_sub(u16::try_from(above).unwrap_or(0))
    }

    /// The row of the line, one below that of a level that it has not reached.
    fn row_of_line(self, percent: u64) -> u16 {
        let is_short_of = |level: &u64| percent < *level && self.row(percent) == self.row(*level);
        let below = u16::from(LEVELS.iter().any(is_short_of));
        (self.row(percent) + below).min(self.area.bottom().saturating_sub(1))
    }

    /// Draws the level lines, below the line of the gauge.
    fn draw_levels(self, frame: &mut Frame<'_>, theme: &Theme) {
        // Without colors, a solid line would merge with that of the gauge.
        let line = if theme.is_mono() { "╌" } else { "─" };
        for level in LEVELS.into_iter().filter(|level| *level >= self.floor) {
            let y = self.row(level);
            let label = format!("{}  ", right(&format!("{level}%"), usize::from(LABEL) - 2));
            frame
                .buffer_mut()
                .set_string(self.area.x - LABEL, y, label, theme.dim);
            for x in self.area.x..self.area.right() {
                if let Some(cell) = frame
                    .buffer_mut()
                    .cell_mut((x, y))
                    .filter(|cell| cell.symbol() == " ")
                {
                    cell.set_symbol(line).set_style(theme.border);
                }
            }
        }
    }

    fn draw_line(self, frame: &mut Frame<'_>, percents: &[Option<u64>], theme: &Theme) {
        let mut before = None;
        for (x, percent) in (self.area.x..self.area.right()).zip(percents) {
            let Some(percent) = *percent else { continue };
            // Uses the same thresholds as the gauges.
            let style = theme.level(u32::try_from(percent).map_or(100.0, f64::from));
            let y = self.row_of_line(percent);
            let from = before.unwrap_or(y);
            if let Some(background) = theme.track.bg {
                let below = Rect {
                    x,
                    y,
                    width: 1,
                    height: self.area.bottom().saturating_sub(y),
                };
                frame
                    .buffer_mut()
                    .set_style(below, Style::new().bg(background));
            }
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
}
