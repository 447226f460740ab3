//! Downloads, from the download endpoint or from an address that the service gave
//! (`contract.md#downloads`). The token is sent to the account's own origin only, and never again
//! after a redirect has left it.

#[cfg(feature = "engine")]
use std::ops::Range;

use bytes::Bytes;
use reqwest::header::{CONTENT_RANGE, ETAG, HeaderValue, IF_RANGE, LOCATION, RANGE};
use reqwest::{Method, Request, Response, StatusCode};
use url::Url;

use super::bandwidth::Bandwidth;
use super::call::{self, Responder};
use super::client::Client;
use super::error::{Error, Kind};
use super::failure::Failure;
use super::files::{FilesApi, SignedUrlOptions};
use super::http::Transport;
use super::model::{Access, File};
use super::proxies::is_loopback;
use super::rate_limit::RequestClass;
use super::retry_budget::RetryBudget;

const MOST_REDIRECTS: usize = 5;

/// A response body that is being received.
#[derive(Debug)]
pub(crate) struct ResponseBody {
    response: Response,
    retry_budget: RetryBudget,
    bandwidth: Bandwidth,
}

/// The progress of an earlier attempt, with its `ETag`: the service resumes only if it still has
/// the same bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Resume {
    /// The number of bytes already received; not 0.
    from: u64,
    tag: HeaderValue,
}

enum RangeRequest<'a> {
    All,
    Rest(&'a Resume),
    #[cfg(feature = "engine")]
    Part(Range<u64>),
}

impl<'a> RangeRequest<'a> {
    fn of(resume: Option<&'a Resume>) -> Self {
        resume.map_or(Self::All, Self::Rest)
    }
}

impl ResponseBody {
    /// Returns the offset of the first byte: after those already received, or 0 if the service
    /// sends all.
    pub(crate) fn start(&self) -> u64 {
        if self.response.status() != StatusCode::PARTIAL_CONTENT {
            return 0;
        }
        let range = self
            .response
            .headers()
            .get(CONTENT_RANGE)
            .and_then(|value| value.to_str().ok());
        range
            .and_then(|text| {
                text.strip_prefix("bytes ")?
                    .split('-')
                    .next()?
                    .trim()
                    .parse()
                    .ok()
            })
            .unwrap_or(0)
    }

    /// Returns the number of bytes to come, if the service gave it.
    pub(crate) fn length(&self) -> Option<u64> {
        self.response.content_length()
    }

    /// Returns what is needed to resume after `from` bytes; `None` if the service gave no strong
    /// `ETag` or `from` is 0.
    pub(crate) fn resume(&self, from: u64) -> Option<Resume> {
        let is_strong = |tag: &&HeaderValue| tag.as_bytes().starts_with(b"\"");
        let tag = self.response.headers().get(ETAG).filter(is_strong)?.clone();
        (from > 0).then_some(Resume { from, tag })
    }

    /// Returns the next bytes; `None` at the end. A truncated body is a failure.
    pub(crate) async fn chunk(&mut self) -> Result<Option<Bytes>, Failure> {
        let chunk = self
            .retry_budget
            .watch(async { self.response.chunk().await.map_err(call::transport) })
            .await?;
        self.retry_budget.moved();
        self.bandwidth
            .take(chunk.as_ref().map_or(0, Bytes::len), &self.retry_budget)
            .await;
        Ok(chunk)
    }
}

impl FilesApi<'_> {
    /// Makes one attempt to download from a public or signed address. Never sends the token.
    pub(crate) async fn open_address(
        self,
        address: &str,
        resume: Option<&Resume>,
    ) -> Result<ResponseBody, Failure> {
        self.client
            .follow(&parsed(address)?, false, &RangeRequest::of(resume))
            .await
    }

    /// Makes one attempt to download some of the bytes at a public or signed address; the service
    /// may send more of them, or all. Never sends the token.
    #[cfg(feature = "engine")]
    pub(crate) async fn open_part(
        self,
        address: &str,
        part: Range<u64>,
    ) -> Result<ResponseBody, Failure> {
        self.client
            .follow(&parsed(address)?, false, &RangeRequest::Part(part))
            .await
    }

    /// Makes one attempt to get a file's bytes. A public file comes from its own address; any other
    /// through the account, or from a signed address where the version has no downloads.
    pub(crate) async fn open(
        self,
        file: &File,
        resume: Option<&Resume>,
    ) -> Result<ResponseBody, Failure> {
        let public = file
            .url
            .as_deref()
            .filter(|_| file.access.as_ref().is_some_and(Access::is_public));
        if let Some(url) = public {
            match self.open_address(url, resume).await {
                // It may have been made private since.
                Err(failure)
                    if matches!(
                        failure.error.kind,
                        Kind::NotFound | Kind::Forbidden | Kind::Refused
                    ) => {}
                answer => return answer,
            }
        }
        if let Some(url) = self.client.paths().download(&file.id)? {
            let range = RangeRequest::of(resume);
            return self.client.follow(&url, true, &range).await;
        }
        let signed = self
            .signed_url(&file.id, &SignedUrlOptions::default())
            .await?;
        self.open_address(&signed.url, resume).await
    }
}

