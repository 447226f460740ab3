//! The wait of a copy for a bucket that does not answer: one for all files that are copied at the
//! same time.

use std::io;

use tokio::sync::Mutex;
use tokio::time::{Instant, sleep};

use super::copy_news::CopyNews;
use crate::service::content::blobs::Blobs;
use crate::service::policy;

pub(super) struct BucketWait<'a> {
    pub(super) report: &'a (dyn Fn(CopyNews) + Sync),
    waiting: Mutex<()>,
}

impl<'a> BucketWait<'a> {
    pub(super) fn new(report: &'a (dyn Fn(CopyNews) + Sync)) -> Self {
        Self {
            report,
            waiting: Mutex::default(),
        }
    }

    /// Returns `true` if a failure to read or write these blobs may not repeat itself, and the
    /// attempt may: their server did not answer, and answers again, or it was the first attempt.
    ///
    /// # Errors
    ///
    /// Fails if the server does not answer for ten minutes.
    pub(super) async fn may_repeat(
        &self,
        error: &io::Error,
        blobs: &Blobs,
        is_first: bool,
    ) -> io::Result<bool> {
        Ok(error.kind() == io::ErrorKind::HostUnreachable
            && (self.regain(blobs).await? || is_first))
    }

    /// Waits until the server of these blobs answers. Returns `false` if it answers at once, so
    /// that it is not the reason of a failure.
    async fn regain(&self, blobs: &Blobs) -> io::Result<bool> {
        let _turn = self.waiting.lock().await;
        let Err(error) = blobs.check_reach().await else {
            return Ok(false);
        };
        (self.report)(CopyNews::Waiting {
            reason: error.to_string(),
        });
        let end = Instant::now() + policy::COPY_WAIT;
        loop {
            match blobs.check_reach().await {
                Ok(()) => return Ok(true),
                Err(error) if Instant::now() >= end => return Err(error),
                Err(_) => sleep(policy::COPY_ASKS_EVERY).await,
            }
        }
    }
}
