//! The body of a fetched file: counted, and abandoned if it is too large or too slow.

use bytes::Bytes;
use reqwest::Response;
use reqwest::header::{CONTENT_DISPOSITION, CONTENT_TYPE, HeaderName};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, timeout_at};
use url::Url;

use super::error::FetchError;
use super::filename;

/// A response whose headers have arrived. Dropping it closes the connection.
#[derive(Debug)]
pub(crate) struct FetchedContent {
    response: Response,
    /// The address of the file after redirects.
    url: Url,
    received: u64,
    limit: u64,
    deadline: Instant,
    _running: OwnedSemaphorePermit,
}

impl FetchedContent {
    pub(super) fn new(
        response: Response,
        url: Url,
        limit: u64,
        deadline: Instant,
        running: OwnedSemaphorePermit,
    ) -> Result<Self, FetchError> {
        if response
            .content_length()
            .is_some_and(|length| length > limit)
        {
            return Err(FetchError::TooLarge { limit });
        }
        Ok(Self {
            response,
            url,
            received: 0,
            limit,
            deadline,
            _running: running,
        })
    }

    /// Returns the next bytes; `None` at the end of the file.
    pub(crate) async fn chunk(&mut self) -> Result<Option<Bytes>, FetchError> {
        let chunk = timeout_at(self.deadline, self.response.chunk()).await;
        let chunk = chunk
            .map_err(|_| FetchError::Interrupted)?
            .map_err(|_| FetchError::Interrupted)?;
        if let Some(chunk) = &chunk {
            self.received = self
                .received
                .saturating_add(chunk.len().try_into().unwrap_or(u64::MAX));
            if self.received > self.limit {
                return Err(FetchError::TooLarge { limit: self.limit });
            }
        }
        Ok(chunk)
    }

    /// Returns a valid file name: the requested one, else one from the response or the url, with an
    /// extension if known.
    pub(crate) fn file_name(&self, wanted: Option<&str>) -> String {
        filename::choose(
            wanted,
            self.header(&CONTENT_DISPOSITION),
            &self.url,
            self.header(&CONTENT_TYPE),
        )
    }

    fn header(&self, name: &HeaderName) -> Option<&str> {
        // Names may be raw UTF-8, which `to_str` refuses.
        self.response
            .headers()
            .get(name)
            .and_then(|value| std::str::from_utf8(value.as_bytes()).ok())
    }
}
