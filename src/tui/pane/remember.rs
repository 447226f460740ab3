//! Saves without a message: lines that were typed, for recall, and folders shown as grids.

use crate::config::favorites::{FavoritesChange, TypedLine};
use crate::tui::state::State;
use crate::tui::state::effect::Effect;

/// Saves a typed line for the account on the screen, as the newest of its kind; only in memory if
/// the account is closed.
pub(crate) fn remember(state: &mut State, line: TypedLine) {
    keep(state, FavoritesChange::Typed(line));
}

pub(crate) fn keep(state: &mut State, change: FavoritesChange) {
    state.session.account.favorites.apply(&change);
    if !state.session.is_closed {
        state
            .effects
            .push(Effect::SaveFavorites(state.session.ops.session(), change));
    }
}
