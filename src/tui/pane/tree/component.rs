//! The tree as a pane of the screen.

use ratatui::Frame;

use super::draw;
use crate::tui::areas::Areas;
use crate::tui::pane::component::Component;
use crate::tui::pane::hit_target::ListBox;
use crate::tui::state::State;
use crate::tui::style::theme::Theme;
use crate::tui::widget::scroll::ListCursor;

#[derive(Debug)]
pub(crate) struct TreeComponent;

impl Component for TreeComponent {
    fn draw(&self, frame: &mut Frame<'_>, areas: &Areas, state: &State, theme: &Theme) {
        if let Some(area) = areas.tree {
            draw::draw(frame, area, state, theme);
        }
    }

    fn lists(&self, areas: &Areas, state: &State) -> Vec<ListBox> {
        let list = areas.tree.map(|area| draw::list_box(area, state));
        list.into_iter().collect()
    }

    fn move_cursor(&self, state: &mut State, change: &mut dyn FnMut(&mut ListCursor)) {
        state.files.tree.move_cursor(change);
    }
}
