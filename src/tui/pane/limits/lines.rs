//! The content of an object type or report: next to the lists, without nested lines; or in their
//! place, in full.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::columns::{Gauge, LimitColumns, used, used_short};
use crate::api::model::ObjectTypeName;
use crate::api::text::visible;
use crate::engine::limits::{Report, Share};
use crate::tui::areas::Limits;
use crate::tui::keymap::Action;
use crate::tui::pane::hit_target::ListBox;
use crate::tui::pane::keys::key;
use crate::tui::pane::{frame, problem, reading};
use crate::tui::state::Pane;
use crate::tui::state::State;
use crate::tui::state::limits::{Flag, LimitLine as Inside, LineValue, Topic};
use crate::tui::style::symbols::{BETWEEN, DANGER, MOVE};
use crate::tui::style::theme::Theme;
use crate::tui::widget::figures;
use crate::tui::widget::text::{left, right, truncate, width};

const START: usize = 2;
const PERCENT: usize = 6;
const USED: &str = "Used";
const ROOMY: u16 = 70;
const WIDEST_NAME: usize = 34;
/// The least part of a truncated name that is shown.
const LEAST_NAME: usize = 8;

pub(crate) fn style_of(flag: Flag, theme: &Theme) -> Style {
    match flag {
        Flag::At => theme.gauge_full,
        Flag::Near => theme.gauge_warn,
        Flag::Unknown => theme.warn,
        Flag::Ok => theme.ok,
    }
}

/// Draws the content of the row under the cursor. It has no cursor of its own, and scrolls.
pub(crate) fn draw_aside(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let limits = &state.session.limits;
    let Some(topic) = limits.topic() else { return };
    let lines = limits.lines_aside();
    let note = match &topic {
        Topic::Type(name) => id_of(name),
        Topic::Report(_) => tally(&lines),
    };
    let room = usize::from(below_heading(frame::inner(area), &lines).height);
    let is_focused = limits.is_scrolling && state.dialogs.is_empty();
    let [down, up] = if is_focused {
        [Action::MoveDown, Action::MoveUp]
    } else {
        [Action::ScrollDown, Action::ScrollUp]
    };
    let scrolling = match lines.len() > room {
        true => format!("{} {}: scroll {BETWEEN} ", key(state, down), key(state, up)),
        false if is_focused => format!("all is shown {BETWEEN} "),
        false => String::new(),
    };
    let foot = format!("{scrolling}{}: open", key(state, Action::Open));
    let boxed = frame::PaneBox {
        title: &topic.label(),
        note: Line::styled(note, theme.dim),
        foot: Line::styled(foot, theme.dim),
        is_focused,
        ..Default::default()
    };
    let body = boxed.draw(frame, area, theme);
    let fit = Fit::of(body, &lines, state, theme);
    let body = headed(frame, body, fit.heading(&topic, body, theme), &lines);
    let start = limits.scroll.min(lines.len().saturating_sub(room));
    for (y, line) in (body.y..body.bottom()).zip(lines.iter().skip(start)) {
        let row = Rect {
            y,
            height: 1,
            ..body
        };
        frame.render_widget(drawn(line, row, fit, state, theme), row);
        draw_bar(frame, row, line, fit, theme);
    }
    frame::scrollbar(frame, area, start..start + room, lines.len(), theme);
}

/// Draws the column headings if there are shares; returns the area of the lines.
fn headed(frame: &mut Frame<'_>, body: Rect, heading: Line<'_>, lines: &[Inside]) -> Rect {
    let rest = below_heading(body, lines);
    if rest != body {
        frame.render_widget(heading, frame::row(body, 0));
    }
    rest
}

fn below_heading(body: Rect, lines: &[Inside]) -> Rect {
    let has_shares = lines
        .iter()
        .any(|line| line.depth == 0 && matches!(line.what, LineValue::Share(_)));
    if has_shares {
        frame::below(body, 1)
    } else {
        body
    }
}

/// `1 at · 2 near`: counts the lines with these flags.
fn tally(lines: &[Inside]) -> String {
    let count = |wanted: Flag| {
        let flags = lines.iter().filter_map(|line| match &line.what {
            LineValue::Flags(flags, _) => Some(flags),
            _ => None,
        });
        flags.flatten().filter(|(flag, _)| *flag == wanted).count()
    };
    let part = |count: usize, word: &str| (count > 0).then(|| format!("{count} {word}"));
    let parts = [part(count(Flag::At), "at"), part(count(Flag::Near), "near")];
    parts
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(&format!(" {BETWEEN} "))
}

