//! The interface of a pane to the screen.

use jiff::Timestamp;
use ratatui::Frame;
use ratatui::layout::Position;

use super::cursor::walk;
use super::hit_target::{HitTarget, ListBox};
use crate::tui::areas::{Areas, areas};
use crate::tui::keymap::Action;
use crate::tui::state::State;
use crate::tui::style::theme::Theme;
use crate::tui::widget::scroll::ListCursor;

/// The number of rows scrolled per turn of the wheel.
pub(crate) const WHEEL: u8 = 3;

/// A request that is sent without a key, once its time has come.
pub(crate) struct Due {
    pub(crate) at: Timestamp,
    pub(crate) send: fn(&mut State),
}

impl Due {
    pub(crate) fn new(at: Option<Timestamp>, send: fn(&mut State)) -> Option<Self> {
        Some(Self { at: at?, send })
    }
}

pub(crate) trait Component: Sync {
    /// Draws the pane if it has a place on this screen.
    fn draw(&self, frame: &mut Frame<'_>, areas: &Areas, state: &State, theme: &Theme);

    /// The boxes of rows on this screen; the first one may have a scrollbar.
    fn lists(&self, _areas: &Areas, _state: &State) -> Vec<ListBox> {
        Vec::new()
    }

    /// Changes the cursor of the rows.
    fn move_cursor(&self, _state: &mut State, _change: &mut dyn FnMut(&mut ListCursor)) {}

    /// The target of the mouse in the pane; `None` outside of it.
    fn hit(&self, at: Position, areas: &Areas, state: &State) -> Option<HitTarget> {
        let mut lists = self.lists(areas, state).into_iter();
        let list = lists.find(|list| list.area.contains(at))?;
        Some(list.hit(at))
    }

    /// Handles a click on a part of the pane that is neither a row nor beside the rows.
    fn on_click(&self, _state: &mut State, _target: HitTarget) {}

    fn on_wheel(&self, state: &mut State, _target: HitTarget, is_down: bool) {
        wheel_rows(self, state, is_down);
    }

    /// Moves the cursor by a row or a page.
    fn step(&self, state: &mut State, action: Action) {
        step_rows(self, state, action);
    }

    /// Handles a key that moves the cursor.
    fn on_move(&self, state: &mut State, action: Action) {
        self.step(state, action);
    }

    /// Brings requests in line with the screen: cancels those that it no longer needs.
    fn follow(&self, _state: &mut State) {}

    /// The requests that the pane wants to send once their time has come.
    fn due(&self, _state: &State) -> Vec<Due> {
        Vec::new()
    }
}

pub(crate) fn step_rows<C: Component + ?Sized>(component: &C, state: &mut State, action: Action) {
    let list = areas(state.size, state).and_then(|areas| {
        let mut lists = component.lists(&areas, state).into_iter();
        lists.next()
    });
    let height = list.map_or(1, |list| usize::from(list.rows.height).max(1));
    component.move_cursor(state, &mut |cursor| walk(cursor, action, 1, height));
}

pub(crate) fn wheel_rows<C: Component + ?Sized>(component: &C, state: &mut State, is_down: bool) {
    let action = if is_down {
        Action::MoveDown
    } else {
        Action::MoveUp
    };
    for _ in 0..WHEEL {
        component.step(state, action);
    }
}
