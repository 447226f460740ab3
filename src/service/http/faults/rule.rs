//! The rules that decide which requests meet which fault.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::http::Method;
use tokio::time::Instant;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The request waits before it is processed.
    Delay(Duration),
    /// Refused with this status and an error body of the API; the request is not carried out.
    Refuse {
        status: u16,
        retry_after: Option<Duration>,
    },
    /// 423 for this request and every other one in the scope until the time is over; none is
    /// carried out.
    Lock(Duration),
    /// 429 with this policy name: `TEN_SECONDLY_ROLLING`, `SECONDLY` or `DAILY`; the request is not
    /// carried out.
    RateLimit {
        policy: &'static str,
        retry_after: Option<Duration>,
    },
    /// A web page instead of the response, as from a network that requires a sign-in; the request
    /// is not carried out.
    Portal,
    /// The request is carried out, and the connection breaks after this many bytes of the response
    /// body.
    CutBody { after: usize },
    /// The response body arrives at this pace.
    SlowBody { bytes_per_second: usize },
}

/// The frequency with which a rule acts on requests in its scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultSchedule {
    Always,
    /// The next requests, up to this number.
    Times(u32),
    /// Each n-th request, starting with the n-th.
    EveryNth(u32),
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FaultScope {
    pub method: Option<Method>,
    /// The prefix of the path.
    pub path: String,
}

impl FaultScope {
    fn holds(&self, method: &Method, path: &str) -> bool {
        self.method.as_ref().is_none_or(|wanted| wanted == method) && path.starts_with(&self.path)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultRule {
    pub scope: FaultScope,
    pub when: FaultSchedule,
    pub fault: Fault,
}

/// The rules in force. Clones share them, so they can be changed while the service runs.
#[derive(Debug, Clone, Default)]
pub struct Faults(Arc<Mutex<Vec<Counted>>>);

#[derive(Debug)]
struct Counted {
    rule: FaultRule,
    seen: u32,
    /// The end of a lock that a request started.
    locked_until: Option<Instant>,
}

impl Counted {
    fn new(rule: FaultRule) -> Self {
        Self {
            rule,
            seen: 0,
            locked_until: None,
        }
    }

    /// Returns `true` if this request meets the fault. Requests during a lock are not counted.
    fn acts(&mut self, now: Instant) -> bool {
        if self.is_locked(now) {
            return true;
        }
        self.seen = self.seen.saturating_add(1);
        let acts = match self.rule.when {
            FaultSchedule::Always => true,
            FaultSchedule::Times(times) => self.seen <= times,
            FaultSchedule::EveryNth(nth) => self.seen.is_multiple_of(nth.max(1)),
        };
        if let (true, Fault::Lock(time)) = (acts, &self.rule.fault) {
            self.locked_until = now.checked_add(*time);
        }
        acts
    }

    fn is_locked(&self, now: Instant) -> bool {
        self.locked_until.is_some_and(|end| now < end)
    }

    fn is_over(&self, now: Instant) -> bool {
        matches!(self.rule.when, FaultSchedule::Times(times) if self.seen >= times)
            && !self.is_locked(now)
    }
}

impl Faults {
    pub fn none() -> Self {
        Self::default()
    }

    pub fn new(rules: impl IntoIterator<Item = FaultRule>) -> Self {
        let faults = Self::none();
        faults.set(rules);
        faults
    }

    pub fn set(&self, rules: impl IntoIterator<Item = FaultRule>) {
        *self.lock() = rules.into_iter().map(Counted::new).collect();
    }

    /// Returns the rules that may still act.
    pub(in crate::service::http) fn rules(&self) -> Vec<FaultRule> {
        self.lock()
            .iter()
            .map(|counted| counted.rule.clone())
            .collect()
    }

    /// Adds a rule for only the next request in this scope.
    pub fn once(&self, scope: FaultScope, fault: Fault) {
        self.lock().push(Counted::new(FaultRule {
            scope,
            when: FaultSchedule::Times(1),
            fault,
        }));
    }

    pub fn clear(&self) {
        self.lock().clear();
    }

    /// Counts a request and returns the faults that it meets.
    pub(in crate::service::http) fn meet(&self, method: &Method, path: &str) -> Vec<Fault> {
        let mut rules = self.lock();
        let (now, mut met) = (Instant::now(), Vec::new());
        for counted in rules
            .iter_mut()
            .filter(|counted| counted.rule.scope.holds(method, path))
        {
            if counted.acts(now) {
                met.push(counted.rule.fault.clone());
            }
        }
        rules.retain(|counted| !counted.is_over(now));
        met
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Counted>> {
        // A list of plain rules is consistent even if its last user panicked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusals(faults: &Faults, requests: usize) -> Vec<bool> {
        (0..requests)
            .map(|_| !faults.meet(&Method::GET, "/files/v3/files/1").is_empty())
            .collect()
    }

    #[test]
    fn rules_act_as_often_as_they_say() {
        let rule = |when| FaultRule {
            scope: FaultScope::default(),
            when,
            fault: Fault::Refuse {
                status: 500,
                retry_after: None,
            },
        };
        assert_eq!(
            refusals(&Faults::new([rule(FaultSchedule::Times(2))]), 4),
            [true, true, false, false]
        );
        assert_eq!(
            refusals(&Faults::new([rule(FaultSchedule::EveryNth(2))]), 4),
            [false, true, false, true]
        );
        assert_eq!(
            refusals(&Faults::new([rule(FaultSchedule::Always)]), 2),
            [true, true]
        );
    }

    #[test]
    fn a_rule_counts_only_what_is_in_its_scope() {
        let faults = Faults::none();
        let scope = FaultScope {
            method: Some(Method::DELETE),
            path: "/files/v3/files/".to_owned(),
        };
        faults.once(
            scope,
            Fault::Refuse {
                status: 503,
                retry_after: None,
            },
        );
        assert!(faults.meet(&Method::GET, "/files/v3/files/1").is_empty());
        assert!(
            faults
                .meet(&Method::DELETE, "/files/v3/folders/1")
                .is_empty()
        );
        assert_eq!(
            faults.meet(&Method::DELETE, "/files/v3/files/1"),
            [Fault::Refuse {
                status: 503,
                retry_after: None
            }]
        );
        assert!(faults.meet(&Method::DELETE, "/files/v3/files/1").is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn a_lock_lasts_its_time_and_begins_as_often_as_its_rule_says() {
        let fault = Fault::Lock(Duration::from_secs(2));
        let faults = Faults::new([FaultRule {
            scope: FaultScope::default(),
            when: FaultSchedule::Times(2),
            fault,
        }]);
        for _ in 0..2 {
            assert_eq!(refusals(&faults, 3), [true, true, true]);
            tokio::time::advance(Duration::from_millis(1999)).await;
            assert_eq!(refusals(&faults, 1), [true]);
            tokio::time::advance(Duration::from_millis(1)).await;
        }
        assert_eq!(refusals(&faults, 1), [false]);
    }

    #[test]
    fn clones_share_their_rules() {
        let rule = FaultRule {
            scope: FaultScope::default(),
            when: FaultSchedule::Always,
            fault: Fault::CutBody { after: 0 },
        };
        let faults = Faults::new([rule]);
        faults.clone().clear();
        assert!(faults.meet(&Method::GET, "/").is_empty());
    }
}
