//! The stream of a connection, which observes the responses that leave: it reports when all of them
//! are written, and fails if the client takes them too slowly. Changes no byte.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

use super::connection_slots::ConnectionSlot;
use super::patience::Patience;

/// Relies on hyper flushing a stream once its own buffer is empty.
pub(super) struct ResponseStream<S> {
    stream: S,
    slot: Arc<ConnectionSlot>,
    patience: Patience,
    waiting: Option<WriteWait>,
}

/// The client has not taken what was written before.
struct WriteWait {
    since: Instant,
    end: Pin<Box<Sleep>>,
}

impl<S> ResponseStream<S> {
    pub(super) fn new(stream: S, slot: Arc<ConnectionSlot>, patience: Patience) -> Self {
        Self {
            stream,
            slot,
            patience,
            waiting: None,
        }
    }

    fn settle(
        &mut self,
        cx: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        let Poll::Ready(written) = written else {
            let patience = self.patience.left();
            let begin = || WriteWait {
                since: Instant::now(),
                end: Box::pin(sleep(patience)),
            };
            ready!(self.waiting.get_or_insert_with(begin).end.as_mut().poll(cx));
            return Poll::Ready(Err(io::Error::new(
                io::ErrorKind::TimedOut,
                "the client takes its response too slowly",
            )));
        };
        let waited = self.waiting.take().map(|waiting| waiting.since.elapsed());
        self.patience
            .settle(waited.unwrap_or_default(), *written.as_ref().unwrap_or(&0));
        Poll::Ready(written)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for ResponseStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for ResponseStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.settle(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, bytes);
        self.settle(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(cx);
        if let Poll::Ready(Ok(())) = flushed {
            self.slot.has_left();
        }
        flushed
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rstest::rstest;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;
    use crate::service::http::connection_slots::ConnectionSlots;

    const MINUTE: Duration = Duration::from_mins(1);

    /// Sends a mebibyte to a client that takes `bytes` after each pause. Returns the number of
    /// seconds until the end, and whether all was sent.
    async fn send(bytes: usize, pause: Duration) -> (u64, bool) {
        let (server, mut client) = tokio::io::duplex(1024);
        let slot = ConnectionSlots::new(1, 1).take(None).unwrap();
        let mut stream = ResponseStream::new(server, slot, Patience::new(1024, MINUTE));
        let began = Instant::now();
        let reader = tokio::spawn(async move {
            let mut taken = vec![0; bytes];
            loop {
                sleep(pause).await;
                if client.read_exact(&mut taken).await.is_err() {
                    break;
                }
            }
        });
        let sent = stream.write_all(&vec![b'.'; 1 << 20]).await;
        reader.abort();
        (began.elapsed().as_secs(), sent.is_ok())
    }

    #[rstest]
    #[case::at_the_least_rate(1024, 1000, true, 1023)]
    #[case::in_bursts(32 * 1024, 30_000, true, 960)]
    #[case::one_byte_at_a_time(1, 100, false, 60)]
    #[case::at_half_the_rate(512, 1000, false, 120)]
    #[case::nothing(1, 3_600_000, false, 60)]
    #[tokio::test(start_paused = true)]
    async fn a_client_has_to_keep_the_rate_on_average(
        #[case] bytes: usize,
        #[case] pause: u64,
        #[case] is_sent: bool,
        #[case] seconds: u64,
    ) {
        let (took, sent) = send(bytes, Duration::from_millis(pause)).await;
        assert_eq!(sent, is_sent);
        assert!(took.abs_diff(seconds) <= 3, "{took} s");
    }
}
