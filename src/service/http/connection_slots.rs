//! The slots for connections. If all are taken, the connection that has been idle longest is closed for a new one; one
//! with a request in progress never is.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;

#[derive(Debug, Clone)]
pub(super) struct ConnectionSlots(Arc<Mutex<SlotTable>>);

#[derive(Debug)]
struct SlotTable {
    most: usize,
    open: HashMap<u64, SlotEntry>,
    /// Increases with each connection that is opened or becomes idle.
    turn: u64,
}

#[derive(Debug)]
struct SlotEntry {
    /// The number of requests in progress.
    answering: u32,
    /// Set while a complete response has not fully left this process.
    is_leaving: bool,
    /// The turn at which the connection last became idle.
    idle_since: u64,
    closed: CancellationToken,
}

impl SlotEntry {
    fn is_idle(&self) -> bool {
        self.answering == 0 && !self.is_leaving
    }
}

impl ConnectionSlots {
    pub(super) fn new(most: usize) -> Self {
        Self(Arc::new(Mutex::new(SlotTable { most, open: HashMap::new(), turn: 0 })))
    }

    /// Takes a slot for a new, idle connection. Returns `None` if all connections have requests in progress.
    pub(super) fn take(&self) -> Option<Arc<ConnectionSlot>> {
        let mut taken = self.taken();
        if taken.open.len() >= taken.most {
            let idle = taken.open.iter().filter(|(_, connection)| connection.is_idle());
            let longest = *idle.min_by_key(|(_, connection)| connection.idle_since)?.0;
            taken.open.remove(&longest)?.closed.cancel();
        }
        let (key, closed) = (taken.next_turn(), CancellationToken::new());
        let connection = SlotEntry { answering: 0, is_leaving: false, idle_since: key, closed: closed.clone() };
        taken.open.insert(key, connection);
        Some(Arc::new(ConnectionSlot { places: self.clone(), key, closed }))
    }

    fn taken(&self) -> MutexGuard<'_, SlotTable> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SlotTable {
    fn next_turn(&mut self) -> u64 {
        self.turn += 1;
        self.turn
    }
}

/// The slot of a connection, freed when this is dropped unless another connection has it by then.
#[derive(Debug)]
pub(super) struct ConnectionSlot {
    places: ConnectionSlots,
    key: u64,
    closed: CancellationToken,
}

impl ConnectionSlot {
    /// Completes when the connection has to be closed for another one.
    pub(super) fn is_lost(&self) -> impl Future<Output = ()> + use<> {
        self.closed.clone().cancelled_owned()
    }

    /// Keeps the slot during a request. Returns `None` if the connection has just been closed for another one.
    pub(super) fn begin(self: &Arc<Self>) -> Option<Answering> {
        self.places.taken().open.get_mut(&self.key)?.answering += 1;
        Some(Answering(self.clone()))
    }

    /// Notes that all complete responses have left this process.
    pub(super) fn has_left(&self) {
        self.change(|connection| connection.is_leaving = false);
    }

    fn change(&self, change: impl FnOnce(&mut SlotEntry)) {
        let mut taken = self.places.taken();
        let turn = taken.next_turn();
        let Some(connection) = taken.open.get_mut(&self.key) else { return };
        let was_idle = connection.is_idle();
        change(connection);
        if connection.is_idle() && !was_idle {
            connection.idle_since = turn;
        }
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.places.taken().open.remove(&self.key);
    }
}

/// A request whose response is being written. Once this is dropped, the slot stays in use until the response has left.
#[derive(Debug)]
pub(super) struct Answering(Arc<ConnectionSlot>);

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.change(|connection| {
            connection.answering -= 1;
            connection.is_leaving = true;
        });
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    fn is_lost(place: &Arc<ConnectionSlot>) -> bool {
        place.is_lost().now_or_never().is_some()
    }

    // Fails if the newest idle connection is closed.
    #[test]
    fn the_connection_that_was_idle_longest_makes_room() {
        let places = ConnectionSlots::new(3);
        let [first, second, third] = [0; 3].map(|_| places.take().unwrap());
        drop(first.begin().unwrap());
        first.has_left();
        let fourth = places.take().unwrap();
        assert_eq!([&first, &second, &third, &fourth].map(is_lost), [false, true, false, false]);
        assert!(second.begin().is_none(), "it is closed, so no request of it is begun");
        // Its slot was already taken by another connection.
        drop(second);
        let fifth = places.take().unwrap();
        assert_eq!([&first, &third, &fourth, &fifth].map(is_lost), [false, true, false, false]);
    }

    // Fails if a connection with a request is closed, and if a slot is freed twice or never.
    #[test]
    fn a_request_keeps_its_place_and_a_closed_connection_frees_it() {
        let places = ConnectionSlots::new(2);
        let [first, second] = [0; 2].map(|_| places.take().unwrap());
        let under_way = [&first, &second].map(|place| place.begin().unwrap());
        assert!(places.take().is_none());
        let [first_request, second_request] = under_way;
        // A connection may be cut during a request; the request ends later.
        drop(first);
        drop(first_request);
        let third = places.take().unwrap();
        assert!(!is_lost(&second) && !is_lost(&third));
        drop(second_request);
        second.has_left();
        assert!(places.take().is_some() && is_lost(&third));
    }
}
