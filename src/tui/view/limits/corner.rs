//! Limits in the strip: a badge in one line, or the fullest object types as gauges.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::api::model::ObjectTypeUsage;
use crate::api::text::visible;
use crate::tui::state::State;
use crate::tui::theme::Theme;
use crate::tui::view::pane;
use crate::tui::widget::gauge;
use crate::tui::widget::text::{left, right, truncate, width};

/// `Limits 87%!`: the fullest of all gauges.
pub(crate) fn badge(state: &State, theme: &Theme) -> (String, Style) {
    match fullest(state) {
        Some(percent) => (format!("Limits {}{}", gauge::percent(percent), gauge::sign(percent)), theme.gauge(percent)),
        None if state.desk.limits.properties.problem.is_some() => ("Limits not read!".to_owned(), theme.error),
        None => ("Limits ..".to_owned(), theme.dim),
    }
}

pub(crate) fn draw_strip(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let mut title = vec![Span::styled(" Limits  ", theme.dim)];
    title.push(match fullest(state) {
        Some(percent) => {
            let text = format!("props {}{}", gauge::percent(percent), gauge::sign(percent));
            Span::styled(text, theme.gauge(percent))
        }
        None if state.desk.limits.properties.problem.is_some() => Span::styled("not read!", theme.error),
        None => Span::styled("reading ..", theme.dim),
    });
    let used: usize = title.iter().map(|span| width(&span.content)).sum();
    title.extend(associations(state, usize::from(area.width).saturating_sub(used), theme));
    frame.render_widget(Line::from(title), pane::row(area, 0));
    let cells = usize::from(area.width);
    let bar = if cells >= 60 { 22 } else { 12 };
    let name = cells.saturating_sub(1 + 1 + bar + 10 + 10 + 1).clamp(6, 24);
    for (at, usage) in (1..area.height).zip(state.desk.limits.types()) {
        let style = theme.gauge(usage.percentage);
        let line = Line::from(vec![
            Span::styled(format!(" {}", left(&short_label(usage), name)), theme.text),
            Span::styled(format!(" {}", gauge::bar(usage.percentage, bar)), style),
            Span::styled(right(&format!("{}/{}", usage.usage, usage.limit), 10), theme.text),
            Span::styled(right(&format!("{} left", usage.limit.saturating_sub(usage.usage)), 10), theme.dim),
        ]);
        frame.render_widget(line, pane::row(area, at));
    }
}

/// `Contacts 1 AT 2 NEAR`: associations from the type that was asked for last, which says nothing of the others.
fn associations<'a>(state: &State, room: usize, theme: &Theme) -> Option<Span<'a>> {
    let data = state.desk.limits.associations.data.as_ref()?;
    let from = state.desk.limits.from.as_ref()?;
    let at = data.results.iter().filter(|to| to.has_records_at_limit).count();
    let near = data.results.iter().filter(|to| to.has_records_near_limit && !to.has_records_at_limit).count();
    let (flags, style) = match (at, near) {
        (0, 0) => ("ok".to_owned(), theme.ok),
        (0, near) => (format!("{near} NEAR"), theme.gauge_warn),
        (at, 0) => (format!("{at} AT"), theme.gauge_full),
        (at, near) => (format!("{at} AT {near} NEAR"), theme.gauge_full),
    };
    let label = truncate(&from.label, room.saturating_sub(flags.len() + 3)).into_owned();
    Some(Span::styled(format!("  {label} {flags}"), style))
}

fn fullest(state: &State) -> Option<f64> {
    let overall = state.desk.limits.properties.data.as_ref()?.overall_percentage;
    Some(state.desk.limits.types().iter().map(|usage| usage.percentage).fold(overall, f64::max))
}

/// The singular label: it is the shorter one.
fn short_label(usage: &ObjectTypeUsage) -> String {
    let label = [&usage.singular_label, &usage.plural_label].into_iter().find(|label| !label.is_empty());
    visible(label.unwrap_or(&usage.object_type_id)).into_owned()
}
