//! Signed requests that the object client does not support, or whose errors it does not
//! distinguish: above all those for versions of objects, which a permanent deletion has to remove.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::http::{Method, Request, StatusCode};
use bytes::Bytes;
use futures::{TryStreamExt as _, stream};
use object_store::aws::{AmazonS3, AwsAuthorizer};
use object_store::client::{HttpClient, HttpRequestBody};
use object_store::path::Path;
use object_store::signer::Signer as _;
use url::Url;

use super::fault::{BucketFault, unreached};
use super::http::BucketConnector;
use super::options::BucketOptions;
use super::xml::{leaves, text};

const AT_ONCE: usize = 8;
/// Signing is only used to build an address; its signature is discarded.
const UNUSED_SIGNATURE: Duration = Duration::from_mins(1);

#[derive(Clone)]
pub(super) struct BucketCalls {
    s3: Arc<AmazonS3>,
    http: HttpClient,
    region: String,
    bucket: Url,
}

impl BucketCalls {
    pub(super) async fn of(
        s3: &Arc<AmazonS3>,
        options: &BucketOptions,
    ) -> Result<Self, BucketFault> {
        let http = BucketConnector::of(options)
            .client(options.is_plain())
            .map_err(BucketFault::Settings)?;
        let mut bucket = object_url(s3, &Path::from("object"))
            .await
            .map_err(BucketFault::Settings)?;
        if let Ok(mut segments) = bucket.path_segments_mut() {
            segments.pop();
        }
        Ok(Self {
            s3: s3.clone(),
            http,
            region: options.region().to_owned(),
            bucket,
        })
    }

    /// Lists one object below a prefix, to check the permission.
    pub(super) async fn list_one(&self, prefix: &Path) -> Result<(), BucketFault> {
        let (what, permission) = ("list objects", "s3:ListBucket");
        let mut url = self.bucket.clone();
        let asked = [
            ("list-type", "2"),
            ("max-keys", "1"),
            ("prefix", prefix.as_ref()),
        ];
        url.query_pairs_mut().extend_pairs(asked);
        let (status, answer) = match self.ask(Method::GET, url).await {
            Ok(answered) => answered,
            Err(error) => return Err(BucketFault::failed(what, &error)),
        };
        let cause = refused(status, &answer).to_string();
        match status {
            StatusCode::OK => Ok(()),
            StatusCode::NOT_FOUND => Err(BucketFault::Missing(cause)),
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Err(BucketFault::Refused {
                what,
                permission,
                cause,
            }),
            _ => Err(BucketFault::Failed { what, cause }),
        }
    }

    /// Returns `true` if the bucket keeps or once kept versions. Fails if it does not tell.
    pub(super) async fn are_kept(&self) -> io::Result<bool> {
        match self.ask(Method::GET, self.about("versioning")).await? {
            (StatusCode::OK, answer) => Ok(text(&answer, "Status").is_some()),
            (status, answer) => Err(refused(status, &answer)),
        }
    }

    /// Returns `true` if the bucket can protect objects from removal. Fails if it does not tell.
    pub(super) async fn are_locked(&self) -> io::Result<bool> {
        match self.ask(Method::GET, self.about("object-lock")).await? {
            (StatusCode::OK, answer) => Ok(text(&answer, "ObjectLockEnabled").is_some()),
            (StatusCode::NOT_FOUND, _) => Ok(false),
            (status, answer) => Err(refused(status, &answer)),
        }
    }

    pub(super) async fn remove(&self, key: Path) -> io::Result<()> {
        let url = object_url(&self.s3, &key).await.map_err(unreached)?;
        let versions = self.list(key.as_ref()).await?;
        stream::iter(versions.into_iter().map(Ok))
            .try_for_each_concurrent(AT_ONCE, |version| {
                let mut url = url.clone();
                url.query_pairs_mut().append_pair("versionId", &version);
                async move {
                    match self.ask(Method::DELETE, url).await? {
                        (StatusCode::NOT_FOUND, _) => Ok(()),
                        (status, _) if status.is_success() => Ok(()),
                        (status, answer) => Err(refused(status, &answer)),
                    }
                }
            })
            .await
    }

    async fn list(&self, key: &str) -> io::Result<Vec<String>> {
        let (mut found, mut from) = (Vec::new(), None::<(String, String)>);
        loop {
            let mut url = self.about("versions");
            url.query_pairs_mut().append_pair("prefix", key);
            if let Some((key, version)) = &from {
                url.query_pairs_mut()
                    .append_pair("key-marker", key)
                    .append_pair("version-id-marker", version);
            }
            let page = match self.ask(Method::GET, url).await? {
                (StatusCode::OK, answer) => {
                    VersionPage::read(&answer, key).ok_or_else(|| unreadable("versions"))
                }
                (status, answer) => Err(refused(status, &answer)),
            }?;
            found.extend(page.versions);
            match page.next {
                None => return Ok(found),
                // A page that points to itself would be requested forever.
                next if next == from => return Err(unreadable("versions")),
                next => from = next,
            }
        }
    }

