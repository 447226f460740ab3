//! The messages as a pane of the screen.

use ratatui::Frame;

use super::draw;
use crate::tui::areas::Areas;
use crate::tui::pane::component::Component;
use crate::tui::pane::hit_target::ListBox;
use crate::tui::state::{State, View};
use crate::tui::style::theme::Theme;
use crate::tui::widget::scroll::ListCursor;

#[derive(Debug)]
pub(crate) struct ActivityComponent;

impl Component for ActivityComponent {
    fn draw(&self, frame: &mut Frame<'_>, areas: &Areas, state: &State, theme: &Theme) {
        if state.view == View::Activity {
            draw::draw(frame, areas.body, state, theme);
        }
    }

    fn lists(&self, areas: &Areas, state: &State) -> Vec<ListBox> {
        if state.view != View::Activity {
            return Vec::new();
        }
        let [list, _] = draw::parts(areas.body, state);
        vec![draw::list_box(list, state)]
    }

    fn move_cursor(&self, state: &mut State, change: &mut dyn FnMut(&mut ListCursor)) {
        state.activity.move_cursor(change);
    }
}
