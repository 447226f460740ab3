//! Deletions on a full disk: carried out with the room that is kept for them.

use super::room::{InUse, Room};
use super::store::{Store, StoreError};

/// Carries a deletion out; if the disk is full, a second time with the room that is kept.
pub(crate) async fn carry_out<T, F>(room: &Room, store: &Store, deletion: impl Fn() -> F) -> Result<T, StoreError>
where
    F: Future<Output = Result<T, StoreError>>,
{
    match deletion().await {
        Err(error) if error.is_full() => {
            let _until_it_is_done = make_way(room, store).await;
            deletion().await
        }
        other => other,
    }
}

/// Gives the room up and makes the most of it: the log of the database goes into the database. The room is for whoever
/// holds the result.
pub(crate) async fn make_way(room: &Room, store: &Store) -> InUse {
    let in_use = room.give_up().await;
    if let Err(error) = store.truncate_log().await {
        tracing::warn!(%error, "the log of the database could not be emptied");
    }
    in_use
}
