//! What is at a cell of the screen, for the mouse: found by the functions that lay the screen out.

use std::ops::Range;

use ratatui::layout::{Position, Rect};

use super::{activity, files, header, hints, limits, tasks, tree};
use crate::engine::message::SortKey;
use crate::tui::areas::{self, areas, splitter};
use crate::tui::dialog;
use crate::tui::keymap::Key;
use crate::tui::state::{Pane, Splitter, State, View};
use crate::tui::theme::Theme;

/// Something that can be clicked, or scrolled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spot {
    Tab(View),
    /// A key of the hints.
    Key(Key),
    Splitter(Splitter),
    /// The heading of a column of the list that can be sorted by it.
    Heading(SortKey),
    Row {
        of: Rows,
        /// Counted from the first one of all.
        row: usize,
        /// Counted from the first one on the screen.
        at: usize,
    },
    /// What says whether a task is unfolded, in a row of the tasks.
    Sign {
        row: usize,
        at: usize,
    },
    /// Below the rows of something, or beside them.
    Beside(Rows),
    Details,
    /// A pane of the strip, which shows some of a view.
    Strip(View),
    Dialog(dialog::Spot),
    /// A dialog, and nothing of it in particular.
    InDialog,
}

/// What has rows and a cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    Tree,
    List,
    Tasks,
    Limits,
    Activity,
}

impl Rows {
    /// Which pane of the files view they are.
    pub fn pane(self) -> Option<Pane> {
        match self {
            Self::Tree => Some(Pane::Tree),
            Self::List => Some(Pane::List),
            Self::Tasks | Self::Limits | Self::Activity => None,
        }
    }
}

/// None where nothing is, and behind what lies over the panes.
pub fn spot(state: &State, at: Position) -> Option<Spot> {
    // Sizes do not depend on it.
    let theme = Theme::default();
    let areas = areas(state.size.into(), state)?;
    if let Some(dialog) = state.dialogs.last() {
        let screen = Rect { x: 0, y: 0, width: state.size.0, height: state.size.1 };
        let (_, found) = dialog::spots(dialog, screen).into_iter().rfind(|(area, _)| area.contains(at))?;
        return Some(found.map_or(Spot::InDialog, Spot::Dialog));
    }
    if state.which_key().is_some() {
        return None;
    }
    if areas.header.contains(at) {
        return header::tab_at(areas.header, at.x, state, &theme).map(Spot::Tab);
    }
    if areas.hints.contains(at) {
        return hints::key_at(areas.hints, at.x, state).map(Spot::Key);
    }
    if let Some(splitter) = splitter(&areas, at) {
        return Some(Spot::Splitter(splitter));
    }
    if let Some(strip) = areas.strip {
        let parts = [(strip.tasks, View::Tasks), (strip.limits, View::Limits)];
        if let Some((_, view)) = parts.into_iter().find(|(area, _)| area.contains(at)) {
            return Some(Spot::Strip(view));
        }
    }
    match state.view {
        View::Files => in_files(&areas, state, at),
        View::Tasks => {
            let [list, _] = areas::tasks(areas.body, state.panes.plain);
            list.contains(at).then(|| match in_rows(Rows::Tasks, tasks::places(list, state), at) {
                Spot::Row { row, at: shown, .. } if tasks::is_sign(list, at.x, row, state) => {
                    Spot::Sign { row, at: shown }
                }
                spot => spot,
            })
        }
        View::Limits => {
            let [_, list, _] = areas::limits(areas.body);
            list.contains(at).then(|| in_rows(Rows::Limits, limits::places(list, state), at))
        }
        View::Activity => {
            let [list, _] = areas::activity(areas.body, state.panes.plain);
            list.contains(at).then(|| in_rows(Rows::Activity, activity::places(list, state), at))
        }
    }
}

fn in_files(areas: &areas::Areas, state: &State, at: Position) -> Option<Spot> {
    if let Some(tree) = areas.tree.filter(|area| area.contains(at)) {
        return Some(in_rows(Rows::Tree, tree::places(tree, state), at));
    }
    if areas.details.is_some_and(|area| area.contains(at)) {
        return Some(Spot::Details);
    }
    let list = areas.list.filter(|area| area.contains(at))?;
    let places = files::places(list, state);
    if places.heading.contains(at) {
        let cell = usize::from(at.x - places.heading.x);
        let key = places.columns.key_at(cell, state.desk.listing.sort);
        return Some(key.map_or(Spot::Beside(Rows::List), Spot::Heading));
    }
    let count = state.desk.listing.visible().len();
    Some(in_rows(Rows::List, (places.rows, places.shown.start..places.shown.end.min(count)), at))
}

fn in_rows(of: Rows, (area, shown): (Rect, Range<usize>), at: Position) -> Spot {
    let row = area.contains(at).then(|| usize::from(at.y - area.y));
    let place = row.and_then(|at| Some((at, shown.clone().nth(at)?)));
    place.map_or(Spot::Beside(of), |(at, row)| Spot::Row { of, row, at })
}
