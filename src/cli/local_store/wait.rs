//! The wait for the filedeck that has the built-in store, and its messages: one line, and in the end
//! what to do.

use std::path::Path;
use std::time::Duration;

use anyhow::bail;
use tokio::time::{Instant, sleep};

use crate::service::Lock;

/// The receiver of a line about the wait.
pub type WaitNotice<'a> = &'a (dyn Fn(&str) + Sync);

/// The activity of the process that has the store, as far as others can see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HolderState {
    /// Starting, or hanging.
    Silent,
    /// Closing the store.
    Ending,
}

/// The limit for a holder without visible activity.
const PATIENCE: Duration = Duration::from_secs(10);
/// The limit for a holder at work, which takes minutes for a large store, unless it hangs.
const LONG_PATIENCE: Duration = Duration::from_mins(5);
const WORTH_A_LINE: Duration = Duration::from_secs(3);
const PAUSE: Duration = Duration::from_millis(50);

pub(super) struct Wait<'a> {
    dir: &'a Path,
    tell: WaitNotice<'a>,
    /// The process being waited for, if known.
    process: Option<u32>,
    begun: Instant,
    /// The time when the holder was last seen at work.
    seen: Instant,
    is_told: bool,
}

impl<'a> Wait<'a> {
    pub(super) fn begin(dir: &'a Path, tell: WaitNotice<'a>) -> Self {
        Self {
            dir,
            tell,
            process: None,
            begun: Instant::now(),
            seen: Instant::now(),
            is_told: false,
        }
    }

    /// Pauses for a moment, or fails once a limit is reached. A long wait is reported once.
    pub(super) async fn go_on(&mut self, busy: HolderState) -> anyhow::Result<()> {
        self.look_who();
        if busy != HolderState::Silent {
            self.seen = Instant::now();
        }
        if self.seen.elapsed() > PATIENCE {
            bail!(
                "{} uses it and does not answer; stop it and try again",
                self.holder()
            );
        }
        if self.begun.elapsed() > LONG_PATIENCE {
            let minutes = LONG_PATIENCE.as_secs() / 60;
            let (holder, busy) = (self.holder(), busy.in_perfect());
            bail!("{holder} {busy} for {minutes} minutes; wait for it, or stop it if it hangs");
        }
        if self.begun.elapsed() > WORTH_A_LINE && !self.is_told {
            self.is_told = true;
            (self.tell)(&format!(
                "waiting for {}, which {}",
                self.holder(),
                busy.in_words()
            ));
        }
        sleep(PAUSE).await;
        Ok(())
    }

    /// Restarts the wait if another process has become the holder.
    fn look_who(&mut self) {
        let process = Lock::holder(self.dir);
        if process.is_some() && process != self.process {
            self.process = process;
            self.begun = Instant::now();
            self.seen = self.begun;
        }
    }

    fn holder(&self) -> String {
        Lock::holder_in_words(self.dir)
    }
}

impl HolderState {
    fn in_words(self) -> &'static str {
        match self {
            Self::Silent => "uses the built-in store and does not answer yet",
            Self::Ending => "is closing the built-in store",
        }
    }

    fn in_perfect(self) -> &'static str {
        match self {
            Self::Silent => "has used it",
            Self::Ending => "has been closing it",
        }
    }
}
