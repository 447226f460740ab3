//! Draws the state: panes, then what lies over them. Reads only; nothing is remembered between frames.

mod access;
mod activity;
mod details;
mod files;
mod header;
mod hints;
mod keys;
mod limits;
mod pane;
mod problem;
mod reading;
mod strip;
mod tasks;
mod toasts;
mod too_small;
mod tree;
mod which_key;

use ratatui::Frame;

use super::areas::{Areas, areas};
use super::dialog;
use super::state::{State, View};
use super::theme::Theme;
use super::widget::wide;

/// Draws one frame.
pub fn view(state: &State, theme: &Theme, frame: &mut Frame<'_>) {
    let (screen, size) = (frame.area(), frame.area().as_size());
    frame.buffer_mut().set_style(screen, theme.text);
    let Some(areas) = areas(size, state) else {
        too_small::draw(frame, size, theme);
        return;
    };
    header::draw(frame, areas.header, state, theme);
    match state.view {
        View::Files => draw_files(frame, &areas, state, theme),
        View::Tasks => tasks::draw(frame, areas.body, state, theme),
        View::Limits => limits::draw(frame, areas.body, state, theme),
        View::Activity => activity::draw(frame, areas.body, state, theme),
    }
    strip::draw(frame, areas.strip, state, theme);
    for divider in areas.dividers.into_iter().flatten() {
        pane::divider(frame, divider, theme);
    }
    if state.dialogs.is_empty() {
        hints::draw(frame, areas.hints, state, theme);
    }
    if let Some(which) = state.which_key() {
        which_key::draw(frame, areas.body, &which, theme);
    }
    // The activity log shows them already, with what they leave out.
    if state.view != View::Activity {
        toasts::draw(frame, areas.body, state, theme);
    }
    if let Some(dialog) = state.dialogs.last()
        && let Some(cursor) = dialog::draw(dialog, screen, frame.buffer_mut(), theme)
    {
        frame.set_cursor_position(cursor);
    }
    wide::mend(frame.buffer_mut());
}

fn draw_files(frame: &mut Frame<'_>, areas: &Areas, state: &State, theme: &Theme) {
    if let Some(area) = areas.list {
        files::draw(frame, area, state, theme);
    }
    if let Some(area) = areas.details {
        details::draw(frame, area, areas.details_is_peek, state, theme);
    }
    if let Some(area) = areas.tree {
        tree::draw(frame, area, state, theme);
    }
}
