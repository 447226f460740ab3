//! The mouse: a click goes where it points, a second one opens, the wheel scrolls the pane under
//! it, splitters and scrollbars follow a drag. Anything else is ignored.

use ratatui::layout::Position;

use super::{act, keys};
use crate::tui::input::mouse::{Mouse, MouseAction};
use crate::tui::keymap::Action;
use crate::tui::pane::component::WHEEL;
use crate::tui::pane::files::filter;
use crate::tui::pane::hit_target::HitTarget;
use crate::tui::pane::layout;
use crate::tui::pane::local::choosing;
use crate::tui::pane::table::component;
use crate::tui::pane::{focus, other_account, plan};
use crate::tui::state::effect::Effect;
use crate::tui::state::{Drag, Pane, State};
use crate::tui::view::hit_target::{scrolled_to, target};
use crate::tui::{areas, dialog};

pub(super) fn mouse(state: &mut State, mouse: Mouse) {
    match mouse.action {
        MouseAction::Press => press(state, mouse.at),
        MouseAction::Drag => match state.pointing.held {
            Some(Drag::Splitter(splitter)) => {
                let size = areas::dragged(splitter, mouse.at, state.size);
                layout::set_size(state, splitter, size);
            }
            Some(Drag::Scrollbar(of)) => scroll(state, of, mouse.at),
            None => {}
        },
        MouseAction::Release => {
            if let Some(Drag::Splitter(_)) = state.pointing.held.take() {
                state
                    .effects
                    .push(Effect::SavePaneSizes(state.panes.dragged));
            }
        }
        MouseAction::WheelUp => wheel(state, mouse.at, false),
        MouseAction::WheelDown => wheel(state, mouse.at, true),
    }
}

fn press(state: &mut State, at: Position) {
    let target = target(state, at);
    keys::clear_pending(state);
    state.pointing.held = None;
    // If the first click closes a button, the second one must not count as a double click on what
    // was behind it.
    let can_double = matches!(
        target,
        Some(
            HitTarget::Row { .. }
                | HitTarget::Strip(_)
                | HitTarget::Dialog(dialog::DialogTarget::Row(_))
        )
    );
    let is_double = can_double && state.pointing.press(at, state.now);
    match target {
        Some(HitTarget::Key(key) | HitTarget::Dialog(dialog::DialogTarget::Key(key))) => {
            keys::key(state, key);
        }
        // The submitted input is being checked, and must not change meanwhile.
        Some(HitTarget::Dialog(_)) if plan::awaited(state).is_some() => {}
        Some(HitTarget::Dialog(target)) => {
            let now = state.clocks();
            let reply = state
                .dialogs
                .last_mut()
                .map(|dialog| dialog.click(target, is_double, now));
            if let Some(reply) = reply {
                keys::replied(state, reply);
            }
        }
        Some(HitTarget::Splitter(splitter)) => state.pointing.held = Some(Drag::Splitter(splitter)),
        Some(HitTarget::Action(action)) => act::act(state, action),
        Some(HitTarget::InDialog) | None => {}
        Some(target) => {
            filter::keep(state, Pane::Local);
            filter::keep(state, Pane::List);
            pressed(state, target, at, is_double);
        }
    }
}

/// Handles a click on anything but a key, a button or a dialog.
fn pressed(state: &mut State, target: HitTarget, at: Position, is_double: bool) {
    match target {
        HitTarget::Tab(_) | HitTarget::Strip(_) if state.mode.is_choosing() => {
            choosing::say_keys(state);
        }
        HitTarget::Tab(view) => focus::open_view(state, view),
        HitTarget::OtherAccount => cross_to(state, at),
        HitTarget::Strip(view) if is_double => focus::open_view(state, view),
        HitTarget::Scrollbar(of) => {
            state.pointing.held = Some(Drag::Scrollbar(of));
            scroll(state, of, at);
        }
        HitTarget::Row { of, row, at } => choose(state, of, row, at, is_double),
        target => {
            let Some(pane) = target.pane() else {
                return;
            };
            focus(state, pane);
            component(pane).on_click(state, target);
        }
    }
}

/// Gives the keys to the other account's list, and the cursor to the row that was clicked.
fn cross_to(state: &mut State, at: Position) {
    other_account::cross(state);
    if let Some(HitTarget::Row { of, row, at }) = target(state, at) {
        choose(state, of, row, at, false);
    }
}

/// Puts the cursor on a row, and opens it with the second click, in the tree with the first. The
/// rows do not scroll.
fn choose(state: &mut State, of: Pane, row: usize, at: usize, is_double: bool) {
    move_to(state, of, row, Some(at));
    if is_double || of == Pane::Tree {
        act::act(state, Action::Open);
    }
}

fn scroll(state: &mut State, of: Pane, to: Position) {
    if let Some(row) = scrolled_to(state, of, to.y) {
        move_to(state, of, row, None);
    }
}

fn move_to(state: &mut State, of: Pane, row: usize, at: Option<usize>) {
    focus(state, of);
    let component = component(of);
    component.on_click(state, HitTarget::Beside(of));
    component.move_cursor(state, &mut |cursor| cursor.put(row, at));
}

fn focus(state: &mut State, pane: Pane) {
    if matches!(pane, Pane::Tree | Pane::Local | Pane::List | Pane::Details) {
        state.focus = pane;
    }
}

/// Scrolls the pane under the pointer; the focus stays where it is.
fn wheel(state: &mut State, at: Position, is_down: bool) {
    match target(state, at) {
        Some(HitTarget::Dialog(_) | HitTarget::InDialog) => {
            if let Some(dialog) = state.dialogs.last_mut() {
                let rows = isize::from(WHEEL);
                dialog.on_wheel(if is_down { rows } else { -rows });
            }
        }
        Some(target) => {
            if let Some(pane) = target.pane() {
                component(pane).on_wheel(state, target, is_down);
            }
        }
        None => {}
    }
}
