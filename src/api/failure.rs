//! A failed call, what it says of the call, and whether the call may be made again: the pure policy
//! (`guarantees.md#a-call-is-made-again-only-where-that-is-safe`, `contract.md#errors`, `contract.md#rate-limits`).

use std::time::Duration;

use super::error::Error;

/// Whether a call may be made twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Repeat {
    /// It only reads.
    Read,
    /// A second time changes nothing more: deleting, setting or replacing.
    Safe,
    /// A second time may make a second thing: sent again only if the first one surely did nothing.
    Unsafe,
}

/// What a failure says about the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// Sending it again would not help.
    Final,
    /// It was turned away before anything was done.
    Unprocessed,
    /// It may have been carried out.
    Doubtful,
    /// It was answered by something that the contract does not know, perhaps not by the service at all: it may have
    /// been carried out.
    Strange,
}

/// A failed call and what may follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Boxed, so that results stay small.
    pub error: Box<Error>,
    /// What the failure leaves behind.
    pub verdict: Verdict,
    /// The shortest wait before another attempt, where the service does not name one.
    pub(super) pause: Duration,
    /// An attempt before this one may have been carried out.
    pub(super) doubted_before: bool,
}

impl Failure {
    pub(super) fn new(error: Error, verdict: Verdict) -> Self {
        Self { error: Box::new(error), verdict, pause: Duration::ZERO, doubted_before: false }
    }
}

impl From<Error> for Failure {
    /// A failure that no repetition mends.
    fn from(error: Error) -> Self {
        Self::new(error, Verdict::Final)
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        let in_doubt = failure.doubted_before || failure.verdict.leaves_doubt();
        Self { in_doubt, ..*failure.error }
    }
}

impl Verdict {
    /// The verdict on an error answer. A used-up daily budget is final.
    pub(super) fn of_status(status: u16, daily: bool) -> Self {
        match status {
            429 if daily => Self::Final,
            423 | 429 | 477 => Self::Unprocessed,
            // Not known there, not spoken there, no room, or never reached it (`contract.md#errors`).
            501 | 505 | 507 | 525 | 526 => Self::Final,
            408 | 500..600 => Self::Doubtful,
            _ => Self::Final,
        }
    }

    /// Whether a call that may be repeated in this way may be repeated after it.
    #[doc(hidden)]
    pub fn allows(self, repeat: Repeat) -> bool {
        match self {
            Self::Final => false,
            Self::Unprocessed => true,
            Self::Doubtful => repeat != Repeat::Unsafe,
            // Reading it again would read the same; what was changed has to be known.
            Self::Strange => repeat == Repeat::Safe,
        }
    }

    pub(super) fn leaves_doubt(self) -> bool {
        matches!(self, Self::Doubtful | Self::Strange)
    }
}
