//! Finds the target of the mouse at a cell of the screen, with the functions that lay out the
//! screen.

use std::ops::Range;

use ratatui::layout::{Position, Rect};

use super::{header, hints, which_key};
use crate::engine::message::SortKey;
use crate::tui::areas::{self, areas, splitter};
use crate::tui::dialog;
use crate::tui::keymap::{Action, Key};
use crate::tui::pane::activity;
use crate::tui::pane::comparison;
use crate::tui::pane::files;
use crate::tui::pane::files::grid;
use crate::tui::pane::frame;
use crate::tui::pane::limits;
use crate::tui::pane::local;
use crate::tui::pane::tasks;
use crate::tui::pane::tree;
use crate::tui::state::{Pane, Splitter, State, View};
use crate::tui::style::theme::Theme;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HitTarget {
    Tab(View),
    Key(Key),
    Splitter(Splitter),
    Scrollbar(Pane),
    /// A row of the which-key box.
    Action(Action),
    /// A column heading of the list that sorts by its column.
    Heading(SortKey),
    /// A column heading of the local list.
    LocalHeading(SortKey),
    Row {
        of: Pane,
        /// The index among all rows.
        row: usize,
        /// The index among the visible rows.
        at: usize,
    },
    /// The sign in a task's row that expands or collapses it.
    Sign {
        row: usize,
        at: usize,
    },
    /// The area of a list below or next to its rows.
    Beside(Pane),
    Details,
    /// The pane of the limits view that follows the cursor.
    Aside,
    /// A pane of the strip, which shows part of a view.
    Strip(View),
    Dialog(dialog::DialogTarget),
    /// The rest of a dialog.
    InDialog,
}

/// Returns the target at a position; `None` for empty cells, and for those behind a dialog or menu.
pub fn target(state: &State, at: Position) -> Option<HitTarget> {
    // Sizes do not depend on the theme.
    let theme = Theme::default();
    let areas = areas(state.size, state)?;
    if let Some(dialog) = state.dialogs.last() {
        let drawn_in = areas.beside.unwrap_or(state.size.into());
        if dialog.is_beside() && areas.hints.contains(at) {
            let key = hints::key_of_dialog_at(areas.hints, at.x, dialog.foot_keys());
            return key.map(|key| HitTarget::Dialog(dialog::DialogTarget::Key(key)));
        }
        let (_, found) = dialog
            .targets(drawn_in)
            .into_iter()
            .rfind(|(area, _)| area.contains(at))?;
        return Some(found.map_or(HitTarget::InDialog, HitTarget::Dialog));
    }
    if let Some(which) = which_key::menu(state) {
        return which_key::action_at(areas.body, at, &which).map(HitTarget::Action);
    }
    if areas.header.contains(at) {
        return header::tab_at(areas.header, at.x, state, &theme).map(HitTarget::Tab);
    }
    if areas.hints.contains(at) {
        return hints::key_at(areas.hints, at.x, state).map(HitTarget::Key);
    }
    // A scrollbar takes precedence over a splitter on the same border.
    let bars = scrollbars(&areas, state).into_iter().flatten();
    if let Some(bar) = bars
        .into_iter()
        .find(|bar| bar.is_shown() && bar.track.contains(at))
    {
        return Some(HitTarget::Scrollbar(bar.of));
    }
    if let Some(splitter) = splitter(&areas, at) {
        return Some(HitTarget::Splitter(splitter));
    }
    if let Some(strip) = areas.strip {
        let parts = [(strip.tasks, View::Tasks), (strip.limits, View::Limits)];
        if let Some((_, view)) = parts.into_iter().find(|(area, _)| area.contains(at)) {
            return Some(HitTarget::Strip(view));
        }
    }
    match state.view {
        View::Files => in_files(&areas, state, at),
        View::Tasks => {
            let [list, _] = areas::tasks(areas.body, state);
            let (rows, shown) = tasks::draw::places(list, state);
            list.contains(at)
                .then(|| match in_rows(Pane::Tasks, rows, shown, at) {
                    HitTarget::Row { row, at: shown, .. }
                        if tasks::draw::is_sign(list, at.x, row, state) =>
                    {
                        HitTarget::Sign { row, at: shown }
                    }
                    target => target,
                })
        }
        View::Limits => {
            let parts = areas::limits(areas.body, state);
            if parts.aside.is_some_and(|aside| aside.contains(at)) {
                return Some(HitTarget::Aside);
            }
            let mut lists = limits::draw::places(&parts, state).into_iter();
            lists
                .find(|(list, ..)| list.contains(at))
                .map(|(_, rows, shown)| in_rows(Pane::Limits, rows, shown, at))
        }
        View::Activity => {
            let [list, _] = activity::draw::parts(areas.body, state);
            let (rows, shown) = activity::draw::places(list, state);
            list.contains(at)
                .then(|| in_rows(Pane::Activity, rows, shown, at))
        }
    }
}

struct Scrollbar {
    of: Pane,
    track: Rect,
    shown: usize,
    len: usize,
}

impl Scrollbar {
    fn new(of: Pane, area: Rect, shown: &Range<usize>, len: usize) -> Self {
        Self {
            of,
            track: frame::track(area),
            shown: shown.len(),
            len,
        }
    }

    fn is_shown(&self) -> bool {
        self.len > self.shown
    }
}

