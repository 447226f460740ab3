//! The connection to the service, judged by the last answers; and the time of the next automatic
//! retry.

use jiff::{SignedDuration, Timestamp};

use crate::api::{Error, Kind};
use crate::engine::Answer;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ServiceConnection {
    lost: Option<Lost>,
}

/// The reason why the service does not answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConnectionLoss {
    /// The service cannot be reached.
    Offline,
    /// The network answers instead, with a page that wants a sign-in.
    Portal,
    /// The account's daily request budget is spent.
    Day,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Lost {
    why: ConnectionLoss,
    tries: u32,
    next: Timestamp,
}

/// The first wait; each further one doubles, up to a limit.
const FIRST: SignedDuration = SignedDuration::from_secs(3);
const DOUBLED: u32 = 4;
/// Retried hourly, because midnight in the account's time zone is not known.
const HOUR: SignedDuration = SignedDuration::from_hours(1);

impl ServiceConnection {
    /// Records an answer or a failure. Of several reads that fail at once, only the first one
    /// counts.
    pub fn record(&mut self, failure: Option<Kind>, now: Timestamp) {
        let why = failure.and_then(ConnectionLoss::of);
        if why.is_some()
            && self
                .lost
                .is_some_and(|lost| Some(lost.why) == why && now < lost.next)
        {
            return;
        }
        self.lost = why.map(|why| {
            let tries = self
                .lost
                .filter(|lost| lost.why == why)
                .map_or(0, |lost| lost.tries + 1);
            let wait = if why == ConnectionLoss::Day {
                HOUR
            } else {
                FIRST.saturating_mul(1 << tries.min(DOUBLED))
            };
            Lost {
                why,
                tries,
                next: now.saturating_add(wait).unwrap_or(now),
            }
        });
    }

    /// Records what an answer says about the connection; ignores answers that the service had no
    /// part in.
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

    pub fn loss(&self) -> Option<ConnectionLoss> {
        self.lost.map(|lost| lost.why)
    }

    pub fn next_try(&self) -> Option<Timestamp> {
        self.lost.map(|lost| lost.next)
    }

    pub fn is_due(&self, now: Timestamp) -> bool {
        self.lost.is_some_and(|lost| lost.next <= now)
    }
}

impl ConnectionLoss {
    /// Returns `None` for errors that are not about the connection.
    pub fn of(kind: Kind) -> Option<Self> {
        match kind {
            Kind::Unreachable | Kind::Network | Kind::Timeout => Some(Self::Offline),
            Kind::Portal => Some(Self::Portal),
            Kind::DaySpent => Some(Self::Day),
            _ => None,
        }
    }

    /// Two words for the header.
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

    /// The successive waits when retries keep failing for this reason.
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
        assert_eq!(
            waits(&mut line, &mut now, Kind::Unreachable),
            [3, 6, 12, 24, 48, 48, 48]
        );
        line.record(Some(Kind::NotFound), now);
        assert!(!line.is_lost(), "whoever refuses is there");
        assert_eq!(
            waits(&mut line, &mut now, Kind::Portal),
            [3, 6, 12, 24, 48, 48, 48]
        );
    }

    #[test]
    fn a_spent_day_is_asked_about_once_an_hour() {
        let (mut now, mut line) = (Timestamp::UNIX_EPOCH, ServiceConnection::default());
        line.record(Some(Kind::Unreachable), now);
        assert_eq!(waits(&mut line, &mut now, Kind::DaySpent), [3600; 7]);
        assert_eq!(line.loss(), Some(ConnectionLoss::Day));
    }
}
