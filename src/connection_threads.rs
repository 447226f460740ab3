//! Database connections, each on its own thread, one request at a time. Independent of the database
//! and of SQL.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender};
use tokio::sync::oneshot;

/// Clones share the connections; dropping the last clone closes them.
#[derive(Debug)]
pub(crate) struct ConnectionThreads<C> {
    queue: Sender<Order<C>>,
    threads: Arc<Mutex<Vec<JoinHandle<()>>>>,
}

enum Order<C> {
    Do(Box<dyn FnOnce(&mut C) + Send>),
    End,
}

/// The connections are closed, or the work panicked.
#[derive(Debug, thiserror::Error)]
#[error("the database did not answer")]
pub(crate) struct Unanswered;

impl<C> Clone for ConnectionThreads<C> {
    fn clone(&self) -> Self {
        Self {
            queue: self.queue.clone(),
            threads: self.threads.clone(),
        }
    }
}

impl<C: Send + 'static> ConnectionThreads<C> {
    /// Fails if the system cannot create a thread.
    pub(crate) fn start(name: &str, connections: impl IntoIterator<Item = C>) -> io::Result<Self> {
        let (queue, orders) = crossbeam_channel::unbounded();
        let threads = connections.into_iter().map(|connection| {
            let orders = orders.clone();
            thread::Builder::new()
                .name(name.to_owned())
                .spawn(move || run(connection, &orders))
        });
        let threads = Arc::new(Mutex::new(threads.collect::<Result<_, _>>()?));
        Ok(Self { queue, threads })
    }

    /// Runs `work` on the first free connection and returns its result. It runs even if the caller
    /// stops waiting.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut C) -> T + Send + 'static,
    ) -> Result<T, Unanswered> {
        let (answer, answered) = oneshot::channel();
        self.order(move |connection| {
            let _ = answer.send(work(connection));
        })?;
        answered.await.map_err(|_| Unanswered)
    }

    /// Like `run`, but without waiting for the result. Fails once the connections are closed.
    pub(crate) fn order(
        &self,
        work: impl FnOnce(&mut C) + Send + 'static,
    ) -> Result<(), Unanswered> {
        self.queue
            .send(Order::Do(Box::new(work)))
            .map_err(|_| Unanswered)
    }

    /// Finishes all work queued so far, then closes the connections.
    #[cfg_attr(
        not(any(feature = "service", test)),
        expect(dead_code, reason = "the engine's connection ends with its last clone")
    )]
    pub(crate) async fn close(&self) {
        let threads =
            std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        for _ in &threads {
            // If nobody receives, all threads have ended.
            let _ = self.queue.send(Order::End);
        }
        let join = move || {
            threads
                .into_iter()
                .filter_map(|thread| thread.join().err())
                .count()
        };
        match tokio::task::spawn_blocking(join).await {
            Ok(0) => {}
            ended => tracing::warn!(?ended, "a thread of the database ended badly"),
        }
    }
}

fn run<C>(mut connection: C, orders: &Receiver<Order<C>>) {
    while let Ok(Order::Do(work)) = orders.recv() {
        // The caller gets `Unanswered`. The connection stays usable: dropping a transaction rolls
        // it back.
        let _ = catch_unwind(AssertUnwindSafe(|| work(&mut connection)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn each_connection_does_one_thing_at_a_time_and_a_panic_ends_none() {
        let connections = ConnectionThreads::start("test", [0]).unwrap();
        let panicked: Result<(), _> = connections
            .run(|_| std::panic::resume_unwind(Box::new("on purpose")))
            .await;
        assert!(panicked.is_err());
        let added = (0..100).map(|_| connections.run(|count| std::mem::replace(count, *count + 1)));
        let added: Result<Vec<i32>, _> =
            futures::future::join_all(added).await.into_iter().collect();
        assert_eq!(added.unwrap(), (0..100).collect::<Vec<_>>());
    }

    #[tokio::test]
    async fn what_was_asked_for_is_done_before_the_end_and_nothing_after_it() {
        let (sender, receiver) = std::sync::mpsc::channel();
        let connections = ConnectionThreads::start("test", [sender.clone(), sender]).unwrap();
        let asked = connections.clone();
        let pending = (0..100).map(|number| asked.run(move |sender| sender.send(number).unwrap()));
        let pending = futures::future::join_all(pending);
        let (done, ()) = tokio::join!(pending, connections.close());
        assert!(done.iter().all(Result::is_ok));
        // The connections hold the only senders, so the iteration ends once they are closed.
        assert_eq!(receiver.into_iter().count(), 100);
        assert!(connections.run(|_| ()).await.is_err());
        connections.close().await;
    }
}
