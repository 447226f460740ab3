//! Response bodies that break off or arrive slowly.

use std::io;
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use futures::{StreamExt as _, stream};

const PIECES_PER_SECOND: usize = 10;

/// Returns the first bytes of the body, then an error that makes the server close the connection.
pub(super) fn cut(body: Body, after: usize) -> Body {
    let start = (body.into_data_stream(), after);
    Body::from_stream(stream::try_unfold(start, |(mut chunks, left)| async move {
        if left == 0 {
            return Err(io::Error::from(io::ErrorKind::ConnectionAborted));
        }
        match chunks.next().await {
            Some(Ok(mut chunk)) => {
                let chunk = chunk.split_to(left.min(chunk.len()));
                let left = left - chunk.len();
                Ok(Some((chunk, (chunks, left))))
            }
            Some(Err(error)) => Err(io::Error::other(error)),
            None => Err(io::Error::from(io::ErrorKind::ConnectionAborted)),
        }
    }))
}

/// Returns the same body in small, delayed pieces.
pub(super) fn slow(body: Body, bytes_per_second: usize) -> Body {
    let piece = (bytes_per_second / PIECES_PER_SECOND).max(1);
    let start = (body.into_data_stream(), Bytes::new());
    Body::from_stream(stream::try_unfold(
        start,
        move |(mut chunks, mut rest)| async move {
            while rest.is_empty() {
                let Some(chunk) = chunks.next().await else {
                    return Ok(None);
                };
                rest = chunk.map_err(io::Error::other)?;
            }
            tokio::time::sleep(
                Duration::from_secs(1) / u32::try_from(PIECES_PER_SECOND).unwrap_or(1),
            )
            .await;
            let part = rest.split_to(piece.min(rest.len()));
            Ok::<_, io::Error>(Some((part, (chunks, rest))))
        },
    ))
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;
    use tokio::time::Instant;

    use super::*;

    // Fails without the sleep.
    #[tokio::test(start_paused = true)]
    async fn a_slow_body_takes_the_time_that_its_pace_asks_for() {
        let begun = Instant::now();
        let whole = to_bytes(slow(Body::from(vec![7; 1000]), 400), usize::MAX)
            .await
            .unwrap();
        assert_eq!(whole, vec![7; 1000]);
        assert_eq!(begun.elapsed(), Duration::from_millis(2500));
    }
}
