//! Runs work on untrusted content off every event loop, two jobs at a time in the whole process,
//! including those that nobody waits for anymore. So a file made to be slow can hold up previews,
//! and nothing else.

use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use super::model::NoPreview;

/// The time limit of a preview, including its wait for a permit.
pub(super) const LIMIT: Duration = Duration::from_secs(2);

static PLACES: Semaphore = Semaphore::const_new(2);

/// Runs the work, and waits for it up to `limit`. Work once begun runs to its end and keeps its
/// permit until then.
pub(super) async fn work<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, NoPreview> {
    let done = async {
        // The semaphore is never closed.
        let place = PLACES.acquire().await.map_err(|_| NoPreview::TooSlow)?;
        let worked = spawn_blocking(move || {
            let _place = place;
            work()
        });
        worked.await.map_err(|error| {
            tracing::warn!(%error, "a preview failed");
            NoPreview::Damaged
        })
    };
    tokio::time::timeout(limit, done)
        .await
        .unwrap_or(Err(NoPreview::TooSlow))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn slow_work_is_given_up_and_never_more_than_two_run() {
        let (release, wait) = mpsc::channel::<()>();
        let (tell, told) = mpsc::channel();
        let wait = std::sync::Arc::new(std::sync::Mutex::new(wait));
        for _ in 0..3 {
            let (wait, tell) = (wait.clone(), tell.clone());
            let slow = move || {
                tell.send(()).unwrap();
                wait.lock().unwrap().recv().unwrap();
            };
            assert_eq!(
                work(Duration::from_millis(20), slow).await,
                Err(NoPreview::TooSlow)
            );
        }
        // A job may begin late.
        told.recv().unwrap();
        told.recv().unwrap();
        release.send(()).unwrap();
        release.send(()).unwrap();
        assert_eq!(
            work(Duration::from_mins(1), || 7).await,
            Ok(7),
            "places are given back"
        );
        assert_eq!(
            told.try_iter().count(),
            0,
            "the third one never had a place"
        );
        assert_eq!(
            work(Duration::from_mins(1), || panic!("on purpose")).await,
            Err::<(), _>(NoPreview::Damaged)
        );
    }
}
