//! The reason why nothing is sent for a while.

use crate::api::WaitCause;

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
    Retry,
}

impl From<WaitCause> for WaitReason {
    fn from(cause: WaitCause) -> Self {
        match cause {
            WaitCause::RateLimit => Self::RateLimit,
            WaitCause::Asked => Self::Asked,
            WaitCause::Retry => Self::Retry,
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
            (Self::Retry, 0) => "failed, trying again now".to_owned(),
            (Self::Retry, _) => format!("failed, trying again in {left} s"),
        }
    }
}
