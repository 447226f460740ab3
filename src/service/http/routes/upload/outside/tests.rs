//! Forms whose bytes arrive in pieces.

use axum::RequestExt as _;
use axum::extract::{Multipart, Request};
use futures::stream;
use proptest::collection::vec;
use proptest::prelude::*;
use tokio::sync::mpsc;

use super::*;
use crate::hostile;

const FORM: &[u8] =
    b"--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\n\
    hello\r\n--b\r\nContent-Disposition: form-data; name=\"folderPath\"\r\n\r\n/a\r\n--b--\r\n";

/// A body whose reader has to wait for each piece, as for those of a request.
fn arriving(pieces: Vec<&[u8]>) -> Body {
    let (sender, mut arrived) = mpsc::channel(1);
    let pieces = pieces
        .into_iter()
        .map(Bytes::copy_from_slice)
        .collect::<Vec<_>>();
    tokio::spawn(async move {
        for piece in pieces {
            if sender.send(Ok::<_, axum::Error>(piece)).await.is_err() {
                break;
            }
        }
    });
    Body::from_stream(stream::poll_fn(move |context| arrived.poll_recv(context)))
}

/// Returns the bytes after each piece of the given lengths, which are used in turn.
fn cut<'a>(mut form: &'a [u8], lengths: &[usize]) -> Vec<&'a [u8]> {
    let mut pieces = Vec::new();
    for length in lengths.iter().cycle() {
        if form.is_empty() {
            break;
        }
        let (piece, rest) = form.split_at((*length).min(form.len()));
        pieces.push(piece);
        form = rest;
    }
    pieces
}

/// Returns the names and bytes of all parts.
fn read(pieces: Vec<&[u8]>) -> Result<Vec<(Option<String>, Bytes)>, String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime.block_on(async {
        let (outside, body) = Outside::bound(arriving(pieces), "b");
        let request = Request::builder()
            .header("content-type", "multipart/form-data; boundary=b")
            .body(body)
            .unwrap();
        let mut parts = request
            .extract::<Multipart, _>()
            .await
            .map_err(|error| error.to_string())?;
        let mut all = Vec::new();
        while let Some(part) = parts
            .next_field()
            .await
            .map_err(|error| error.to_string())?
        {
            outside.parsed();
            let name = part.name().map(str::to_owned);
            all.push((name, part.bytes().await.map_err(|error| error.to_string())?));
        }
        outside.finish().await.map_err(|error| error.to_string())?;
        Ok(all)
    })
}

proptest! {
    // Fails if a piece is held back at the end of the body.
    #[test]
    fn hostile_forms_are_read_or_refused_wherever_they_are_cut(
        hostile in hostile::bytes(vec![FORM.to_vec()]),
        lengths in vec(1..40_usize, 1..20),
    ) {
        prop_assert_eq!(read(cut(FORM, &lengths)), read(vec![FORM]));
        prop_assert_eq!(read(cut(&hostile, &lengths)).ok(), read(vec![&hostile]).ok());
    }
}

// Fails if the parser gets each byte as it arrives: it then searches all bytes before it again for
// the end of the headers, 34 GB for a quarter of a megabyte.
#[tokio::test]
async fn headers_that_arrive_byte_by_byte_are_searched_a_few_times_only() {
    let form = [
        b"--b\r\n".as_slice(),
        &b"a".repeat(policy::MAX_UNPARSED_BYTES),
    ]
    .concat();
    let (_outside, body) = Outside::bound(arriving(cut(&form, &[1])), "b");
    let mut body = body.into_data_stream();
    let (mut buffered, mut searched) = (0, 0);
    while let Some(Ok(piece)) = body.next().await {
        buffered += piece.len();
        searched += buffered;
    }
    assert!(
        searched <= 3 * form.len(),
        "{searched} bytes searched of {}",
        form.len()
    );
    assert!(
        2 * buffered >= policy::MAX_UNPARSED_BYTES,
        "refused after {buffered} bytes"
    );
}
