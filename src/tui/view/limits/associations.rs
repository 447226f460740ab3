//! Associations of the chosen starting type: which types it has records at or near the limit for.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::properties::label;
use crate::api::model::AssociationFlags;
use crate::api::text::visible;
use crate::tui::keymap::Action;
use crate::tui::state::State;
use crate::tui::theme::Theme;
use crate::tui::view::keys::key;
use crate::tui::view::{pane, problem, reading};
use crate::tui::widget::text::left;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let panel = &state.desk.limits;
    let title = match &panel.from {
        Some(from) => format!("Associations from {}", from.label),
        None => "Associations".to_owned(),
    };
    let body = pane::heading(frame, area, &title, false, theme);
    if panel.from.is_none() {
        let text =
            format!("{} on an object type shows what its records are associated with.", key(state, Action::Open));
        pane::say(frame, body, &[(text, theme.dim)]);
        return;
    }
    let Some(data) = &panel.associations.data else {
        let words = match &panel.associations.problem {
            Some(error) => {
                let next = format!("{} tries again.", key(state, Action::Refresh));
                problem::paragraphs("The associations could not be read.", error, &next, theme)
            }
            None => vec![(reading::words("the associations", panel.associations.loading, state), theme.dim)],
        };
        pane::say(frame, body, &words);
        return;
    };
    let mut rows: Vec<(String, &str, Style)> = data.results.iter().map(|to| flagged(to, theme)).collect();
    if rows.is_empty() {
        pane::say(frame, body, &[("None near the limit.".to_owned(), theme.ok)]);
        return;
    }
    // The report names only the types near or at the limit; the others that are known are all right.
    let others =
        panel.types().iter().filter(|usage| data.results.iter().all(|to| to.object_type_id != usage.object_type_id));
    rows.extend(others.map(|usage| (label(usage), "ok", theme.ok)));
    let cells = usize::from(body.width).saturating_sub(9);
    let room = usize::from(body.height);
    if rows.len() > room {
        let hidden = rows.split_off(room.saturating_sub(1));
        let word = if hidden.iter().all(|(_, word, _)| *word == "ok") { ", all ok" } else { "" };
        let more = Line::styled(format!("   {} more{word}", hidden.len()), theme.dim);
        frame.render_widget(more, pane::row(body, body.height.saturating_sub(1)));
    }
    for (at, (label, word, style)) in (0..).zip(rows) {
        let line = Line::from(vec![
            Span::styled(format!("   {}", left(&label, cells)), theme.text),
            Span::styled(format!(" {word}"), style),
        ]);
        frame.render_widget(line, pane::row(body, at));
    }
}

fn flagged<'a>(to: &AssociationFlags, theme: &Theme) -> (String, &'a str, Style) {
    let label = [&to.plural_label, &to.singular_label].into_iter().find(|label| !label.is_empty());
    let label = visible(label.unwrap_or(&to.object_type_id)).into_owned();
    match (to.has_records_at_limit, to.has_records_near_limit) {
        (true, _) => (label, "AT", theme.gauge_full),
        (false, true) => (label, "NEAR", theme.gauge_warn),
        (false, false) => (label, "ok", theme.ok),
    }
}
