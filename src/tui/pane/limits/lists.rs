//! The lists: the object types by their custom properties, then the other reports, each by its
//! fullest entry. In separate boxes, or in one on low screens.

use std::ops::Range;

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::columns::{Gauge, LimitColumns, used};
use super::update::sort_key;
use crate::api::text::visible;
use crate::engine::limits::{LimitEntry, Report};
use crate::tui::areas::Limits;
use crate::tui::keymap::Action;
use crate::tui::pane::hit_target::ListBox;
use crate::tui::pane::keys::key;
use crate::tui::pane::{frame, problem, reading};
use crate::tui::state::Pane;
use crate::tui::state::State;
use crate::tui::state::limits::{Flag, LimitRow, flags, gauge, label, title};
use crate::tui::style::symbols::{BETWEEN, DANGER, DOT};
use crate::tui::style::theme::{Depth, Theme};
use crate::tui::widget::figures;
use crate::tui::widget::text::width;

const WIDEST_NAME: usize = 40;

pub(crate) fn list_boxes(parts: &Limits, state: &State) -> Vec<ListBox> {
    let limits = &state.session.limits;
    let (types, all) = limits.counts();
    let table = frame::below(frame::inner(parts.table), 1);
    let height = usize::from(table.height);
    let Some(others) = parts.others else {
        let shown = state.window(limits.cursor.among(all), height);
        return vec![list_box(parts.table, table, shown, all)];
    };
    // Its rows stay in place while the cursor is in the list below.
    let cursor = if limits.cursor.at() < types {
        limits.cursor.among(types)
    } else {
        limits.cursor.on(limits.last_type, types)
    };
    vec![
        list_box(parts.table, table, state.window(cursor, height), types),
        list_box(others, frame::inner(others), types..all, all),
    ]
}

pub(crate) fn list_box(area: Rect, rows: Rect, shown: Range<usize>, len: usize) -> ListBox {
    ListBox {
        of: Pane::Limits,
        area,
        rows,
        shown,
        len,
    }
}

pub(crate) fn draw(frame: &mut Frame<'_>, parts: &Limits, state: &State, theme: &Theme) {
    let limits = &state.session.limits;
    let (rows, (types, all), is_focused) = (limits.rows(), limits.counts(), has_focus(state));
    let is_in_types = limits.cursor.at() < types || parts.others.is_none();
    let len = if parts.others.is_none() { all } else { types };
    let mut boxes = list_boxes(parts, state).into_iter();
    let Some(ListBox {
        area,
        rows: table,
        shown,
        ..
    }) = boxes.next()
    else {
        return;
    };
    let place = match len {
        0 => String::new(),
        // For screen readers, this changes only when the list scrolls.
        _ if state.panes.plain => {
            let [first, last] = [shown.start + 1, shown.end.min(len)].map(figures::number);
            format!("{first} to {last} of {}", figures::number(len))
        }
        _ if !is_in_types => String::new(),
        len => format!(
            "{} of {}",
            figures::number(limits.cursor.at() + 1),
            figures::number(len)
        ),
    };
    let columns = table_columns(parts, !theme.is_mono(), state);
    let foot = [
        columns.legend().filter(|_| types > 0),
        Some(place).filter(|place| !place.is_empty()),
    ];
    let foot = foot
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(&format!(" {BETWEEN} "));
    let body = frame::PaneBox {
        title: match (&parts.others, parts.table.width) {
            (Some(_), 72..) => "Custom properties by object type",
            (None, 72..) => "By object type, and other reports",
            _ => "By object type",
        },
        note: Line::styled(limits.order.words(), theme.dim),
        foot: Line::styled(foot, theme.dim),
        is_focused: is_focused && is_in_types,
        ..Default::default()
    }
    .draw(frame, parts.table, theme);
    frame.render_widget(
        Line::styled(columns.heading("Type"), theme.dim),
        frame::row(body, 0),
    );
    if types == 0 {
        say_why(frame, body, state, theme);
    }
    if types > 0 || parts.others.is_none() {
        LimitList {
            rows: &rows,
            columns,
            state,
            theme,
        }
        .draw(frame, table, shown.clone());
        frame::scrollbar(frame, area, shown, len, theme);
    }
    let Some(ListBox {
        area,
        rows: inner,
        shown,
        ..
    }) = boxes.next()
    else {
        return;
    };
    let foot = if is_in_types {
        String::new()
    } else {
        format!("{}: all", key(state, Action::Open))
    };
    frame::PaneBox {
        title: "Other reports, fullest entry",
        foot: Line::styled(foot, theme.dim),
        is_focused: is_focused && !is_in_types,
        ..Default::default()
    }
    .draw(frame, area, theme);
    let others = rows
        .get(types..)
        .filter(|_| !state.panes.plain)
        .unwrap_or(&rows);
    let columns = self::columns(inner.width, others, true, !theme.is_mono(), state);
    LimitList {
        rows: &rows,
        columns,
        state,
        theme,
    }
    .draw(frame, inner, shown);
}

