//! Thins the progress of a transfer: at most ten reports a second, and always the last one.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::message::Progress;
use super::progress_sink::ProgressSink;

const INTERVAL: Duration = Duration::from_millis(100);

/// Returns a callback for the bytes moved so far, of `total` if known. A smaller number than before
/// is a new start.
pub(super) fn bytes(
    report: &ProgressSink,
    total: Option<u64>,
) -> impl Fn(u64) + Send + Sync + use<> {
    let report = report.clone();
    let last = Mutex::new(None::<Instant>);
    move |done| {
        let now = Instant::now();
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        let due = last.is_none_or(|last| now.duration_since(last) >= INTERVAL);
        if due || total == Some(done) {
            *last = Some(now);
            report.report(Progress::Bytes { done, total });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn at_most_ten_reports_a_second_are_made_and_the_last_one_always() {
        let reports = Arc::new(Mutex::new(Vec::new()));
        let report = ProgressSink::new({
            let reports = reports.clone();
            move |progress| reports.lock().unwrap().push(progress)
        });
        let on_bytes = bytes(&report, Some(1_001));
        for done in 1..=1_001 {
            on_bytes(done);
            tokio::time::advance(Duration::from_millis(1)).await;
        }
        let reports = reports.lock().unwrap();
        assert!(reports.len() <= 12, "{} reports in a second", reports.len());
        assert_eq!(
            reports.last(),
            Some(&Progress::Bytes {
                done: 1_001,
                total: Some(1_001)
            })
        );
    }
}
