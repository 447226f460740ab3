//! Keeps reading the rest of a refused request. If the connection were closed at once, it would be
//! reset, and a client that sends first and reads later would lose the response.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::{Body, BodyDataStream, Bytes, HttpBody as _};
use axum::extract::Request;
use axum::http::header::EXPECT;
use futures::{Stream, StreamExt as _};
use tokio::runtime::Handle;

use crate::service::policy;

/// Discards the part of the body that the handler did not read, as it arrives, for as long as the
/// policy allows.
pub(super) fn over_body(request: Request) -> Request {
    if request.body().is_end_stream() {
        return request;
    }
    // A client that waits for permission before it sends does not send a body that is refused.
    let is_coming = !request.headers().contains_key(EXPECT);
    request.map(|body| {
        Body::from_stream(Lingering {
            rest: Some(body.into_data_stream()),
            is_coming,
        })
    })
}

struct Lingering {
    rest: Option<BodyDataStream>,
    is_coming: bool,
}

impl Stream for Lingering {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.is_coming = true;
        let Some(rest) = &mut self.rest else {
            return Poll::Ready(None);
        };
        let next = ready!(rest.poll_next_unpin(cx));
        if !matches!(next, Some(Ok(_))) {
            self.rest = None;
        }
        Poll::Ready(next)
    }
}

impl Drop for Lingering {
    fn drop(&mut self) {
        let (true, Some(mut rest), Ok(runtime)) =
            (self.is_coming, self.rest.take(), Handle::try_current())
        else {
            return;
        };
        let drain = async move { while let Some(Ok(_)) = rest.next().await {} };
        runtime.spawn(tokio::time::timeout(policy::LINGER, drain));
    }
}
