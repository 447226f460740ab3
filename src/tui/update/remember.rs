//! Keeps what nobody is told of: lines that were typed, so that they can be taken again, and folders that are grids.

use crate::config::favorites::{FavoritesChange, TypedLine};
use crate::tui::effect::Effect;
use crate::tui::state::State;

/// Keeps a line of the account on the screen, as the newest of its sort; for as long as the screen, where the account is
/// not open.
pub(super) fn remember(state: &mut State, line: TypedLine) {
    keep(state, FavoritesChange::Typed(line));
}

/// Makes a change to what is kept for the account on the screen.
pub(super) fn keep(state: &mut State, change: FavoritesChange) {
    state.current.account.favorites.apply(&change);
    if !state.current.is_closed {
        state.effects.push(Effect::SaveFavorites(state.current.ops.session(), change));
    }
}
