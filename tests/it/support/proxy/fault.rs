//! What can happen to a request: how much of it is taken, when the service gets it, and what its client sees of that.

use std::sync::Arc;

use serde_json::Value;
use tokio::sync::watch;

use super::answer::{Answer, End};
use crate::support::capture::Seen;

/// Makes of the service's answer to the request the one that the client gets.
type Change = Arc<dyn Fn(&Seen, &mut Answer) + Send + Sync>;

#[derive(Clone)]
pub enum Fault {
    /// A reset before the body is taken; the service learns nothing.
    ResetBefore,
    /// A reset in the middle of the body; the service learns nothing.
    ResetWithin,
    /// A reset after the whole request, instead of an answer.
    Reset(Passed),
    /// No answer, on a connection that stays.
    Silence(Passed),
    /// Another answer than the service's own.
    Answer(Passed, Change),
}

/// When the service gets the request.
#[derive(Debug, Clone, Copy)]
pub enum Passed {
    Never,
    /// And has answered before the client sees anything.
    Now,
    /// As `Now`, two times: somebody else asked for the same just before.
    Twice,
    /// As `Now`, but for the whole of what a part was asked of.
    Whole,
    /// Just before the one that comes so many later; the client does not wait for it.
    After(usize),
}

impl Fault {
    /// Says nothing and takes no more of the request.
    pub fn hang() -> Self {
        Self::Silence(Passed::Never)
    }

    /// A status with these headers and an empty body, which the service knows nothing of.
    pub fn status(status: u16, headers: &'static [(&'static str, &'static str)]) -> Self {
        Self::own(Passed::Never, status, headers, "")
    }

    /// As `status`, on a connection that takes no further request.
    pub fn stale(status: u16, headers: &'static [(&'static str, &'static str)]) -> Self {
        Self::Answer(
            Passed::Never,
            Arc::new(move |_, answer| *answer = Answer { end: End::Stale, ..Answer::of(status, headers, "") }),
        )
    }

    /// The page that a network asks its visitors to log in with.
    pub fn portal(status: u16) -> Self {
        Self::page(Passed::Never, status)
    }

    /// A web page with this status.
    pub fn page(passed: Passed, status: u16) -> Self {
        Self::own(passed, status, &[("content-type", "text/html")], "<!doctype html><title>Log in</title>")
    }

    /// The service's own words for what is not there, without asking it.
    pub fn not_found() -> Self {
        let body = r#"{"status":"error","message":"no such file","correlationId":"0","category":"OBJECT_NOT_FOUND"}"#;
        Self::own(Passed::Never, 404, &[("content-type", "application/json")], body)
    }

    fn own(passed: Passed, status: u16, headers: &'static [(&'static str, &'static str)], body: &'static str) -> Self {
        Self::Answer(passed, Arc::new(move |_, answer| *answer = Answer::of(status, headers, body)))
    }

    /// The answer to a request that somebody else made just before.
    pub fn second_answer() -> Self {
        Self::Answer(Passed::Twice, Arc::new(|_, _| {}))
    }

    /// The whole body, whatever part of it was asked for.
    pub fn whole() -> Self {
        Self::Answer(Passed::Whole, Arc::new(|_, _| {}))
    }

    /// The service's answer, changed.
    pub fn changed(change: impl Fn(&Seen, &mut Answer) + Send + Sync + 'static) -> Self {
        Self::Answer(Passed::Now, Arc::new(change))
    }

    /// The service's JSON answer, changed.
    pub fn edited(edit: impl Fn(&Seen, &mut Value) + Send + Sync + 'static) -> Self {
        Self::changed(move |seen, answer| {
            let mut value = serde_json::from_slice(&answer.body).unwrap();
            edit(seen, &mut value);
            answer.body = value.to_string().into_bytes();
        })
    }

    /// Half of the answer's body, then this.
    pub fn cut(end: End) -> Self {
        Self::changed(move |_, answer| {
            answer.length = Some(answer.body.len());
            answer.body.truncate(answer.body.len() / 2);
            answer.end = end;
        })
    }

    /// The answer's body, a byte a second.
    pub fn drip() -> Self {
        Self::changed(|_, answer| answer.drips = true)
    }

    /// The answer's body, 64 KiB a second until it is told to hurry.
    pub fn slow(hurry: watch::Receiver<bool>) -> Self {
        Self::changed(move |_, answer| answer.slow = Some(hurry.clone()))
    }

    /// The answer's body, and more without an end.
    pub fn endless() -> Self {
        Self::changed(|_, answer| {
            answer.chunked = true;
            answer.end = End::Endless;
        })
    }

    /// The answer as it is, under a length that is off by so much.
    pub fn length_off_by(difference: isize) -> Self {
        Self::changed(move |_, answer| answer.length = answer.body.len().checked_add_signed(difference))
    }

    /// How much of a body of this length is read; none says that it is left alone.
    pub(super) fn reads(&self, length: usize) -> Option<usize> {
        match self {
            Self::ResetBefore | Self::Silence(Passed::Never) => None,
            Self::ResetWithin => Some(length / 2),
            Self::Reset(_) | Self::Silence(_) | Self::Answer(..) => Some(length),
        }
    }
}
