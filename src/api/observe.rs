//! What a client reports while it works: waits, and the request budget. Plain data and one callback.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use jiff::SignedDuration;

use super::granted_scopes::GrantedScopes;

/// Something to show while a call continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Observation {
    /// Nothing is sent for now.
    Waiting {
        /// For this long.
        wait: Duration,
        /// Why.
        cause: WaitCause,
    },
    /// The account's request budget in the current window, as the last answer gave it.
    Budget {
        /// Requests that are left.
        remaining: u32,
        /// Requests in all.
        max: u32,
    },
    /// How far the service's clock is ahead of this machine's.
    Clock {
        /// Negative if it is behind.
        ahead: SignedDuration,
    },
    /// What the access token in use may do.
    Granted(GrantedScopes),
}

/// Why nothing is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum WaitCause {
    /// The account's rate limit: kept on this side, or the service said that it is reached and not for how long.
    RateLimit,
    /// The service asked for it.
    Asked,
    /// A failed attempt; the next one follows.
    Retry,
}

/// Who is called; nobody by default. Must return at once: it is called between two steps of a call.
#[derive(Clone, Default)]
pub struct Observer(Option<Arc<dyn Fn(Observation) + Send + Sync>>);

impl Observer {
    /// Calls `tell` with each observation.
    pub fn new(tell: Arc<dyn Fn(Observation) + Send + Sync>) -> Self {
        Self(Some(tell))
    }

    /// Passes an observation on.
    pub fn tell(&self, observation: Observation) {
        if let Some(tell) = &self.0 {
            tell(observation);
        }
    }
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Observer").field("listening", &self.0.is_some()).finish()
    }
}
