//! The slots for connections, some for each client and some in all. If they are taken, the
//! connection that has been idle longest is closed for a new one; one with a request in progress
//! never is.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// The machine or network that connections are counted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Peer(IpAddr);

impl From<IpAddr> for Peer {
    /// A customer of an internet provider has a network of 64 bits, and may use all its addresses.
    fn from(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(address) => {
                Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into()
            }
            address @ IpAddr::V4(_) => address,
        })
    }
}

/// The reason why a connection gets no slot: all that could be its own have requests in progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoSlot {
    /// The client has as many connections as it may have.
    OfClient,
    /// All clients together do.
    AtAll,
}

#[derive(Debug, Clone)]
pub(super) struct ConnectionSlots(Arc<Slots>);

#[derive(Debug)]
struct Slots {
    table: Mutex<SlotTable>,
    /// Notified when a connection begins its first request, or ends.
    begun: Notify,
}

#[derive(Debug)]
struct SlotTable {
    most: usize,
    most_per_peer: usize,
    open: HashMap<u64, SlotEntry>,
    /// Increases with each connection that is opened or becomes idle.
    turn: u64,
}

#[derive(Debug)]
struct SlotEntry {
    /// `None` for a client whose connections are not counted.
    peer: Option<Peer>,
    /// Set until the first request has begun.
    is_new: bool,
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
    pub(super) fn new(most: usize, most_per_peer: usize) -> Self {
        let table = Mutex::new(SlotTable {
            most,
            most_per_peer,
            open: HashMap::new(),
            turn: 0,
        });
        Self(Arc::new(Slots {
            table,
            begun: Notify::new(),
        }))
    }

    /// Takes a slot for a new, idle connection. `peer` is `None` if its connections are not
    /// counted.
    ///
    /// # Errors
    ///
    /// Returns an error if no connection in its way is idle.
    pub(super) fn take(&self, peer: Option<Peer>) -> Result<Arc<ConnectionSlot>, NoSlot> {
        let mut taken = self.taken();
        let most_per_peer = if peer.is_some() {
            taken.most_per_peer
        } else {
            usize::MAX
        };
        taken
            .make_room(most_per_peer, |connection| connection.peer == peer)
            .ok_or(NoSlot::OfClient)?;
        let most = taken.most;
        taken.make_room(most, |_| true).ok_or(NoSlot::AtAll)?;
        let (key, closed) = (taken.next_turn(), CancellationToken::new());
        let connection = SlotEntry {
            peer,
            is_new: true,
            answering: 0,
            is_leaving: false,
            idle_since: key,
            closed: closed.clone(),
        };
        taken.open.insert(key, connection);
        Ok(Arc::new(ConnectionSlot {
            slots: self.clone(),
            key,
            closed,
        }))
    }

    fn taken(&self) -> MutexGuard<'_, SlotTable> {
        self.0.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until every open connection has begun a request.
    pub(super) async fn all_have_begun(&self) {
        loop {
            let begun = self.0.begun.notified();
            if self
                .taken()
                .open
                .values()
                .all(|connection| !connection.is_new)
            {
                return;
            }
            begun.await;
        }
    }
}

impl SlotTable {
    /// Closes the connection that has been idle longest if there are `most` of these. Returns
    /// `None` if none is idle.
    fn make_room(&mut self, most: usize, is_counted: impl Fn(&SlotEntry) -> bool) -> Option<()> {
        let counted = || {
            self.open
                .iter()
                .filter(|(_, connection)| is_counted(connection))
        };
        if counted().count() >= most {
            let idle = counted().filter(|(_, connection)| connection.is_idle());
            let longest = *idle.min_by_key(|(_, connection)| connection.idle_since)?.0;
            self.open.remove(&longest)?.closed.cancel();
        }
        Some(())
    }

    fn next_turn(&mut self) -> u64 {
        self.turn += 1;
        self.turn
    }
}

/// The slot of a connection, freed when this is dropped unless another connection has it by then.
#[derive(Debug)]
pub(super) struct ConnectionSlot {
    slots: ConnectionSlots,
    key: u64,
    closed: CancellationToken,
}

