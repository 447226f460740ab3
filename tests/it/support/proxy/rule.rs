//! The requests that meet a fault: chosen by method, path and a name in them, and by their order.

use std::sync::atomic::{AtomicU64, Ordering};

use super::fault::Fault;
use crate::support::capture::Seen;
use crate::support::random::Random;

/// The part of a body that is searched for a name; the fields of an upload come before its bytes.
const SEARCHED: usize = 1 << 10;

#[derive(Debug, Clone, Copy, Default)]
pub struct Calls {
    method: Option<&'static str>,
    path: &'static str,
    naming: Option<&'static str>,
}

pub struct Rule {
    calls: Calls,
    which: Which,
    pub(super) fault: Fault,
    met: AtomicU64,
}

/// The requests of a kind, counted from 1.
#[derive(Debug, Clone, Copy)]
pub enum Which {
    All,
    First(u64),
    Nth(u64),
    Every(u64),
    /// A percentage, chosen at random, but the same in every run.
    Percent(usize),
}

impl Calls {
    pub fn all() -> Self {
        Self::default()
    }

    pub fn to(method: &'static str, path: &'static str) -> Self {
        Self {
            method: Some(method),
            path,
            naming: None,
        }
    }

    /// Restricts these to requests with this text in their address, or at the beginning of their
    /// body.
    #[must_use]
    pub fn naming(self, text: &'static str) -> Self {
        Self {
            naming: Some(text),
            ..self
        }
    }

    pub fn hold(&self, seen: &Seen) -> bool {
        let beginning = &seen.body[..seen.body.len().min(SEARCHED)];
        let names = |text: &str| {
            seen.target.contains(text)
                || beginning
                    .windows(text.len())
                    .any(|window| window == text.as_bytes())
        };
        self.method.is_none_or(|method| method == seen.method)
            && seen.target.starts_with(self.path)
            && self.naming.is_none_or(names)
    }
}

impl Rule {
    pub fn new(calls: Calls, which: Which, fault: Fault) -> Self {
        Self {
            calls,
            which,
            fault,
            met: AtomicU64::new(0),
        }
    }

    /// The number of bytes of a body of this length that `takes` needs.
    pub(super) fn reads(&self, length: usize) -> usize {
        if self.calls.naming.is_some() {
            length.min(SEARCHED)
        } else {
            0
        }
    }

    /// Returns `true` if the request meets the fault. Counts it if it is of the kind.
    pub(super) fn takes(&self, seen: &Seen) -> bool {
        self.calls.hold(seen)
            && self
                .which
                .holds(self.met.fetch_add(1, Ordering::SeqCst) + 1)
    }
}

impl Which {
    fn holds(self, number: u64) -> bool {
        match self {
            Self::All => true,
            Self::First(count) => number <= count,
            Self::Nth(nth) => number == nth,
            Self::Every(step) => number.is_multiple_of(step),
            Self::Percent(share) => Random::seeded(number).below(100) < share,
        }
    }
}