pub(crate) fn list_boxes(parts: &Limits, state: &State) -> Vec<ListBox> {
    let (inner, limits) = (frame::inner(parts.table), &state.session.limits);
    let Some(inside) = &limits.inside else {
        return Vec::new();
    };
    let lines = limits.lines();
    let (inner, len) = (below_heading(inner, &lines), lines.len());
    let shown = state.window(inside.cursor.among(len), usize::from(inner.height));
    vec![ListBox {
        of: Pane::Limits,
        area: parts.table,
        rows: inner,
        shown,
        len,
    }]
}

/// `type 0-1`; empty without an id.
fn id_of(name: &ObjectTypeName) -> String {
    let id = visible(&name.object_type_id);
    if id.is_empty() {
        String::new()
    } else {
        format!("type {id}")
    }
}

/// `Contact · type 0-1`: the singular name and the id.
fn called(name: &ObjectTypeName) -> String {
    let parts = [visible(&name.singular_label).into_owned(), id_of(name)];
    parts
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(&format!(" {BETWEEN} "))
}

pub(crate) fn draw_inside(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let limits = &state.session.limits;
    let Some(inside) = &limits.inside else { return };
    let (lines, is_focused) = (limits.lines(), state.dialogs.is_empty());
    let note = match &inside.topic {
        Topic::Type(name) => called(name),
        Topic::Report(_) => String::new(),
    };
    let rows = |lines: &[Inside]| {
        lines
            .iter()
            .filter(|line| line.what != LineValue::Heading)
            .count()
            .max(1)
    };
    let at_cursor = lines.get(..=inside.cursor.at()).unwrap_or(&lines);
    let place = || {
        format!(
            "{} of {}",
            figures::number(rows(at_cursor)),
            figures::number(rows(&lines))
        )
    };
    let fit = Fit::of(frame::inner(area), &lines, state, theme);
    let foot = [fit.legend(&lines), (!state.panes.plain).then(place)];
    let foot = foot
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(&format!(" {BETWEEN} "));
    let boxed = frame::PaneBox {
        title: &inside.topic.label(),
        note: Line::styled(note, theme.dim),
        foot: Line::styled(foot, theme.dim),
        is_focused,
        ..Default::default()
    };
    let body = boxed.draw(frame, area, theme);
    let body = headed(frame, body, fit.heading(&inside.topic, body, theme), &lines);
    let cursor = inside.cursor.among(lines.len());
    let shown = state.window(cursor, usize::from(body.height));
    // An error that is alone has space for its whole message.
    if let [
        Inside {
            what: LineValue::Unread(report),
            ..
        },
    ] = lines.as_slice()
        && let Some(error) = &limits.book.answer(report).problem
    {
        let next = format!("{} retries.", key(state, Action::Refresh));
        frame::say(
            frame,
            body,
            &problem::paragraphs("This could not be read.", error, &next, state, theme),
        );
        frame.set_cursor_position((body.x.saturating_add(1), body.y));
        return;
    }
    for (y, at) in (body.y..body.bottom()).zip(shown.clone()) {
        let Some(line) = lines.get(at) else { continue };
        let row = Rect {
            y,
            height: 1,
            ..body
        };
        frame.render_widget(drawn(line, row, fit, state, theme), row);
        if at == inside.cursor.at() {
            let part = match (fit, &line.what) {
                (Fit::Columns(columns), LineValue::Share(_)) => columns.highlighted(row, theme),
                _ => row,
            };
            frame::select(frame, part, is_focused, theme);
        }
        draw_bar(frame, row, line, fit, theme);
    }
    frame::scrollbar(frame, area, shown, lines.len(), theme);
}

/// The layout of lines: like rows of the lists if there is space for gauges, otherwise as names and
/// figures.
#[derive(Debug, Clone, Copy)]
enum Fit {
    Columns(LimitColumns),
    Figures,
}

impl Fit {
    fn of(body: Rect, lines: &[Inside], state: &State, theme: &Theme) -> Self {
        if body.width < ROOMY {
            return Self::Figures;
        }
        let cells = usize::from(body.width).saturating_sub(1);
        let fit = |used: fn(Share) -> String| {
            let texts = lines.iter().filter_map(|line| match &line.what {
                LineValue::Share(share) => Some((indented(line, state), used(*share))),
                LineValue::Count(count) => Some((indented(line, state), figures::grouped(*count))),
                LineValue::Flags(flags, _) => Some((towards(line, state), all_records(flags))),
                _ => None,
            });
            let texts: Vec<(usize, usize)> = texts
                .map(|(name, figure)| (width(&name), width(&figure)))
                .collect();
            let name = texts.iter().map(|(name, _)| *name).max().unwrap_or(0);
            let name = name.clamp(USED.len() + LEAST_NAME, WIDEST_NAME);
            let figure = texts
                .iter()
                .map(|(_, figure)| *figure)
                .max()
                .unwrap_or(0)
                .max(USED.len());
            match () {
                () if state.panes.plain => LimitColumns::fit_plain(cells, name, figure),
                () => LimitColumns::fit_used(cells, name, figure),
            }
        };
        let exact = fit(used);
        let is_narrow = !state.panes.plain && !exact.has_levels();
        let columns = if is_narrow {
            fit(used_short).rounded()
        } else {
            exact
        };
        Self::Columns(if theme.is_mono() {
            columns.without_trend()
        } else {
            columns
        })
    }

