//! Limits on the parts of a form's body outside its parts: the text before the first boundary and
//! after the last one, and unterminated headers that the parser buffers and searches again with
//! every piece. The parser itself sets no limit
//! (`guarantees.md#slow-and-large-requests-have-bounds`).

use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use axum::body::{Body, BodyDataStream, Bytes};
use bytes::BytesMut;
use futures::{Stream, StreamExt as _};

use crate::service::policy;

/// A body with two readers in turn: the parser, then the check of the rest.
#[derive(Clone)]
pub(super) struct Outside {
    body: Arc<Mutex<BodyDataStream>>,
    /// The number of bytes that have arrived since the parser's last output.
    unparsed: Arc<AtomicUsize>,
}

impl Outside {
    /// Returns the body for the parser to read, which fails if the parser has to buffer too much of
    /// it.
    pub(super) fn bound(body: Body, boundary: &str) -> (Self, Body) {
        let outside = Self {
            body: Arc::new(Mutex::new(body.into_data_stream())),
            unparsed: Arc::default(),
        };
        let parsed = Parsed {
            outside: outside.clone(),
            delimiter: format!("--{boundary}").into_bytes(),
            before: Some(Vec::new()),
            held: BytesMut::new(),
        };
        (outside, Body::from_stream(parsed))
    }

    /// Must be called whenever the parser has returned something.
    pub(super) fn parsed(&self) {
        self.unparsed.store(0, Ordering::Relaxed);
    }

    /// Reads to the end of the body, after the parser has found the last boundary.
    pub(super) async fn finish(self) -> Result<(), axum::Error> {
        let mut after = 0;
        while let Some(chunk) = std::future::poll_fn(|context| self.poll(context)).await {
            after += chunk?.len();
            if after > policy::MAX_OUTSIDE_BYTES {
                return Err(refused("too much follows the last boundary"));
            }
        }
        Ok(())
    }

    fn poll(&self, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, axum::Error>>> {
        self.body
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .poll_next_unpin(context)
    }
}

struct Parsed {
    outside: Outside,
    delimiter: Vec<u8>,
    /// The start of the body; `None` once the first boundary was found.
    before: Option<Vec<u8>>,
    /// Bytes that have arrived and that the parser does not have yet.
    held: BytesMut,
}

impl Parsed {
    /// Returns the bytes for the parser. It gets as many as it already buffers, or none: with each
    /// piece, it searches all that it buffers.
    fn add(&mut self, chunk: Bytes) -> Result<Option<Bytes>, axum::Error> {
        let unparsed = self.check(&chunk)?;
        if self.held.is_empty() && 2 * chunk.len() >= unparsed {
            return Ok(Some(chunk));
        }
        self.held.extend_from_slice(&chunk);
        Ok((2 * self.held.len() >= unparsed).then(|| self.held.split().freeze()))
    }

    /// Returns the number of unparsed bytes, with the chunk.
    fn check(&mut self, chunk: &Bytes) -> Result<usize, axum::Error> {
        if let Some(before) = &mut self.before {
            let searched = before.len().saturating_sub(self.delimiter.len());
            let room =
                (policy::MAX_OUTSIDE_BYTES + self.delimiter.len()).saturating_sub(before.len());
            before.extend(chunk.iter().take(room));
            if before
                .windows(self.delimiter.len())
                .skip(searched)
                .any(|window| window == self.delimiter)
            {
                self.before = None;
            } else if chunk.len() >= room {
                return Err(refused("too much precedes the first boundary"));
            }
        }
        let unparsed = self
            .outside
            .unparsed
            .fetch_add(chunk.len(), Ordering::Relaxed)
            + chunk.len();
        if unparsed > policy::MAX_UNPARSED_BYTES {
            return Err(refused("the headers of a part do not end"));
        }
        Ok(unparsed)
    }
}

impl Stream for Parsed {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        while let Some(chunk) = ready!(self.outside.poll(context)) {
            if let Some(bytes) = chunk.and_then(|chunk| self.add(chunk)).transpose() {
                return Poll::Ready(Some(bytes));
            }
        }
        let rest = self.held.split().freeze();
        Poll::Ready((!rest.is_empty()).then_some(Ok(rest)))
    }
}

fn refused(why: &'static str) -> axum::Error {
    axum::Error::new(std::io::Error::other(why))
}

#[cfg(test)]
mod tests;