    fn about(&self, what: &str) -> Url {
        let mut url = self.bucket.clone();
        url.query_pairs_mut().append_pair(what, "");
        url
    }

    async fn ask(&self, method: Method, url: Url) -> io::Result<(StatusCode, Bytes)> {
        let request = Request::builder()
            .method(method)
            .uri(url.as_str())
            .body(HttpRequestBody::empty());
        let mut request = request.map_err(io::Error::other)?;
        let credential = self
            .s3
            .credentials()
            .get_credential()
            .await
            .map_err(unreached)?;
        AwsAuthorizer::new(&credential, "s3", &self.region)
            .try_authorize(&mut request, None)
            .map_err(unreached)?;
        let unanswered = |error| io::Error::new(io::ErrorKind::HostUnreachable, error);
        let (parts, body) = self
            .http
            .execute(request)
            .await
            .map_err(unanswered)?
            .into_parts();
        Ok((parts.status, body.bytes().await.map_err(unanswered)?))
    }
}

struct VersionPage {
    versions: Vec<String>,
    /// The key and version after which the next page begins.
    next: Option<(String, String)>,
}

impl VersionPage {
    /// Parses a page, keeping only versions of this key, since longer keys are listed, too. `None`
    /// if unreadable.
    fn read(xml: &[u8], key: &str) -> Option<Self> {
        let leaves = leaves(xml)?;
        let mut entries: HashMap<usize, (Option<&str>, Option<&str>)> = HashMap::new();
        for leaf in leaves
            .iter()
            .filter(|leaf| matches!(leaf.within.0.as_str(), "Version" | "DeleteMarker"))
        {
            let entry = entries.entry(leaf.within.1).or_default();
            match leaf.name.as_str() {
                "Key" => entry.0 = Some(&leaf.text),
                "VersionId" => entry.1 = Some(&leaf.text),
                _ => {}
            }
        }
        let of_key = entries
            .into_values()
            .filter(|(found, _)| *found == Some(key));
        let versions = of_key
            .filter_map(|(_, version)| version.map(str::to_owned))
            .collect();
        let value = |name| {
            leaves
                .iter()
                .find(|leaf| leaf.name == name)
                .map(|leaf| leaf.text.clone())
        };
        let is_cut = value("IsTruncated").as_deref() == Some("true");
        // Without a marker for the next page, the remaining versions would never be removed.
        let next = if is_cut {
            Some((value("NextKeyMarker")?, value("NextVersionIdMarker")?))
        } else {
            None
        };
        Some(Self { versions, next })
    }
}

async fn object_url(s3: &AmazonS3, key: &Path) -> Result<Url, object_store::Error> {
    let mut url = s3.signed_url(Method::GET, key, UNUSED_SIGNATURE).await?;
    url.set_query(None);
    Ok(url)
}

fn refused(status: StatusCode, answer: &[u8]) -> io::Error {
    let text = String::from_utf8_lossy(answer);
    io::Error::new(
        io::ErrorKind::HostUnreachable,
        format!("the bucket answered {status} {text}"),
    )
}

fn unreadable(what: &str) -> io::Error {
    io::Error::new(
        io::ErrorKind::HostUnreachable,
        format!("what the bucket says of its {what} cannot be read"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<ListVersionsResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>files</Name><Prefix>a/1/1f</Prefix>
  <KeyMarker/><VersionIdMarker></VersionIdMarker><IsTruncated>true</IsTruncated>
  <NextKeyMarker>a/1/1f</NextKeyMarker><NextVersionIdMarker>two</NextVersionIdMarker>
  <Version><Owner><ID>VersionId</ID></Owner><Key>a/1/1f</Key><VersionId>one</VersionId><Size>3</Size></Version>
  <DeleteMarker><VersionId>two</VersionId><Key>a/1/1f</Key><Owner><ID>me</ID></Owner></DeleteMarker>
  <Version><Key>a/1/1f.other</Key><VersionId>three</VersionId></Version></ListVersionsResult>"#;

    #[test]
    fn versions_and_markers_of_one_key_are_read_and_those_of_longer_keys_are_not() {
        let mut page = VersionPage::read(PAGE.as_bytes(), "a/1/1f").unwrap();
        page.versions.sort_unstable();
        assert_eq!(page.versions, ["one", "two"]);
        assert_eq!(page.next, Some(("a/1/1f".to_owned(), "two".to_owned())));
        let last = PAGE.replace("<IsTruncated>true", "<IsTruncated>false");
        assert_eq!(
            VersionPage::read(last.as_bytes(), "a/1/1f").unwrap().next,
            None
        );
    }

    #[test]
    fn a_page_that_is_cut_or_no_xml_is_no_page() {
        let cut = PAGE.strip_suffix("</ListVersionsResult>").unwrap();
        let without_end = PAGE.replace(
            "<NextVersionIdMarker>two</NextVersionIdMarker>",
            "<NextVersionIdMarker/>",
        );
        for broken in [cut, &without_end, "<a><b></a>", "<!DOCTYPE a><a></a>", "<a"] {
            assert!(
                VersionPage::read(broken.as_bytes(), "a/1/1f").is_none(),
                "{broken}"
            );
        }
    }
}
