//! The reason why nothing is sent for a while.

use crate::api::{Kind, WaitCause};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitReason {
    /// The account's rate limit: kept on this side, or reached, as the service said without saying
    /// for how long.
    RateLimit,
    /// The service requested it.
    Asked,
    /// The response to an upload was lost: the service gets time before the result is looked up.
    Settling,
    /// A failed attempt; the next one follows.
    Retry(Kind),
}

impl From<WaitCause> for WaitReason {
    fn from(cause: WaitCause) -> Self {
        match cause {
            WaitCause::RateLimit => Self::RateLimit,
            WaitCause::Asked => Self::Asked,
            WaitCause::Retry(kind) => Self::Retry(kind),
        }
    }
}

impl WaitReason {
    /// Describes the wait, with `left` seconds of it to go.
    pub fn in_words(self, left: u64) -> String {
        match (self, left) {
            (Self::RateLimit, 0) => "waiting for the rate limit".to_owned(),
            (Self::RateLimit, _) => format!("waiting {left} s for the rate limit"),
            (Self::Asked, 0) => "waiting as the service asked".to_owned(),
            (Self::Asked, _) => format!("waiting {left} s as the service asked"),
            (Self::Settling, 0) => "its answer was lost, checking the result".to_owned(),
            (Self::Settling, _) => format!("its answer was lost, checking the result in {left} s"),
            (Self::Retry(kind), 0) => format!("{}, trying again now", failure(kind)),
            (Self::Retry(kind), _) => format!("{}, trying again in {left} s", failure(kind)),
        }
    }
}

fn failure(kind: Kind) -> &'static str {
    match kind {
        Kind::Server => "the service failed",
        Kind::Unreachable => "the service cannot be reached",
        Kind::Network => "the connection broke",
        Kind::Timeout => "no answer came in time",
        Kind::Decode | Kind::Portal => "the answer makes no sense",
        _ => "the service refused it for now",
    }
}
