//! Faults of a request: how much of it is read, when the service receives it, and the response that
//! the client gets.

use std::sync::Arc;

use serde_json::Value;
use tokio::sync::watch;

use super::answer::{Answer, End};
use crate::support::capture::Seen;

/// Turns the service's response to the request into the one that the client gets.
type Change = Arc<dyn Fn(&Seen, &mut Answer) + Send + Sync>;

#[derive(Clone)]
pub enum Fault {
    /// A reset before the body is read; the service receives nothing.
    ResetBefore,
    /// A reset in the middle of the body; the service receives nothing.
    ResetWithin,
    /// A reset after the whole request, instead of a response.
    Reset(Passed),
    /// No response, on a connection that stays open.
    Silence(Passed),
    /// A response that differs from the service's own.
    Answer(Passed, Change),
}

/// The time when the service receives the request.
#[derive(Debug, Clone, Copy)]
pub enum Passed {
    Never,
    /// The service has responded before the client sees anything.
    Now,
    /// Like `Now`, but twice: somebody else sent the same request just before.
    Twice,
    /// Like `Now`, but for the whole file instead of the requested part.
    Whole,
    /// Just before the request that comes this many later; the client does not wait for it.
    After(usize),
}

impl Fault {
    /// Never responds, and reads no more of the request.
    pub fn hang() -> Self {
        Self::Silence(Passed::Never)
    }

    /// Responds with this status, these headers and an empty body; the service receives nothing.
    pub fn status(status: u16, headers: &'static [(&'static str, &'static str)]) -> Self {
        Self::own(Passed::Never, status, headers, "")
    }

    /// Like `status`, on a connection that accepts no further request.
    pub fn stale(status: u16, headers: &'static [(&'static str, &'static str)]) -> Self {
        Self::Answer(
            Passed::Never,
            Arc::new(move |_, answer| {
                *answer = Answer {
                    end: End::Stale,
                    ..Answer::of(status, headers, "")
                }
            }),
        )
    }

    /// The login page of a captive portal.
    pub fn portal(status: u16) -> Self {
        Self::page(Passed::Never, status)
    }

    pub fn page(passed: Passed, status: u16) -> Self {
        Self::own(
            passed,
            status,
            &[("content-type", "text/html")],
            "<!doctype html><title>Log in</title>",
        )
    }

    /// The service's own response for a missing file, without a request to it.
    pub fn not_found() -> Self {
        let body = r#"{"status":"error","message":"no such file","correlationId":"0","category":"OBJECT_NOT_FOUND"}"#;
        Self::own(
            Passed::Never,
            404,
            &[("content-type", "application/json")],
            body,
        )
    }

    fn own(
        passed: Passed,
        status: u16,
        headers: &'static [(&'static str, &'static str)],
        body: &'static str,
    ) -> Self {
        Self::Answer(
            passed,
            Arc::new(move |_, answer| *answer = Answer::of(status, headers, body)),
        )
    }

    /// The response to the second of two equal requests, the first of which somebody else sent.
    pub fn second_answer() -> Self {
        Self::Answer(Passed::Twice, Arc::new(|_, _| {}))
    }

    /// The whole body, whatever part was requested.
    pub fn whole() -> Self {
        Self::Answer(Passed::Whole, Arc::new(|_, _| {}))
    }

    pub fn changed(change: impl Fn(&Seen, &mut Answer) + Send + Sync + 'static) -> Self {
        Self::Answer(Passed::Now, Arc::new(change))
    }

    pub fn edited(edit: impl Fn(&Seen, &mut Value) + Send + Sync + 'static) -> Self {
        Self::changed(move |seen, answer| {
            let mut value = serde_json::from_slice(&answer.body).unwrap();
            edit(seen, &mut value);
            answer.body = value.to_string().into_bytes();
        })
    }

    /// Half of the response's body, then this end.
    pub fn cut(end: End) -> Self {
        Self::changed(move |_, answer| {
            answer.length = Some(answer.body.len());
            answer.body.truncate(answer.body.len() / 2);
            answer.end = end;
        })
    }

    pub fn drip() -> Self {
        Self::changed(|_, answer| answer.drips = true)
    }

    /// The response's body, 64 KiB per second until `hurry` is `true`.
    pub fn slow(hurry: watch::Receiver<bool>) -> Self {
        Self::changed(move |_, answer| answer.slow = Some(hurry.clone()))
    }

    /// The response's body, and more without an end.
    pub fn endless() -> Self {
        Self::changed(|_, answer| {
            answer.chunked = true;
            answer.end = End::Endless;
        })
    }

    /// The response, with a declared length that is wrong by this much.
    pub fn length_off_by(difference: isize) -> Self {
        Self::changed(move |_, answer| {
            answer.length = answer.body.len().checked_add_signed(difference);
        })
    }

    /// The number of bytes to read of a body of this length; `None` if the body is left alone.
    pub(super) fn reads(&self, length: usize) -> Option<usize> {
        match self {
            Self::ResetBefore | Self::Silence(Passed::Never) => None,
            Self::ResetWithin => Some(length / 2),
            Self::Reset(_) | Self::Silence(_) | Self::Answer(..) => Some(length),
        }
    }
}
