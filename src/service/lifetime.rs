//! How long a file lives: `ttl` and `expiresAt` of the requests that make or change one (`service-seed.md` §2.3).

use jiff::Timestamp;

use super::error::ApiError;
use crate::api::model::ttl;

/// When a file of this `ttl` or `expiresAt` goes; none for one that stays. At most one of the two may be given.
pub(crate) fn expiry(
    ttl: Option<&str>,
    expires_at: Option<Timestamp>,
    now: Timestamp,
) -> Result<Option<Timestamp>, ApiError> {
    match (ttl, expires_at) {
        (None, None) => Ok(None),
        (Some(_), Some(_)) => Err(ApiError::validation("ttl and expiresAt cannot be set together")),
        (Some(ttl), None) => after_ttl(ttl, now).map(Some),
        (None, Some(time)) => in_future(time, now).map(Some),
    }
}

/// A time that is still to come.
pub(crate) fn in_future(time: Timestamp, now: Timestamp) -> Result<Timestamp, ApiError> {
    if time > now { Ok(time) } else { Err(ApiError::validation("expiresAt must be in the future")) }
}

fn after_ttl(ttl: &str, now: Timestamp) -> Result<Timestamp, ApiError> {
    ttl::end(ttl, now).map_err(|error| ApiError::validation(format!("ttl {error}")).with_context("ttl", ttl))
}

#[cfg(test)]
mod tests {
    use jiff::ToSpan as _;

    use super::*;

    fn now() -> Timestamp {
        "2026-01-31T12:00:00Z".parse().unwrap()
    }

    #[test]
    fn a_ttl_starts_now_and_one_out_of_bounds_is_refused() {
        assert_eq!(expiry(Some("P1Y"), None, now()), Ok(Some("2027-01-31T12:00:00Z".parse().unwrap())));
        assert_eq!(expiry(Some("PT1H"), None, now()).unwrap_err().status, 400);
    }

    #[test]
    fn a_ttl_and_a_time_exclude_each_other() {
        assert!(expiry(Some("P1D"), Some(now() + 48.hours()), now()).is_err());
        assert!(expiry(None, Some(now()), now()).is_err());
        assert_eq!(expiry(None, None, now()), Ok(None));
    }
}
