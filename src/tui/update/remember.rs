//! Keeps lines that were typed, so that they can be taken again.

use crate::config::favorites::{FavoritesChange, TypedLine};
use crate::tui::message::Effect;
use crate::tui::state::State;

/// Keeps a line of the account on the screen, as the newest of its sort; for as long as the screen, where the account is
/// not open.
pub(super) fn remember(state: &mut State, line: TypedLine) -> Option<Effect> {
    let change = FavoritesChange::Typed(line);
    state.current.account.favorites.apply(&change);
    (!state.current.is_closed).then(|| Effect::SaveFavorites(state.current.ops.session(), change))
}