impl Client {
    async fn follow(
        &self,
        url: &Url,
        mut with_token: bool,
        wanted: &RangeRequest<'_>,
    ) -> Result<ResponseBody, Failure> {
        let expected: &[_] = match wanted {
            RangeRequest::All => &[StatusCode::OK],
            _ => &[StatusCode::OK, StatusCode::PARTIAL_CONTENT],
        };
        let (mut url, retry_budget) = (url.clone(), self.retry_budget());
        for _ in 0..=MOST_REDIRECTS {
            self.check_address(&url)?;
            with_token &= self.is_own(&url);
            let mut request = Request::new(Method::GET, url.clone());
            match wanted {
                RangeRequest::All => {}
                RangeRequest::Rest(Resume { from, tag }) => {
                    request
                        .headers_mut()
                        .insert(RANGE, range(&format!("{from}-"))?);
                    request.headers_mut().insert(IF_RANGE, tag.clone());
                }
                #[cfg(feature = "engine")]
                RangeRequest::Part(part) => {
                    let last = part.end.saturating_sub(1);
                    request
                        .headers_mut()
                        .insert(RANGE, range(&format!("{}-{last}", part.start))?);
                }
            }
            let response = if with_token {
                self.acquire(RequestClass::Transfer, &retry_budget).await;
                retry_budget
                    .watch(self.exchange(request, Transport::Bytes, &retry_budget))
                    .await?
            } else {
                retry_budget
                    .watch(self.execute(request, Transport::Bytes, &retry_budget))
                    .await?
            };
            if let Some(next) = redirect(&url, &response)? {
                url = next;
                continue;
            }
            let accepted = async {
                if with_token {
                    self.accept(response, expected).await
                } else {
                    call::check(response, Responder::Host, expected).await
                }
            };
            let response = retry_budget.watch(accepted).await?;
            return Ok(ResponseBody {
                response,
                retry_budget,
                bandwidth: self.bandwidth().clone(),
            });
        }
        Err(Error::new(
            Kind::Network,
            format!("The file's address redirects more than {MOST_REDIRECTS} times"),
        )
        .into())
    }

    /// A remote account's addresses must not reach services on this machine.
    fn check_address(&self, url: &Url) -> Result<(), Error> {
        let refused = |why| {
            Err(Error::new(
                Kind::Refused,
                format!("The file's address {why}, which filedeck does not fetch"),
            ))
        };
        match url.scheme() {
            "http" | "https" if url.host().is_none() => refused("has no host"),
            "http" | "https" if is_loopback(url) && !is_loopback(self.base_url()) => {
                refused("points to this machine")
            }
            "http" | "https" => Ok(()),
            _ => refused("is neither http nor https"),
        }
    }
}

/// Returns the target of a redirect. Refuses one from https to plain http.
fn redirect(from: &Url, response: &Response) -> Result<Option<Url>, Error> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let location = response
        .headers()
        .get(LOCATION)
        .and_then(|value| value.to_str().ok());
    next_address(from, location).map(Some)
}

fn next_address(from: &Url, location: Option<&str>) -> Result<Url, Error> {
    let next = location.and_then(|location| from.join(location).ok());
    let next = next.ok_or_else(|| {
        Error::new(
            Kind::Decode,
            "The service sent a redirect without an address",
        )
    })?;
    if from.scheme() == "https" && next.scheme() != "https" {
        let message =
            "The file's address redirects from https to plain http, which is not followed";
        return Err(Error::new(Kind::Refused, message));
    }
    Ok(next)
}

fn range(bytes: &str) -> Result<HeaderValue, Error> {
    HeaderValue::try_from(format!("bytes={bytes}"))
        .map_err(|error| Error::new(Kind::Internal, error.to_string()))
}

fn parsed(address: &str) -> Result<Url, Error> {
    Url::parse(address).map_err(|error| {
        Error::new(
            Kind::Decode,
            format!("The file's address cannot be read: {error}"),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redirect_never_leads_from_https_to_http() {
        let from = Url::parse("https://files.example/a/b").unwrap();
        assert_eq!(
            next_address(&from, Some("../c")).unwrap().as_str(),
            "https://files.example/c"
        );
        let error =
            next_address(&from, Some("http://files.example/c?signature=canary")).unwrap_err();
        assert_eq!(error.kind, Kind::Refused);
        assert!(!error.message.contains("canary"));
        assert_eq!(next_address(&from, None).unwrap_err().kind, Kind::Decode);
    }
}
