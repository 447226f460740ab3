//! The comparison as a pane of the screen.

use ratatui::Frame;

use super::{draw, update};
use crate::tui::areas::Areas;
use crate::tui::pane::component::{Component, Due};
use crate::tui::pane::hit_target::ListBox;
use crate::tui::state::State;
use crate::tui::style::theme::Theme;
use crate::tui::widget::scroll::ListCursor;

#[derive(Debug)]
pub(crate) struct ComparisonComponent;

impl Component for ComparisonComponent {
    fn draw(&self, frame: &mut Frame<'_>, areas: &Areas, state: &State, theme: &Theme) {
        if let Some((areas, comparing)) = areas.comparison.zip(state.mode.comparing()) {
            draw::draw(frame, areas, comparing, state, theme);
        }
    }

    fn lists(&self, areas: &Areas, state: &State) -> Vec<ListBox> {
        let Some(areas) = areas.comparison else {
            return Vec::new();
        };
        let boxes = if state.panes.plain {
            vec![areas.here]
        } else {
            vec![areas.there, areas.here]
        };
        let boxes = boxes.into_iter();
        boxes.map(|area| draw::list_box(area, state)).collect()
    }

    fn move_cursor(&self, state: &mut State, change: &mut dyn FnMut(&mut ListCursor)) {
        if let Some(comparing) = state.mode.comparing_mut() {
            comparing.list.move_cursor(change);
        }
    }

    fn follow(&self, state: &mut State) {
        update::follow(state);
    }

    fn due(&self, state: &State) -> Vec<Due> {
        update::due(state).into_iter().collect()
    }
}
