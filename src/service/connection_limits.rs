//! The bounds on slow clients and on their connections.

use std::time::Duration;

use super::network::Network;
use super::policy;

#[derive(Debug, Clone)]
pub struct ConnectionLimits {
    /// The rate in bytes per second that a request body must keep on average; zero to limit only
    /// its pauses.
    pub min_upload_rate: u64,
    /// The rate in bytes per second at which a client must take its response on average; zero to
    /// limit only pauses.
    pub min_download_rate: u64,
    /// The maximum number of connections of an IPv4 address, or of an IPv6 network of 64 bits.
    pub connections_per_client: usize,
    /// The time that a shutdown waits for requests in progress before it cuts them.
    pub stop_timeout: Duration,
    /// Proxies that pass on the requests of many clients. Their connections are not counted, nor
    /// are those of this machine.
    pub trusted_proxies: Vec<Network>,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self {
            min_upload_rate: policy::MIN_BYTES_PER_SECOND,
            min_download_rate: policy::MIN_BYTES_PER_SECOND,
            connections_per_client: policy::CONNECTIONS_PER_CLIENT,
            stop_timeout: policy::STOP_TIMEOUT,
            trusted_proxies: Vec::new(),
        }
    }
}
