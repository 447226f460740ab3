//! Bytes on their way down, from the download endpoint or from an address that the service gave (`wire.md` §4).
//! The token goes to the account's own origin only, and never again once a redirect has left it.

use bytes::Bytes;
use reqwest::header::LOCATION;
use reqwest::{Method, Request, Response};
use tokio::time::timeout;
use url::Url;

use super::call;
use super::client::{Carrier, Client, IDLE_TIMEOUT, is_loopback};
use super::error::{Error, Kind};
use super::ids::FileId;
use super::rate_limit::Lane;
use super::retry::{Failure, Repeat, Verdict, with_retries};

const MOST_REDIRECTS: usize = 5;

/// A body that is being received.
#[derive(Debug)]
pub struct Download {
    response: Response,
}

impl Download {
    /// Bytes to come, if the service said so.
    pub fn length(&self) -> Option<u64> {
        self.response.content_length()
    }

    /// The next bytes; none at the end. A body cut short is an error.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, Error> {
        let chunk = in_time(async { self.response.chunk().await.map_err(call::transport) }).await;
        chunk.map_err(|failure| *failure.error)
    }
}

impl Client {
    /// A file's bytes, through the account. Refused where the version has no such endpoint
    /// (`Version::has_download`): fetch a signed address then.
    pub async fn download(&self, file: &FileId) -> Result<Download, Error> {
        let url = self.paths().download(file)?;
        let url = url.ok_or_else(|| Error::new(Kind::Refused, "This version of the API has no download"))?;
        self.receive(&url, true).await
    }

    /// The bytes at a public or signed address. Never sends the token.
    pub async fn fetch(&self, address: &str) -> Result<Download, Error> {
        let url = Url::parse(address)
            .map_err(|error| Error::new(Kind::Decode, format!("The file's address cannot be read: {error}")))?;
        self.receive(&url, false).await
    }

    async fn receive(&self, url: &Url, with_token: bool) -> Result<Download, Error> {
        let result = with_retries(Repeat::Safe, self.observer(), async || self.follow(url, with_token).await);
        result.await.map_err(|failure| *failure.error)
    }

    async fn follow(&self, url: &Url, mut with_token: bool) -> Result<Download, Failure> {
        let mut url = url.clone();
        for _ in 0..=MOST_REDIRECTS {
            self.check_address(&url)?;
            with_token &= self.is_own(&url);
            let request = Request::new(Method::GET, url.clone());
            let response = if with_token {
                self.acquire(Lane::Transfer).await;
                in_time(self.exchange(request, Carrier::Bytes)).await?
            } else {
                in_time(self.execute(request, Carrier::Bytes)).await?
            };
            match redirect(&url, &response)? {
                Some(next) => url = next,
                None if with_token => return Ok(Download { response: in_time(self.accept(response)).await? }),
                None => return Ok(Download { response: in_time(call::check(response)).await? }),
            }
        }
        Err(Error::new(Kind::Network, format!("The file's address leads through more than {MOST_REDIRECTS} others"))
            .into())
    }

    /// A remote account's addresses have no business on this machine.
    fn check_address(&self, url: &Url) -> Result<(), Error> {
        let refused =
            |why| Err(Error::new(Kind::Refused, format!("The file's address {why}, which filedeck does not fetch")));
        match url.scheme() {
            "http" | "https" if url.host().is_none() => refused("names no host"),
            "http" | "https" if is_loopback(url) && !is_loopback(self.base_url()) => refused("leads to this machine"),
            "http" | "https" => Ok(()),
            _ => refused("is neither http nor https"),
        }
    }
}

/// Where a redirect leads; from https never to plain http.
fn redirect(from: &Url, response: &Response) -> Result<Option<Url>, Error> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let location = response.headers().get(LOCATION).and_then(|value| value.to_str().ok());
    next_address(from, location).map(Some)
}

fn next_address(from: &Url, location: Option<&str>) -> Result<Url, Error> {
    let next = location.and_then(|location| from.join(location).ok());
    let next = next.ok_or_else(|| Error::new(Kind::Decode, "The service sent a redirect that leads nowhere"))?;
    if from.scheme() == "https" && next.scheme() != "https" {
        let message = "The file's address leads from https to plain http, which is not followed";
        return Err(Error::new(Kind::Refused, message));
    }
    Ok(next)
}

async fn in_time<T>(step: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    timeout(IDLE_TIMEOUT, step).await.unwrap_or_else(|_| {
        let error = Error::new(Kind::Timeout, "The service sent nothing for a minute");
        Err(Failure::new(error, Verdict::Doubtful))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redirect_never_leads_from_https_to_http() {
        let from = Url::parse("https://files.example/a/b").unwrap();
        assert_eq!(next_address(&from, Some("../c")).unwrap().as_str(), "https://files.example/c");
        let error = next_address(&from, Some("http://files.example/c?signature=canary")).unwrap_err();
        assert_eq!(error.kind, Kind::Refused);
        assert!(!error.message.contains("canary"));
        assert_eq!(next_address(&from, None).unwrap_err().kind, Kind::Decode);
    }
}
