//! CRM limits: the view with both reports, and the pane of the strip with the fullest types.

mod associations;
mod corner;
mod properties;

use ratatui::Frame;
use ratatui::layout::Rect;

use crate::tui::areas;
use crate::tui::state::State;
use crate::tui::theme::Theme;

pub(super) use corner::{badge, draw_strip};
pub(super) use properties::places;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let [overall, types, associations] = areas::limits(area);
    properties::draw_overall(frame, overall, state, theme);
    properties::draw(frame, types, state, theme);
    associations::draw(frame, associations, state, theme);
}
