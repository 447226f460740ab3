//! The property report: the account's whole use, then one line an object type, the fullest first.

use std::ops::Range;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::api::model::{CustomPropertyLimits, ObjectTypeUsage};
use crate::api::text::visible;
use crate::tui::keymap::Action;
use crate::tui::state::State;
use crate::tui::symbols::BETWEEN;
use crate::tui::theme::Theme;
use crate::tui::view::keys::key;
use crate::tui::view::{pane, problem, reading};
use crate::tui::widget::text::{left, right};
use crate::tui::widget::{figures, gauge};

const NAME: usize = 22;
const USED: usize = 15;
const PERCENT: usize = 7;
const LEFT: usize = 9;

/// All types together: a figure, a gauge with the levels named below it.
pub(super) fn draw_overall(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let report = &state.desk.limits.properties;
    let (note, style) = match (&report.problem, report.loaded_at) {
        (Some(error), Some(_)) => (format!("not refreshed: {}", visible(&error.message)), theme.warn),
        (None, Some(at)) if report.loading.is_some() => {
            (format!("reading … {BETWEEN} read {}", figures::ago(at, state.now)), theme.dim)
        }
        (None, Some(at)) => (format!("read {}", figures::ago(at, state.now)), theme.dim),
        _ => (String::new(), theme.dim),
    };
    let note = crate::tui::widget::text::truncate(&note, usize::from(area.width) / 2).into_owned();
    let boxed =
        pane::Boxed { title: "Custom properties, all types", note: Line::styled(note, style), ..Default::default() };
    let body = pane::padded(boxed.draw(frame, area, theme));
    let Some(data) = &report.data else { return };
    let CustomPropertyLimits { overall_usage: used, overall_limit: limit, overall_percentage: percent, .. } = data;
    let line = Line::from(vec![
        Span::styled(gauge::percent(*percent), theme.level(*percent)),
        Span::styled(
            format!(
                "{}  {} of {} used {BETWEEN} {} left",
                gauge::sign(*percent),
                figures::grouped(*used),
                figures::grouped(*limit),
                figures::grouped(limit.saturating_sub(*used))
            ),
            theme.text,
        ),
    ]);
    frame.render_widget(line, pane::row(body, 0));
    let bar = pane::row(body, 1);
    gauge::draw_with_ticks(frame.buffer_mut(), bar, *percent, theme.level(*percent), theme);
    let below = pane::row(body, 2);
    for (level, label) in [(75.0, "75"), (90.0, "90")] {
        if !below.is_empty() && !state.panes.plain {
            let x = below.x + gauge::tick(below.width, level).saturating_sub(1);
            frame.buffer_mut().set_string(x, below.y, label, theme.dim);
        }
    }
}

/// The area of the rows, and which object types they are.
pub(crate) fn places(area: Rect, state: &State) -> (Rect, Range<usize>) {
    let (table, limits) = (pane::below(pane::inner(area), 1), &state.desk.limits);
    (table, state.window(limits.stand, limits.cursor, limits.types().len(), usize::from(table.height)))
}

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let (report, types) = (&state.desk.limits.properties, state.desk.limits.types());
    let place = match types.len() {
        _ if state.panes.plain => String::new(),
        0 => String::new(),
        len => format!("{} of {}", figures::number(state.desk.limits.cursor + 1), figures::number(len)),
    };
    let is_focused = state.dialogs.is_empty();
    let body = pane::Boxed {
        title: "By object type",
        note: Line::styled("fullest first", theme.dim),
        foot: Line::styled(place, theme.dim),
        is_focused,
    }
    .draw(frame, area, theme);
    if report.data.is_none() {
        let words = match &report.problem {
            Some(error) => {
                let next = format!("{} tries again.", key(state, Action::Refresh));
                problem::paragraphs("The limits could not be read.", error, &next, theme)
            }
            None => vec![(reading::words("the limits", report.loading, state), theme.dim)],
        };
        pane::say(frame, body, &words);
        if is_focused {
            frame.set_cursor_position((body.x.saturating_add(1), body.y));
        }
        return;
    }
    let columns = Columns::fit(body.width);
    frame.render_widget(Line::styled(columns.heading(), theme.dim), pane::row(body, 0));
    let (table, shown) = places(area, state);
    if types.is_empty() {
        pane::say(frame, table, &[("No object type has custom properties.".to_owned(), theme.dim)]);
    }
    for (y, at) in (table.y..).zip(shown.clone()) {
        let Some(usage) = types.get(at) else { continue };
        let row = Rect { y, height: 1, ..table };
        let is_cursor = at == state.desk.limits.cursor;
        frame.render_widget(columns.line(usage, is_cursor, theme), row);
        if is_cursor {
            pane::select(frame, row, is_focused, theme);
        }
        let bar = Rect { x: row.x + columns.bar_at(), width: columns.bar, ..row }.intersection(table);
        gauge::draw_with_ticks(frame.buffer_mut(), bar, usage.percentage, theme.level(usage.percentage), theme);
    }
    pane::scrollbar(frame, area, shown.start, shown.len(), types.len(), theme);
}

/// The plural label, safe to show; the id for a type without one.
pub(super) fn label(usage: &ObjectTypeUsage) -> String {
    let label = [&usage.plural_label, &usage.singular_label].into_iter().find(|label| !label.is_empty());
    visible(label.unwrap_or(&usage.object_type_id)).into_owned()
}

/// Name, gauge, percentage, what is used and what is left; without room for all, what is used goes.
struct Columns {
    name: usize,
    bar: u16,
    has_used: bool,
}

impl Columns {
    fn fit(width: u16) -> Self {
        let cells = usize::from(width);
        let fixed = |used: usize| 2 + 2 + PERCENT + LEFT + used + 1;
        let has_used = cells >= fixed(USED) + NAME + 16;
        let rest = cells.saturating_sub(fixed(if has_used { USED } else { 0 }));
        let name = NAME.min(rest / 2);
        Self { name, bar: u16::try_from(rest - name).unwrap_or(0), has_used }
    }

    fn bar_at(&self) -> u16 {
        u16::try_from(2 + self.name + 1).unwrap_or(0)
    }

    fn heading(&self) -> String {
        let used = if self.has_used { right("Of", USED) } else { String::new() };
        let gap = usize::from(self.bar).saturating_sub(4) + 1;
        format!("  {} Used{:gap$}{}{used}{}", left("Type", self.name), "", right("%", PERCENT), right("Left", LEFT))
    }

    fn line<'a>(&self, usage: &ObjectTypeUsage, is_cursor: bool, theme: &Theme) -> Line<'a> {
        let style = theme.level(usage.percentage);
        let percent = format!("{}{}", gauge::percent(usage.percentage), gauge::sign(usage.percentage));
        let left_over = figures::grouped(usage.limit.saturating_sub(usage.usage));
        let mut spans = vec![
            Span::raw("  "),
            Span::styled(left(&label(usage), self.name), if is_cursor { theme.title } else { theme.text }),
            Span::raw(" ".repeat(usize::from(self.bar) + 2)),
            Span::styled(right(&percent, PERCENT), style),
        ];
        if self.has_used {
            let of = format!("{}/{}", figures::grouped(usage.usage), figures::grouped(usage.limit));
            spans.push(Span::styled(right(&of, USED), theme.dim));
        }
        spans.push(Span::styled(right(&left_over, LEFT), theme.text));
        Line::from(spans)
    }
}
