//! A failed call, its possible effect, and the rules for repeating it, as pure policy
//! (`guarantees.md#a-call-is-made-again-only-where-that-is-safe`, `contract.md#errors`,
//! `contract.md#rate-limits`).

use std::time::Duration;

use super::error::Error;

/// The safety of making a call twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Repeat {
    /// It only reads.
    Read,
    /// Idempotent: deleting, setting or replacing.
    Safe,
    /// A second call may create a second thing: repeated only if the first one certainly had no
    /// effect.
    Unsafe,
}

/// A failure's verdict on the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// Another attempt would not help.
    Final,
    /// The call was rejected before it had any effect.
    Unprocessed,
    /// The call may have been carried out.
    Doubtful,
    /// The response does not follow the contract and may not be the service's: the call may have
    /// been carried out.
    Unrecognized,
}

/// A failed call and the rules for another attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Boxed, so that results stay small.
    pub error: Box<Error>,
    /// The possible effect of the call.
    pub verdict: Verdict,
    /// The shortest wait before another attempt, unless the service names one.
    pub(super) pause: Duration,
    /// Set if an earlier attempt may have been carried out.
    pub(super) doubted_before: bool,
}

impl Failure {
    pub(super) fn new(error: Error, verdict: Verdict) -> Self {
        Self {
            error: Box::new(error),
            verdict,
            pause: Duration::ZERO,
            doubted_before: false,
        }
    }
}

impl Failure {
    /// Makes the failure final if the call cannot be sent again, but for its possible effect.
    pub(super) fn once_only(self, is_once_only: bool) -> Self {
        if is_once_only && self.verdict == Verdict::Unprocessed {
            return Self {
                verdict: Verdict::Final,
                ..self
            };
        }
        self
    }

    /// Turns a failure to read a source into one of the call that sends it, which had no effect.
    pub(super) fn of_source(self, source: &str) -> Self {
        let verdict = if self.verdict.allows(Repeat::Read) {
            Verdict::Unprocessed
        } else {
            Verdict::Final
        };
        let message = format!("{source} cannot be read: {}", self.error.message);
        let error = Error {
            message,
            ..*self.error
        };
        Self {
            error: Box::new(error),
            verdict,
            ..self
        }
    }
}

impl From<Error> for Failure {
    /// A failure that no retry can fix.
    fn from(error: Error) -> Self {
        Self::new(error, Verdict::Final)
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        let in_doubt = failure.doubted_before || failure.verdict.leaves_doubt();
        Self {
            in_doubt,
            ..*failure.error
        }
    }
}

impl Verdict {
    /// The verdict on an error response. An exhausted daily budget is final.
    pub(super) fn of_status(status: u16, daily: bool) -> Self {
        match status {
            429 if daily => Self::Final,
            423 | 429 | 477 => Self::Unprocessed,
            // Not implemented, unsupported, no space, or never reached (`contract.md#errors`).
            501 | 505 | 507 | 525 | 526 => Self::Final,
            408 | 500..600 => Self::Doubtful,
            _ => Self::Final,
        }
    }

    /// Returns `true` if a call with this `repeat` may be repeated after the failure.
    #[doc(hidden)]
    pub fn allows(self, repeat: Repeat) -> bool {
        match self {
            Self::Final => false,
            Self::Unprocessed => true,
            Self::Doubtful => repeat != Repeat::Unsafe,
            // Reading again would give the same response. A change is repeated because its result
            // must be known.
            Self::Unrecognized => repeat == Repeat::Safe,
        }
    }

    pub(super) fn leaves_doubt(self) -> bool {
        matches!(self, Self::Doubtful | Self::Unrecognized)
    }
}
