//! Custom properties: the overall gauge, and a table of object types, fullest first.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::api::model::ObjectTypeUsage;
use crate::api::text::visible;
use crate::tui::keymap::Action;
use crate::tui::state::State;
use crate::tui::theme::Theme;
use crate::tui::view::keys::key;
use crate::tui::view::{pane, problem, reading};
use crate::tui::widget::scroll::window;
use crate::tui::widget::text::{left, right};
use crate::tui::widget::{figures, gauge};

/// Room for a name before bars grow.
const NAME: usize = 24;
/// `1,000/1,000`, `128 left` and the percentage with its sign.
const FIGURES: usize = 15 + 2 + 12 + 2 + 7;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let report = &state.desk.limits.properties;
    let body = pane::heading(frame, area, "Custom properties", state.dialogs.is_empty(), theme);
    let Some(data) = &report.data else {
        let words = match &report.problem {
            Some(error) => {
                let next = format!("{} tries again.", key(state, Action::Refresh));
                problem::paragraphs("The limits could not be read.", error, &next, theme)
            }
            None => vec![(reading::words("the limits", report.loading, state), theme.dim)],
        };
        pane::say(frame, body, &words);
        if state.dialogs.is_empty() {
            frame.set_cursor_position((body.x.saturating_add(1), body.y));
        }
        return;
    };
    let cells = usize::from(body.width);
    let overall = Usage {
        label: "Overall",
        used: data.overall_usage,
        limit: data.overall_limit,
        percent: data.overall_percentage,
    };
    frame.render_widget(line("   ", &overall, cells, theme), pane::row(body, 0));
    if let Some(error) = &report.problem {
        let text = format!("   not refreshed: {}", visible(&error.message));
        frame.render_widget(Line::styled(text, theme.error), pane::row(body, 1));
    }
    let table = pane::below(body, 2);
    let types = state.desk.limits.types();
    if types.is_empty() {
        pane::say(frame, table, &[("No object type has custom properties.".to_owned(), theme.dim)]);
    }
    for (y, at) in (table.y..).zip(window(state.desk.limits.cursor, types.len(), usize::from(table.height))) {
        let Some(usage) = types.get(at) else { continue };
        let row = Rect { y, height: 1, ..table };
        let is_cursor = at == state.desk.limits.cursor;
        let label = label(usage);
        let usage = Usage { label: &label, used: usage.usage, limit: usage.limit, percent: usage.percentage };
        frame.render_widget(line(if is_cursor { " > " } else { "   " }, &usage, cells, theme), row);
        if is_cursor {
            pane::select(frame, row, state.dialogs.is_empty(), theme);
        }
    }
}

/// The plural label, safe to show; the id for a type without one.
pub(super) fn label(usage: &ObjectTypeUsage) -> String {
    let label = [&usage.plural_label, &usage.singular_label].into_iter().find(|label| !label.is_empty());
    visible(label.unwrap_or(&usage.object_type_id)).into_owned()
}

struct Usage<'a> {
    label: &'a str,
    used: u64,
    limit: u64,
    /// 0 to 100.
    percent: f64,
}

fn line<'a>(sign: &str, usage: &Usage<'_>, cells: usize, theme: &Theme) -> Line<'a> {
    let bar = cells.saturating_sub(sign.len() + NAME + FIGURES + 4).clamp(12, 42);
    let name = cells.saturating_sub(sign.len() + bar + FIGURES + 4).max(8);
    let style = theme.gauge(usage.percent);
    let of = format!("{}/{}", figures::grouped(usage.used), figures::grouped(usage.limit));
    let left_over = format!("{} left", figures::grouped(usage.limit.saturating_sub(usage.used)));
    let percent = format!("{}{}", gauge::percent(usage.percent), gauge::sign(usage.percent));
    Line::from(vec![
        Span::raw(sign.to_owned()),
        Span::styled(left(usage.label, name), theme.text),
        Span::styled(format!(" {} ", gauge::bar(usage.percent, bar)), style),
        Span::styled(left(&percent, 7), style),
        Span::styled(right(&of, 15), theme.text),
        Span::styled(right(&left_over, 14), theme.dim),
    ])
}
