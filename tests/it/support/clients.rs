//! Clients for tests of a service.

use std::time::Duration;

use filedeck::api::{Client, Endpoint, Timing, Version};
use secrecy::SecretString;
use url::Url;

#[cfg(feature = "service")]
use super::service::TestService;

pub const TOKEN: &str = "canary-token";

/// Short, so that a test of a lost response does not wait as long as for a real service.
pub const TIMING: Timing = Timing {
    stall: Duration::from_secs(20),
    settle: Duration::from_millis(160),
};

fn of(base_url: &Url, token: &str, version: Version, timing: Timing) -> Client {
    let mut endpoint = Endpoint::new(base_url.clone(), SecretString::from(token));
    (endpoint.version, endpoint.timing) = (version, timing);
    Client::new(endpoint).unwrap()
}

/// A client of a capture server.
pub fn client(base_url: &Url) -> Client {
    versioned_client(base_url, Version::V3)
}

pub fn versioned_client(base_url: &Url, version: Version) -> Client {
    of(base_url, TOKEN, version, TIMING)
}

/// A client of the real service behind a proxy.
pub fn client_with(base_url: &Url, token: &str) -> Client {
    of(base_url, token, Version::V3, TIMING)
}

/// A client with short timeouts.
pub fn impatient_client(base_url: &Url, token: &str) -> Client {
    of(
        base_url,
        token,
        Version::V3,
        Timing {
            stall: Duration::from_secs(2),
            ..TIMING
        },
    )
}

/// A client of the real service.
#[cfg(feature = "service")]
pub fn client_of(service: &TestService, version: Version) -> Client {
    of(
        &service.running.base_url(),
        service.token(),
        version,
        TIMING,
    )
}
