//! Views, panes and the focus; and Esc, which only ever backs out.

use crate::config::PaneSizes;
use crate::tui::areas;
use crate::tui::keymap::Action;
use crate::tui::pane::{focus, other_account};
use crate::tui::state::effect::Effect;
use crate::tui::state::{MessageLevel, Pane, Splitter, State};

/// Moves the focus to the next or previous pane on the screen; of two accounts to the other list. A
/// zoom moves along, unless the
/// details were zoomed only because a narrow screen has no other room for them.
pub(crate) fn step_focus(state: &mut State, action: Action) {
    if state.focus == Pane::Details && !state.has_details_column() {
        state.panes.zoomed = false;
    }
    if state.mode.other_account().is_some() && state.focus == Pane::List {
        return other_account::cross(state);
    }
    let shown = state.shown_panes();
    let at = shown
        .iter()
        .position(|pane| *pane == state.focus)
        .unwrap_or(0);
    let by = if action == Action::NextPane {
        1
    } else {
        shown.len().saturating_sub(1)
    };
    state.focus = shown
        .get((at + by) % shown.len().max(1))
        .copied()
        .unwrap_or_default();
}

/// Shows the tree with the focus on it, or hides it. A pane that covers the tree makes room for it.
pub(crate) fn toggle_tree(state: &mut State) {
    if state.panes.plain {
        return turn_to(state, Pane::Tree);
    }
    let is_zoomed = std::mem::take(&mut state.panes.zoomed) && state.focus != Pane::Tree;
    let is_covered = is_zoomed || state.copies_cover_tree();
    let is_there = is_covered && state.shows_tree();
    if is_there || state.panes.toggle_tree(state.size.width) {
        state.focus = Pane::Tree;
    } else {
        focus::keep_focus_on_screen(state);
    }
}

/// Shows or hides the details. Another pane that is zoomed makes room for them.
pub(crate) fn toggle_details(state: &mut State) {
    if state.panes.plain {
        return turn_to(state, Pane::Details);
    }
    let was_zoomed = std::mem::take(&mut state.panes.zoomed);
    let is_narrow = !state.has_details_column();
    state.panes.details = match (was_zoomed, state.focus) {
        // On a narrow screen they shrink back to the peek.
        (true, Pane::Details) if is_narrow => {
            state.focus = focus::list_of_details(state);
            true
        }
        (true, Pane::Tree | Pane::Local | Pane::List) => true,
        _ => !state.panes.details,
    };
    focus::keep_focus_on_screen(state);
}

/// Makes the focused pane wider or narrower, or the strip of tasks higher or lower, by a step. A list
/// takes the room from the details, or else from the tree.
pub(crate) fn resize(state: &mut State, action: Action) {
    let Some(areas) = areas::areas(state.size, state) else {
        return;
    };
    let is_wider = action == Action::WidenPane;
    let (splitter, grows) = match (action, state.focus) {
        (Action::RaiseStrip, _) => (Splitter::Strip, true),
        (Action::LowerStrip, _) => (Splitter::Strip, false),
        (_, Pane::Tree) => (Splitter::Tree, is_wider),
        (_, Pane::Details) => (Splitter::Details, is_wider),
        _ if areas::bounded(Splitter::Details, &areas).is_some() => (Splitter::Details, !is_wider),
        _ => (Splitter::Tree, !is_wider),
    };
    let (name, unit, step) = match splitter {
        Splitter::Tree => ("folders", "columns", 2),
        Splitter::Details => ("details", "columns", 2),
        Splitter::Strip => ("tasks", "rows", 1),
    };
    let Some(before) = areas::bounded(splitter, &areas) else {
        let text = match splitter {
            Splitter::Strip => "No tasks are below the files on this screen.",
            Splitter::Tree | Splitter::Details => "No pane beside this one can be resized.",
        };
        return state.say(MessageLevel::Hint, text);
    };
    let size = if grows {
        before.saturating_add(step)
    } else {
        before.saturating_sub(step)
    };
    let earlier = state.panes.dragged;
    set_size(state, splitter, size);
    if *size_of(splitter, &mut state.panes.dragged) == Some(before) {
        state.panes.dragged = earlier;
        let reason = if grows {
            "the screen has no room for more"
        } else {
            "fewer would show too little"
        };
        let text = format!("The {name} stay at {before} {unit}: {reason}.");
        return state.say(MessageLevel::Hint, text);
    }
    let sizes = state.panes.dragged;
    state.effects.push(Effect::SavePaneSizes(sizes));
}

/// Resizes a pane as far as there is room, and remembers the size that was shown.
pub(crate) fn set_size(state: &mut State, splitter: Splitter, size: u16) {
    let before = state.panes.dragged;
    *size_of(splitter, &mut state.panes.dragged) = Some(size);
    let areas = areas::areas(state.size, state);
    match areas.and_then(|areas| areas::bounded(splitter, &areas)) {
        Some(shown) => *size_of(splitter, &mut state.panes.dragged) = Some(shown),
        None => state.panes.dragged = before,
    }
}

fn size_of(splitter: Splitter, sizes: &mut PaneSizes) -> &mut Option<u16> {
    match splitter {
        Splitter::Tree => &mut sizes.tree,
        Splitter::Details => &mut sizes.details,
        Splitter::Strip => &mut sizes.strip,
    }
}

pub(crate) fn toggle_zoom(state: &mut State) {
    state.panes.zoomed = !state.panes.zoomed;
}

pub(crate) fn reset_sizes(state: &mut State) {
    state.panes.dragged = PaneSizes::default();
    state
        .effects
        .push(Effect::SavePaneSizes(state.panes.dragged));
}

/// Shows a pane in place of the list, or the list again.
fn turn_to(state: &mut State, pane: Pane) {
    state.focus = if state.focus == pane {
        Pane::List
    } else {
        pane
    };
}
