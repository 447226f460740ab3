//! The limits as a pane of the screen.

use ratatui::Frame;
use ratatui::layout::Position;

use super::{draw, lists, update};
use crate::tui::areas::{self, Areas};
use crate::tui::keymap::Action;
use crate::tui::pane::component::{self, Component, Due};
use crate::tui::pane::hit_target::{HitTarget, ListBox};
use crate::tui::state::{State, View};
use crate::tui::style::theme::Theme;
use crate::tui::widget::scroll::ListCursor;

#[derive(Debug)]
pub(crate) struct LimitsComponent;

impl Component for LimitsComponent {
    fn draw(&self, frame: &mut Frame<'_>, areas: &Areas, state: &State, theme: &Theme) {
        if state.view == View::Limits {
            draw::draw(frame, areas.body, state, theme);
        }
    }

    fn lists(&self, areas: &Areas, state: &State) -> Vec<ListBox> {
        if state.view != View::Limits {
            return Vec::new();
        }
        draw::list_boxes(&areas::limits(areas.body, state), state)
    }

    fn move_cursor(&self, state: &mut State, change: &mut dyn FnMut(&mut ListCursor)) {
        state.session.limits.move_cursor(change);
    }

    fn hit(&self, at: Position, areas: &Areas, state: &State) -> Option<HitTarget> {
        if state.view != View::Limits {
            return None;
        }
        let parts = areas::limits(areas.body, state);
        if parts.aside.is_some_and(|aside| aside.contains(at)) {
            return Some(HitTarget::Aside);
        }
        if let Some(action) = lists::sort_at(&parts, at, state) {
            return Some(HitTarget::Action(action));
        }
        let mut lists = self.lists(areas, state).into_iter();
        let list = lists.find(|list| list.area.contains(at))?;
        Some(list.hit(at))
    }

    fn on_click(&self, state: &mut State, target: HitTarget) {
        state.session.limits.is_scrolling = target == HitTarget::Aside;
    }

    fn on_wheel(&self, state: &mut State, target: HitTarget, is_down: bool) {
        match target {
            HitTarget::Aside if is_down => update::scroll(state, Action::ScrollDown),
            HitTarget::Aside => update::scroll(state, Action::ScrollUp),
            _ => component::wheel_rows(self, state, is_down),
        }
    }

    fn on_move(&self, state: &mut State, action: Action) {
        if state.session.limits.is_scrolling {
            update::step_aside(state, action);
        } else {
            self.step(state, action);
        }
    }

    fn follow(&self, state: &mut State) {
        update::follow(state);
    }

    fn due(&self, state: &State) -> Vec<Due> {
        update::due(state)
    }
}
