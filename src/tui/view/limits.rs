//! CRM limits: the view with both reports, and the pane of the strip with the fullest types.

mod associations;
mod corner;
mod properties;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};

use super::pane;
use crate::tui::state::State;
use crate::tui::theme::Theme;

pub(super) use corner::{badge, draw_strip};

/// From this width on, the association report stands beside the property report.
const WIDE_FROM: u16 = 100;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    if area.width >= WIDE_FROM {
        let side = (area.width / 3).max(36);
        let [main, line, side] =
            Layout::horizontal([Constraint::Fill(1), Constraint::Length(1), Constraint::Length(side)]).areas(area);
        properties::draw(frame, main, state, theme);
        pane::divider(frame, line, theme);
        associations::draw(frame, side, state, theme);
        return;
    }
    let below = (area.height / 3).max(5);
    let [main, rule, side] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(1), Constraint::Length(below)]).areas(area);
    properties::draw(frame, main, state, theme);
    pane::rule(frame, rule, "", false, theme);
    associations::draw(frame, side, state, theme);
}
