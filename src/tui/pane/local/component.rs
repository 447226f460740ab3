//! The local list as a pane of the screen.

use ratatui::Frame;
use ratatui::layout::Position;

use super::{draw, update};
use crate::tui::areas::Areas;
use crate::tui::pane::component::Component;
use crate::tui::pane::hit_target::{HitTarget, ListBox};
use crate::tui::state::{Pane, State};
use crate::tui::style::theme::Theme;
use crate::tui::widget::scroll::ListCursor;

#[derive(Debug)]
pub(crate) struct LocalComponent;

impl Component for LocalComponent {
    fn draw(&self, frame: &mut Frame<'_>, areas: &Areas, state: &State, theme: &Theme) {
        if let Some(area) = areas.local {
            draw::draw(frame, area, state, theme);
        }
    }

    fn lists(&self, areas: &Areas, state: &State) -> Vec<ListBox> {
        let list = areas.local.map(|area| draw::list_box(area, state));
        list.into_iter().collect()
    }

    fn move_cursor(&self, state: &mut State, change: &mut dyn FnMut(&mut ListCursor)) {
        state.local_side.move_cursor(change);
    }

    fn hit(&self, at: Position, areas: &Areas, state: &State) -> Option<HitTarget> {
        let area = areas.local.filter(|area| area.contains(at))?;
        let places = draw::places(area, state);
        let heading = places.columns.hit(Pane::Local, places.heading, at);
        Some(heading.unwrap_or_else(|| draw::list_box(area, state).hit(at)))
    }

    fn on_click(&self, state: &mut State, target: HitTarget) {
        if let HitTarget::Heading { key, .. } = target {
            let action = state.local_side.list.sort.on_heading(key);
            update::sort(state, action);
        }
    }

    fn follow(&self, state: &mut State) {
        update::follow(state);
    }
}
