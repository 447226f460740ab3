//! The tasks as a pane of the screen.

use ratatui::Frame;
use ratatui::layout::Position;

use super::{draw, service_task, update};
use crate::tui::areas::{self, Areas};
use crate::tui::pane::component::{Component, Due};
use crate::tui::pane::hit_target::{HitTarget, ListBox};
use crate::tui::state::{State, View};
use crate::tui::style::theme::Theme;
use crate::tui::widget::scroll::ListCursor;

#[derive(Debug)]
pub(crate) struct TasksComponent;

impl Component for TasksComponent {
    fn draw(&self, frame: &mut Frame<'_>, areas: &Areas, state: &State, theme: &Theme) {
        if state.view == View::Tasks {
            draw::draw(frame, areas.body, state, theme);
        }
    }

    fn lists(&self, areas: &Areas, state: &State) -> Vec<ListBox> {
        if state.view != View::Tasks {
            return Vec::new();
        }
        let [list, _] = areas::tasks(areas.body, state);
        vec![draw::list_box(list, state)]
    }

    fn move_cursor(&self, state: &mut State, change: &mut dyn FnMut(&mut ListCursor)) {
        state.session.tasks.move_cursor(change);
    }

    fn hit(&self, at: Position, areas: &Areas, state: &State) -> Option<HitTarget> {
        let mut lists = self.lists(areas, state).into_iter();
        let list = lists.find(|list| list.area.contains(at))?;
        Some(match list.hit(at) {
            HitTarget::Row { row, at: line, .. } if draw::is_sign(list.area, at.x, row, state) => {
                HitTarget::Sign { row, at: line }
            }
            target => target,
        })
    }

    fn on_click(&self, state: &mut State, target: HitTarget) {
        if let HitTarget::Sign { row, at } = target {
            self.move_cursor(state, &mut |cursor| cursor.put(row, Some(at)));
            state.session.tasks.turn();
        }
    }

    fn follow(&self, state: &mut State) {
        update::ask_jobs(state);
    }

    fn due(&self, state: &State) -> Vec<Due> {
        service_task::due(state).into_iter().collect()
    }
}
