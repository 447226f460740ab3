//! How long a filedeck waits for the one that has the local store, and what it says of that: one line, and at last what
//! to do.

use std::path::Path;
use std::time::Duration;

use anyhow::bail;
use tokio::time::{Instant, sleep};

use crate::service::Lock;

/// Where a line about the wait goes.
pub type WaitNotice<'a> = &'a (dyn Fn(&str) + Sync);

/// What the one that has the store does, as far as others can see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HolderState {
    /// It starts, or has hung.
    Silent,
    /// It brings the database to its newest form.
    Renewing,
    /// It closes the store.
    Ending,
}

/// For one of which nothing is seen.
const PATIENCE: Duration = Duration::from_secs(10);
/// For one that has work to do, which takes minutes in a large store, or where it has hung.
const LONG_PATIENCE: Duration = Duration::from_mins(5);
const WORTH_A_LINE: Duration = Duration::from_secs(3);
const PAUSE: Duration = Duration::from_millis(50);

pub(super) struct Wait<'a> {
    dir: &'a Path,
    tell: WaitNotice<'a>,
    /// The process that is waited for, where it is known.
    process: Option<u32>,
    /// Since when.
    begun: Instant,
    /// When it was last seen at work.
    seen: Instant,
    is_told: bool,
}

impl<'a> Wait<'a> {
    pub(super) fn begin(dir: &'a Path, tell: WaitNotice<'a>) -> Self {
        Self { dir, tell, process: None, begun: Instant::now(), seen: Instant::now(), is_told: false }
    }

    /// Lets a moment pass, or fails where enough have. A wait that is worth it has its line.
    pub(super) async fn go_on(&mut self, busy: HolderState) -> anyhow::Result<()> {
        self.look_who();
        if busy != HolderState::Silent {
            self.seen = Instant::now();
        }
        if self.seen.elapsed() > PATIENCE {
            bail!("{} uses it and does not answer; stop it and try again", self.holder());
        }
        if self.begun.elapsed() > LONG_PATIENCE {
            let minutes = LONG_PATIENCE.as_secs() / 60;
            let (holder, busy) = (self.holder(), busy.in_perfect());
            bail!("{holder} {busy} for {minutes} minutes; wait for it, or stop it if it hangs");
        }
        if self.begun.elapsed() > WORTH_A_LINE && !self.is_told {
            self.is_told = true;
            (self.tell)(&format!("waiting for {}, which {}", self.holder(), busy.in_words()));
        }
        sleep(PAUSE).await;
        Ok(())
    }

    /// Counts again for another process than before.
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
            Self::Silent => "uses the local store and does not answer yet",
            Self::Renewing => "is updating the database of the local store",
            Self::Ending => "is closing the local store",
        }
    }

    fn in_perfect(self) -> &'static str {
        match self {
            Self::Silent => "has used it",
            Self::Renewing => "has been updating its database",
            Self::Ending => "has been closing it",
        }
    }
}
