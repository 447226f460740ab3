//! Draws the state: the panes, then whatever lies over them. Read-only; nothing is remembered
//! between frames.

mod header;
mod hints;
pub mod hit_target;
mod status;
mod too_small;
mod welcome;
mod which_key;

use super::pane::table::PANES;
use ratatui::Frame;
use ratatui::layout::{Margin, Rect, Size};
use ratatui::widgets::Clear;

use crate::engine::preview::Picture;

use super::areas::{Areas, Strip, areas};
use super::pane::{details, files, limits, tasks};
use super::state::{Pane, PreviewKey, State};
use super::style::symbols::Symbols;
use super::style::theme::Theme;
use super::widget::wide;

/// Draws one frame. Returns `true` if the terminal's cursor should be visible: in text fields, and
/// for screen readers.
///
/// The state stays as it is: the other account's list is drawn in the place of its background.
pub fn view(state: &mut State, theme: &Theme, symbols: Symbols, frame: &mut Frame<'_>) -> bool {
    let is_in_text = draw(state, theme, frame);
    wide::mend(frame.buffer_mut());
    symbols.translate(frame.buffer_mut());
    is_in_text || state.panes.plain
}

/// Returns `true` if the cursor is in a text field.
fn draw(state: &mut State, theme: &Theme, frame: &mut Frame<'_>) -> bool {
    let (screen, size) = (frame.area(), frame.area().as_size());
    frame.buffer_mut().set_style(screen, theme.backdrop);
    let Some(areas) = areas(size, state) else {
        too_small::draw(frame, size, theme);
        return false;
    };
    if state.panes.plain {
        frame.set_cursor_position((areas.body.x + 1, areas.body.y + 1));
    }
    // For a screen reader a dialog is drawn alone, so that nothing else is read.
    if !state.panes.plain || state.dialogs.is_empty() {
        draw_panes(state, &areas, theme, frame);
    }
    let Some(dialog) = state.dialogs.last() else {
        return state.is_typing();
    };
    if !state.panes.plain {
        if dialog.is_beside() {
            // The dialog has its own keys.
            frame.render_widget(Clear, areas.hints);
            frame.buffer_mut().set_style(areas.hints, theme.backdrop);
            hints::draw_of_dialog(frame, areas.hints, dialog.foot_keys(), theme);
        } else {
            theme.shade(frame.buffer_mut(), dialog.shown_part());
        }
    }
    let drawn = dialog.draw(areas.beside.unwrap_or(screen), frame.buffer_mut(), theme);
    // A message while a dialog is open is about the dialog, so it is in its lower border.
    if state.status.is_news(state.now) {
        let area = match drawn.targets.first() {
            Some((area, _)) if !state.panes.plain => Rect {
                y: area.bottom().saturating_sub(1),
                height: 1,
                ..area.inner(Margin::new(2, 0))
            },
            _ => areas.status,
        };
        frame.render_widget(Clear, area);
        frame.buffer_mut().set_style(area, theme.panel);
        status::draw(frame, area, areas.strip.is_some(), state, theme);
    }
    frame.set_cursor_position(drawn.cursor);
    drawn.is_typing
}

/// The pictures on a screen of this size, and their areas.
pub fn pictures_on(size: Size, state: &State) -> Vec<(PreviewKey, &Picture, Rect)> {
    let list = areas(size, state)
        .and_then(|areas| areas.list)
        .filter(|_| state.shows_grid());
    let in_grid = list
        .map(|list| files::grid::pictures(list, state))
        .unwrap_or_default();
    details::draw::pictures_on(size, state)
        .into_iter()
        .chain(in_grid)
        .collect()
}

fn draw_panes(state: &mut State, areas: &Areas, theme: &Theme, frame: &mut Frame<'_>) {
    if let (Some(area), Some(other)) = (areas.other, state.mode.other_account()) {
        let focus = state.focus;
        state.with_session(other.session, |state| {
            // The keys are for the list beside it.
            state.focus = Pane::Details;
            files::draw::draw(frame, area, state, theme);
        });
        state.focus = focus;
    }
    let state = &*state;
    header::draw(frame, areas.header, state, theme);
    for (_, pane) in PANES.iter().rev() {
        pane.draw(frame, areas, state, theme);
    }
    if let Some(Strip {
        tasks: left,
        limits: right,
    }) = areas.strip
    {
        tasks::draw::draw_strip(frame, left, state, theme);
        limits::corner::draw_strip(frame, right, state, theme);
    }
    status::draw(frame, areas.status, areas.strip.is_some(), state, theme);
    if which_key::menu(state).is_none() {
        hints::draw(frame, areas.hints, state, theme);
    }
    if let Some(area) = areas.welcome {
        welcome::draw(frame, area, state, theme);
    }
    if let Some(which) = which_key::menu(state) {
        // Only the keys of the menu apply now.
        if !state.panes.plain {
            theme.shade(frame.buffer_mut(), None);
        }
        hints::draw(frame, areas.hints, state, theme);
        which_key::draw(frame, areas.body, &which, theme);
    }
}
