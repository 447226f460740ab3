//! Writes small local files one after the other, in order, beside the event loop, which never waits
//! for a disk.

use std::collections::VecDeque;
use std::fmt;
use std::future::pending;

use tokio::task::{JoinHandle, spawn_blocking};

/// Writes one file. The error is a message for the user.
type FileWrite = Box<dyn FnOnce() -> Result<(), String> + Send>;

#[derive(Default)]
pub(super) struct Writing {
    now: Option<JoinHandle<Result<(), String>>>,
    next: VecDeque<FileWrite>,
}

impl Writing {
    pub(super) fn add(&mut self, write: impl FnOnce() -> Result<(), String> + Send + 'static) {
        self.next.push_back(Box::new(write));
        self.go_on();
    }

    /// Waits for the next failed write and returns its error. Cancel-safe.
    pub(super) async fn failure(&mut self) -> String {
        loop {
            match self.ended().await {
                Some(Err(why)) => return why,
                Some(Ok(())) => {}
                None => pending().await,
            }
        }
    }

    /// Waits until every write has ended, and logs failures.
    pub(super) async fn finish(mut self) {
        while let Some(ended) = self.ended().await {
            if let Err(why) = ended {
                tracing::warn!(why, "a state file was not written");
            }
        }
    }

    /// The result of the current write; `None` if there is none.
    async fn ended(&mut self) -> Option<Result<(), String>> {
        let ended = self.now.as_mut()?.await;
        self.now = None;
        self.go_on();
        Some(ended.unwrap_or_else(|error| Err(error.to_string())))
    }

    fn go_on(&mut self) {
        if self.now.is_none() {
            self.now = self.next.pop_front().map(spawn_blocking);
        }
    }
}

impl fmt::Debug for Writing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writing")
            .field("now", &self.now)
            .field("next", &self.next.len())
            .finish()
    }
}
