//! Counts of requests for the rate limits. Processes of a shared store count together; counts may
//! get lost.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use jiff::civil::Date;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RequestCounts {
    /// The times of this token's requests, oldest first.
    pub(crate) recent: VecDeque<Timestamp>,
    /// The requests of all tokens on the day in question; 0 if no day was given.
    pub(crate) today: u64,
}

#[derive(Debug, Clone, Default)]
pub(super) struct CountsInMemory(Arc<Mutex<CountedRequests>>);

#[derive(Debug, Default)]
struct CountedRequests {
    recent: HashMap<String, VecDeque<Timestamp>>,
    day: Option<Date>,
    today: u64,
}

impl CountsInMemory {
    pub(super) fn change<T>(
        &self,
        token: &str,
        day: Option<Date>,
        count: impl FnOnce(&mut RequestCounts) -> T,
    ) -> T {
        let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::replace(&mut counted.day, day) != day {
            counted.today = 0;
        }
        let mut counts = RequestCounts {
            recent: counted.recent.remove(token).unwrap_or_default(),
            today: counted.today,
        };
        let done = count(&mut counts);
        counted.recent.insert(token.to_owned(), counts.recent);
        counted.today = counts.today;
        done
    }

    pub(super) fn forget(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = CountedRequests::default();
    }
}
