//! The account's list as a pane of the screen.

use ratatui::Frame;
use ratatui::layout::Position;

use super::{draw, folder_names, folder_totals, gallery, grid, listing, mark};
use crate::tui::areas::Areas;
use crate::tui::keymap::Action;
use crate::tui::pane::component::{self, Component, Due};
use crate::tui::pane::cursor::walk;
use crate::tui::pane::hit_target::{HitTarget, ListBox};
use crate::tui::state::{ListPurpose, Pane, State};
use crate::tui::style::theme::Theme;
use crate::tui::widget::scroll::ListCursor;

#[derive(Debug)]
pub(crate) struct FilesComponent;

impl Component for FilesComponent {
    fn draw(&self, frame: &mut Frame<'_>, areas: &Areas, state: &State, theme: &Theme) {
        if let Some(area) = areas.list {
            draw::draw(frame, area, state, theme);
        }
    }

    fn lists(&self, areas: &Areas, state: &State) -> Vec<ListBox> {
        let list = areas.list.map(|area| draw::list_box(area, state));
        list.into_iter().collect()
    }

    fn move_cursor(&self, state: &mut State, change: &mut dyn FnMut(&mut ListCursor)) {
        state.files.listing.move_cursor(change);
    }

    fn hit(&self, at: Position, areas: &Areas, state: &State) -> Option<HitTarget> {
        let area = areas.list.filter(|area| area.contains(at))?;
        let places = draw::places(area, state);
        if state.shows_grid() {
            let (start, count) = (places.shown.start, places.shown.len());
            let place = grid::of(area, state)
                .at(at)
                .filter(|(cell, _)| *cell < count);
            let row = |(cell, line)| HitTarget::Row {
                of: Pane::List,
                row: start + cell,
                at: line,
            };
            return Some(place.map_or(HitTarget::Beside(Pane::List), row));
        }
        if let Some(heading) = places.columns.hit(Pane::List, places.heading, at) {
            return Some(heading);
        }
        let mut list = draw::list_box(area, state);
        // The line below the rows that says that there are more is no row.
        list.shown.end = list.shown.end.min(state.files.listing.visible().len());
        Some(list.hit(at))
    }

    fn on_click(&self, state: &mut State, target: HitTarget) {
        if let HitTarget::Heading { key, .. } = target {
            let action = state.files.listing.list.sort.on_heading(key);
            mark::sort(state, action);
        }
    }

    fn step(&self, state: &mut State, action: Action) {
        let Some(grid) = grid::grid(state) else {
            return component::step_rows(self, state, action);
        };
        self.move_cursor(state, &mut |cursor| {
            walk(cursor, action, grid.across, grid.lines);
        });
    }

    fn on_move(&self, state: &mut State, action: Action) {
        if action == Action::MoveBottom {
            state.files.listing.move_to_end();
            listing::whole(state, ListPurpose::End);
        } else {
            self.step(state, action);
        }
    }

    fn follow(&self, state: &mut State) {
        let here = state.files.listing.current().map(|row| &row.target);
        state.files.cursor_idle.at(here, state.now);
        listing::next_page(state);
        gallery::follow(state);
        folder_names::follow(state);
    }

    fn due(&self, state: &State) -> Vec<Due> {
        [gallery::due(state), folder_totals::due(state)]
            .into_iter()
            .flatten()
            .collect()
    }
}
