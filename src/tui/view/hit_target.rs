//! Finds the target of the mouse at a cell of the screen, with the functions that lay out the
//! screen.

use ratatui::layout::{Position, Rect};

use super::{header, hints, status, which_key};
use crate::tui::areas::Areas;
use crate::tui::areas::{areas, splitter};
use crate::tui::dialog;
use crate::tui::pane::hit_target::{HitTarget, ListBox};
use crate::tui::pane::table::PANES;
use crate::tui::state::{Pane, State, View};
use crate::tui::style::theme::Theme;

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
        return header::target_at(areas.header, at.x, state, &theme);
    }
    if areas.status.contains(at) {
        let has_tasks = status::shows_tasks(areas.strip.is_some(), state);
        return has_tasks.then_some(HitTarget::Tab(View::Tasks));
    }
    if areas.hints.contains(at) {
        return hints::key_at(areas.hints, at.x, state).map(HitTarget::Key);
    }
    // A scrollbar takes precedence over a splitter on the same border.
    let mut bars = scrollbars(&areas, state);
    if let Some((list, _)) = bars.find(|(_, track)| track.contains(at)) {
        return Some(HitTarget::Scrollbar(list.of));
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
    if areas.other.is_some_and(|area| area.contains(at)) {
        return Some(HitTarget::OtherAccount);
    }
    let mut panes = PANES.iter();
    panes.find_map(|(_, pane)| pane.hit(at, &areas, state))
}

/// The lists with a scrollbar, and its column.
fn scrollbars(areas: &Areas, state: &State) -> impl Iterator<Item = (ListBox, Rect)> {
    PANES.iter().filter_map(|(_, pane)| {
        let list = pane.lists(areas, state).into_iter().next()?;
        let track = list.track()?;
        Some((list, track))
    })
}

/// Returns the row that a scrollbar points to when its thumb is dragged to line `y`; `None` if
/// there is no such bar.
pub fn scrolled_to(state: &State, of: Pane, y: u16) -> Option<usize> {
    let areas = areas(state.size, state)?;
    let (shown, track) = scrollbars(&areas, state).find(|(list, _)| list.of == of)?;
    let last = usize::from(track.height.checked_sub(1).filter(|last| *last > 0)?);
    let at = usize::from(y.saturating_sub(track.y)).min(last);
    Some(at * shown.len.saturating_sub(1) / last)
}