fn has_focus(state: &State) -> bool {
    state.dialogs.is_empty() && !state.session.limits.is_scrolling
}

/// Returns the action that sorts by the heading at a position; `None` outside of the headings.
pub(crate) fn sort_at(parts: &Limits, at: Position, state: &State) -> Option<Action> {
    let heading = frame::row(frame::inner(parts.table), 0);
    if parts.is_inside || !heading.contains(at) {
        return None;
    }
    let columns = table_columns(parts, state.settings.depth != Depth::Mono, state);
    let action = columns.sort_at(usize::from(at.x - heading.x))?;
    let is_sorted = state.session.limits.order.key == sort_key(action)?;
    Some(if is_sorted {
        Action::SortReverse
    } else {
        action
    })
}

/// The columns of the first list.
fn table_columns(parts: &Limits, has_trends: bool, state: &State) -> LimitColumns {
    let limits = &state.session.limits;
    let (rows, (types, _)) = (limits.rows(), limits.counts());
    // For screen readers, both lists have the same columns.
    let is_all = parts.others.is_none() || state.panes.plain;
    let in_table = rows.get(..types).filter(|_| !is_all).unwrap_or(&rows);
    let cells = frame::inner(parts.table).width;
    columns(cells, in_table, false, has_trends, state)
}

fn columns(
    cells: u16,
    rows: &[LimitRow<'_>],
    tells_used: bool,
    has_trends: bool,
    state: &State,
) -> LimitColumns {
    let (book, mut name, mut figure) = (&state.session.limits.book, 12, 2);
    for row in rows {
        let (text, share) = match row {
            LimitRow::Type(entry) => (type_name(entry), entry.share()),
            LimitRow::Report(report) => match book.worst(report) {
                Some((entry, share)) => (report_name(report, entry, state), Some(share)),
                None => (title(report).to_owned(), None),
            },
        };
        name = name.max(width(&text));
        figure = figure.max(share.map_or(0, |share| width(&used(share))));
    }
    let (cells, name) = (usize::from(cells).saturating_sub(1), name.min(WIDEST_NAME));
    let columns = match () {
        () if state.panes.plain => LimitColumns::fit_plain(cells, name, figure),
        () if tells_used => LimitColumns::fit_used(cells, name, figure),
        () => LimitColumns::fit(cells, name, figure),
    };
    if has_trends {
        columns
    } else {
        columns.without_trend()
    }
}

fn type_name(entry: &LimitEntry) -> String {
    entry.object_type().map(label).unwrap_or_default()
}

/// The report and its fullest entry, marked if old; for the types, the box above says so.
fn report_name(report: &Report, worst: &LimitEntry, state: &State) -> String {
    let book = &state.session.limits.book;
    let old = if book.answer(report).problem.is_some() {
        format!("{DANGER} old: ")
    } else {
        String::new()
    };
    old + &gauge(report, &worst.subject, state.panes.plain)
}

fn say_why(frame: &mut Frame<'_>, body: Rect, state: &State, theme: &Theme) {
    let answer = state.session.limits.book.answer(&Report::CustomProperties);
    let words = match &answer.problem {
        _ if answer.entries.is_some() => vec![(
            "No object type has custom properties.".to_owned(),
            theme.dim,
        )],
        Some(error) => {
            let next = format!("{} retries.", key(state, Action::Refresh));
            problem::paragraphs("The limits could not be read.", error, &next, state, theme)
        }
        None => vec![(
            reading::words("the limits", answer.loading, state),
            theme.dim,
        )],
    };
    frame::say(frame, body, &words);
}

struct LimitList<'a> {
    rows: &'a [LimitRow<'a>],
    columns: LimitColumns,
    state: &'a State,
    theme: &'a Theme,
}

