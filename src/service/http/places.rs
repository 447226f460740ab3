//! The places that connections take. Where all are taken, the connection that has been idle longest makes room for a new
//! one; one with a request under way never does.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;

/// Cheap to clone; clones share the places.
#[derive(Debug, Clone)]
pub(super) struct Places(Arc<Mutex<Taken>>);

#[derive(Debug)]
struct Taken {
    /// How many are free.
    free: usize,
    /// How to close each connection without a request under way, the one that has been idle longest first.
    idle: BTreeMap<u64, CancellationToken>,
    /// The next key of `idle`.
    next: u64,
}

impl Places {
    pub(super) fn new(most: usize) -> Self {
        Self(Arc::new(Mutex::new(Taken { free: most, idle: BTreeMap::new(), next: 0 })))
    }

    /// Takes a place for a new connection, which is idle at first. None where all connections have requests under way.
    pub(super) fn take(&self) -> Option<Place> {
        let mut taken = self.taken();
        if taken.free > 0 {
            taken.free -= 1;
        } else {
            taken.idle.pop_first()?.1.cancel();
        }
        let closed = CancellationToken::new();
        let key = taken.add(closed.clone());
        Some(Place(Requests { places: self.clone(), closed, state: Arc::new(Mutex::new(State::Idle(key))) }))
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Taken {
    fn add(&mut self, closed: CancellationToken) -> u64 {
        let key = self.next;
        self.next += 1;
        self.idle.insert(key, closed);
        key
    }
}

#[derive(Debug, Clone, Copy)]
enum State {
    /// Among the idle ones, under this key.
    Idle(u64),
    /// So many requests are under way.
    Busy(u32),
    Closed,
}

/// The place of one connection, free again when this is dropped, unless another one has it by then.
#[derive(Debug)]
pub(super) struct Place(Requests);

impl Place {
    /// Ends when the connection has to make room.
    pub(super) fn is_lost(&self) -> impl Future<Output = ()> + use<> {
        self.0.closed.clone().cancelled_owned()
    }

    pub(super) fn requests(&self) -> Requests {
        self.0.clone()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.0.places.taken();
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        // An idle one that is not among them has made room: another connection has its place.
        let is_free = if let State::Idle(key) = *state { taken.idle.remove(&key).is_some() } else { true };
        *state = State::Closed;
        taken.free += usize::from(is_free);
    }
}

/// The requests of one connection.
#[derive(Debug, Clone)]
pub(super) struct Requests {
    places: Places,
    closed: CancellationToken,
    /// Changes only while `places` is locked.
    state: Arc<Mutex<State>>,
}

impl Requests {
    /// Keeps the place while a request is under way. None where the connection has just made room.
    pub(super) fn begin(&self) -> Option<UnderWay> {
        let mut taken = self.places.taken();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        *state = match *state {
            State::Idle(key) => {
                taken.idle.remove(&key)?;
                State::Busy(1)
            }
            State::Busy(requests) => State::Busy(requests + 1),
            State::Closed => return None,
        };
        Some(UnderWay(self.clone()))
    }
}

/// A request under way. Dropped, the connection is idle.
#[derive(Debug)]
pub(super) struct UnderWay(Requests);

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut taken = self.0.places.taken();
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        *state = match *state {
            State::Busy(1) => State::Idle(taken.add(self.0.closed.clone())),
            State::Busy(requests) => State::Busy(requests - 1),
            other => other,
        };
    }
}

/// The request whose answer is on its way to the client: it is under way until that has left.
#[derive(Debug, Clone, Default)]
pub(super) struct Leaving(Arc<Mutex<Option<UnderWay>>>);

impl Leaving {
    /// Nothing of the answer is left in this process.
    pub(super) fn has_left(&self) {
        drop(self.slot().take());
    }

    fn slot(&self) -> MutexGuard<'_, Option<UnderWay>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request whose answer is being written. Dropped, the answer is on its way.
#[derive(Debug)]
pub(super) struct Answering {
    under_way: Option<UnderWay>,
    leaving: Leaving,
}

impl Answering {
    pub(super) fn new(under_way: UnderWay, leaving: Leaving) -> Self {
        Self { under_way: Some(under_way), leaving }
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        let former = std::mem::replace(&mut *self.leaving.slot(), self.under_way.take());
        drop(former);
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    fn is_lost(place: &Place) -> bool {
        place.is_lost().now_or_never().is_some()
    }

    // Seen to fail when the newest idle one makes room.
    #[test]
    fn the_connection_that_was_idle_longest_makes_room() {
        let places = Places::new(3);
        let [first, second, third] = [0; 3].map(|_| places.take().unwrap());
        drop(first.requests().begin().unwrap());
        let fourth = places.take().unwrap();
        assert_eq!([&first, &second, &third, &fourth].map(is_lost), [false, true, false, false]);
        assert!(second.requests().begin().is_none(), "it is closed, so no request of it is begun");
        // The one that made room frees none.
        drop(second);
        let fifth = places.take().unwrap();
        assert_eq!([&first, &third, &fourth, &fifth].map(is_lost), [false, true, false, false]);
    }

    // Seen to fail when a connection with a request makes room, and when a place is freed twice or never.
    #[test]
    fn a_request_keeps_its_place_and_a_closed_connection_frees_it() {
        let places = Places::new(2);
        let [first, second] = [0; 2].map(|_| places.take().unwrap());
        let under_way = [&first, &second].map(|place| place.requests().begin().unwrap());
        assert!(places.take().is_none());
        let [first_request, second_request] = under_way;
        // A connection may be cut while its request is under way; the request ends later.
        drop(first);
        drop(first_request);
        let third = places.take().unwrap();
        assert!(!is_lost(&second) && !is_lost(&third));
        drop(second_request);
        assert!(places.take().is_some() && is_lost(&third));
    }
}