fn scrollbars(areas: &areas::Areas, state: &State) -> [Option<Scrollbar>; 3] {
    match state.view {
        View::Files if areas.comparison.is_some() => {
            let bar = areas
                .comparison
                .zip(state.mode.comparing())
                .map(|(areas, comparing)| {
                    let area = if state.panes.plain {
                        areas.here
                    } else {
                        areas.there
                    };
                    let (_, shown) = comparison::draw::places(area, state);
                    Scrollbar::new(Pane::Comparison, area, &shown, comparing.list.rows().len())
                });
            [bar, None, None]
        }
        View::Files => {
            let tree = areas.tree.map(|area| {
                let (_, shown, len) = tree::draw::places(area, state);
                Scrollbar::new(Pane::Tree, area, &shown, len)
            });
            let list = areas.list.map(|area| {
                let places = files::draw::places(area, state);
                Scrollbar::new(Pane::List, area, &places.shown, places.len)
            });
            let local = areas.local.map(|area| {
                let places = local::draw::places(area, state);
                Scrollbar::new(
                    Pane::Local,
                    area,
                    &places.shown,
                    state.local_side.list.rows().len(),
                )
            });
            [tree, local, list]
        }
        View::Tasks => {
            let [list, _] = areas::tasks(areas.body, state);
            let (_, shown) = tasks::draw::places(list, state);
            [
                Some(Scrollbar::new(
                    Pane::Tasks,
                    list,
                    &shown,
                    state.session.tasks.len(),
                )),
                None,
                None,
            ]
        }
        View::Limits => {
            let parts = areas::limits(areas.body, state);
            let (types, all) = state.session.limits.counts();
            let len = match (&state.session.limits.inside, parts.others) {
                (Some(_), _) => state.session.limits.lines().len(),
                (None, None) => all,
                (None, Some(_)) => types,
            };
            let list = limits::draw::places(&parts, state).into_iter().next();
            [
                list.map(|(list, _, shown)| Scrollbar::new(Pane::Limits, list, &shown, len)),
                None,
                None,
            ]
        }
        View::Activity => {
            let [list, _] = activity::draw::parts(areas.body, state);
            let (_, shown) = activity::draw::places(list, state);
            [
                Some(Scrollbar::new(
                    Pane::Activity,
                    list,
                    &shown,
                    state.activity.len(),
                )),
                None,
                None,
            ]
        }
    }
}

/// Returns the row that a scrollbar points to when its thumb is dragged to line `y`; `None` if
/// there is no such bar.
pub fn scrolled_to(state: &State, of: Pane, y: u16) -> Option<usize> {
    let areas = areas(state.size, state)?;
    let bar = scrollbars(&areas, state)
        .into_iter()
        .flatten()
        .find(|bar| bar.of == of)?;
    let last = usize::from(bar.track.height.checked_sub(1).filter(|last| *last > 0)?);
    let at = usize::from(y.saturating_sub(bar.track.y)).min(last);
    Some(at * bar.len.saturating_sub(1) / last)
}

fn in_files(areas: &areas::Areas, state: &State, at: Position) -> Option<HitTarget> {
    if let Some(comparison) = &areas.comparison {
        let list = [comparison.here, comparison.there]
            .into_iter()
            .find(|area| area.contains(at))?;
        let (rows, shown) = comparison::draw::places(list, state);
        return Some(in_rows(Pane::Comparison, rows, shown, at));
    }
    if let Some(tree) = areas.tree.filter(|area| area.contains(at)) {
        let (rows, shown, _) = tree::draw::places(tree, state);
        return Some(in_rows(Pane::Tree, rows, shown, at));
    }
    if let Some(local) = areas.local.filter(|area| area.contains(at)) {
        let places = local::draw::places(local, state);
        if places.heading.contains(at) {
            let cell = usize::from(at.x - places.heading.x);
            let key = places.columns.key_at(cell);
            return Some(key.map_or(HitTarget::Beside(Pane::Local), HitTarget::LocalHeading));
        }
        return Some(in_rows(Pane::Local, places.rows, places.shown, at));
    }
    if areas.details.is_some_and(|area| area.contains(at)) {
        return Some(HitTarget::Details);
    }
    let list = areas.list.filter(|area| area.contains(at))?;
    let places = files::draw::places(list, state);
    if state.shows_grid() {
        let (start, count) = (places.shown.start, places.shown.len());
        let place = grid::of(list, state)
            .at(at)
            .filter(|(cell, _)| *cell < count);
        let row = |(cell, line)| HitTarget::Row {
            of: Pane::List,
            row: start + cell,
            at: line,
        };
        return Some(place.map_or(HitTarget::Beside(Pane::List), row));
    }
    if places.heading.contains(at) {
        let cell = usize::from(at.x - places.heading.x);
        let key = places.columns.key_at(cell);
        return Some(key.map_or(HitTarget::Beside(Pane::List), HitTarget::Heading));
    }
    let count = state.files.listing.visible().len();
    Some(in_rows(
        Pane::List,
        places.rows,
        places.shown.start..places.shown.end.min(count),
        at,
    ))
}

fn in_rows(of: Pane, area: Rect, shown: Range<usize>, at: Position) -> HitTarget {
    let row = area.contains(at).then(|| usize::from(at.y - area.y));
    let place = row.and_then(|at| Some((at, shown.clone().nth(at)?)));
    place.map_or(HitTarget::Beside(of), |(at, row)| HitTarget::Row {
        of,
        row,
        at,
    })
}
