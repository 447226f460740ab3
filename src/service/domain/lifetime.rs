//! The lifetime of a file: `ttl` and `expiresAt` of the requests that create or change one
//! (`contract.md#lifetimes`).

use jiff::Timestamp;

use crate::api::model::ttl::{self, TtlError};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum LifetimeError {
    #[error("ttl and expiresAt cannot be set together")]
    Both,
    #[error("expiresAt must be in the future")]
    Past,
    #[error("ttl {error}")]
    Ttl { ttl: String, error: TtlError },
}

/// Returns the time of expiry; `None` if the file never expires. At most one of the two may be
/// given.
pub(crate) fn expiry(
    ttl: Option<&str>,
    expires_at: Option<Timestamp>,
    now: Timestamp,
) -> Result<Option<Timestamp>, LifetimeError> {
    match (ttl, expires_at) {
        (None, None) => Ok(None),
        (Some(_), Some(_)) => Err(LifetimeError::Both),
        (Some(ttl), None) => ttl::end(ttl, now)
            .map(Some)
            .map_err(|error| LifetimeError::Ttl {
                ttl: ttl.to_owned(),
                error,
            }),
        (None, Some(time)) => in_future(time, now).map(Some),
    }
}

pub(crate) fn in_future(time: Timestamp, now: Timestamp) -> Result<Timestamp, LifetimeError> {
    if time > now {
        Ok(time)
    } else {
        Err(LifetimeError::Past)
    }
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
        assert_eq!(
            expiry(Some("P1Y"), None, now()),
            Ok(Some("2027-01-31T12:00:00Z".parse().unwrap()))
        );
        let refused = expiry(Some("PT1H"), None, now()).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "ttl must be at least 1 day and at most 1 year"
        );
    }

    #[test]
    fn a_ttl_and_a_time_exclude_each_other() {
        assert!(expiry(Some("P1D"), Some(now() + 48.hours()), now()).is_err());
        assert!(expiry(None, Some(now()), now()).is_err());
        assert_eq!(expiry(None, None, now()), Ok(None));
    }
}
