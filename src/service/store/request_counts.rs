//! How many requests came, for those who ration them. All processes of a shared store count together; what is counted may be
//! lost when the database ends.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use jiff::civil::Date;

/// What is counted of a token's requests, and of all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RequestCounts {
    /// When requests of this token came, oldest first.
    pub(crate) recent: VecDeque<Timestamp>,
    /// How many came on this day, of all tokens; 0 where no day is asked for.
    pub(crate) today: u64,
}

/// The counts of a store that no other process uses.
#[derive(Debug, Clone, Default)]
pub(super) struct CountsInMemory(Arc<Mutex<CountedRequests>>);

#[derive(Debug, Default)]
struct CountedRequests {
    recent: HashMap<String, VecDeque<Timestamp>>,
    day: Option<Date>,
    today: u64,
}

impl CountsInMemory {
    pub(super) fn change<T>(&self, token: &str, day: Option<Date>, count: impl FnOnce(&mut RequestCounts) -> T) -> T {
        let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::replace(&mut counted.day, day) != day {
            counted.today = 0;
        }
        let mut counts =
            RequestCounts { recent: counted.recent.remove(token).unwrap_or_default(), today: counted.today };
        let done = count(&mut counts);
        counted.recent.insert(token.to_owned(), counts.recent);
        counted.today = counts.today;
        done
    }

    pub(super) fn forget(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = CountedRequests::default();
    }
}
