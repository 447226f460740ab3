//! A picture with its metadata below: camera, time and place.

use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};

use crate::engine::preview::{PhotoFacts, Preview};
use crate::tui::keymap::Action;
use crate::tui::pane::keys::key;
use crate::tui::state::State;
use crate::tui::style::theme::Theme;
use crate::tui::widget::text::{right, wrap};

const LABEL: usize = 9;

pub(crate) fn split<'a>(
    preview: &Preview,
    is_public: bool,
    area: Rect,
    state: &State,
    theme: &Theme,
) -> (Rect, Rect, Vec<Line<'a>>) {
    let lines = match preview {
        Preview::Photo(photo) => facts(&photo.facts, is_public, usize::from(area.width), theme),
        Preview::Page(page) if page.count > 1 => {
            let (before, next) = (
                key(state, Action::PreviousPage),
                key(state, Action::NextPage),
            );
            let words = format!(
                "page {} of {}  {before} {next} turn",
                page.number + 1,
                page.count
            );
            vec![Line::styled(words, theme.dim).centered()]
        }
        _ => Vec::new(),
    };
    // The picture gets at least half of the space.
    let rows = u16::try_from(lines.len())
        .unwrap_or(u16::MAX)
        .min(area.height / 2);
    let [picture, below] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(rows)]).areas(area);
    (picture, below, lines)
}

fn facts<'a>(facts: &PhotoFacts, is_public: bool, cells: usize, theme: &Theme) -> Vec<Line<'a>> {
    let PhotoFacts {
        camera,
        taken,
        place,
    } = facts;
    let line = |label: &'static str, value: &Option<String>| {
        let label = Span::styled(format!("{} ", right(label, LABEL)), theme.dim);
        Some(Line::from(vec![
            label,
            Span::styled(value.clone()?, theme.text),
        ]))
    };
    let coordinates = place.map(|(north, east)| format!("{north:.4}, {east:.4}"));
    let warning = (coordinates.is_some() && is_public)
        .then(|| wrap("Whoever has its address can read this place.", cells));
    let warning = warning
        .into_iter()
        .flatten()
        .map(|row| Line::styled(row, theme.warn));
    [line("place", &coordinates)]
        .into_iter()
        .flatten()
        .chain(warning)
        .chain(line("taken", taken))
        .chain(line("camera", camera))
        .collect()
}