impl ConnectionSlot {
    /// Completes when the connection has to be closed for another one.
    pub(super) fn is_lost(&self) -> impl Future<Output = ()> + use<> {
        self.closed.clone().cancelled_owned()
    }

    /// Keeps the slot during a request. Returns `None` if the connection has just been closed for
    /// another one.
    pub(super) fn begin(self: &Arc<Self>) -> Option<Answering> {
        let mut taken = self.slots.taken();
        let connection = taken.open.get_mut(&self.key)?;
        connection.answering += 1;
        connection.is_new = false;
        self.slots.0.begun.notify_waiters();
        Some(Answering(self.clone()))
    }

    /// Notes that all complete responses have left this process.
    pub(super) fn has_left(&self) {
        self.change(|connection| connection.is_leaving = false);
    }

    fn change(&self, change: impl FnOnce(&mut SlotEntry)) {
        let mut taken = self.slots.taken();
        let turn = taken.next_turn();
        let Some(connection) = taken.open.get_mut(&self.key) else {
            return;
        };
        let was_idle = connection.is_idle();
        change(connection);
        if connection.is_idle() && !was_idle {
            connection.idle_since = turn;
        }
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.slots.taken().open.remove(&self.key);
        self.slots.0.begun.notify_waiters();
    }
}

/// A request whose response is being written. Once this is dropped, the slot stays in use until the
/// response has left.
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

    fn is_lost(slot: &Arc<ConnectionSlot>) -> bool {
        slot.is_lost().now_or_never().is_some()
    }

    // Fails if the newest idle connection is closed.
    #[test]
    fn the_connection_that_was_idle_longest_makes_room() {
        let slots = ConnectionSlots::new(3, 3);
        let [first, second, third] = [0; 3].map(|_| slots.take(None).unwrap());
        drop(first.begin().unwrap());
        first.has_left();
        let fourth = slots.take(None).unwrap();
        assert_eq!(
            [&first, &second, &third, &fourth].map(is_lost),
            [false, true, false, false]
        );
        assert!(
            second.begin().is_none(),
            "it is closed, so no request of it is begun"
        );
        // Its slot was already taken by another connection.
        drop(second);
        let fifth = slots.take(None).unwrap();
        assert_eq!(
            [&first, &third, &fourth, &fifth].map(is_lost),
            [false, true, false, false]
        );
    }

    // Fails if a connection with a request is closed, and if a slot is freed twice or never.
    #[test]
    fn a_request_keeps_its_place_and_a_closed_connection_frees_it() {
        let slots = ConnectionSlots::new(2, 2);
        let [first, second] = [0; 2].map(|_| slots.take(None).unwrap());
        let under_way = [&first, &second].map(|slot| slot.begin().unwrap());
        assert_eq!(slots.take(None).unwrap_err(), NoSlot::AtAll);
        let [first_request, second_request] = under_way;
        // A connection may be cut during a request; the request ends later.
        drop(first);
        drop(first_request);
        let third = slots.take(None).unwrap();
        assert!(!is_lost(&second) && !is_lost(&third));
        drop(second_request);
        second.has_left();
        assert!(slots.take(None).is_ok() && is_lost(&third));
    }

    // Fails if a client takes the slots of others, and if addresses of one network are counted one
    // by one.
    #[test]
    fn a_client_has_its_own_slots_only() {
        let slots = ConnectionSlots::new(6, 2);
        let peer = |text: &str| Some(Peer::from(text.parse::<IpAddr>().unwrap()));
        let held = ["2001:db8::1", "2001:db8::2"].map(|address| slots.take(peer(address)).unwrap());
        let _under_way = held.each_ref().map(|slot| slot.begin().unwrap());
        assert_eq!(
            slots.take(peer("2001:db8::3")).unwrap_err(),
            NoSlot::OfClient
        );
        let others = ["2001:db8:0:1::1", "192.0.2.1", "::ffff:192.0.2.1"]
            .map(|other| slots.take(peer(other)).unwrap());
        let next = slots.take(peer("192.0.2.1")).unwrap();
        assert_eq!(
            [&others[0], &others[1], &others[2], &next].map(is_lost),
            [false, true, false, false]
        );
    }
}
