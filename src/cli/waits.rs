//! Waits during the work, reported on standard error: each once, if it is worth a line.

use std::time::Duration;

use jiff::Timestamp;

use super::format::Format;
use super::stderr::note;
use crate::engine::ProgressSink;
use crate::engine::message::{Progress, WaitReason};

const WORTH_A_LINE: Duration = Duration::from_secs(1);

/// The part of a wait that may be over when it is seen.
const SEEN_LATE: Duration = Duration::from_millis(300);

/// Reports each wait that is worth a line, unless `--json` or `--quiet` is given.
pub fn waits(format: Format) -> ProgressSink {
    ProgressSink::new(move |progress| {
        if let Progress::Waiting { wait, reason } = progress
            && wait >= WORTH_A_LINE
        {
            say_wait(format, "a request", wait, reason);
        }
    })
}

/// Reports a wait; one that others do not share, with the name of what waits.
fn say_wait(format: Format, name: &str, wait: Duration, reason: WaitReason) {
    let why = reason.in_words(seconds(wait));
    match reason {
        WaitReason::RateLimit | WaitReason::Asked => note(format, &why),
        WaitReason::Settling | WaitReason::Retry(_) => note(format, &format!("{name}: {why}")),
    }
}

/// Reports waits that are seen repeatedly, each once.
#[derive(Debug)]
pub struct Waits {
    format: Format,
    reported: Vec<(Timestamp, WaitReason)>,
}

impl Waits {
    pub fn new(format: Format) -> Self {
        Self {
            format,
            reported: Vec::new(),
        }
    }

    /// Reports a wait of a job. Several that end at about the same time for the same reason count as one.
    pub fn see(&mut self, name: &str, (until, reason): (Timestamp, WaitReason), now: Timestamp) {
        let is_reported = |(reported_until, why): &(Timestamp, WaitReason)| {
            *why == reason && left(until, *reported_until) < WORTH_A_LINE
        };
        let wait = left(until, now);
        if wait + SEEN_LATE >= WORTH_A_LINE && !self.reported.iter().any(is_reported) {
            self.reported.retain(|(_, why)| *why != reason);
            self.reported.push((until, reason));
            say_wait(self.format, name, wait, reason);
        }
    }
}

pub fn left(until: Timestamp, now: Timestamp) -> Duration {
    Duration::try_from(until.duration_since(now)).unwrap_or_default()
}

/// Rounds up to whole seconds.
pub fn seconds(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}
