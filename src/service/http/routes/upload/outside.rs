//! Limits on the parts of a form's body outside its parts: the text before the first boundary and after the last one,
//! and unterminated headers that the parser buffers. The parser itself sets no limit
//! (`guarantees.md#slow-and-large-requests-have-bounds`).

use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use axum::body::{Body, BodyDataStream, Bytes};
use futures::{Stream, StreamExt as _};

use crate::service::policy;

/// A body with two readers in turn: the parser, then the check of the rest.
#[derive(Clone)]
pub(super) struct Outside {
    body: Arc<Mutex<BodyDataStream>>,
    /// The bytes that the parser has read since its last output.
    unparsed: Arc<AtomicUsize>,
}

impl Outside {
    /// Returns the body for the parser to read, which fails if the parser has to buffer too much of it.
    pub(super) fn bound(body: Body, boundary: &str) -> (Self, Body) {
        let outside = Self { body: Arc::new(Mutex::new(body.into_data_stream())), unparsed: Arc::default() };
        let parsed = Parsed {
            outside: outside.clone(),
            delimiter: format!("--{boundary}").into_bytes(),
            before: Some(Vec::new()),
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
        self.body.lock().unwrap_or_else(PoisonError::into_inner).poll_next_unpin(context)
    }
}

struct Parsed {
    outside: Outside,
    delimiter: Vec<u8>,
    /// The start of the body; `None` once the first boundary was found.
    before: Option<Vec<u8>>,
}

impl Parsed {
    fn check(&mut self, chunk: &Bytes) -> Result<(), axum::Error> {
        if let Some(before) = &mut self.before {
            let room = (policy::MAX_OUTSIDE_BYTES + self.delimiter.len()).saturating_sub(before.len());
            before.extend(chunk.iter().take(room));
            if before.windows(self.delimiter.len()).any(|window| window == self.delimiter) {
                self.before = None;
            } else if chunk.len() >= room {
                return Err(refused("too much precedes the first boundary"));
            }
        }
        let unparsed = self.outside.unparsed.fetch_add(chunk.len(), Ordering::Relaxed) + chunk.len();
        if unparsed > policy::MAX_UNPARSED_BYTES {
            return Err(refused("the headers of a part do not end"));
        }
        Ok(())
    }
}

impl Stream for Parsed {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let polled = self.outside.poll(context);
        polled.map(|next| next.map(|chunk| chunk.and_then(|chunk| self.check(&chunk).map(|()| chunk))))
    }
}

fn refused(why: &'static str) -> axum::Error {
    axum::Error::new(std::io::Error::other(why))
}

#[cfg(test)]
mod tests {
    use axum::RequestExt as _;
    use axum::extract::{Multipart, Request};
    use futures::stream;
    use proptest::prelude::*;

    use super::*;
    use crate::hostile;

    const FORM: &[u8] =
        b"--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\n\
        hello\r\n--b\r\nContent-Disposition: form-data; name=\"folderPath\"\r\n\r\n/a\r\n--b--\r\n";

    async fn read(form: &[u8], cut: usize) -> Result<usize, String> {
        let chunks: Vec<_> =
            form.chunks(cut).map(|chunk| Ok::<_, axum::Error>(Bytes::copy_from_slice(chunk))).collect();
        let (outside, body) = Outside::bound(Body::from_stream(stream::iter(chunks)), "b");
        let request = Request::builder().header("content-type", "multipart/form-data; boundary=b").body(body).unwrap();
        let mut parts = request.extract::<Multipart, _>().await.map_err(|error| error.to_string())?;
        let mut all = 0;
        while let Some(part) = parts.next_field().await.map_err(|error| error.to_string())? {
            outside.parsed();
            all += part.bytes().await.map_err(|error| error.to_string())?.len();
        }
        outside.finish().await.map_err(|error| error.to_string())?;
        Ok(all)
    }

    proptest! {
        #[test]
        fn hostile_forms_are_read_or_refused(form in hostile::bytes(vec![FORM.to_vec()]), cut in 1..300_usize) {
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            if let Ok(all) = runtime.block_on(read(&form, cut)) {
                prop_assert!(all <= form.len());
            }
            prop_assert_eq!(runtime.block_on(read(FORM, cut)), Ok(7));
        }
    }
}
