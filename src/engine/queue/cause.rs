//! Failures that all jobs of a batch share: the rest waits instead of failing in the same way, one
//! after the other.

use std::time::Duration;

use crate::api::{Error, Kind};

/// The time until another try whether the connection, the service, or the disk is better.
const SOON: Duration = Duration::from_secs(30);

/// The time until another try for a day's budget: it returns at the account's midnight
/// (`contract.md#rate-limits`), whose time zone is not known here.
const HOUR: Duration = Duration::from_hours(1);

/// Returns how long a batch waits after this failure; `None` if somebody has to do something first.
pub(super) fn passes_after(error: &Error) -> Option<Duration> {
    match error.kind {
        Kind::DaySpent => Some(error.retry_after.unwrap_or(HOUR)),
        Kind::RateLimited => Some(error.retry_after.unwrap_or(SOON)),
        Kind::Unreachable | Kind::Timeout | Kind::Portal | Kind::DiskFull => Some(SOON),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_passes_is_tried_again_and_what_does_not_waits_for_a_key() {
        let after = |kind| passes_after(&Error::new(kind, ""));
        assert_eq!(after(Kind::Unreachable), Some(SOON));
        assert_eq!(after(Kind::DiskFull), Some(SOON));
        assert_eq!(after(Kind::Portal), Some(SOON));
        assert_eq!(
            (after(Kind::RateLimited), after(Kind::DaySpent)),
            (Some(SOON), Some(HOUR))
        );
        assert_eq!(
            (after(Kind::Unauthorized), after(Kind::Forbidden)),
            (None, None)
        );
        let asked = Error {
            retry_after: Some(Duration::from_secs(400)),
            ..Error::new(Kind::RateLimited, "")
        };
        assert_eq!(passes_after(&asked), Some(Duration::from_secs(400)));
    }
}
