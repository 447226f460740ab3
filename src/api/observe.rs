//! The events that a client reports while it works: waits, the request budget, the service's clock
//! and the token's scopes. Plain data and one callback.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use jiff::SignedDuration;

use super::error::Kind;
use super::granted_scopes::GrantedScopes;

/// An event to show while a call continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Observation {
    /// Nothing is sent for now.
    Waiting {
        /// The length of the wait.
        wait: Duration,
        /// The reason for the wait.
        cause: WaitCause,
    },
    /// The account's request budget in the current window, from the last response.
    Budget {
        /// The number of requests left.
        remaining: u32,
        /// The total number of requests.
        max: u32,
    },
    /// The lead of the service's clock over this machine's.
    Clock {
        /// Negative if it is behind.
        ahead: SignedDuration,
    },
    /// The permissions of the access token in use.
    Granted(GrantedScopes),
}

/// The reason for a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum WaitCause {
    /// The account's rate limit: either our own pacing, or a refusal that did not name a wait.
    RateLimit,
    /// The service asked for it.
    Asked,
    /// A failed attempt that will be retried.
    Retry(Kind),
}

/// A callback for observations; none by default. Must return at once, because it runs between two
/// steps of a call.
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
        f.debug_struct("Observer")
            .field("listening", &self.0.is_some())
            .finish()
    }
}