    fn heading(&self, topic: &Topic, body: Rect, theme: &Theme) -> Line<'static> {
        let what = if matches!(topic, Topic::Type(_)) {
            "Limit"
        } else {
            "Type"
        };
        let room = usize::from(body.width).saturating_sub(START + 1 + PERCENT + USED.len());
        let heading = match self {
            Self::Columns(columns) => columns.heading(what),
            Self::Figures => format!(
                "{}{}{USED}{}",
                " ".repeat(START),
                left(what, room),
                right("%", PERCENT)
            ),
        };
        Line::styled(heading, theme.dim)
    }

    fn legend(&self, lines: &[Inside]) -> Option<String> {
        let has_gauges = lines
            .iter()
            .any(|line| matches!(line.what, LineValue::Share(_)));
        match self {
            Self::Columns(columns) if has_gauges => columns.legend(),
            _ => None,
        }
    }
}

fn room(row: Rect) -> usize {
    usize::from(row.width).saturating_sub(START + PERCENT + 1)
}

fn draw_bar(frame: &mut Frame<'_>, row: Rect, line: &Inside, fit: Fit, theme: &Theme) {
    if let (Fit::Columns(columns), LineValue::Share(share)) = (fit, &line.what) {
        columns.draw_bar(frame, row, *share, theme);
    }
}

/// The text of a line; `draw_bar` adds its gauge.
fn drawn<'a>(line: &Inside, row: Rect, fit: Fit, state: &State, theme: &Theme) -> Line<'a> {
    let cells = usize::from(row.width);
    let start = START + 2 * line.depth;
    let room = cells.saturating_sub(start + 1);
    let plain = |text: String, style: Style| {
        Line::from(vec![
            Span::raw(" ".repeat(start)),
            Span::styled(text, style),
        ])
    };
    match &line.what {
        LineValue::Share(share) => {
            let name = indented(line, state);
            let Fit::Columns(columns) = fit else {
                return share_in_figures(*share, &name, self::room(row), theme);
            };
            let book = &state.session.limits.book;
            let gauge = Gauge {
                name: &name,
                style: theme.text,
                id: &line.id.as_deref().map(visible).unwrap_or_default(),
                share: *share,
                past: line.gauge.as_ref().and_then(|gauge| book.past_of(gauge)),
            };
            columns.line(gauge, state.now, theme)
        }
        LineValue::Count(count) => {
            let (name, figure) = (towards(line, state), figures::grouped(*count));
            if let Fit::Columns(columns) = fit {
                let words = vec![Span::styled("no limit of its own", theme.dim)];
                return columns.figure_line(&name, words, &figure, theme);
            }
            let figure = format!("{figure} {BETWEEN} no limit");
            beside(row, &name, vec![Span::styled(figure, theme.dim)], theme)
        }
        LineValue::Flags(flags, fullest) => {
            let name = towards(line, state);
            if let Fit::Columns(columns) = fit {
                let all = all_records(flags);
                let mut words = flagged(flags, theme, |flag, count| counted(flag.word(), count));
                // If all are below their limits.
                if let ([(Flag::Near, _)], Some(percent)) = (flags.as_slice(), fullest) {
                    words.push(Span::styled(format!(" {BETWEEN} fullest "), theme.dim));
                    words.push(Span::styled(
                        figures::percent(*percent),
                        theme.level(*percent),
                    ));
                }
                return columns.figure_line(&name, words, &all, theme);
            }
            let long = match flags.as_slice() {
                [(flag, Some(count))] => Some(vec![Span::styled(
                    format!("{} {}", records(*count), flag.word()),
                    style_of(*flag, theme),
                )]),
                _ => None,
            };
            let counted_flags = flagged(flags, theme, |flag, count| counted(flag.word(), count));
            let short = || {
                flagged(flags, theme, |flag, count| {
                    counted(flag.word().trim_end_matches(" limit"), count)
                })
            };
            // The name is the last to be cut.
            let fits =
                |words: &Vec<Span<'_>>| width(&name) + 2 + cells_of(words) <= self::room(row);
            let words = long
                .into_iter()
                .chain([counted_flags])
                .find(fits)
                .unwrap_or_else(short);
            beside(row, &name, words, theme)
        }
        LineValue::Heading => {
            let name = truncate(&line.name, room);
            let rule = "─".repeat(room.saturating_sub(width(&name) + 1));
            Line::from(vec![
                Span::raw(" ".repeat(start)),
                Span::styled(format!("{name} "), theme.dim),
                Span::styled(rule, theme.faint),
            ])
        }
        LineValue::Name => plain(truncate(&line.name, room).into_owned(), theme.text),
        LineValue::Words => {
            let style = if line.depth == 0 { theme.ok } else { theme.dim };
            plain(truncate(&line.name, room).into_owned(), style)
        }
        LineValue::Unread(report) => {
            let (words, style) = unread(report, state, theme);
            plain(truncate(&words, room).into_owned(), style)
        }
    }
}

