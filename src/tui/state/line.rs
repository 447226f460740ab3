//! Whether the service can be reached, as far as the last answers tell; and when it is tried again by itself.

use jiff::{SignedDuration, Timestamp};

use crate::api::Kind;

/// The line to the service.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Line {
    lost: Option<Lost>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Lost {
    tries: u32,
    next: Timestamp,
}

/// The first wait; the next ones double, up to the longest.
const FIRST: SignedDuration = SignedDuration::from_secs(3);
const DOUBLED: u32 = 4;

impl Line {
    /// An answer came, or none could. Of several reads that fail at once, the first one counts.
    pub fn told(&mut self, failure: Option<Kind>, now: Timestamp) {
        let is_lost = matches!(failure, Some(Kind::Unreachable | Kind::Network | Kind::Timeout));
        if is_lost && self.lost.is_some_and(|lost| now < lost.next) {
            return;
        }
        self.lost = is_lost.then(|| {
            let tries = self.lost.map_or(0, |lost| lost.tries + 1);
            let wait = FIRST.saturating_mul(1 << tries.min(DOUBLED));
            Lost { tries, next: now.saturating_add(wait).unwrap_or(now) }
        });
    }

    pub fn is_lost(&self) -> bool {
        self.lost.is_some()
    }

    /// When it is tried whether the service is back.
    pub fn next_try(&self) -> Option<Timestamp> {
        self.lost.map(|lost| lost.next)
    }

    /// Whether it is time to try; then the next time is later.
    pub fn is_due(&self, now: Timestamp) -> bool {
        self.lost.is_some_and(|lost| lost.next <= now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_line_is_tried_again_less_and_less_often_until_an_answer_comes() {
        let mut now = Timestamp::UNIX_EPOCH;
        let mut line = Line::default();
        let waits: Vec<i64> = (0..7)
            .map(|_| {
                line.told(Some(Kind::Unreachable), now);
                line.told(Some(Kind::Unreachable), now);
                let next = line.next_try().unwrap();
                let wait = next.duration_since(now).as_secs();
                now = next;
                wait
            })
            .collect();
        assert_eq!(waits, [3, 6, 12, 24, 48, 48, 48]);
        line.told(Some(Kind::NotFound), now);
        assert!(!line.is_lost(), "whoever refuses is there");
    }
}
