//! The thread that makes copies of images, one for the whole process. An allocator keeps some of
//! the memory that each thread has freed; with one thread it does so once, however many copies are
//! requested.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{OnceLock, mpsc};
use std::thread;

use futures::channel::oneshot;

type CopyJob = Box<dyn FnOnce() + Send>;

static JOBS: OnceLock<mpsc::Sender<CopyJob>> = OnceLock::new();

/// The thread ended without a copy: the work panicked, or there is no thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the thread that makes copies of images ended without one")]
pub(crate) struct Ended;

/// Runs the work on the thread, after all earlier work. Work that nobody waits for anymore is not
/// begun; begun work runs to its end.
///
/// # Errors
///
/// Returns `Ended` if the work panics, or if the system has no thread left.
pub(crate) async fn run<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Ended> {
    let (answer, answered) = oneshot::channel();
    let job = move || {
        if !answer.is_canceled() {
            // The receiver may be gone.
            let _ = answer.send(work());
        }
    };
    // If there is no thread, the job is dropped along with `answer`.
    let _ = JOBS.get_or_init(start).send(Box::new(job));
    answered.await.map_err(|_| Ended)
}

fn start() -> mpsc::Sender<CopyJob> {
    let (sender, jobs) = mpsc::channel::<CopyJob>();
    let work = move || {
        for job in jobs {
            // A panic has been reported, and the caller gets `Ended`.
            let _ = catch_unwind(AssertUnwindSafe(job));
        }
    };
    if let Err(error) = thread::Builder::new().name("copies".to_owned()).spawn(work) {
        tracing::warn!(%error, "copies of images cannot be made");
    }
    sender
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn jobs_run_one_after_another_and_a_panic_ends_one_alone() {
        let (release, wait) = mpsc::channel::<()>();
        let slow = tokio::spawn(run(move || wait.recv()));
        tokio::task::yield_now().await;
        let given_up = run(|| panic!("it was begun though nobody waits")).now_or_never();
        assert_eq!(given_up, None::<Result<(), _>>);
        let panics = tokio::spawn(run(|| panic!("on purpose")));
        let last = tokio::spawn(run(|| thread::current().name().map(str::to_owned)));
        assert!(!last.is_finished());
        release.send(()).unwrap();
        assert_eq!(slow.await.unwrap(), Ok(Ok(())));
        assert_eq!(panics.await.unwrap(), Err::<(), _>(Ended));
        assert_eq!(last.await.unwrap().unwrap().as_deref(), Some("copies"));
    }
}
