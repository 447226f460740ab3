//! The service's clock. File times come from it and expiry is counted by it; this machine's clock
//! may be wrong.

use std::sync::{Arc, Mutex, PoisonError};

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Zoned};

use super::client::Client;
use super::error::Error;
use super::observe::{Observation, Observer};
use super::search::{Filter, FolderSearch};

/// Clocks that differ by less count as equal.
const CLOCKS_AGREE: SignedDuration = SignedDuration::from_mins(5);

/// A time by the service's clock. Its own type, so that no local time is used by mistake to compute
/// a file's expiry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ServiceTime(Timestamp);

impl ServiceTime {
    /// Returns the service's time when it is `now` here, given the lead of its clock; a small lead
    /// is ignored.
    pub fn new(now: Timestamp, ahead: SignedDuration) -> Self {
        let is_off = ahead.abs() > CLOCKS_AGREE;
        Self(
            now.checked_add(ahead)
                .ok()
                .filter(|_| is_off)
                .unwrap_or(now),
        )
    }

    /// Returns the time for comparison with file times.
    pub fn timestamp(self) -> Timestamp {
        self.0
    }

    /// Converts the time to a time zone.
    pub fn to_zoned(self, zone: &TimeZone) -> Zoned {
        self.0.to_zoned(zone.clone())
    }
}

impl Client {
    /// Fetches the service's current time with the smallest possible request.
    ///
    /// # Errors
    ///
    /// If the service cannot be reached.
    pub async fn service_time(&self) -> Result<ServiceTime, Error> {
        let ahead = Arc::new(Mutex::new(SignedDuration::ZERO));
        let (shared_ahead, others) = (Arc::clone(&ahead), self.observer().clone());
        let observer = Observer::new(Arc::new(move |seen| {
            if let Observation::Clock { ahead } = seen {
                *shared_ahead.lock().unwrap_or_else(PoisonError::into_inner) = ahead;
            }
            others.tell(seen);
        }));
        let filter = Filter {
            limit: Some(1),
            ..Filter::default()
        };
        self.with_observer(observer)
            .folders()
            .search(&FolderSearch {
                filter,
                ..FolderSearch::default()
            })
            .await?;
        let ahead = *ahead.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(ServiceTime::new(Timestamp::now(), ahead))
    }
}