impl LimitList<'_> {
    fn draw(&self, frame: &mut Frame<'_>, area: Rect, shown: Range<usize>) {
        for (y, at) in (area.y..area.bottom()).zip(shown) {
            let Some(row) = self.rows.get(at) else {
                continue;
            };
            let line = Rect {
                y,
                height: 1,
                ..area
            };
            let (state, theme) = (self.state, self.theme);
            let limits = &state.session.limits;
            let is_cursor = at == limits.cursor.at();
            let style = if is_cursor { theme.title } else { theme.text };
            let of_share = match row {
                LimitRow::Type(entry) => {
                    let share = entry.share();
                    share.map(|share| (&Report::CustomProperties, *entry, share))
                }
                LimitRow::Report(report) => {
                    let worst = limits.book.worst(report);
                    worst.map(|(entry, share)| (*report, entry, share))
                }
            };
            let content = match (of_share, row) {
                (Some((report, entry, share)), _) => {
                    let name = match row {
                        LimitRow::Type(entry) => type_name(entry),
                        LimitRow::Report(_) => report_name(report, entry, state),
                    };
                    let id = entry.id().unwrap_or_default();
                    let gauge = Gauge {
                        name: &name,
                        style,
                        id: &visible(&id),
                        share,
                        past: limits.book.past(report, entry),
                    };
                    self.columns.line(gauge, state.now, theme)
                }
                (None, LimitRow::Type(_)) => Line::default(),
                (None, LimitRow::Report(report)) => {
                    let (name, words) = self.words_of(report);
                    let name = Span::styled(name, style);
                    self.columns.words_line(line.width.into(), &name, words)
                }
            };
            frame.render_widget(content, line);
            if is_cursor {
                let part = match of_share {
                    Some(_) => self.columns.highlighted(line, theme),
                    None => line,
                };
                frame::select(frame, part, has_focus(state), theme);
            }
            if let Some((_, _, share)) = of_share {
                self.columns.draw_bar(frame, line, share, theme);
            }
        }
    }

    /// The name of a report without shares, and the words in place of a gauge.
    fn words_of(&self, report: &Report) -> (String, Line<'static>) {
        let (book, theme) = (&self.state.session.limits.book, self.theme);
        let answer = book.answer(report);
        let mut name = title(report).to_owned();
        let words = match (&answer.entries, &answer.problem) {
            (Some(entries), _) => match worst_flagged(entries) {
                Some((entry, others)) => {
                    name = report_name(report, entry, self.state);
                    flagged(entry, &others, theme)
                }
                None if *report == Report::Sources => {
                    Line::styled("No type is near its limit.", theme.ok)
                }
                None => Line::styled("This report is empty.", theme.dim),
            },
            (None, Some(error)) => Line::styled(
                format!("{DANGER} not read: {}", visible(&error.message)),
                theme.warn,
            ),
            (None, None) => Line::styled(
                reading::words("this report", answer.loading, self.state),
                theme.dim,
            ),
        };
        (name, words)
    }
}

/// The starting type with the most severe flag, and the most severe flag of each other type in the
/// report.
fn worst_flagged(entries: &[LimitEntry]) -> Option<(&LimitEntry, Vec<Flag>)> {
    let worst_of = |entry: &LimitEntry| {
        flags(entry)
            .first()
            .copied()
            .filter(|flag| flag.is_trouble())
    };
    let flagged = || {
        entries
            .iter()
            .filter_map(|entry| Some((worst_of(entry)?, entry)))
    };
    let (place, (_, worst)) = flagged().enumerate().min_by_key(|(_, (flag, _))| *flag)?;
    let others = flagged()
        .enumerate()
        .filter(|(at, _)| *at != place)
        .map(|(_, (flag, _))| flag)
        .collect();
    Some((worst, others))
}

/// `● at limit · 1 more type at limit, 2 near`: the most severe flag of each type.
fn flagged<'a>(entry: &LimitEntry, others: &[Flag], theme: &Theme) -> Line<'a> {
    let worst = flags(entry).first().copied().unwrap_or(Flag::Unknown);
    let style = super::lines::style_of(worst, theme);
    let mut more = String::new();
    for flag in [Flag::At, Flag::Near, Flag::Unknown] {
        let count = others.iter().filter(|other| **other == flag).count();
        let (number, word) = (figures::number(count), flag.word());
        match count {
            0 => {}
            1 if more.is_empty() => more = format!(" {BETWEEN} {number} more type {word}"),
            _ if more.is_empty() => more = format!(" {BETWEEN} {number} more types {word}"),
            _ => more = format!("{more}, {number} {word}"),
        }
    }
    let dot = if theme.is_plain() {
        String::new()
    } else {
        format!("{DOT} ")
    };
    Line::from(vec![
        Span::styled(format!("{dot}{}", worst.word()), style),
        Span::styled(more, theme.dim),
    ])
}
