//! Waits of the work, said on standard error: each once, if it is worth a line.

use std::time::Duration;

use jiff::Timestamp;

use super::format::Format;
use super::stderr::note;
use crate::engine::ProgressSink;
use crate::engine::message::{Progress, WaitReason};

/// Shorter waits are not worth a line.
const WORTH_A_LINE: Duration = Duration::from_secs(1);

/// So much of a wait may be over when it is seen.
const SEEN_LATE: Duration = Duration::from_millis(300);

/// Says each wait that is worth a line; nothing in the form that is for programs.
pub fn waits(format: Format) -> ProgressSink {
    ProgressSink::new(move |progress| {
        if let Progress::Waiting { wait, reason } = progress
            && wait >= WORTH_A_LINE
        {
            say_wait(format, wait, reason);
        }
    })
}

fn say_wait(format: Format, wait: Duration, reason: WaitReason) {
    note(format, &reason.in_words(seconds(wait)));
}

/// Says waits that are seen again and again, each once.
#[derive(Debug)]
pub struct Waits {
    format: Format,
    said: Vec<(Timestamp, WaitReason)>,
}

impl Waits {
    pub fn new(format: Format) -> Self {
        Self { format, said: Vec::new() }
    }

    /// Several that end at about the same time for the same reason are one.
    pub fn see(&mut self, (until, reason): (Timestamp, WaitReason), now: Timestamp) {
        let is_said = |(said, why): &(Timestamp, WaitReason)| *why == reason && left(until, *said) < WORTH_A_LINE;
        let wait = left(until, now);
        if wait + SEEN_LATE >= WORTH_A_LINE && !self.said.iter().any(is_said) {
            self.said.retain(|(_, why)| *why != reason);
            self.said.push((until, reason));
            say_wait(self.format, wait, reason);
        }
    }
}

/// How long it is until then.
pub fn left(until: Timestamp, now: Timestamp) -> Duration {
    Duration::try_from(until.duration_since(now)).unwrap_or_default()
}

/// Whole seconds, rounded up.
pub fn seconds(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}
