//! The thread that decodes, one for the whole process. An allocator keeps some of what a thread has freed; here it keeps that
//! once, however many pictures are asked for.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{OnceLock, mpsc};
use std::thread;

use futures::channel::oneshot;

type DecodeJob = Box<dyn FnOnce() + Send>;

static JOBS: OnceLock<mpsc::Sender<DecodeJob>> = OnceLock::new();

/// The decoder ended without a result: it panicked, or there is no thread for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the decoder of pictures ended without a result")]
pub struct Ended;

/// Runs this on the decoder's thread, after all that was asked for before. What nobody waits for anymore is not begun;
/// what was begun runs to its end.
///
/// # Errors
///
/// `Ended` where the work panics, or the system has no thread left.
pub async fn decode<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Ended> {
    let (answer, answered) = oneshot::channel();
    let job = move || {
        if !answer.is_canceled() {
            // The receiver may be gone.
            let _ = answer.send(work());
        }
    };
    // Without a thread nobody takes the job, and it is dropped with its answer.
    let _ = JOBS.get_or_init(start).send(Box::new(job));
    answered.await.map_err(|_| Ended)
}

fn start() -> mpsc::Sender<DecodeJob> {
    let (sender, jobs) = mpsc::channel::<DecodeJob>();
    let work = move || {
        for job in jobs {
            // A panic has been reported, and whoever waits for the job learns that it ended.
            let _ = catch_unwind(AssertUnwindSafe(job));
        }
    };
    if let Err(error) = thread::Builder::new().name("pictures".to_owned()).spawn(work) {
        tracing::warn!(%error, "pictures cannot be decoded");
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
        let slow = tokio::spawn(decode(move || wait.recv()));
        tokio::task::yield_now().await;
        let given_up = decode(|| panic!("it was begun though nobody waits")).now_or_never();
        assert_eq!(given_up, None::<Result<(), _>>);
        let panics = tokio::spawn(decode(|| panic!("on purpose")));
        let last = tokio::spawn(decode(|| thread::current().name().map(str::to_owned)));
        assert!(!last.is_finished());
        release.send(()).unwrap();
        assert_eq!(slow.await.unwrap(), Ok(Ok(())));
        assert_eq!(panics.await.unwrap(), Err::<(), _>(Ended));
        assert_eq!(last.await.unwrap().unwrap().as_deref(), Some("pictures"));
    }
}
