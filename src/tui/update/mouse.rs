//! The mouse: a click goes where it points, a second one opens, the wheel scrolls the pane under
//! it, splitters and scrollbars follow a drag. Anything else is ignored.

use ratatui::layout::Position;

use super::{act, cursor, keys};
use crate::tui::effect::Effect;
use crate::tui::input::mouse::{Mouse, MouseAction};
use crate::tui::keymap::Action;
use crate::tui::pane::files::{filter, mark};
use crate::tui::pane::layout;
use crate::tui::pane::limits;
use crate::tui::pane::local;
use crate::tui::pane::local::choosing;
use crate::tui::pane::tasks;
use crate::tui::pane::{focus, plan};
use crate::tui::state::{Drag, Pane, State, View};
use crate::tui::view::hit_target::{HitTarget, scrolled_to, target};
use crate::tui::{areas, dialog};

/// The number of rows scrolled per turn of the wheel.
const WHEEL: u8 = 3;

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
        HitTarget::Strip(view) if is_double => focus::open_view(state, view),
        HitTarget::Heading(key) => {
            let action = state.files.listing.list.sort.on_heading(key);
            mark::sort(state, action);
        }
        HitTarget::LocalHeading(key) => {
            let action = state.local_side.list.sort.on_heading(key);
            local::update::sort(state, action);
        }
        HitTarget::Scrollbar(of) => {
            state.pointing.held = Some(Drag::Scrollbar(of));
            scroll(state, of, at);
        }
        HitTarget::Row { of, row, at } => choose(state, of, row, at, is_double),
        HitTarget::Sign { row, at } => {
            choose(state, Pane::Tasks, row, at, false);
            tasks::update::turn(state);
        }
        HitTarget::Beside(of) => focus(state, of),
        HitTarget::Details => focus(state, Pane::Details),
        HitTarget::Aside => state.session.limits.is_scrolling = true,
        _ => {}
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
    if of == Pane::Limits {
        state.session.limits.is_scrolling = false;
    }
    cursor::move_in(state, of, |cursor| cursor.put(row, at));
}

fn focus(state: &mut State, pane: Pane) {
    if matches!(pane, Pane::Tree | Pane::Local | Pane::List | Pane::Details) {
        state.focus = pane;
    }
}

/// Scrolls the pane under the pointer; the focus stays where it is.
fn wheel(state: &mut State, at: Position, is_down: bool) {
    let action = if is_down {
        Action::MoveDown
    } else {
        Action::MoveUp
    };
    match target(state, at) {
        Some(HitTarget::Dialog(_) | HitTarget::InDialog) => {
            if let Some(dialog) = state.dialogs.last_mut() {
                dialog.on_wheel(if is_down {
                    WHEEL.into()
                } else {
                    -isize::from(WHEEL)
                });
            }
        }
        Some(HitTarget::Sign { .. }) => wheel_rows(state, Pane::Tasks, action),
        Some(HitTarget::Row { of, .. } | HitTarget::Beside(of) | HitTarget::Scrollbar(of)) => {
            wheel_rows(state, of, action);
        }
        Some(HitTarget::Aside) => {
            let action = if is_down {
                Action::ScrollDown
            } else {
                Action::ScrollUp
            };
            limits::update::scroll(state, action);
        }
        Some(HitTarget::Details) if state.view == View::Files => {
            let action = if is_down {
                Action::ScrollDown
            } else {
                Action::ScrollUp
            };
            crate::tui::pane::details::update::scroll(state, action);
        }
        _ => {}
    }
}

fn wheel_rows(state: &mut State, of: Pane, action: Action) {
    for _ in 0..WHEEL {
        cursor::step(state, of, action);
    }
}
