//! Associations of the chosen starting type: which types it has records at or near the limit for.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::api::model::AssociationFlags;
use crate::api::text::visible;
use crate::tui::keymap::Action;
use crate::tui::state::State;
use crate::tui::symbols::{BETWEEN, DOT};
use crate::tui::theme::Theme;
use crate::tui::view::keys::key;
use crate::tui::view::{pane, problem, reading};
use crate::tui::widget::text::left;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let panel = &state.desk.limits;
    let title = match &panel.from {
        Some(from) => format!("From {} to", from.label),
        None => "Associations".to_owned(),
    };
    let results = panel.associations.data.as_ref().map_or(&[][..], |data| &data.results);
    let boxed = pane::Boxed { title: &title, note: Line::styled(flags(results), theme.dim), ..Default::default() };
    let body = boxed.draw(frame, area, theme);
    if panel.from.is_none() {
        let text =
            format!("{} on an object type shows what its records are associated with.", key(state, Action::Open));
        pane::say(frame, body, &[(text, theme.dim)]);
        return;
    }
    if panel.associations.data.is_none() {
        let words = match &panel.associations.problem {
            Some(error) => {
                let next = format!("{} tries again.", key(state, Action::Refresh));
                problem::paragraphs("The associations could not be read.", error, &next, theme)
            }
            None => vec![(reading::words("the associations", panel.associations.loading, state), theme.dim)],
        };
        pane::say(frame, body, &words);
        return;
    }
    if results.is_empty() {
        pane::say(frame, body, &[("None near the limit.".to_owned(), theme.ok)]);
        return;
    }
    // What has no row here is not spoken of in the report.
    let cells = usize::from(body.width).saturating_sub(4 + 9);
    let (fits, room) = (results.len() <= usize::from(body.height), usize::from(body.height));
    let shown = if fits { results.len() } else { room.saturating_sub(1) };
    for (at, to) in (0..).zip(results.iter().take(shown)) {
        let (label, word, style) = flagged(to, theme);
        let line = Line::from(vec![
            Span::styled(format!(" {DOT} "), style),
            Span::styled(left(&label, cells), theme.text),
            Span::styled(format!(" {word}"), style),
        ]);
        frame.render_widget(line, pane::row(body, at));
    }
    if !fits {
        let more = Line::styled(format!("   {} more", results.len() - shown), theme.dim);
        frame.render_widget(more, pane::row(body, body.height.saturating_sub(1)));
    }
}

/// `1 at · 2 near`.
fn flags(results: &[AssociationFlags]) -> String {
    let at = results.iter().filter(|to| to.has_records_at_limit).count();
    let near = results.iter().filter(|to| to.has_records_near_limit && !to.has_records_at_limit).count();
    match (at, near) {
        (0, 0) => String::new(),
        (0, near) => format!("{near} near"),
        (at, 0) => format!("{at} at limit"),
        (at, near) => format!("{at} at {BETWEEN} {near} near"),
    }
}

fn flagged(to: &AssociationFlags, theme: &Theme) -> (String, &'static str, Style) {
    let label = [&to.plural_label, &to.singular_label].into_iter().find(|label| !label.is_empty());
    let label = visible(label.unwrap_or(&to.object_type_id)).into_owned();
    match (to.has_records_at_limit, to.has_records_near_limit) {
        (true, _) => (label, "at limit", theme.gauge_full),
        (false, true) => (label, "near", theme.gauge_warn),
        (false, false) => (label, "ok", theme.ok),
    }
}