pub(crate) fn records(count: u64) -> String {
    if count == 1 {
        "1 record".to_owned()
    } else {
        format!("{} records", figures::grouped(count))
    }
}

/// `2 at limit`; without the number if it is unknown.
fn counted(word: &str, count: Option<u64>) -> String {
    count
        .map(|count| format!("{} ", figures::grouped(count)))
        .unwrap_or_default()
        + word
}

/// The total number of records; empty if unknown.
fn all_records(flags: &[(Flag, Option<u64>)]) -> String {
    flags
        .iter()
        .filter_map(|(_, count)| *count)
        .reduce(u64::saturating_add)
        .map(records)
        .unwrap_or_default()
}

fn unread(report: &Report, state: &State, theme: &Theme) -> (String, Style) {
    let answer = state.session.limits.book.answer(report);
    if let Some(error) = &answer.problem {
        return (
            format!("{DANGER} not read: {}", visible(&error.message)),
            theme.warn,
        );
    }
    let what = if matches!(report, Report::Pair { .. }) {
        "the records"
    } else {
        "the associations"
    };
    (reading::words(what, answer.loading, state), theme.dim)
}

/// The name of a line; inside an object type, other types have an arrow.
fn towards(line: &Inside, state: &State) -> String {
    let is_type = matches!(state.session.limits.topic(), Some(Topic::Type(_)));
    let is_towards = is_type && matches!(line.what, LineValue::Flags(..));
    match (is_towards, state.panes.plain) {
        (true, true) => format!("To {}", line.name),
        (true, false) => format!("{MOVE} {}", line.name),
        (false, _) => indented(line, state),
    }
}

fn indented(line: &Inside, state: &State) -> String {
    format!(
        "{}{}",
        "  ".repeat(line.depth),
        line.called(state.panes.plain)
    )
}

/// A name, and words that end where the usage column does.
fn beside<'a>(row: Rect, name: &str, words: Vec<Span<'a>>, theme: &Theme) -> Line<'a> {
    let name = left(name, room(row).saturating_sub(1 + cells_of(&words)));
    let start = [
        Span::raw(" ".repeat(START)),
        Span::styled(format!("{name} "), theme.text),
    ];
    start.into_iter().chain(words).collect()
}

fn flagged<'a>(
    flags: &[(Flag, Option<u64>)],
    theme: &Theme,
    describe: fn(Flag, Option<u64>) -> String,
) -> Vec<Span<'a>> {
    let mut words = Vec::new();
    for (flag, count) in flags {
        if !words.is_empty() {
            words.push(Span::styled(format!(" {BETWEEN} "), theme.dim));
        }
        words.push(Span::styled(
            describe(*flag, *count),
            style_of(*flag, theme),
        ));
    }
    words
}

fn cells_of(words: &[Span<'_>]) -> usize {
    words.iter().map(Span::width).sum()
}

/// A share in a pane without space for gauges.
fn share_in_figures<'a>(share: Share, name: &str, room: usize, theme: &Theme) -> Line<'a> {
    let percent = right(&figures::percent(share.percentage), PERCENT);
    let has_room = width(name) + 2 + width(&used(share)) <= room;
    let figure = if has_room {
        used(share)
    } else {
        used_short(share)
    };
    // If it does not fit, the percentage suffices.
    let figure = if LEAST_NAME + 1 + width(&figure) <= room {
        figure
    } else {
        String::new()
    };
    let spans = vec![
        Span::raw(" ".repeat(START)),
        Span::styled(
            format!("{}  ", left(name, room.saturating_sub(width(&figure) + 2))),
            theme.text,
        ),
        Span::styled(figure, theme.dim),
        Span::styled(percent, theme.level(share.percentage)),
    ];
    Line::from(spans)
}
