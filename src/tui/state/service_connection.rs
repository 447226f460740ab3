//! Whether the service answers, by the last answers; and when it is tried again without a key.

use jiff::{SignedDuration, Timestamp};

use crate::api::{Error, Kind};
use crate::engine::Answer;

/// The line to the service.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ServiceConnection {
    lost: Option<Lost>,
}

/// Why nothing comes from the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConnectionLoss {
    /// It cannot be reached.
    Offline,
    /// The network answers in its place, with a page that wants a sign-in.
    Portal,
    /// The account's budget of requests for the day is spent.
    Day,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Lost {
    why: ConnectionLoss,
    tries: u32,
    next: Timestamp,
}

/// The first wait; the next ones double, up to the longest.
const FIRST: SignedDuration = SignedDuration::from_secs(3);
const DOUBLED: u32 = 4;
/// When midnight is in the account's time zone is not known.
const HOUR: SignedDuration = SignedDuration::from_hours(1);

impl ServiceConnection {
    /// An answer came, or none could. Of several reads that fail at once, the first one counts.
    pub fn record(&mut self, failure: Option<Kind>, now: Timestamp) {
        let why = failure.and_then(ConnectionLoss::of);
        if why.is_some() && self.lost.is_some_and(|lost| Some(lost.why) == why && now < lost.next) {
            return;
        }
        self.lost = why.map(|why| {
            let tries = self.lost.filter(|lost| lost.why == why).map_or(0, |lost| lost.tries + 1);
            let wait = if why == ConnectionLoss::Day { HOUR } else { FIRST.saturating_mul(1 << tries.min(DOUBLED)) };
            Lost { why, tries, next: now.saturating_add(wait).unwrap_or(now) }
        });
    }

    /// Takes what the answer to a request says of the connection: nothing, where the service had no part in it.
    pub fn heard(&mut self, answer: &Result<Answer, Error>, now: Timestamp) {
        match answer {
            Ok(answer) if answer.is_of_service() => self.record(None, now),
            Err(error) if error.status.is_some() || ConnectionLoss::of(error.kind).is_some() => {
                self.record(Some(error.kind), now);
            }
            _ => {}
        }
    }

    pub fn is_lost(&self) -> bool {
        self.lost.is_some()
    }

    /// Why nothing comes, while that is so.
    pub fn loss(&self) -> Option<ConnectionLoss> {
        self.lost.map(|lost| lost.why)
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

impl ConnectionLoss {
    /// None for what is no fault of the line.
    pub fn of(kind: Kind) -> Option<Self> {
        match kind {
            Kind::Unreachable | Kind::Network | Kind::Timeout => Some(Self::Offline),
            Kind::Portal => Some(Self::Portal),
            Kind::DaySpent => Some(Self::Day),
            _ => None,
        }
    }

    /// In two words, for the head of the screen.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Offline => "offline",
            Self::Portal => "sign in",
            Self::Day => "day limit",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How long is waited each time, when it fails for this reason again and again.
    fn waits(line: &mut ServiceConnection, now: &mut Timestamp, kind: Kind) -> Vec<i64> {
        (0..7)
            .map(|_| {
                line.record(Some(kind), *now);
                line.record(Some(kind), *now);
                let next = line.next_try().unwrap();
                let wait = next.duration_since(*now).as_secs();
                *now = next;
                wait
            })
            .collect()
    }

    #[test]
    fn a_lost_line_is_tried_again_less_and_less_often_until_an_answer_comes() {
        let (mut now, mut line) = (Timestamp::UNIX_EPOCH, ServiceConnection::default());
        assert_eq!(waits(&mut line, &mut now, Kind::Unreachable), [3, 6, 12, 24, 48, 48, 48]);
        line.record(Some(Kind::NotFound), now);
        assert!(!line.is_lost(), "whoever refuses is there");
        assert_eq!(waits(&mut line, &mut now, Kind::Portal), [3, 6, 12, 24, 48, 48, 48]);
    }

    #[test]
    fn a_spent_day_is_asked_about_once_an_hour() {
        let (mut now, mut line) = (Timestamp::UNIX_EPOCH, ServiceConnection::default());
        line.record(Some(Kind::Unreachable), now);
        assert_eq!(waits(&mut line, &mut now, Kind::DaySpent), [3600; 7]);
        assert_eq!(line.loss(), Some(ConnectionLoss::Day));
    }
}
