//! Proxies that the environment or the system names, and the addresses that bypass them.

use hyper_util::client::proxy::matcher::Matcher;
use url::{Host, Url};

pub(super) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    }
}

/// Returns the host and port of the proxy through which the address is reached.
pub(super) fn proxy_of(url: &Url) -> Option<String> {
    let uri = url
        .origin()
        .ascii_serialization()
        .parse()
        .ok()
        .filter(|_| !is_loopback(url))?;
    let proxy = Matcher::from_system()
        .intercept(&uri)?
        .uri()
        .authority()?
        .to_string();
    proxy.rsplit('@').next().map(str::to_owned)
}

/// Returns ` through the proxy …` for an error message, if the address is reached through one.
pub(super) fn in_words(url: &Url) -> Option<String> {
    proxy_of(url).map(|proxy| format!(" through the proxy {proxy}"))
}

/// Returns `true` if the value of a variable such as `HTTPS_PROXY` names a proxy; others are
/// ignored.
pub fn is_proxy(value: &str) -> bool {
    let matcher = Matcher::builder().all(value.to_owned()).build();
    let Ok(uri) = "https://service.invalid".parse() else {
        return false;
    };
    matcher.intercept(&uri).is_some()
}
