//! The details as a pane of the screen.

use ratatui::Frame;
use ratatui::layout::Position;

use super::{draw, update};
use crate::tui::areas::Areas;
use crate::tui::keymap::Action;
use crate::tui::pane::component::{Component, Due};
use crate::tui::pane::hit_target::HitTarget;
use crate::tui::state::State;
use crate::tui::style::theme::Theme;

#[derive(Debug)]
pub(crate) struct DetailsComponent;

impl Component for DetailsComponent {
    fn draw(&self, frame: &mut Frame<'_>, areas: &Areas, state: &State, theme: &Theme) {
        if let Some(area) = areas.details {
            draw::draw(frame, area, areas.details_is_peek, state, theme);
        }
    }

    fn hit(&self, at: Position, areas: &Areas, _: &State) -> Option<HitTarget> {
        let area = areas.details?;
        area.contains(at).then_some(HitTarget::Details)
    }

    fn on_wheel(&self, state: &mut State, _: HitTarget, is_down: bool) {
        let action = if is_down {
            Action::ScrollDown
        } else {
            Action::ScrollUp
        };
        update::scroll(state, action);
    }

    fn follow(&self, state: &mut State) {
        update::follow(state);
    }

    fn due(&self, state: &State) -> Vec<Due> {
        update::due(state)
    }
}
