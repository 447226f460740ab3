//! The service's clock. Files have its times, and what becomes of them is counted by it; this machine's may be wrong.

use std::sync::{Arc, Mutex, PoisonError};

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Zoned};

use super::client::Client;
use super::error::Error;
use super::observe::{Observation, Observer};
use super::search::{Filter, FolderSearch};

/// Clocks that differ by less count as equal.
const CLOCKS_AGREE: SignedDuration = SignedDuration::from_mins(5);

/// A time by the service's clock. What is counted from now on for files takes this, which no other time becomes by mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ServiceTime(Timestamp);

impl ServiceTime {
    /// What time it is there, when it is `now` here and its clock is so far ahead: the same, where that is little.
    pub fn new(now: Timestamp, ahead: SignedDuration) -> Self {
        let is_off = ahead.abs() > CLOCKS_AGREE;
        Self(now.checked_add(ahead).ok().filter(|_| is_off).unwrap_or(now))
    }

    /// As a time to be compared with those of files.
    pub fn timestamp(self) -> Timestamp {
        self.0
    }

    /// The same time in a time zone.
    pub fn to_zoned(self, zone: &TimeZone) -> Zoned {
        self.0.to_zoned(zone.clone())
    }
}

impl Client {
    /// What time it is there: asks for as little as can be asked for, and looks when that was answered.
    ///
    /// # Errors
    ///
    /// If the service cannot be reached.
    pub async fn service_time(&self) -> Result<ServiceTime, Error> {
        let ahead = Arc::new(Mutex::new(SignedDuration::ZERO));
        let (told, others) = (Arc::clone(&ahead), self.observer().clone());
        let observer = Observer::new(Arc::new(move |seen| {
            if let Observation::Clock { ahead } = seen {
                *told.lock().unwrap_or_else(PoisonError::into_inner) = ahead;
            }
            others.tell(seen);
        }));
        let filter = Filter { limit: Some(1), ..Filter::default() };
        self.observed(observer).search_folders(&FolderSearch { filter, ..FolderSearch::default() }).await?;
        let ahead = *ahead.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(ServiceTime::new(Timestamp::now(), ahead))
    }
}
